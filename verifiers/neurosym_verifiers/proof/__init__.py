"""Proof: claims about a reading that a solver shows to have no counterexample."""
