"""Host-side stand-ins for values of classes that only exist inside the jail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["EnumMember", "Instance"]


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
