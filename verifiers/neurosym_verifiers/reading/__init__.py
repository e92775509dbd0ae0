"""The symbolic reading: what a program and a spec's expressions compute, as terms over whole numbers.

Nothing here knows a solver. ``formulas`` is the language of the reading, ``data`` what Python and spec values are made
of in it, ``execution`` a point in a run; ``floats``, ``texts`` and ``loop_lists`` are data with rooms of their own.
``python`` reads programs, ``expressions`` the spec, ``inputs`` says what both begin with; ``simplification`` makes
claims about all this small. What cannot be read is said, never guessed.
"""
