"""The loop that asks models for a calculation and drives them to a right one; ``loop.solve`` is its door."""
