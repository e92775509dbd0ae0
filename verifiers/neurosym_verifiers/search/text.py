"""Texts: drawn from an alphabet or a pattern, and the ways in which a text is changed to find faults.

A pattern is sampled along its parsed tree (Python's own parser of regular expressions), with short and long
repetitions preferred; what comes out is checked against the type by the caller, so the sampler may be simple.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]  # the only exact parser of patterns is Python's own
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, TypeAlias

from neurosym_specs.types import StrType

_MOST_CHARACTERS = 300
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PLAIN = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .,-+()/'"
_ODD = (
    "\n\t\x00\u00a0\u00df\u0130\u0660\u0663\u06f5\u0967\u2082\u00b2\uff10\uff12\uff21"
    "\u2028\u200b\u0301\U0001d7d8\U0001f4b6"
)
"""Characters that predicates such as isdigit, isalnum, isspace, strip and upper see differently than ASCII."""

OTHER_DIGITS = {digit: tuple(chr(zero + int(digit)) for zero in (0xFF10, 0x0660, 0x0966)) for digit in "0123456789"} | {
    "2": ("\uff12", "\u0662", "\u0968", "\u00b2", "\u2082")
}
"""For each ASCII digit, digits of other scripts of the same value; and forms that only isdigit accepts."""

LONG_RUNS = (9, 10, 12, 13, 15, 16, 17, 18, 19, 20, 26, 27, 28, 29, 30, 36, 38)
"""Lengths of digit runs beyond what floats, 64 bit integers or a decimal context of 28 digits hold exactly."""


def draw_text(type_: StrType, rng: random.Random) -> str:
    """A text of about the right shape and length; the caller checks that it belongs to the type."""
    longest = type_.check_len if type_.check_len is not None else type_.max_len
    if type_.pattern is not None:
        return _Sampler(rng, 60 if longest is None else min(longest, _MOST_CHARACTERS)).sample(_parsed(type_.pattern))
    low, high = type_.min_len, longest if longest is not None else max(type_.min_len, 20)
    high = min(high, max(low, _MOST_CHARACTERS))
    length = rng.choice((low, high, min(low + 1, high), rng.randint(low, high), rng.randint(low, min(high, low + 8))))
    alphabet = type_.alphabet or (_PLAIN if rng.random() < 0.8 else _PLAIN + _ODD)
    return "".join(rng.choice(alphabet) for _ in range(length))


@lru_cache(maxsize=64)
def _parsed(pattern: str) -> Any:
    return parser.parse(pattern)


class _Sampler:
    """Walks a parsed pattern and writes one text that fits it."""

    def __init__(self, rng: random.Random, longest: int) -> None:
        self._rng = rng
        self._longest = longest

    def sample(self, tree: Any) -> str:
        return "".join(self._one(kind, what) for kind, what in tree)

    def _one(self, kind: Any, what: Any) -> str:
        rng = self._rng
        if kind is op.LITERAL:
            return chr(what)
        if kind is op.NOT_LITERAL:
            return self._other(lambda c: ord(c) != what)
        if kind is op.ANY:
            return self._other(lambda c: c != "\n")
        if kind is op.IN:
            return self._of_set(what)
        if kind is op.BRANCH:
            return self.sample(rng.choice(what[1]))
        if kind is op.SUBPATTERN:
            return self.sample(what[3])
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            low, high, body = what
            high = min(int(high), max(int(low), self._longest))
            count = rng.choice((low, high, rng.randint(low, high), rng.randint(low, min(high, low + 3))))
            return "".join(self.sample(body) for _ in range(count))
        return ""

    def _other(self, allowed: Any) -> str:
        alphabet = _PLAIN if self._rng.random() < 0.8 else _ODD + "\n"
        fitting = [c for c in alphabet if allowed(c)]
        return self._rng.choice(fitting or ["a"])

    def _of_set(self, items: Any) -> str:
        if items and items[0][0] is op.NEGATE:
            return self._other(lambda c: not any(_in_item(c, item) for item in items[1:]))
        kind, what = self._rng.choice(items)
        if kind is op.LITERAL:
            return chr(what)
        if kind is op.RANGE:
            low, high = what
            return chr(self._rng.choice((low, high, self._rng.randint(low, high))))
        if kind is op.CATEGORY:
            fitting = [c for c in _PLAIN + _ODD if _in_item(c, (kind, what))]
            return self._rng.choice(fitting or ["0"])
        return "a"


def _in_item(char: str, item: Any) -> bool:
    kind, what = item
    if kind is op.LITERAL:
        return bool(ord(char) == what)
    if kind is op.RANGE:
        return bool(what[0] <= ord(char) <= what[1])
    if kind is op.CATEGORY:
        name = str(what)
        holds = (
            char.isdigit() if "DIGIT" in name else char.isspace() if "SPACE" in name else char.isalnum() or char == "_"
        )
        return bool(holds) is not ("NOT" in name)
    return False


def _inserted(text: str, rng: random.Random, marks: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + _some_character(rng, marks) + text[at:]


def _dropped(text: str, rng: random.Random, marks: str) -> str:
    at = rng.randrange(max(1, len(text)))
    return text[:at] + text[at + 1 :]


def _exchanged(text: str, rng: random.Random, marks: str) -> str:
    at = rng.randrange(max(1, len(text)))
    return text[:at] + _some_character(rng, marks) + text[at + 1 :]


def _doubled(text: str, rng: random.Random, marks: str) -> str:
    at = rng.randrange(max(1, len(text)))
    return text[:at] + text[at : at + 1] + text[at:]


def _same_kind(text: str, rng: random.Random, marks: str) -> str:
    """A digit for a digit, a capital for a capital, a small letter for a small letter."""
    places = [i for i, c in enumerate(text) if c.isascii() and c.isalnum()]
    if not places:
        return text
    at = rng.choice(places)
    kind = "0123456789" if text[at].isdigit() else _CAPITALS if text[at].isupper() else _CAPITALS.lower()
    return text[:at] + rng.choice(kind) + text[at + 1 :]


def _other_script(text: str, rng: random.Random, marks: str) -> str:
    """A digit or letter replaced by one that a predicate or ``int`` may take for the same."""
    places = [i for i, c in enumerate(text) if c.isascii() and c.isalnum()]
    if not places:
        return text
    at = rng.choice(places)
    char = text[at]
    if char in OTHER_DIGITS:
        other = rng.choice(OTHER_DIGITS[char])
    else:
        other = rng.choice((chr(ord(char) + 0xFEE0), unicodedata.normalize("NFC", char + "\u0301"), char.swapcase()))
    return text[:at] + other + text[at + 1 :]


def _longer_run(text: str, rng: random.Random, marks: str) -> str:
    """A digit replaced by a run of digits, longer than some number format holds."""
    places = [i for i, c in enumerate(text) if c in OTHER_DIGITS]
    at = rng.choice(places) if places else len(text)
    run = "".join(rng.choice("123456789") for _ in range(rng.choice(LONG_RUNS)))
    return text[:at] + run + text[at + 1 :]


def _swapped(text: str, rng: random.Random, marks: str) -> str:
    if len(text) < 2:
        return text
    i, j = sorted(rng.sample(range(len(text)), 2))
    return text[:i] + text[j] + text[i + 1 : j] + text[i] + text[j + 1 :]


def _wrapped(text: str, rng: random.Random, marks: str) -> str:
    extra = _some_character(rng, marks)
    return rng.choice((extra + text, text + extra, f"({text})", f" {text} "))


def _other_case(text: str, rng: random.Random, marks: str) -> str:
    return rng.choice((text.swapcase(), text.lower(), text.upper()))


def _some_character(rng: random.Random, marks: str) -> str:
    kind = rng.random()
    return rng.choice(marks if marks and kind < 0.4 else _PLAIN if kind < 0.85 else _ODD)


TextMove: TypeAlias = Callable[[str, random.Random, str], str]

TEXT_MOVES: dict[str, TextMove] = {
    "insert": _inserted,
    "drop": _dropped,
    "exchange": _exchanged,
    "double": _doubled,
    "same kind": _same_kind,
    "other script": _other_script,
    "longer run": _longer_run,
    "swap": _swapped,
    "wrap": _wrapped,
    "case": _other_case,
}
"""Ways to change a text in one place. The last argument: characters that the spec or the candidate names."""


_LOOKALIKES = {"S": "\u017f", "I": "\u0131", "K": "\u212a"}
"""Characters whose capital or small form is the ASCII letter, so that ``upper`` or ``lower`` makes them pass."""


def spoiled(text: str) -> Iterator[str]:
    """A right text with one thing wrong, such as a ``$``, a ``strip``, an ``upper`` or an ``isdigit`` lets through."""
    for extra in "\n \t\u00a0":
        yield text + extra
        yield extra + text
    for i, char in enumerate(text[:_SPOILED_AT_MOST]):
        before, after = text[:i], text[i + 1 :]
        yield before + after
        yield before + char + char + after
        if char in OTHER_DIGITS:
            yield before + OTHER_DIGITS[char][i % 3] + after
        elif char.isascii() and char.isalpha():
            yield before + char.swapcase() + after
            yield before + chr(ord(char) + 0xFEE0) + after
            yield before + _LOOKALIKES.get(char.upper(), "\u017f\u0131\u212a"[i % 3]) + after
        elif char == " ":
            yield before + "  " + after


_SPOILED_AT_MOST = 40
