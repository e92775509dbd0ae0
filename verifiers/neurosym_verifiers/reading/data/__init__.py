"""What Python's values are in terms: numbers, dates, lists, dicts, sets, and what operators make of them."""
