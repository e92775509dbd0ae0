"""Host-side stand-ins for values of classes that only exist inside the jail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["EnumMember", "Instance", "NumpyScalar"]


@dataclass(frozen=True, slots=True)
class EnumMember:
    """A member of an enum that the program declares, by the names of both."""

    class_name: str
    name: str


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a dataclass or named tuple that the program declares, with its fields in declared order."""

    class_name: str
    kind: Literal["dataclass", "namedtuple"]
    fields: tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class NumpyScalar:
    """A scalar of numpy: the name of its type (`int64`, `float32`, `datetime64[ns]`, `str`) and its plain value.

    A date or a duration is the count of its unit since 1970 or since zero; NaT is the smallest 64-bit integer.
    """

    dtype: str
    value: bool | int | float | str | bytes
