"""Texts as inputs: a variable for each character of a text of known length, and which texts belong to a type."""

from __future__ import annotations

from functools import lru_cache

from neurosym_specs.types import StrType

from neurosym_verifiers.reading.data.items import count
from neurosym_verifiers.reading.data.values import Value
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, number, variable
from neurosym_verifiers.reading.texts.automata import automaton_of
from neurosym_verifiers.reading.texts.characters import Cells, as_items, every, text_of
from neurosym_verifiers.reading.texts.codepoints import NO_SURROGATES, Ranges, characters, common
from neurosym_verifiers.reading.texts.matching import matches


@lru_cache(maxsize=64)
def alphabet_of(type_: StrType) -> Ranges:
    """The characters that occur in texts of a type; a pattern may exclude more."""
    return NO_SURROGATES if type_.alphabet is None else common(characters(type_.alphabet), NO_SURROGATES)


def input_text(name: str, type_: StrType, length: int) -> tuple[Value, Condition]:
    """A text of some length, and the condition under which it belongs to the type."""
    ranges = alphabet_of(type_)
    codes = [variable(f"{name}.{i}", ranges[0][0], ranges[-1][1]) for i in range(length)] if ranges else []
    cells: Cells = tuple((TRUE, code) for code in codes)
    return text_of(cells), both(every(cells, ranges), _in_pattern(type_, cells))


def text_belongs(type_: StrType, cells: Cells) -> Condition:
    """Whether a text, given by its characters, belongs to a type without choices."""
    length = count(as_items(cells))
    return both(
        at_most(number(type_.min_len), length),
        TRUE if type_.max_len is None else at_most(length, number(type_.max_len)),
        every(cells, alphabet_of(type_)),
        _in_pattern(type_, cells),
    )


def _in_pattern(type_: StrType, cells: Cells) -> Condition:
    return TRUE if type_.pattern is None else matches(automaton_of(type_.pattern).machine, cells)


def simplest_code(type_: StrType) -> int:
    """A character for places that do not matter."""
    return alphabet_of(type_)[0][0]


@lru_cache(maxsize=64)
def lengths_of(type_: StrType) -> tuple[int, ...] | None:
    """How long texts of a type may be; None if there is no end to it. Raises ``NotRead`` for its pattern."""
    machine = None if type_.pattern is None else automaton_of(type_.pattern).machine
    known = [most for most in (type_.max_len, None if machine is None else machine.longest) if most is not None]
    if not known:
        return None
    lengths = range(type_.min_len, min(known) + 1)
    alive = None if machine is None else machine.alive(lengths.stop)
    return tuple(length for length in lengths if alive is None or 0 in alive[length])
