"""Spec values: what expressions compute with, exactly.

========================  ==========================================================================
type                      spec value
========================  ==========================================================================
int                       ``int``
decimal                   ``int`` or ``Fraction``, for an input or a result a ``WrittenDecimal`` (a
                          ``Fraction`` that remembers its decimals); NaN and infinities as ``float``
float                     the ``Fraction`` that is its exact value; NaN and infinities as ``float``
fraction                  ``Fraction`` (or ``int``)
bool, str, date           ``bool``, ``str``, ``datetime.date``
enum                      its choice, a ``str``
record                    ``Record``
list, tuple, set, dict    ``list``, ``tuple``, ``frozenset``, ``dict``
none                      ``None``
========================  ==========================================================================

A number is never a Python ``float`` unless it is NaN or infinite, and never a ``Decimal``. The difference of
two dates is a ``datetime.timedelta``, which only ``days()`` reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self


class WrittenDecimal(Fraction):
    """The exact value of a decimal, which remembers with how many ``places`` it was written.

    Arithmetic gives plain fractions; only ``places(x)`` asks for the number. Equal and hashed as the fraction.
    """

    __slots__ = ("places",)
    places: int

    def __new__(cls, numerator: int | Fraction = 0, places: int = 0) -> WrittenDecimal:
        self = super().__new__(cls, numerator)
        self.places = places
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Fraction's own takes the second argument for a denominator: another number would come out.
        return WrittenDecimal, (Fraction(self), self.places)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


@dataclass(frozen=True, slots=True)
class Record:
    """A record by field name; equal when type name and all fields are."""

    type_name: str
    fields: Mapping[str, Any]

    def __hash__(self) -> int:
        return hash((self.type_name, tuple(self.fields.items())))


class NegativeZero(WrittenDecimal):
    """Zero with a minus sign, of a decimal (with its places) or a float.

    It computes and compares as zero; only its notation and the check that a type allows it see the sign.
    """

    __slots__ = ()

    def __new__(cls, places: int = 0) -> NegativeZero:
        self = super().__new__(cls, 0, places)
        assert isinstance(self, cls)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return NegativeZero, (self.places,)
