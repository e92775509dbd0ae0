"""Loops of the spec over a list of many rounds: the item where one is, and those a few places further on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from neurosym_verifiers.reading.data.values import LoopList, NotRead, Value
from neurosym_verifiers.reading.formulas.terms import Condition, Term, variable
from neurosym_verifiers.reading.loop_lists.leaves import leaves_of
from neurosym_verifiers.reading.loop_lists.making import FARTHEST, PREFIX, alike, check_plain
from neurosym_verifiers.reading.loop_lists.views import further_on
from neurosym_verifiers.reading.simplification.substituting import Substitution

_walks = count()


@dataclass(frozen=True, slots=True)
class Walk:
    """One loop over a list: ``row`` with names of its own, since loops may stand in each other."""

    of: LoopList
    row: Value
    number: int

    def generic(self, condition: Condition) -> Condition:
        """A condition on the item, as ``total`` wants it."""
        return Substitution(self._names(condition.names), {}).condition(condition)

    def generic_value(self, value: Value) -> Value:
        names = frozenset().union(*(leaf.names for leaf in leaves_of(value)))
        return Substitution(self._names(names), {}).value(value)

    def _names(self, names: frozenset[str]) -> Mapping[str, Term]:
        own = f"{PREFIX}{self.number}!"
        return {
            name: variable(f"{PREFIX}!{name.removeprefix(own)}", None, None) for name in names if name.startswith(own)
        }

    def item(self, of: LoopList, at: Term) -> Value | None:
        """``of[at]``, if that is the item at the place where the walk is, or so many further on."""
        index = variable(f"{PREFIX}{self.number}!at", 0, None)
        ahead = (at - index).constant
        if ahead is None or not 0 <= ahead <= FARTHEST or not alike(of, self.of):
            return None
        check_plain(of)
        if ahead > self.of.less:
            raise NotRead("an item beyond the end of a list of many rounds")
        if of.less > 0:
            raise NotRead("an item of a part of a list of many rounds")
        return _own(further_on(of.row, ahead), self.number)


def walk(of: LoopList) -> Walk:
    """A new walk over a list."""
    at = next(_walks)
    return Walk(of, _own(of.row, at), at)


def _own(row: Value, number_of_walk: int) -> Value:
    spans = {name: bounds for leaf in leaves_of(row) for name, bounds in leaf.spans.items()}
    own = {
        name: variable(f"{PREFIX}{number_of_walk}!{name.removeprefix(PREFIX + '!')}", *bounds)
        for name, bounds in spans.items()
        if name.startswith(f"{PREFIX}!")
    }
    return Substitution(own, {}).value(row)
