"""Symbolic values: what a name in a program, or an expression of a spec, stands for.

A value knows its Python type for certain; what varies in it are terms and conditions. A number is a quotient of terms:

===============  ===========================================================================================
``Int``          an ``int``
``Dec``          a finite ``Decimal``: ``num / 10**places``, exactly
``Ratio``        an exact rational: a ``Fraction``, or a number of the spec's language
``Float``        a ``float``: ``num / 2**scale``, exactly
``Quotient``     a ``Decimal`` that is ``num / den`` rounded to the context's precision; only what provably does
                 not see the rounding may use it
``Real``         a number of which only the computation is known: what a real function gives, and what is made of it
===============  ===========================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, TypeAlias

from neurosym_verifiers.reading.formulas.iterated import Iterated
from neurosym_verifiers.reading.formulas.normal_forms import either
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term


class NotRead(Exception):
    """A construct that the reading does not know, in words, with its line in the source that is read."""

    def __init__(self, what: str, line: int | None = None) -> None:
        self.what = what
        self.line = line
        super().__init__(f"not read: {what}" + (f" at line {line}" if line else ""))


class OutOfOrder(NotRead):
    """What is not done in the order in which it is read: not even an exception that is sure to come can be believed."""


@dataclass(frozen=True, slots=True)
class Int:
    term: Term


@dataclass(frozen=True, slots=True)
class Bool:
    condition: Condition


@dataclass(frozen=True, slots=True)
class Dec:
    """``places`` may be more than the Decimal's own decimals, unless it is ``written`` with exactly these."""

    num: Term
    places: int
    written: bool = False


@dataclass(frozen=True, slots=True)
class Extended:
    """A ``Decimal``: ``-Infinity`` where ``low`` holds, ``Infinity`` where ``high`` does, ``value`` elsewhere."""

    value: Dec
    low: Condition
    high: Condition


@dataclass(frozen=True, slots=True)
class Float:
    """NaN where ``nan`` holds; elsewhere ``num / 2**scale``, but negative infinity where ``num`` is below ``low``, and
    positive infinity where it is above ``high`` (None: it never is). Whether a zero is negative is not known."""

    num: Term
    scale: int
    nan: Condition = FALSE
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Quotient:
    """``roundings``: how often it was rounded, each time to no more than half a unit of the context's last digit, and
    never while it was larger than ``largest``. ``residues``: what the denominators of the quotients that it is a sum of
    have beside twos and fives, no two with a common factor, so that the sum has an end only where each of them has,
    after at most ``places`` decimals; None where that is not known."""

    num: Term
    den: Term
    roundings: int = 1
    largest: int = 0
    residues: tuple[int, ...] | None = None
    places: int = 0


@dataclass(frozen=True, slots=True)
class Ratio:
    """``den`` is at least 1 wherever the value is used."""

    num: Term
    den: Term


@dataclass(frozen=True, eq=False)
class Real:
    """What an operation makes of numbers, where no term says what that is: ``(1 + rate) ** periods``, ``log(rate)``.

    ``kind``: ``"float"`` or ``"Decimal"``, whose operations round, and which may be infinite; ``"int"``; empty for a
    number of the spec's language, which is exact. ``condition``: of an ``if``, of which ``parts`` are both sides.
    ``key`` is equal exactly for what is computed alike. Raises ``NotRead`` for parts that are no numbers.
    """

    kind: str
    operation: str
    parts: tuple[Value, ...]
    condition: Condition = TRUE
    key: str = field(init=False)

    def __post_init__(self) -> None:
        text = "\0".join((self.kind, self.operation, self.condition.key, *map(key_of, self.parts)))
        object.__setattr__(self, "key", blake2b(text.encode(), digest_size=12).hexdigest())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Real) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def real_kind(value: Value) -> str:
    """The kind of the computation that a number may be part of."""
    match value:
        case Real(kind=kind):
            return kind
        case Float():
            return "float"
        case Dec() | Quotient():
            return "Decimal"
        case _:
            return ""


