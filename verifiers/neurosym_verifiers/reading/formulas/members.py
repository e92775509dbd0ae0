"""What is asked of a list of which no more is known: whether something is in it.

Each such question is a condition of its own, to a solver a flag. The same question has the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import islice

from neurosym_verifiers.reading.data.values import Day, Int, Members, NotRead, Value
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Flag, Ite, Term, number

_MOST_CASES = 100


@dataclass(eq=False, init=False)
class Belongs(Flag):
    """Whether a number (a date by its ordinal) is in the list ``of``, which has at most so many items."""

    of: str
    most: int
    term: Term

    def __init__(self, of: str, most: int, term: Term) -> None:
        self.of, self.most, self.term = of, most, term
        self.name = f"{_names_of(of)}{blake2b(term.key.encode(), digest_size=12).hexdigest()}"
        self.key = f"b:{self.name}"

    @cached_property
    def names(self) -> frozenset[str]:
        """Its own as a flag, and the variables that it speaks of."""
        return self.term.names | {self.name}


@dataclass(eq=False, init=False)
class SameMembers(Flag):
    """Whether two lists are equal; their order does not show in the facts."""

    lists: frozenset[str]

    def __init__(self, one: str, other: str) -> None:
        self.lists = frozenset({one, other})
        self.name = " same as ".join(sorted(self.lists))
        self.key = f"b:{self.name}"


def belongs(item: Value, members: Members) -> Condition:
    """``item in members``. Raises ``NotRead`` for an item of another kind."""
    match item:
        case Day(ordinal=term) if members.kind == "date":
            pass
        case Int(term=term) if members.kind == "int":
            pass
        case _:
            raise NotRead(f"a {type(item).__name__} in a list that is only looked into")
    cases = list(islice(_cases(term, _names_of(members.of), TRUE), _MOST_CASES + 1))
    if len(cases) > _MOST_CASES:
        cases = [(TRUE, term)]
    return either(*(both(where, Belongs(members.of, members.most, each)) for where, each in cases))


def _names_of(of: str) -> str:
    """How the names of questions about a list begin."""
    return f"{of} has "


def _cases(term: Term, names: str, where: Condition) -> Iterator[tuple[Condition, Term]]:
    """What a term is, where: what was chosen by what is in the list is asked for by its own name."""
    for monomial, coefficient in term.parts:
        match monomial:
            case (Ite(condition=condition, then=then, other=other),) if any(
                name.startswith(names) for name in condition.names
            ):
                rest = term - Term([(monomial, coefficient)])
                for test, value in ((condition, then), (negated(condition), other)):
                    here = both(where, test)
                    if here != FALSE:
                        yield from _cases(rest + number(coefficient) * value, names, here)
                return
            case _:
                pass
    yield where, term


def same_members(a: Members, b: Members) -> Condition:
    """``a == b`` of two lists, as they came in."""
    if not (a.is_list and b.is_list) or a.kind != b.kind:
        raise NotRead("a comparison of sets that are only looked into")
    return TRUE if a.of == b.of else SameMembers(a.of, b.of)


def as_assigned(of: str, numbers: Iterable[int]) -> dict[str, int | bool]:
    """The assignment that says what is in a list, as numbers, in its order."""
    listed = list(numbers)
    return {f"{of}#": len(listed), **{f"{of}.{i}": number for i, number in enumerate(listed)}}


def listed_in(assignment: Mapping[str, int | bool], of: str) -> list[int]:
    """What an assignment says is in a list."""
    return [int(assignment[f"{of}.{i}"]) for i in range(assignment[f"{of}#"])]
