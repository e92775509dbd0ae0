"""How deep readings may nest."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_DEEPEST = 6_000


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Readings nest as deep as the loops that they unroll; Python's own limit is for runaway programs."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
