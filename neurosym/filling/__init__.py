"""Sketches with holes are completed, and what comes of it is judged like any candidate; ``fill.fill`` is the door."""
