"""Python's functions of texts, and the methods of texts, patterns and matches by their name."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.exceptions import TYPE_ERROR, VALUE_ERROR
from neurosym_verifiers.reading.data.items import items_of
from neurosym_verifiers.reading.data.operations import listed
from neurosym_verifiers.reading.data.values import Hidden, Int, NotRead, Record, Value
from neurosym_verifiers.reading.execution.arguments import Call, check_plain
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.inputs.seen_texts import asked
from neurosym_verifiers.reading.texts.characters import cells_of, is_text
from neurosym_verifiers.reading.texts.methods import joined_items, text_method
from neurosym_verifiers.reading.texts.numbers import character, code_of, written
from neurosym_verifiers.reading.texts.parts import split_text
from neurosym_verifiers.reading.texts.regular import MATCH, PATTERN, REGULAR, regular_method


def _str(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    """``str(value)`` of a whole number or a text."""
    check_plain(arguments, keywords, (1,), line)
    match arguments[0]:
        case Int() as value:
            return written(value, line)
        case value if is_text(value):
            return value
        case _:
            raise NotRead("str() of this", line)


def _ord(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1,), line)
    return code_of(arguments[0], state, TYPE_ERROR, line)


def _chr(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1,), line)
    return character(numbers.as_int(arguments[0]), state, VALUE_ERROR, line)


TEXT_FUNCTIONS: dict[str, Call] = {"str": _str, "ord": _ord, "chr": _chr, **REGULAR}


def has_text_methods(value: Value) -> bool:
    """Whether it is a text, a pattern or a match."""
    return is_text(value) or isinstance(value, Hidden) or (isinstance(value, Record) and value.kind in (PATTERN, MATCH))


def method_of_text(
    value: Value, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """``value.name(...)`` of what ``has_text_methods``."""
    if isinstance(value, Record):
        return regular_method(value, name, arguments, keywords, state, line)
    if keywords:
        raise NotRead(f"the method {name} of a text with a keyword", line)
    if isinstance(value, Hidden):
        return asked(value, name, arguments)
    if name == "join" and len(arguments) == 1:
        return joined_items(value, items_of(state.top(arguments[0]), line))
    if name == "split" and len(arguments) == 1:
        return state.new(listed(split_text(cells_of(value), arguments[0], line), True))
    return text_method(value, name, [state.top(each) for each in arguments], state, VALUE_ERROR, line)