def key_of(value: Value) -> str:
    """What two numbers share exactly if they are the same value of the same type."""
    match value:
        case Real(key=key):
            return key
        case Int(term=term):
            return f"int {term.key}"
        case Float(num=num, scale=scale, nan=nan, low=low, high=high):
            return f"float {num.key} {scale} {nan.key} {low} {high}"
        case Dec(num=num, places=places):
            return f"Decimal {num.key} {places}"
        case Ratio(num=num, den=den) | Quotient(num=num, den=den, roundings=1):
            return f"{type(value).__name__} {num.key} {den.key}"
        case _:
            raise NotRead(f"a real function of a {type(value).__name__}")


@dataclass(frozen=True, slots=True)
class Day:
    """A ``date``. ``parts``: its year, month and day, where they are known more directly than from the ordinal."""

    ordinal: Term
    year: Term
    month: Term
    day: Term


@dataclass(frozen=True, slots=True)
class Days:
    """A ``timedelta`` of whole days."""

    count: Term


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an enum, or one of a few texts: ``names[index]``. ``kind``: the enum's class, empty for texts."""

    kind: str
    names: tuple[str, ...]
    index: Term


@dataclass(frozen=True, slots=True)
class DataMember:
    """A member of an enum whose members are numbers or texts as well (``IntEnum``): ``data`` is that number or text."""

    member: Member
    data: Value


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is known."""

    value: str


@dataclass(frozen=True, slots=True)
class Chars:
    """A text whose characters vary: their code points, each there under its condition, in this order."""

    cells: tuple[tuple[Condition, Term], ...]


@dataclass(frozen=True, slots=True)
class Hidden:
    """A text of which only what a method makes of it is known: ``seen`` is what ``form`` gives (``seen_texts``).

    ``of``: which input it is; two may differ where what is seen of them does not.
    """

    of: str
    form: tuple[str, tuple[str, ...]]
    seen: Text | Chars


@dataclass(frozen=True, slots=True)
class Members:
    """A list, or a set made of it, of which is only asked what is in it (``looked_into``).

    ``of``: which input it is; ``most``: how many items it may have; ``kind``: ``date`` or ``int``. It is the list
    itself only where ``is_list``.
    """

    of: str
    most: int
    kind: str
    is_list: bool = True


@dataclass(frozen=True, slots=True)
class NoneValue:
    pass


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list or tuple of known length. Lists of Python are these only inside of a heap, and in results."""

    items: tuple[Value, ...]
    is_list: bool


@dataclass(frozen=True, slots=True)
class Guarded:
    """A list or tuple whose items are there under their conditions, in this order: what a comprehension with a
    condition makes, or ``append`` behind an ``if``."""

    items: tuple[tuple[Condition, Value], ...]
    is_list: bool


@dataclass(frozen=True, slots=True)
class Growing:
    """A list inside of a round of a long loop: what the round has appended. What was there before is not known."""

    items: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class LoopList:
    """A list to which every round of a long loop appends one item (``loop_lists``).

    ``loop``: whose rounds, for whatever variable. ``item``: what a round that goes on appends, and ``last`` what the
    one that leaves does, where ``there`` holds; all three in terms of what the loop's variables are before the round.
    ``row``: what is made of each item, in terms of the variables ``leaf_of_row`` and ``ROW``, where it ``counts``;
    ``less``: of how many items less than the loop appends.
    """

    loop: Iterated
    item: Value
    last: Value
    there: Condition
    row: Value
    counts: Condition = TRUE
    less: int = 0


@dataclass(frozen=True, slots=True)
class Queue:
    """A ``deque``: its items, each there under its condition, in this order."""

    items: tuple[tuple[Condition, Value], ...]


