"""Answers a question by programs: what they give when they are run, how far they agree; ``asking.ask`` is its door."""
