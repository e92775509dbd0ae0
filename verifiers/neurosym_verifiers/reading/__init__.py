"""The symbolic reading: what a program and a spec's expressions compute, as terms over whole numbers.

Nothing here knows a solver. ``terms`` is the language of the reading, ``values`` what Python and spec values are made
of in it, ``python`` reads programs, ``expressions`` reads the spec. What cannot be read is said, never guessed.
"""
