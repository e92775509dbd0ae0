"""The patterns of ``match``: where they hit, and what they bind."""

from __future__ import annotations

import ast
from collections.abc import Callable

from neurosym_verifiers.reading.comparing import compare, equality
from neurosym_verifiers.reading.normal_forms import both, either
from neurosym_verifiers.reading.operations import constant
from neurosym_verifiers.reading.terms import FALSE, TRUE, Condition
from neurosym_verifiers.reading.values import NotRead, Sequence, Value


def matched(
    pattern: ast.pattern, subject: Value, value_of: Callable[[ast.expr], Value], top: Callable[[Value], Value]
) -> tuple[Condition, dict[str, Value]]:
    """The condition under which the pattern hits, and the names that it binds then. Raises ``NotRead``.

    ``top``: the content of what lies in the heap.
    """
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
            hit, bound = matched(inner, subject, value_of, top)
            return hit, {**bound, name: subject}
        case ast.MatchOr(patterns=patterns):
            found = [matched(each, subject, value_of, top) for each in patterns]
            if any(bound for _, bound in found):
                raise NotRead("alternatives that bind names", line)
            return either(*(hit for hit, _ in found)), {}
        case ast.MatchSequence(patterns=patterns) if isinstance(content := top(subject), Sequence):
            if any(isinstance(each, ast.MatchStar) for each in patterns):
                raise NotRead("a starred pattern", line)
            if len(patterns) != len(content.items):
                return FALSE, {}
            parts = [matched(p, item, value_of, top) for p, item in zip(patterns, content.items, strict=True)]
            names = {name: value for _, bound in parts for name, value in bound.items()}
            return both(*(hit for hit, _ in parts)), names
        case _:
            raise NotRead(f"the pattern {ast.unparse(pattern)}", line)
