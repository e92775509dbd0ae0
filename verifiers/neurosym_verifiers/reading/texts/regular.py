"""Python's ``re`` on symbolic values: patterns, whether they match, and the groups of a match.

A compiled pattern and a match are records: of the pattern's text and flags, and of what each group holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data.values import (
    Int,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    Record,
    Sequence,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.merging import CannotMerge, merged
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.narrowing import may_hold
from neurosym_verifiers.reading.formulas.normal_forms import both, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, number
from neurosym_verifiers.reading.texts.automata import Automaton, automaton_of, machine_around
from neurosym_verifiers.reading.texts.characters import (
    Cells,
    all_there,
    cells_of,
    choices_of,
    is_text,
    text_of,
    without,
)
from neurosym_verifiers.reading.texts.codepoints import Ranges, union
from neurosym_verifiers.reading.texts.matching import groups_of, matches
from neurosym_verifiers.reading.texts.operators import over_choices

PATTERN, MATCH = "re.Pattern", "re.Match"
_FLAGS = {"re.ASCII": re.A, "re.A": re.A, "re.DOTALL": re.S, "re.S": re.S, "re.UNICODE": re.U, "re.U": re.U}


def _pattern(value: Value, flags: Value | None, line: int) -> Record:
    """What ``re.compile`` gives."""
    if isinstance(value, Record) and value.kind == PATTERN and flags is None:
        return value
    known = 0
    if isinstance(flags, Thing) and flags.of is None and flags.name in _FLAGS:
        known = int(_FLAGS[flags.name])
    elif flags is not None:
        raise NotRead("a pattern with these flags", line)
    if not isinstance(value, (Text, Member)) or not is_text(value):
        raise NotRead("a pattern that varies", line)
    return Record(PATTERN, (("(text)", value), ("(flags)", Int(number(known)))))


def _automata(pattern: Record, state: State) -> list[tuple[Automaton, Condition]]:
    """The automata of the texts that a pattern may be, each with its condition."""
    text, flags = pattern.field("(text)"), pattern.field("(flags)")
    assert isinstance(text, (Text, Member))
    assert isinstance(flags, Int)
    assert flags.term.constant is not None
    found: list[tuple[Automaton, Condition]] = []
    for name, here in choices_of(text):
        if may_hold(both(state.live, here)):
            found.append((automaton_of(name, flags.term.constant), here))
    return found


def _matched(pattern: Record, name: str, subject: Value, state: State, line: int) -> Value:
    """``pattern.fullmatch(subject)``, ``pattern.match(subject)`` or ``pattern.search(subject)``."""
    if not is_text(subject):
        raise NotRead(f"re.{name} of a {type(subject).__name__}", line)
    cells = cells_of(subject)
    found: Value | None = None
    for automaton, here in _automata(pattern, state):
        one = _match(automaton, name, cells)
        try:
            found = one if found is None else merged(here, one, found)
        except CannotMerge:
            raise NotRead("patterns with different groups", line) from None
    return NoneValue() if found is None else found


def _match(automaton: Automaton, name: str, cells: Cells) -> Value:
    if name == "fullmatch" or (automaton.ends == "Z" and (name == "match" or automaton.anchored)):
        return _result(automaton, matches(automaton.machine, cells), cells, cells)
    if name == "search":
        _check_searched(automaton)
    machine = machine_around(automaton, before=name == "search" and not automaton.anchored, behind=not automaton.ends)
    if automaton.ends == "$":
        # The end is also before a line feed that is the last character.
        if not all_there(cells):
            raise NotRead("a pattern with $ on a text whose length varies")
        holds = matches(machine, cells)
        line_feed = both(matches(machine, cells[:-1]), equal(cells[-1][1], number(10))) if cells else FALSE
        if line_feed == FALSE and (name == "match" or automaton.anchored):
            return _result(automaton, holds, cells, cells)
        return _somewhere(either(holds, line_feed))
    return _somewhere(matches(machine, cells))


def _check_searched(automaton: Automaton) -> None:
    """``re.search(r"(?a:\\S)", "\\x85")`` finds nothing, and ``re.match`` does."""
    if automaton.has_scoped_flags:
        raise NotRead("a search for a pattern with flags for a part of it")


def _somewhere(holds: Condition) -> Value:
    """A match of which it is not known where it ends, or begins; or None."""
    return NoneValue() if holds == FALSE else Maybe(negated(holds), Record(MATCH, ()))


def _result(automaton: Automaton, holds: Condition, cells: Cells, whole: Cells) -> Value:
    """A match, or None. What its groups hold is found only where that does not depend on how it is matched."""
    if holds == FALSE:
        return NoneValue()
    parts: list[tuple[str, Value]] = [("0", text_of(whole))]
    numbers = sorted({step.opens for step in automaton.steps if step.opens})
    try:
        for group, held in zip(numbers, groups_of(automaton, cells, numbers), strict=True):
            some = text_of(held.cells)
            value = (
                some if held.missing == FALSE else NoneValue() if held.missing == TRUE else Maybe(held.missing, some)
            )
            parts.append((str(group), value))
    except NotRead:
        parts = parts[:1]
    parts += [(f"({name})", value) for name, at in automaton.groups.items() for n, value in parts if n == str(at)]
    parts.append(("(count)", Int(number(len(numbers)))))
    return Maybe(negated(holds), Record(MATCH, tuple(parts)))


def _group(match: Record, arguments: Many[Value], line: int) -> Value:
    if not arguments:
        arguments = (Int(number(0)),)
    found: list[Value] = []
    for argument in arguments:
        name = f"({argument.value})" if isinstance(argument, Text) else ""
        if isinstance(argument, Int):
            name = str(argument.term.constant)
        part = match.field(name)
        if part is None or name == "(count)":
            raise NotRead("this group of a match", line)
        found.append(part)
    return found[0] if len(found) == 1 else Sequence(tuple(found), False)


def _groups(match: Record, line: int) -> Value:
    count = match.field("(count)")
    wanted = count.term.constant if isinstance(count, Int) else None
    parts = [part for i in range(1, (wanted or 0) + 1) if (part := match.field(str(i))) is not None]
    if wanted is None or len(parts) != wanted:
        raise NotRead("the groups of this match", line)
    return Sequence(tuple(parts), False)


def regular_method(
    of: Record, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """A method of a compiled pattern or of a match."""
    if keywords:
        raise NotRead(f"{of.kind}.{name} with a keyword", line)
    match of.kind, name, arguments:
        case "re.Pattern", "fullmatch" | "match" | "search", [subject]:
            return _matched(of, name, subject, state, line)
        case "re.Pattern", "sub", [new, subject]:
            return _substituted(of, new, subject, state, line)
        case "re.Match", "group", _:
            return _group(of, arguments, line)
        case "re.Match", "groups", []:
            return _groups(of, line)
        case _:
            raise NotRead(f"{of.kind}.{name}", line)


def _substituted(pattern: Record, new: Value, subject: Value, state: State, line: int) -> Value:
    """``pattern.sub("", subject)`` for a pattern of single characters, or of runs of them."""
    automata = _automata(pattern, state)
    if new != Text("") or not is_text(subject) or len(automata) != 1:
        raise NotRead("re.sub with these arguments", line)
    _check_searched(automata[0][0])
    machine = automata[0][0].machine
    first = {target: ranges for ranges, target in machine.moves[0]}
    accepted: Ranges = union((each for ranges in first.values() for each in ranges), ())
    single = all(
        target in machine.finals and (machine.moves[target] in ((), ((accepted, target),))) for target in first
    )
    if automata[0][0].ends or 0 in machine.finals or len(first) != 1 or not single:
        raise NotRead("re.sub with this pattern", line)
    return text_of(without(cells_of(subject), accepted))


def _function(name: str) -> Callable[[Many[Value], Mapping[str, Value], State, int], Value]:
    def call(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
        if set(keywords) - {"flags"}:
            raise NotRead(f"re.{name} with a keyword", line)
        flags = keywords.get("flags")
        match name, [*arguments]:
            case "compile", [pattern] | [pattern, _]:
                return _pattern(pattern, arguments[1] if len(arguments) > 1 else flags, line)
            case "escape", [text] if not keywords:
                found = over_choices([text], re.escape)
                if found is None:
                    raise NotRead("re.escape of a text that varies", line)
                return found
            case "fullmatch" | "match" | "search", [pattern, subject] | [pattern, subject, _]:
                of = _pattern(pattern, arguments[2] if len(arguments) > 2 else flags, line)
                return _matched(of, name, subject, state, line)
            case "sub", [pattern, new, subject]:
                return _substituted(_pattern(pattern, flags, line), new, subject, state, line)
            case _:
                raise NotRead(f"re.{name} with these arguments", line)

    return call


REGULAR = {f"re.{name}": _function(name) for name in ("compile", "escape", "fullmatch", "match", "search", "sub")}
