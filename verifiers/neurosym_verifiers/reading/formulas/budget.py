"""How large a reading may grow: a count of the parts that sums, products and conditions are made of.

A unit of work, so that what is read does not depend on how busy the machine is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class TooManyTerms(Exception):
    """A reading has grown beyond its budget."""


class _Budget:
    left: int | None = None


@contextmanager
def at_most_terms(parts: int) -> Iterator[None]:
    """So many parts may be made inside, and no more than are left of a budget around it.

    Where they do not suffice, ``TooManyTerms`` is raised.
    """
    around = _Budget.left
    granted = parts if around is None else min(parts, around)
    _Budget.left = granted
    try:
        yield
    finally:
        spent = granted - max(_Budget.left, 0)
        _Budget.left = None if around is None else around - spent


class Apart:
    """A budget of its own for what is made beside a reading, such as the questions about it. ``left``: of its parts."""

    def __init__(self, parts: int) -> None:
        self.left = parts

    @contextmanager
    def counted(self) -> Iterator[None]:
        """What is made inside is taken from this budget, and costs one around it nothing."""
        around, _Budget.left = _Budget.left, self.left
        try:
            yield
        finally:
            self.left, _Budget.left = max(_Budget.left, 0), around


def spend(parts: int) -> None:
    """Takes parts from the budget, if there is one."""
    if _Budget.left is not None:
        _Budget.left -= parts
        if _Budget.left < 0:
            raise TooManyTerms


_MOST_BITS = 100_000


def check_size(value: int) -> None:
    """Refuses a number of more than some 30,000 digits, of which the next product may take too long to make."""
    if value.bit_length() > _MOST_BITS:
        raise TooManyTerms
