"""The numbers in a text and in a program, as exact values, so that it can be told which came from where."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_GROUPED_BY_POINTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+|[0-9]{1,3}(?:\.[0-9]{3}){2,}")
_WORD = re.compile(r"[A-Za-z]+")
_ROMAN = re.compile(r"(?=[IVXLCDM]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_WHOLE = {"zero": 0, "nil": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
          "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
          "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
          "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1_000,
          "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12, "score": 20, "couple": 2, "pair": 2,
          "once": 1, "twice": 2, "thrice": 3, "double": 2, "triple": 3, "treble": 3, "quadruple": 4, "first": 1,
          "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
          "tenth": 10}  # fmt: skip
_WORDS = {word: Fraction(value) for word, value in _WHOLE.items()} | {
    "half": Fraction(1, 2), "halves": Fraction(1, 2), "quarter": Fraction(1, 4),
}  # fmt: skip
_COMPOUND = re.compile(rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))}|fold|ths?|ieths?|nds?|rds?)+")
"""Words that are put together of number words: fivehundred, tenfold, eleventh, twentieths."""

_PERIODS = {"daily": 365, "weekly": 52, "monthly": 12, "quarterly": 4, "annual": 1, "annually": 1, "yearly": 1,
            "month": 12, "months": 12, "year": 12, "years": 12, "week": 7, "weeks": 7}  # fmt: skip
_MOST_DIGITS = 400


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written, and its value; in a program with its line."""

    text: str
    value: Fraction
    line: int = 0


def numbers_in(text: str) -> tuple[Number, ...]:
    """The numbers of a text in their order: digits, English number words, and every other numeric character.

    What is known to be a number, and not which (Roman numerals, compound words), is -1.

    ``1,234.5`` and ``1.234,5`` are read as groups of thousands, ``1,5`` as a decimal comma, ``1,234`` as 1234.
    """
    found = [(match.start(), Number(match[0], _value(match[0]))) for match in _DIGITS.finditer(text)]
    for match in _WORD.finditer(text):
        word = match[0]
        plural = word.lower().removesuffix("s")
        stem = word.lower().replace("twelf", "twelve").replace("tieth", "tyth")
        if (value := _WORDS.get(word.lower(), _WORDS.get(plural))) is not None:
            found.append((match.start(), Number(word, value)))
        elif _ROMAN.fullmatch(word) or (len(word) > 4 and _COMPOUND.fullmatch(stem)):
            found.append((match.start(), Number(word, Fraction(-1))))
    for at, char in enumerate(text):
        if not char.isascii() and (numeric := unicodedata.numeric(char, None)) is not None:
            found.append((at, Number(char, Fraction(numeric).limit_denominator(1_000_000))))
    return tuple(number for _, number in sorted(found, key=lambda each: each[0]))


def numbers_of(tree: ast.Module, but: Iterable[str] = ()) -> tuple[Number, ...]:
    """The numbers that a program writes down, also as texts for ``Decimal``; not in the module's constants ``but``.

    What says only to how many places is rounded, the argument of ``quantize``, is none of them.
    """
    return tuple(_program_numbers(tree, frozenset(but)))


def is_taken(number: Number, others: Iterable[Number]) -> bool:
    """Whether one of the ``others`` is the same number, in another unit of ten or as a factor.

    5 % is found in 0.05, in 1.05 and in 0.95; two million in 2000000 and in 2.
    """
    return any(_is_alike(number.value, other.value) for other in others)


def is_everyday(number: Number) -> bool:
    """Whether a number says nothing of where it comes from: zero, a power of ten, a small step."""
    value = abs(number.value)
    return value in (0, 2) or _is_power_of_ten(value)


def is_of_calendar(number: Number, question: str) -> bool:
    """Whether a number of a program follows from a word of the question for a period, as twelve from a year."""
    words = {word.lower() for word in _WORD.findall(question)}
    return any(number.value == count for word, count in _PERIODS.items() if word in words)


def _program_numbers(tree: ast.Module, but: frozenset[str]) -> Iterator[Number]:
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop(0)
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if name in but:
                continue
            case ast.Call(func=ast.Attribute(attr="quantize", value=inner)):
                todo.insert(0, inner)
                continue
            case ast.Call(func=ast.Name(id="Decimal" | "Fraction"), args=[ast.Constant(value=str(text))]):
                if (value := _exact(text)) is not None:
                    yield Number(text, value, node.lineno)
                continue
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                if (exact := _exact(repr(value))) is not None:
                    yield Number(repr(value), exact, node.lineno)
            case _:
                pass
        todo[:0] = ast.iter_child_nodes(node)


def _value(digits: str) -> Fraction:
    if _GROUPED.fullmatch(digits):
        plain = digits.replace(",", "")
    elif _GROUPED_BY_POINTS.fullmatch(digits):
        plain = digits.replace(".", "").replace(",", ".")
    elif digits.count(",") == 1 and "." not in digits:
        plain = digits.replace(",", ".")
    elif digits.count(".") <= 1 and "," not in digits:
        plain = digits
    else:  # a date, a version: not one number
        plain = re.split(r"[.,]", digits)[0]
    return _exact(plain) or Fraction(0)


def _exact(text: str) -> Fraction | None:
    """The value of a number that is written in digits; None where it is none, or too long to compute with."""
    try:
        number = Decimal(text.strip())
    except (InvalidOperation, ValueError):
        try:
            return Fraction(text.strip()) if len(text) < _MOST_DIGITS else None
        except (ValueError, ZeroDivisionError):
            return None
    if not number.is_finite() or abs(number.adjusted()) > _MOST_DIGITS or len(text) > _MOST_DIGITS:
        return None
    return Fraction(number)


def _is_alike(value: Fraction, other: Fraction) -> bool:
    value, other = abs(value), abs(other)
    if value == other:
        return True
    if not value or not other:
        return False
    share = value / 100
    return _is_power_of_ten(other / value) or other in (1 + share, 1 - share)


def _is_power_of_ten(value: Fraction) -> bool:
    if value <= 0 or 1 not in (value.numerator, value.denominator):
        return False
    digits = str(value.numerator * value.denominator)
    return digits[0] == "1" and set(digits[1:]) <= {"0"}
