"""IEEE 754 as exact numbers, and numbers that are known as computations with real functions only."""
