"""Texts as vectors of code points, and patterns as automata over them."""
