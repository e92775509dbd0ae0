"""The spec's language, executed on symbolic values."""