@dataclass(frozen=True, slots=True)
class Stream:
    """What can be gone through once, as ``zip`` and generators give it. Nothing may keep it under a name.

    ``in_order``: whether the items come in this order, which those of a set do not. ``over``: where the lists lie
    that it goes through, which must not change meanwhile; None if it cannot be said. ``reads``: names around it that
    must not stand for something else meanwhile. ``raises``: making its items may raise, and does so only when they are
    asked for; ``marks`` then says how many of these exits come before each item, and how many there are at all."""

    items: tuple[tuple[Condition, Value], ...]
    in_order: bool = True
    over: frozenset[int] | None = frozenset()
    raises: bool = False
    reads: frozenset[str] = frozenset()
    marks: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A record of the spec's language, or an instance of a dataclass or named tuple: ``kind`` is its class.

    ``is_tuple``: a named tuple, which can be gone through and unpacked. ``ordered``: whether ``<`` compares it as a
    tuple. ``uncompared``: fields that neither that nor ``==`` looks at."""

    kind: str
    fields: tuple[tuple[str, Value], ...]
    is_tuple: bool = False
    ordered: bool = False
    uncompared: frozenset[str] = frozenset()

    @property
    def compared(self) -> tuple[Value, ...]:
        """What instances of its class are compared by."""
        return tuple(value for field, value in self.fields if field not in self.uncompared)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.fields)

    def field(self, name: str) -> Value | None:
        return next((value for field, value in self.fields if field == name), None)


@dataclass(frozen=True, slots=True)
class Maybe:
    """``None`` where ``missing`` holds, ``value`` elsewhere."""

    missing: Condition
    value: Value


@dataclass(frozen=True, slots=True)
class Table:
    """A dict whose keys are among some known ones; a key is there where its condition in ``present`` holds (always,
    if it is not named there). ``in_order``: whether the keys were put in in this order. ``default``: the function that
    makes the value of a missing key, as that of a ``defaultdict``, or ``COUNTER``; None of a plain dict. ``own``: keys
    whose value is a list, dict or set that was made for that key, and is empty and unknown where the key is missing."""

    entries: Mapping[Any, Value]
    present: Mapping[Any, Condition] = field(default_factory=dict)
    in_order: bool = True
    default: Thing | None = None
    own: frozenset[Any] = frozenset()


@dataclass(frozen=True, slots=True)
class Lookup:
    """A dict whose keys are compared: entries with the condition under which they are there; then no other that is
    there has an equal key. ``in_order`` and ``default`` are those of a ``Table``."""

    entries: tuple[tuple[Condition, Value, Value], ...]
    in_order: bool = True
    default: Thing | None = None


@dataclass(frozen=True, slots=True)
class KeySet:
    """A set whose members are among some known ones, each there where its condition holds."""

    present: Mapping[Any, Condition]


@dataclass(frozen=True, slots=True)
class ItemSet:
    """A set of any values, perhaps with some named twice: good for asking what is in it."""

    items: tuple[tuple[Condition, Value], ...]


@dataclass(frozen=True, slots=True)
class Ref:
    """A list, dict or set of Python, which may be changed: where it lies in the state's heap."""

    address: int


@dataclass(frozen=True, slots=True)
class Thing:
    """Something of the program that is no data: a module, a class, a function, a method bound to a value."""

    name: str
    of: Any = None


COUNTER = Thing("counter")
"""In the place of what makes the value of a key that is missing: it is zero, and stays missing."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several lists, dicts or sets, which may be changed: each where its condition holds, of which one does."""

    choices: tuple[tuple[Condition, Ref], ...]


Value: TypeAlias = (
    Int
    | Bool
    | Dec
    | Extended
    | Float
    | Quotient
    | Ratio
    | Real
    | Day
    | Days
    | Member
    | DataMember
    | Text
    | Chars
    | Hidden
    | Members
    | NoneValue
    | Sequence
    | Guarded
    | Growing
    | LoopList
    | Queue
    | Stream
    | Record
    | Maybe
    | Table
    | Lookup
    | KeySet
    | ItemSet
    | Ref
    | OneOf
    | Thing
)


def one_of(choices: Iterable[tuple[Condition, Ref]]) -> Ref | OneOf:
    """The list, dict or set whose condition holds; conditions of the same one are put together."""
    found: dict[Ref, list[Condition]] = {}
    for where, ref in choices:
        if where != FALSE:
            found.setdefault(ref, []).append(where)
    if len(found) == 1:
        return next(iter(found))
    return OneOf(tuple((either(*conditions), ref) for ref, conditions in found.items()))


def as_data(value: Value) -> Value:
    """The number or text that a member of an enum is as well; any other value as it is."""
    return value.data if isinstance(value, DataMember) else value
