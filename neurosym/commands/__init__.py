"""The commands, one module each; ``neurosym.cli`` names them."""
