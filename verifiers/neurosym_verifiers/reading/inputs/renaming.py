"""What a program does with inputs of other names: what it does, with their names.

A relation speaks of several runs of one program on inputs of one shape. It is read once; every other run is the same
with the names of its own variables, which costs a fraction of a reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass

from neurosym_verifiers.reading.data.values import Hidden, Members
from neurosym_verifiers.reading.execution.state import Exit, Returned
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.formulas.members import Belongs
from neurosym_verifiers.reading.formulas.narrowing import Narrowing
from neurosym_verifiers.reading.formulas.terms import Atom, Condition, Flag, Term, Var, variable


def renamed(ends: Iterable[Exit], prefix: str) -> tuple[Exit, ...] | None:
    """The same exits with the prefix before the name of each variable; None if one gives what is not renamed."""
    renaming = _Renaming(prefix)
    found = tuple(renaming.end(each) for each in ends)
    return found if all(name.startswith(prefix) for each in found for name in _names(each)) else None


class _Renaming(Narrowing):
    """Puts a prefix before every name. What a variable's bounds are on a path, they stay."""

    def __init__(self, prefix: str) -> None:
        super().__init__({})
        self._prefix = prefix

    def end(self, end: Exit) -> Exit:
        outcome = end.outcome
        if isinstance(outcome, Returned):
            outcome = Returned(self.value(outcome.value))
        return Exit(self.condition(end.condition), outcome, end.line)

    def _touches(self, names: frozenset[str]) -> bool:
        return bool(names)

    def _rewritten(self, atom: Atom) -> Term:
        if isinstance(atom, Var):
            return variable(self._prefix + atom.name, atom.low, atom.high)
        return super()._rewritten(atom)

    def _rewritten_condition(self, condition: Condition) -> Condition:
        if isinstance(condition, RealTest):
            return condition  # it keeps its name, so that the exits are not renamed
        if isinstance(condition, Belongs):
            return Belongs(self._prefix + condition.of, condition.most, self.term(condition.term))
        if isinstance(condition, Flag):
            return Flag(self._prefix + condition.name)
        return super()._rewritten_condition(condition)


def _names(of: object) -> Iterable[str]:
    """The variables of all terms and conditions in a value, however deep."""
    if isinstance(of, Term | Condition):
        yield from of.names
    elif isinstance(of, Hidden):
        yield of.of
        yield from _names(of.seen)
    elif isinstance(of, Members):
        yield of.of
    elif is_dataclass(of):
        for each in fields(of):
            yield from _names(getattr(of, each.name))
    elif isinstance(of, Mapping):
        for key, value in of.items():
            yield from _names(key)
            yield from _names(value)
    elif isinstance(of, list | tuple | set | frozenset):
        for part in of:
            yield from _names(part)
