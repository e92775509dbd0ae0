"""What follows from a spec: the obligations a candidate must meet, each with its own verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from neurosym_specs._faults import unknown
from neurosym_specs.errors import Place
from neurosym_specs.model import Clause, Ensure, Example, Reference, Reject, Relation, Spec

ObligationKind: TypeAlias = Literal[
    "returns",
    "no crash",
    "terminates",
    "deterministic",
    "pure",
    "example",
    "reject",
    "ensure",
    "relation",
    "reference",
]
BuiltinKind: TypeAlias = Literal["returns", "no crash", "terminates", "deterministic", "pure"]

BUILTIN: tuple[BuiltinKind, ...] = ("returns", "no crash", "terminates", "deterministic", "pure")
"""The five that every spec has, whatever it says."""

ObligationClause: TypeAlias = Example | Reject | Ensure | Relation | Reference


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing that a candidate must meet.

    ``id`` is unique in the spec: the kind itself for the five built-in ones and the reference, ``example 1`` for a
    clause without an id, else ``ensure: grace period``. ``clause`` is None for the built-in ones.
    """

    id: str
    kind: ObligationKind
    clause: ObligationClause | None = field(default=None, compare=False)


def obligations(spec: Spec) -> tuple[Obligation, ...]:
    """All obligations: examples first, then the clauses in the order of the format, then the five built-in ones."""
    return tuple(_each(spec))


def _each(spec: Spec) -> Iterator[Obligation]:
    for example in spec.examples:
        yield Obligation(obligation_id("example", example), "example", example)
    if spec.reference is not None:
        yield Obligation("reference", "reference", spec.reference)
    for reject in spec.rejects:
        yield Obligation(obligation_id("reject", reject), "reject", reject)
    for ensure in spec.ensures:
        yield Obligation(obligation_id("ensure", ensure), "ensure", ensure)
    for relation in spec.relations:
        yield Obligation(obligation_id("relation", relation), "relation", relation)
    for kind in BUILTIN:
        yield Obligation(kind, kind)


def obligation_of(spec: Spec, id_: str, place: Place) -> Obligation:
    """The obligation that reports call so. Raises ``SpecError`` at ``place`` where the spec has none of that id."""
    known = {each.id: each for each in obligations(spec)}
    if id_ not in known:
        raise unknown("clause", id_, known, place)
    return known[id_]


def obligation_id(kind: ObligationKind, clause: Clause) -> str:
    """The kind and the clause's id; a clause without an id of its own bears table and number already."""
    return clause.id if re.fullmatch(rf"{kind} \d+", clause.id) else f"{kind}: {clause.id}"
