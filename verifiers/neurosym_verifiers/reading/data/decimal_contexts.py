"""Contexts of decimal arithmetic: how many digits a result has, and how it is rounded where nothing else is said.

A program makes them with ``Context(...)``, and puts them into force with ``localcontext``. Traps and the bounds of
exponents are the default ones, always.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Many
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from neurosym_verifiers.reading.data.values import Int, NoneValue, NotRead, Text, Value

PRECISION = 28
"""The digits of the default context. A context of the program's own has no fewer, so quotients are held to these."""

MOST_PRECISION = 1_000

MODES: Mapping[str, str] = {
    "ROUND_HALF_UP": "half_up",
    "ROUND_HALF_DOWN": "half_down",
    "ROUND_HALF_EVEN": "half_even",
    "ROUND_UP": "up",
    "ROUND_DOWN": "down",
    "ROUND_CEILING": "ceiling",
    "ROUND_FLOOR": "floor",
}
"""The spec's names of Python's modes."""


@dataclass(frozen=True, slots=True)
class DecimalContext:
    """``rounding``: a mode by the spec's name."""

    digits: int = PRECISION
    rounding: str = "half_even"

    @property
    def quotients_settle(self) -> bool:
        """Whether a quotient is off by no more than half a unit of its ``PRECISION``-th digit."""
        return self.rounding.startswith("half_") or self.digits > PRECISION


DEFAULT = DecimalContext()

_current: ContextVar[DecimalContext] = ContextVar("current", default=DEFAULT)


def current() -> DecimalContext:
    """The context in force where the reading stands."""
    return _current.get()


@contextmanager
def in_force(context: DecimalContext) -> Iterator[None]:
    """Within it, Decimal arithmetic is done in a context."""
    before = _current.set(context)
    try:
        yield
    finally:
        _current.reset(before)


def changed(context: DecimalContext, name: str | None, value: Value, line: int) -> DecimalContext:
    """The context with its ``prec`` or its ``rounding`` set. Raises ``NotRead`` for anything else."""
    match name, value:
        case "prec" | "rounding", NoneValue():
            return context
        case "prec", Int(term=term) if term.constant is not None and PRECISION <= term.constant <= MOST_PRECISION:
            return replace(context, digits=term.constant)
        case "rounding", Text(value=mode) if mode in MODES:
            return replace(context, rounding=MODES[mode])
        case "prec", _:
            raise NotRead("a decimal context of this precision", line)
        case _:
            raise NotRead(f"a decimal context with this {name}", line)


def made(arguments: Many[Value], keywords: Mapping[str, Value], line: int) -> DecimalContext:
    """``Context(prec, rounding)``; what it does not name is that of the default context."""
    by_place = dict(zip(("prec", "rounding"), arguments, strict=False))
    if len(arguments) > 2 or set(keywords) - {"prec", "rounding"} or set(keywords) & set(by_place):
        raise NotRead("a decimal context with these arguments", line)
    context = DEFAULT
    for name, value in (*by_place.items(), *keywords.items()):
        context = changed(context, name, value, line)
    return context


def mode(value: Value | None, line: int) -> str:
    """A rounding mode by the spec's name; that of the context in force where none is given."""
    if value is None or isinstance(value, NoneValue):
        return current().rounding
    if isinstance(value, Text) and value.value in MODES:
        return MODES[value.value]
    raise NotRead("this rounding mode", line)
