"""Python's programs: their functions, classes, statements and calls, executed on symbolic values."""
