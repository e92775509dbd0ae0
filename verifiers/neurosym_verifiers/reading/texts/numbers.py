"""Numbers in texts: ``int(text)``, ``Decimal(text)`` and ``str(n)``, as CPython reads and writes them."""

from __future__ import annotations

from typing import Any

from neurosym_verifiers.reading.data.items import count
from neurosym_verifiers.reading.data.values import Chars, Dec, Int, Member, NotRead, Text, Value
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.execution.unread import refuse
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import (
    at_most,
    below,
    both,
    choose,
    either,
    equal,
    floor_div,
    modulo,
    negated,
    within,
)
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.texts.automata import automaton_of
from neurosym_verifiers.reading.texts.characters import (
    Cells,
    as_items,
    by_pieces,
    cells_of,
    in_set,
    is_text,
    narrowed,
    some,
    text_of,
)
from neurosym_verifiers.reading.texts.codepoints import (
    EVERYTHING,
    LAST,
    NO_SURROGATES,
    accepted_by,
    characters,
    digit_values,
)
from neurosym_verifiers.reading.texts.matching import matches

_WHOLE = r"{s}*[+-]?\d(?:_?\d)*{s}*".format(s=r"[^\S\x1c-\x1f]")
"""``int`` takes for spaces what ``isspace`` does, but for the separators of ASCII."""
_PLAIN = r"\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*"
_SCIENTIFIC = (
    r"\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+\s*|\s*[+-]?(?:[sS]?[nN][aA][nN]\d*|[iI][nN][fF][a-zA-Z]*)\s*"
)
_MOST_DIGITS = 60


def _known_now(value: Value, state: State) -> Cells:
    """The characters with what the path knows of them."""
    narrowing = narrowing_by(state.live)
    return cells_of(narrowing.value(value) if narrowing else value)


def _digit(code: Term) -> Term:
    """The value of a code point, which is a digit wherever that is used."""
    return by_pieces(narrowed(code, accepted_by("isdecimal")), digit_values())


def whole_number(value: Value, state: State, names: tuple[str, ...], line: int) -> Int:
    """``int(text)``; raises what ``names`` says where that is no number."""
    cells = _known_now(value, state)
    good = matches(automaton_of(_WHOLE).machine, cells)
    state.raise_if(negated(good), names, line)
    cells = _known_now(value, state)
    total = _read(cells)
    minus = some(cells, characters("-"))
    return Int(choose(minus, -total, total))


def _read(cells: Cells) -> Term:
    """The number that the digits among some characters make."""
    total = number(0)
    for there, code in cells:
        here = both(there, in_set(code, accepted_by("isdecimal")))
        total = choose(here, total * number(10) + _digit(code), total)
    return total


def decimal_number(value: Value, state: State, names: tuple[str, ...], line: int) -> Dec:
    """``Decimal(text)`` of a plain number. Exponents, infinities, NaN and underscores must be shown not to occur."""
    cells = _known_now(value, state)
    if len(cells) > _MOST_DIGITS:
        raise NotRead(f"Decimal() of a text of more than {_MOST_DIGITS} characters", line)
    strange = either(some(cells, characters("_")), matches(automaton_of(_SCIENTIFIC).machine, cells))
    refuse(state, strange, "Decimal() of a text with an exponent, a special value or an underscore", line)
    cells = _known_now(value, state)
    state.raise_if(negated(matches(automaton_of(_PLAIN).machine, cells)), names, line)
    cells = _known_now(value, state)
    return _with_decimals(cells)


