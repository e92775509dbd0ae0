"""The spec's functions and methods of texts on symbolic values; where one is undefined, the state's exits say so."""

from __future__ import annotations

from collections.abc import Callable

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.exact import exact
from neurosym_verifiers.reading.data.items import items_of
from neurosym_verifiers.reading.data.operations import listed
from neurosym_verifiers.reading.data.values import Bool, Int, NotRead, Text, Value
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.rounding import rounded
from neurosym_verifiers.reading.texts.automata import automaton_of
from neurosym_verifiers.reading.texts.characters import cells_of, is_text
from neurosym_verifiers.reading.texts.matching import matches
from neurosym_verifiers.reading.texts.methods import joined_items, text_method
from neurosym_verifiers.reading.texts.numbers import character, code_of, whole_number, written
from neurosym_verifiers.reading.texts.parts import split_text

_METHODS = frozenset(
    {"upper", "lower", "strip", "split", "join", "count", "find", "isdigit", "startswith", "endswith", "replace"}
)


def text_method_of(value: Value, name: str, arguments: list[Value], state: State, undefined: tuple[str, ...]) -> Value:
    """``value.name(...)`` of a text."""
    if name not in _METHODS:
        raise NotRead(f".{name}() of a text that varies")
    if name == "join" and len(arguments) == 1:
        return joined_items(value, items_of(arguments[0], 0))
    if name == "split" and len(arguments) == 1:
        return listed(split_text(cells_of(value), arguments[0], 0), True)
    return text_method(value, name, arguments, state, undefined, 0)


def text_functions(undefined: tuple[str, ...]) -> dict[str, Callable[[list[Value], State], Value]]:
    """``int``, ``str``, ``ord``, ``chr`` and ``matches``. ``undefined``: how the state names what has no value."""

    def whole(values: list[Value], state: State) -> Value:
        value = exact(values[0])
        if is_text(value):
            return whole_number(value, state, undefined, 0)
        found = rounded(*numbers.as_ratio(value), "down")
        assert found is not None
        return Int(found)

    def text(values: list[Value], state: State) -> Value:
        value = exact(values[0])
        if is_text(value):
            return value
        if not isinstance(value, Int) or values[0] != value:
            raise NotRead("str() of what is no whole number")
        return written(value, 0)

    def code(values: list[Value], state: State) -> Value:
        return code_of(values[0], state, undefined, 0)

    def char(values: list[Value], state: State) -> Value:
        return character(numbers.as_int(exact(values[0])), state, undefined, 0, surrogates=False)

    def fits(values: list[Value], state: State) -> Value:
        if not is_text(values[0]) or not isinstance(values[1], Text):
            raise NotRead("matches() of this")
        return Bool(matches(automaton_of(values[1].value).machine, cells_of(values[0])))

    return {"int": whole, "str": text, "ord": code, "chr": char, "matches": fits}
