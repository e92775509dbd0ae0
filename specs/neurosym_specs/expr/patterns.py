"""Regular expressions that match in linear time.

Python's own parser reads the pattern, so that it means what it means in ``re``; the tree becomes a nondeterministic
automaton, whose sets of states are walked once along the text. Sets and steps are remembered, so that a text costs
about one dictionary look-up per character. Look-around, back-references, conditional and atomic groups are refused.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import lru_cache
from re import _constants as sre  # type: ignore[attr-defined]  # not in its published interface; tested against re
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from neurosym_specs.expr.budget import Meter

MAX_PATTERN = 1_000
MAX_STATES = 4_000
_REMEMBERED_STEPS = 20_000
_MOST_LENGTHS = 500

_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.ASCII | re.LOCALE

Accepts = Callable[[str], bool]


class PatternError(ValueError):
    """A pattern that the language does not have; the message says why."""


class Pattern:
    """A compiled pattern; ``matches`` is ``re.fullmatch`` without its backtracking.

    ``edges[s]``: (predicate, target) for a character; ``empty[s]``: (assertion or "", target) without one. State 0 is
    the start, ``final`` the end. ``_context`` tells where in the text assertions hold.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        builder = _Builder()
        tree, flags = _read(text)
        start = builder.state()
        self.final = builder.sequence(tree, start, flags)
        self.edges = builder.edges
        self.empty = builder.empty
        self.has_assertions = any(assertion for targets in builder.empty for assertion, _ in targets)
        self._steps: dict[tuple[frozenset[int], str, int], frozenset[int]] = {}
        self._starts: dict[int, frozenset[int]] = {}

    def matches(self, text: str, meter: Meter | None = None) -> bool:
        """Whether the whole text matches; charges the meter for each character."""
        states = self._close({0}, self._context(text, 0))
        for at, character in enumerate(text):
            if not states:
                return False
            context = self._context(text, at + 1)
            key = (states, character, context)
            following = self._steps.get(key)
            if following is None:
                if meter is not None:
                    meter.spend(1 + (len(states) >> 1))
                following = self._step(states, character, context)
            elif meter is not None:
                meter.spend(1)
            states = following
        return self.final in states

    def may_match_length(self, least: int, most: int | None) -> bool:
        """Whether a text of such a length may match, whatever its characters; False is certain, True is not."""
        states, seen = self._reached({0}), set[frozenset[int]]()
        for length in range(_MOST_LENGTHS):
            if most is not None and length > most:
                return False
            if length >= least:
                if self.final in states:
                    return True
                if not states or states in seen:
                    return False
                seen.add(states)
            states = self._reached({target for state in states for _, target in self.edges[state]})
        return True

    def _reached(self, states: set[int]) -> frozenset[int]:
        """All states reachable without a character, whatever the assertions between."""
        pending, seen = list(states), set(states)
        while pending:
            new = {target for _, target in self.empty[pending.pop()]} - seen
            seen |= new
            pending.extend(new)
        return frozenset(seen)

    def _step(self, states: frozenset[int], character: str, context: int) -> frozenset[int]:
        reached = {target for state in states for accepts, target in self.edges[state] if accepts(character)}
        following = self._close(reached, context)
        if len(self._steps) >= _REMEMBERED_STEPS:
            self._steps.clear()
        self._steps[states, character, context] = following
        return following

    def _close(self, states: set[int], context: int) -> frozenset[int]:
        """All states reachable without a character at a position of this kind."""
        pending, seen = list(states), set(states)
        while pending:
            for assertion, target in self.empty[pending.pop()]:
                if target not in seen and (not assertion or _holds(assertion, context)):
                    seen.add(target)
                    pending.append(target)
        return frozenset(seen)

    def _context(self, text: str, at: int) -> int:
        """Bits: 1 the start, 2 the end, 4 before a final line feed, 8 a boundary of a word (16 by ASCII)."""
        if not self.has_assertions:
            return 0
        before, after = text[at - 1 : at] if at else "", text[at : at + 1]
        return (
            (1 if at == 0 else 0)
            | (2 if at == len(text) else 0)
            | (4 if at == len(text) - 1 and after == "\n" else 0)
            | (8 if _is_word(before) != _is_word(after) else 0)
            | (16 if (_is_word(before) and before.isascii()) != (_is_word(after) and after.isascii()) else 0)
        )


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _holds(assertion: str, context: int) -> bool:
    match assertion:
        case "start":
            return bool(context & 1)
        case "end":
            return bool(context & 2)
        case "end or line feed":
            return bool(context & 6)
        case "boundary":
            return bool(context & 8)
        case "no boundary":
            return not context & 8
        case "ASCII boundary":
            return bool(context & 16)
        case _:
            return not context & 16


@lru_cache(maxsize=256)
def compile_pattern(text: str) -> Pattern:
    """Compile a pattern; raises ``PatternError`` where it is malformed, too large or not linear to match."""
    if len(text) > MAX_PATTERN:
        raise PatternError(f"a pattern of {len(text):,} characters; at most {MAX_PATTERN:,} are read")
    try:
        return Pattern(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"{text[:60]!r} is not a regular expression: {error}") from None


def _read(text: str) -> tuple[Any, int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a set that may mean something else one day
        tree = sre_parser.parse(text, 0)
    flags = tree.state.flags & _FLAGS
    _refuse_flags(flags)
    return tree, flags


def _refuse_flags(flags: int) -> None:
    for flag, name in ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.LOCALE, "L")):
        if flags & flag:
            raise PatternError(f"the flag (?{name}) is not in the language; write both cases in a set, as [Aa]")


