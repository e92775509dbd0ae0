"""The patterns of ``match``: where they hit, and what they bind."""

from __future__ import annotations

import ast
from collections.abc import Callable

from neurosym_verifiers.reading.data.comparing import compare, equality
from neurosym_verifiers.reading.data.dicts import entry
from neurosym_verifiers.reading.data.operations import constant
from neurosym_verifiers.reading.data.values import Lookup, NotRead, Record, Sequence, Table, Thing, Value
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import both, either
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition
from neurosym_verifiers.reading.python.classes import RecordClass
from neurosym_verifiers.reading.python.instances import is_instance


def matched(
    pattern: ast.pattern, subject: Value, value_of: Callable[[ast.expr], Value], state: State
) -> tuple[Condition, dict[str, Value]]:
    """The condition under which the pattern hits, and the names that it binds then. Raises ``NotRead``."""
    line = pattern.lineno
    match pattern:
        case ast.MatchValue(value=value):
            return equality(subject, value_of(value), line), {}
        case ast.MatchSingleton(value=value):
            return compare(ast.Is(), subject, constant(value, line), line), {}
        case ast.MatchAs(pattern=None, name=None):
            return TRUE, {}
        case ast.MatchAs(pattern=None, name=str() as name):
            return TRUE, {name: subject}
        case ast.MatchAs(pattern=ast.pattern() as inner, name=str() as name):
            hit, bound = matched(inner, subject, value_of, state)
            return hit, {**bound, name: subject}
        case ast.MatchOr(patterns=patterns):
            found = [matched(each, subject, value_of, state) for each in patterns]
            if any(bound for _, bound in found):
                raise NotRead("alternatives that bind names", line)
            return either(*(hit for hit, _ in found)), {}
        case ast.MatchSequence(patterns=patterns) if isinstance(content := state.top(subject), Sequence):
            return _items(patterns, content.items, value_of, state, line)
        case ast.MatchMapping(keys=keys, patterns=patterns, rest=None) if isinstance(
            content := state.top(subject), (Table, Lookup)
        ):
            entries = [entry(content, value_of(key), line) for key in keys]
            if any(value is None for value, _ in entries):
                return FALSE, {}
            pairs = [(p, value) for p, (value, _) in zip(patterns, entries, strict=True) if value is not None]
            parts = [matched(each, value, value_of, state) for each, value in pairs]
            return _together([*((there, {}) for _, there in entries), *parts])
        case ast.MatchClass(cls=cls, patterns=patterns, kwd_attrs=names, kwd_patterns=by_name):
            kind = value_of(cls)
            hit = is_instance(subject, kind, state, line)
            narrowing = narrowing_by(hit)
            inside = narrowing.value(subject) if narrowing else subject
            if hit == FALSE or not (patterns or names):
                return hit, {}
            positional = zip(_positional(kind, len(patterns), line), patterns, strict=True)
            wanted = [*positional, *zip(names, by_name, strict=True)]
            if len({name for name, _ in wanted}) < len(wanted):
                raise NotRead("a pattern that asks twice for one attribute", line)
            made = [matched(each, _part(inside, name, line), value_of, state) for name, each in wanted]
            return _together([(hit, {}), *made])
        case _:
            raise NotRead(f"the pattern {ast.unparse(pattern)}", line)


def _together(parts: list[tuple[Condition, dict[str, Value]]]) -> tuple[Condition, dict[str, Value]]:
    names = {name: value for _, bound in parts for name, value in bound.items()}
    return both(*(hit for hit, _ in parts)), names


def _items(
    patterns: list[ast.pattern],
    items: tuple[Value, ...],
    value_of: Callable[[ast.expr], Value],
    state: State,
    line: int,
) -> tuple[Condition, dict[str, Value]]:
    """Of a list or tuple whose length is known; what a star stands for is a new list."""
    starred = next((i for i, each in enumerate(patterns) if isinstance(each, ast.MatchStar)), None)
    if starred is None:
        if len(patterns) != len(items):
            return FALSE, {}
        return _together([matched(p, item, value_of, state) for p, item in zip(patterns, items, strict=True)])
    more = len(items) - len(patterns) + 1
    if more < 0:
        return FALSE, {}
    ends = [
        *zip(patterns[:starred], items, strict=False),
        *zip(patterns[starred + 1 :], items[starred + more :], strict=True),
    ]
    parts = [matched(p, item, value_of, state) for p, item in ends]
    star = patterns[starred]
    if isinstance(star, ast.MatchStar) and star.name:
        parts.append((TRUE, {star.name: state.new(Sequence(items[starred : starred + more], True))}))
    return _together(parts)


def _positional(kind: Value, count: int, line: int) -> list[str]:
    """What patterns by position are about: fields of a record in order, or, of a number or text, itself."""
    if not count:
        return []
    match kind:
        case Thing(name="record", of=RecordClass(form="dataclass" | "namedtuple") as record) if not any(
            each.by_keyword for each in record.fields
        ):
            if count > len(record.names):
                raise NotRead("a pattern with more places than the class has", line)
            return list(record.names[:count])
        case Thing(name="int" | "float" | "str" | "bool", of=None) if count == 1:
            return [""]
        case _:
            raise NotRead("a pattern by position", line)


def _part(value: Value, name: str, line: int) -> Value:
    """A field of a record, or the value itself where no name is given."""
    if not name:
        return value
    part = value.field(name) if isinstance(value, Record) else None
    if part is None:
        raise NotRead(f"a pattern for the attribute {name}", line)
    return part
