"""A point in the execution: what names and lists stand for there, what is known, and where two ways meet."""
