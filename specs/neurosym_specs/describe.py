"""A spec in words: as plain data, and as text of at most eighty columns for ``neurosym spec show``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from neurosym_specs._faults import number_text
from neurosym_specs.clause_parts import named_parts, one_line, parts_used
from neurosym_specs.model import (
    Ensure,
    Example,
    Policy,
    Reference,
    Reject,
    Relation,
    Require,
    Spec,
)
from neurosym_specs.notation import call_source, to_source
from neurosym_specs.obligations import BuiltinKind, Obligation, ObligationClause, obligations
from neurosym_specs.signature import declarations, python_annotation, signature
from neurosym_specs.type_words import type_in_words
from neurosym_specs.types import OptionalType, Type

WIDTH = 80


@dataclass(frozen=True, slots=True)
class ClauseDescription:
    """One obligation in words. ``formal`` is its text in the expression language, part by part; ``parts``: the spec's
    named parts that it uses, each with what it stands for."""

    id: str
    kind: str
    words: str
    formal: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()

    @property
    def defined(self) -> tuple[str, ...]:
        """The formal text, and below it what the named parts in it stand for."""
        return (*self.formal, *(f"where {name} = {text}" for name, text in self.parts))


@dataclass(frozen=True, slots=True)
class ValueDescription:
    """An input, or the result: its Python type and the values it takes."""

    name: str
    annotation: str
    values: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class SpecDescription:
    """Everything that a spec says, as plain data for a reader."""

    name: str
    title: str
    problem: str
    source: tuple[str, ...]
    version: str
    owner: str
    declarations: str
    signature: str
    inputs: tuple[ValueDescription, ...]
    output: ValueDescription
    named_parts: tuple[tuple[str, str], ...]
    promises: tuple[ClauseDescription, ...]
    obligations: tuple[ClauseDescription, ...]
    policy: tuple[str, ...]
    sha256: str


def describe(spec: Spec) -> SpecDescription:
    """The spec in words."""
    return SpecDescription(
        name=spec.name,
        title=spec.title,
        problem=spec.problem,
        source=spec.source,
        version=spec.version,
        owner=spec.owner,
        declarations=declarations(spec),
        signature=signature(spec),
        inputs=tuple(_value(name, type) for name, type in spec.inputs.items()),
        output=_value("result", spec.output),
        named_parts=tuple(named_parts(spec).values()),
        promises=tuple(_require(spec, require) for require in spec.requires),
        obligations=tuple(_obligation(spec, obligation) for obligation in obligations(spec)),
        policy=tuple(_policy(spec.policy)),
        sha256=spec.sha256,
    )


def render(description: SpecDescription) -> str:
    """The description as text of at most ``WIDTH`` columns."""
    return "\n".join(line.rstrip() for line in _lines(description)) + "\n"


def _value(name: str, type: Type) -> ValueDescription:
    inner = type.of if isinstance(type, OptionalType) else type
    return ValueDescription(name, python_annotation(type), type_in_words(type), type.text or inner.text)


def _require(spec: Spec, require: Require) -> ClauseDescription:
    who = "Callers guarantee, of inputs that are not rejected" if require.accepted_only else "Callers guarantee"
    words = require.text or f"{who}: {require.id}."
    formal = (one_line(require.that.text),)
    return ClauseDescription(require.id, "require", words, formal, require.source, parts_used(spec, require))


_BUILTIN_WORDS: dict[BuiltinKind, str] = {
    "returns": "A result of the right type, in its range, for every valid input.",
    "no crash": "No exception for a valid input.",
    "terminates": "An end after a bounded number of steps, for every input.",
    "deterministic": "Equal inputs give equal results: no clock, randomness, id, hash or set order.",
    "pure": "The arguments are unchanged, and a call does not depend on earlier ones.",
}


def _obligation(spec: Spec, obligation: Obligation) -> ClauseDescription:
    clause = obligation.clause
    match clause:
        case None:
            words = next(text for kind, text in _BUILTIN_WORDS.items() if kind == obligation.kind)
            return ClauseDescription(obligation.id, obligation.kind, words)
        case Example():
            return _described(spec, obligation, clause, clause.text or _example(spec, clause))
        case Reject():
            words = clause.text or f"Raises {_names(clause.raises)}."
            return _described(spec, obligation, clause, words, f"when {one_line(clause.when.text)}")
        case Ensure():
            formal = [f"when {one_line(clause.when.text)}"] if clause.when is not None else []
            return _described(spec, obligation, clause, clause.text, *formal, one_line(clause.that.text))
        case Relation():
            formal = [f"given {one_line(clause.given.text)}"] if clause.given is not None else []
            words = clause.text or f"Of the runs {', '.join(clause.runs)}."
            return _described(spec, obligation, clause, words, *formal, one_line(clause.that.text))
        case Reference():
            return _described(spec, obligation, clause, *_reference(clause))
        case _:
            assert_never(clause)


def _described(
    spec: Spec, obligation: Obligation, clause: ObligationClause, words: str, *formal: str
) -> ClauseDescription:
    return ClauseDescription(obligation.id, obligation.kind, words, formal, clause.source, parts_used(spec, clause))


def _example(spec: Spec, example: Example) -> str:
    call = call_source(spec, example.inputs)
    return (
        f"{call} raises {_names(example.raises)}"
        if example.raises
        else f"{call} == {to_source(spec.output, example.out)}"
    )


def _names(names: tuple[str, ...]) -> str:
    return " or ".join(names)


def _reference(reference: Reference) -> tuple[str, ...]:
    tolerance = [
        f"{name} {number_text(number)}"
        for name, number in (("abs_tol", reference.abs_tol), ("rel_tol", reference.rel_tol))
        if number
    ]
    within = f", within {' and '.join(tolerance)}" if tolerance else ""
    if reference.value is not None:
        return reference.text or f"The result is this value{within}.", one_line(reference.value.text)
    if reference.where is not None:
        near = f", and of an example if it lies{within[1:]} of what that gives" if tolerance else ""
        return reference.text or f"The result is right if this holds{near}.", one_line(reference.where.text)
    raising = f"; where it raises {_names(reference.raises)} the input is rejected" if reference.raises else ""
    return (reference.text or f"The result is what the spec's own Python gives{within}{raising}.",)


def _policy(policy: Policy) -> Iterator[str]:
    yield "float is allowed" if policy.allow_float else "float is forbidden"
    yield "imports: " + (", ".join(sorted(policy.imports)) or "none")
    if policy.python:
        yield f"Python {policy.python}"
    for name, version in policy.packages.items():
        yield f"package {name} {version}".rstrip()
    yield f"{policy.time_limit_s:g} s and {policy.memory_limit_bytes / 10**6:g} MB per call"
    if policy.waive_vacuous:
        yield "an obligation with nothing to check is fine"


def _lines(description: SpecDescription) -> Iterator[str]:
    yield from _folded(f"{description.name}: {description.title}" if description.title else description.name)
    yield ""
    for paragraph in description.problem.split("\n\n"):
        yield from _folded(paragraph)
        yield ""
    facts = [*(f"source: {item}" for item in description.source)]
    facts += [f"version: {description.version}"] if description.version else []
    facts += [f"owner: {description.owner}"] if description.owner else []
    for fact in facts:
        yield from _folded(fact, 0, 2)
    yield from [""] if facts else []
    yield "Python"
    for line in f"{description.declarations}{description.signature}".split("\n"):
        depth = len(line) - len(line.lstrip())
        yield from _folded(line.lstrip(), 4 + depth, 12 + depth) or [""]
    yield ""
    yield "Universe (everything is checked over all of it)"
    for value in description.inputs:
        yield from _value_lines(value)
    yield "Result"
    yield from _value_lines(description.output)
    if description.named_parts:
        yield from ["", "Named parts"]
    for name, text in description.named_parts:
        yield from _folded(f"{name} = {text}", 4, 8)
    if description.promises:
        yield from ["", "Guaranteed"]
    for clause in description.promises:
        yield from _clause_lines(clause)
    yield from ["", "Obligations"]
    for clause in description.obligations:
        yield from _clause_lines(clause)
    yield from ["", "Policy"]
    for line in description.policy:
        yield from _folded(line, 4, 8)


def _value_lines(value: ValueDescription) -> Iterator[str]:
    yield from _folded(f"{value.name}: {value.annotation}: {value.values}", 4, 8)
    yield from _folded(value.text, 8, 8)


def _clause_lines(clause: ClauseDescription) -> Iterator[str]:
    yield from _folded(clause.id, 4, 8)
    yield from _folded(clause.words, 8, 8)
    for formal in clause.formal:
        yield from _folded(formal, 8, 12)
    for source in clause.source:
        yield from _folded(f"source: {source}", 8, 12)


def _folded(text: str, indent: int = 0, further: int = 0) -> list[str]:
    """Text folded at spaces, inside ``WIDTH`` columns; what is not printable is shown as an escape."""
    text = "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode("ascii") for c in text)
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * further, break_on_hyphens=False
    )
