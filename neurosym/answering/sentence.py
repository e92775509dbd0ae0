"""A sentence in which every number is a copy of an executed result, or stands in the question.

The model writes words and a placeholder; the number comes from the run. A sentence that brings a number of its own is
not shown, and the tool's own words are instead.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from neurosym_specs.types import Type

from neurosym.answering.numbers import Number, numbers_in
from neurosym.answering.shown import DEFAULT_MODE, MODES, MOST_PLACES, Copy, copy_of
from neurosym.answering.units import is_known, unit_of

MOST_CHARS = 400
_CHANGES_BEFORE = re.compile(
    r"(?:\w|[-+−.,*^/~<>=]\s*|\b(?:minus|negative|not|no|never|hardly|without|over|under|above|below|than|least|most)\s+|n['’]t\s+)\Z",
    re.IGNORECASE,
)
_CHANGES_AFTER = re.compile(
    r"[.,]?\w|\s*[-+−*^/=<>]|\s*(?:or|to|and)\s+(?:more|less)\b|\s*(?:k|m|mn|mln|bn|tn|grand)\b", re.IGNORECASE
)
_PLACEHOLDER = re.compile(r"\{\s*answer\s*(?::\s*(?P<places>[0-9]{1,2})\s*(?P<mode>[a-z0-9_]*)\s*)?\}")


@dataclass(frozen=True, slots=True)
class Sentence:
    """The filled ``text``, and the ``copy`` in it. ``why_not``: what is wrong with the model's sentence."""

    text: str
    copy: Copy
    why_not: str = ""


def sentence_of(template: str, question: str, type_: Type, value: Any, unit: str) -> Sentence:
    """The model's sentence about ``value``, if it may be shown; else a plain one."""
    found = [*_PLACEHOLDER.finditer(template)]
    why = _why_not(template, found, question, unit)
    if why:
        copy = copy_of(type_, value, unit)
        return Sentence(f"The answer is {copy.text}.", copy, why)
    places, mode = found[0]["places"], found[0]["mode"] or DEFAULT_MODE
    copy = copy_of(type_, value, unit, int(places) if places else None, mode)
    before, after = _around(template, found[0], unit)
    return Sentence(before + copy.text + after, copy)


def _why_not(template: str, found: list[re.Match[str]], question: str, unit: str) -> str:
    if not template:
        return "the program gives no sentence"
    if len(template) > MOST_CHARS:
        return f"the program's sentence has more than {MOST_CHARS} characters"
    if len(found) != 1:
        return "the program's sentence does not have {answer} in it once"
    if found[0]["places"] and int(found[0]["places"]) > MOST_PLACES:
        return f"the program's sentence asks for more than {MOST_PLACES} decimals"
    if found[0]["mode"] and found[0]["mode"] not in MODES:
        return "the program's sentence names a rounding that there is not"
    prose = template[: found[0].start()] + " " + template[found[0].end() :]
    if "{" in prose or "}" in prose:
        return "the program's sentence has a placeholder for what was not computed"
    before, after = _around(template, found[0], unit)
    if _CHANGES_BEFORE.search(before) or _CHANGES_AFTER.match(after) or _is_another_unit(before, after):
        return "the program's sentence has words around the number that change what it says"
    plain = unicodedata.normalize("NFKC", prose)
    if _scripts(plain) - _scripts(question) - {"LATIN"}:
        return "the program's sentence has letters of a script that the question has not, which can hide a number"
    given = {_key(number) for number in numbers_in(question)}
    brought = [number.text for text in (prose, plain) for number in numbers_in(text) if _key(number) not in given]
    if brought:
        return f"the program's sentence has a number that was not computed and is not in the question: {brought[0]}"
    return ""


def _scripts(text: str) -> set[str]:
    """The scripts of the letters in a text, by the first word of their names."""
    return {unicodedata.name(char, "unnamed").split()[0] for char in text if char.isalpha()}


def _key(number: Number) -> Fraction | str:
    """What makes two numbers the same: the value, where it is known."""
    return number.value if number.value >= 0 else number.text.lower()


def _around(template: str, place: re.Match[str], unit: str) -> tuple[str, str]:
    """What stands before and behind the placeholder, without the unit that the number brings itself."""
    before, after = template[: place.start()], template[place.end() :]
    if unit and (match := re.match(rf"\s*{re.escape(unit)}(?!\w)", after, re.IGNORECASE)):
        return before, after[match.end() :]
    last = before.split()[-1:]
    if unit and last and is_known(last[0]) and unit_of(last[0]).base == unit_of(unit).base:
        return before.rstrip()[: -len(last[0])], after
    return before, after


def _is_another_unit(before: str, after: str) -> bool:
    """Whether the words beside the number are a unit of their own, or a number that multiplies it."""
    beside = [*before.split()[-1:], *after.split()[:1]]
    words = [word.strip(".,;:!?()") for word in beside]
    return any(is_known(word) or numbers_in(word) for word in words)
