"""Loops with too many rounds to go through them one by one: read as what one round does, over and over."""