class _Builder:
    """Thompson's construction: each part of the pattern adds states between its first and its last one."""

    def __init__(self) -> None:
        self.edges: list[list[tuple[Accepts, int]]] = []
        self.empty: list[list[tuple[str, int]]] = []

    def state(self) -> int:
        if len(self.edges) >= MAX_STATES:
            raise PatternError(f"the pattern needs more than {MAX_STATES:,} states; its repetitions are too large")
        self.edges.append([])
        self.empty.append([])
        return len(self.edges) - 1

    def sequence(self, items: Any, start: int, flags: int) -> int:
        for operator, argument in items:
            start = self.item(operator, argument, start, flags)
        return start

    def character(self, accepts: Accepts, start: int) -> int:
        end = self.state()
        self.edges[start].append((accepts, end))
        return end

    def assertion(self, name: str, start: int) -> int:
        end = self.state()
        self.empty[start].append((name, end))
        return end

    def item(self, operator: Any, argument: Any, start: int, flags: int) -> int:
        match operator:
            case sre.LITERAL | sre.NOT_LITERAL | sre.IN | sre.ANY:
                return self.character(_accepts(operator, argument, flags), start)
            case sre.BRANCH:
                end = self.state()
                for branch in argument[1]:
                    self.empty[self.sequence(branch, start, flags)].append(("", end))
                return end
            case sre.SUBPATTERN:
                _, added, removed, inner = argument
                _refuse_flags(added)
                return self.sequence(inner, start, (flags | added) & ~removed)
            case sre.MAX_REPEAT | sre.MIN_REPEAT:
                least, most, inner = argument
                return self.repeat(least, most, inner, start, flags)
            case sre.AT:
                return self.assertion(_assertion(argument, flags), start)
            case _:
                raise PatternError(f"{_WORDS.get(operator, str(operator))} cannot be matched in linear time")

    def repeat(self, least: int, most: Any, inner: Any, start: int, flags: int) -> int:
        for _ in range(int(least)):
            start = self.sequence(inner, start, flags)
        if most is sre.MAXREPEAT:
            loop = self.state()
            self.empty[start].append(("", loop))
            self.empty[self.sequence(inner, loop, flags)].append(("", loop))
            end = self.state()
            self.empty[loop].append(("", end))
            return end
        end = self.state()
        for _ in range(int(most) - int(least)):
            self.empty[start].append(("", end))
            fresh = self.state()
            self.empty[start].append(("", fresh))
            start = self.sequence(inner, fresh, flags)
        self.empty[start].append(("", end))
        return end


_WORDS = {
    sre.ASSERT: "look-around",
    sre.ASSERT_NOT: "look-around",
    sre.GROUPREF: "a back-reference",
    sre.GROUPREF_EXISTS: "a conditional group",
    sre.ATOMIC_GROUP: "an atomic group",
    sre.POSSESSIVE_REPEAT: "a possessive repetition",
}


def _assertion(where: Any, flags: int) -> str:
    ascii_only = "ASCII " if flags & re.ASCII else ""
    match where:
        case sre.AT_BEGINNING | sre.AT_BEGINNING_STRING:
            return "start"
        case sre.AT_END:
            return "end or line feed"
        case sre.AT_END_STRING:
            return "end"
        case sre.AT_BOUNDARY:
            return f"{ascii_only}boundary"
        case sre.AT_NON_BOUNDARY:
            return f"no {ascii_only}boundary"
        case _:
            raise PatternError(f"{where} is not in the language")


def _accepts(operator: Any, argument: Any, flags: int) -> Accepts:
    match operator:
        case sre.LITERAL:
            wanted = chr(argument)
            return lambda c: c == wanted
        case sre.NOT_LITERAL:
            unwanted = chr(argument)
            return lambda c: c != unwanted
        case sre.ANY:
            return (lambda c: True) if flags & re.DOTALL else (lambda c: c != "\n")
        case _:
            return _set(argument, flags)


def _set(members: Any, flags: int) -> Accepts:
    negated = bool(members) and members[0][0] is sre.NEGATE
    tests = [_member(kind, value, flags) for kind, value in members if kind is not sre.NEGATE]
    return lambda c: any(test(c) for test in tests) is not negated


def _member(kind: Any, value: Any, flags: int) -> Accepts:
    match kind:
        case sre.LITERAL:
            wanted = chr(value)
            return lambda c: c == wanted
        case sre.RANGE:
            low, high = value
            return lambda c: low <= ord(c) <= high
        case sre.CATEGORY:
            return _category(value, bool(flags & re.ASCII))
        case _:
            raise PatternError(f"{kind} is not in the language")


def _category(category: Any, ascii_only: bool) -> Accepts:
    tests: dict[Any, Accepts] = {
        sre.CATEGORY_DIGIT: str.isdecimal,
        sre.CATEGORY_SPACE: str.isspace,
        sre.CATEGORY_WORD: _is_word,
    }
    opposites = {
        sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT,
        sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE,
        sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
    }
    negated = category in opposites
    test = tests[opposites.get(category, category)]
    # in ASCII mode re does not count the separators 0x1c to 0x1f as spaces
    if not ascii_only:
        return lambda c: test(c) is not negated
    if test is str.isspace:
        return lambda c: (c in " \t\n\r\f\v") is not negated
    return lambda c: (c.isascii() and test(c)) is not negated
