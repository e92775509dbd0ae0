"""What is found in a program before it is translated: conditions, what cannot be read, and what names in them mean."""

from __future__ import annotations

import ast
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

LONGEST_TEXT = 100


class Role(StrEnum):
    """Whether a condition is asked of the arguments or of the result."""

    PRE = "precondition"
    POST = "postcondition"


@dataclass(frozen=True, slots=True)
class Input:
    """A name that stands for a parameter, as it was when the function was called."""

    name: str


@dataclass(frozen=True, slots=True)
class Result:
    """A name that stands for the result."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A name that is only there for its attributes: ``_`` of deal, ``OLD`` of icontract, ``__old__`` of PEP 316."""

    of: Mapping[str, Meaning]


@dataclass(frozen=True, slots=True)
class Computed:
    """A name that stands for an expression over the arguments, in which names mean what ``scope`` says."""

    expression: ast.expr
    scope: Mapping[str, Meaning]


Meaning: TypeAlias = Input | Result | Parts | Computed


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition in a program. ``origin`` says how it is written (``icontract.require``), ``text`` what it says."""

    role: Role
    origin: str
    line: int
    text: str
    expression: ast.expr
    scope: Mapping[str, Meaning]
    description: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """A contract that is not read, and ``why``. ``blocks``: without it nothing that a run shows can be held against
    the function, so that it is not judged."""

    line: int
    text: str
    why: str
    blocks: bool = False


@dataclass(slots=True)
class Found:
    """What the contracts of one function say, in the order of the text."""

    conditions: list[Condition] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    remarks: list[tuple[int, str]] = field(default_factory=list)
    """What is worth knowing: by line."""

    allowed: list[str] = field(default_factory=list)
    """The exceptions that may be raised, without a word about when."""

    any: bool = False
    """Whether there is any contract at all."""


class NotRead(Exception):
    """An expression that has no counterpart; ``str`` says why, as the end of "it is not read: ..."."""


def said(node: ast.expr) -> str:
    """An expression on one line, cut where it is long."""
    return shortened(ast.unparse(node))


def shortened(text: str) -> str:
    """A text on one line. One that is cut ends with a checksum of the whole: contracts are known by their texts, and
    what is accepted of one is not accepted of another that only begins like it."""
    whole = " ".join(text.split())
    if len(whole) <= LONGEST_TEXT:
        return whole
    checksum = f"... #{zlib.crc32(whole.encode('utf-8', 'backslashreplace')):08x}"
    return whole[: LONGEST_TEXT - len(checksum)] + checksum