def _with_decimals(cells: Cells) -> Dec:
    behind: Condition = FALSE
    decimals = number(0)
    whole: list[tuple[Condition, Term]] = []
    rest: list[tuple[Condition, Term, Term]] = []
    for there, code in cells:
        digit = both(there, in_set(code, accepted_by("isdecimal")))
        if (before := both(digit, negated(behind))) != FALSE:
            whole.append((before, code))
        if (here := both(digit, behind)) != FALSE:
            decimals = decimals + choose(here, number(1), number(0))
            rest.append((here, code, decimals))
        behind = either(behind, both(there, equal(code, number(ord(".")))))
    places = len(rest)
    num = _read(tuple(whole)) * number(10**places)
    for here, code, place in rest:
        num = num + choose(here, _digit(code) * _shift(place, places), number(0))
    minus = some(cells, characters("-"))
    return Dec(choose(minus, -num, num), places, written=decimals.constant == places)


def _shift(place: Term, places: int) -> Term:
    """``10 ** (places - place)`` of a place from 1 on."""
    known = place.constant
    if known is not None:
        return number(10 ** (places - known))
    low = max(place.low or 1, 1)
    high = places if place.high is None else min(place.high, places)
    found = number(10 ** (places - high))
    for k in range(high - 1, low - 1, -1):
        found = choose(at_most(place, number(k)), number(10 ** (places - k)), found)
    return found


def written(value: Int, line: int, *, width: int = 1) -> Text | Chars:
    """``str(n)``; ``width``: with zeros in front up to so many digits, of what is not negative."""
    term = value.term
    if term.low is None or term.high is None or max(abs(term.low), abs(term.high)) >= 10**_MOST_DIGITS:
        raise NotRead("a whole number without bounds as a text", line)
    if width > 1 and term.low < 0:
        raise NotRead("a number that may be negative, written with zeros", line)
    if term.constant is not None:
        return Text(str(term.constant).rjust(width, "0"))
    negative = below(term, number(0))
    size = choose(negative, -term, term)
    cells: list[tuple[Condition, Term]] = []
    if negative != FALSE:
        cells.append((negative, number(ord("-"))))
    most = max(len(str(max(abs(term.low), abs(term.high)))), width)
    for k in range(most - 1, -1, -1):
        digit = modulo(floor_div(size, number(10**k)), number(10))
        there = TRUE if k < width else at_most(number(10**k), size)
        cells.append((there, digit + number(ord("0"))))
    return text_of(cells)


def code_of(value: Value, state: State, names: tuple[str, ...], line: int) -> Int:
    """``ord(text)``; raises what ``names`` says where it is not one character."""
    if not is_text(value):
        raise NotRead("ord() of this", line)
    cells = cells_of(value)
    state.raise_if(negated(equal(count(as_items(cells)), number(1))), names, line)
    code = number(0)
    for there, each in reversed(cells):
        code = choose(there, each, code)
    return Int(code)


def character(code: Term, state: State, names: tuple[str, ...], line: int, *, surrogates: bool = True) -> Value:
    """``chr(code)``; raises what ``names`` says where there is no such character."""
    bounded = within(code, EVERYTHING if surrogates else NO_SURROGATES)
    state.raise_if(negated(bounded), names, line)
    if code.low is None or code.low < 0 or code.high is None or code.high > LAST:
        narrowing = narrowing_by(state.live)
        code = narrowing.term(code) if narrowing else code
    if code.low is None or code.low < 0 or code.high is None or code.high > LAST:
        raise NotRead("chr() of a number that may be too large", line)
    return text_of([(TRUE, code)])


def formatted(value: Value, form: str, line: int) -> Any:
    """What a part of an f-string makes of a value: a text, or a whole number, perhaps with zeros in front."""
    match value:
        case Text() | Chars() | Member(kind="") if form in ("", "s"):
            return value
        case Int() if form in ("", "d"):
            return written(value, line)
        case Int() if form.removesuffix("d").isascii() and form.removesuffix("d").isdigit() and form[0] == "0":
            width = int(form.removesuffix("d"))
            if 1 <= width <= _MOST_DIGITS:
                return written(value, line, width=width)
            raise NotRead("an f-string with this format", line)
        case _:
            raise NotRead("an f-string of this", line)
