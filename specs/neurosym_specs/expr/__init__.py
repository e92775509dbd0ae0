"""The expression language of specs: parsed, checked, evaluated exactly; never given to ``eval``."""
