"""``python -m neurosym`` is the command ``neurosym``."""

from neurosym.cli import main

main()
