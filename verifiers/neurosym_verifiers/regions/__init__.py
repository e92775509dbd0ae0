"""Regions: what a program does where, and where two versions differ, from their readings and real executions.

``splitting`` takes a reading apart by what ``knowing`` says is decided, ``ranges`` finds where each part lies,
``formulas`` writes what it does, ``worked`` finds calls that show it; ``table`` and ``difference`` put these together.
Nothing here prints.
"""
