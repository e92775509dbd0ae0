"""Inputs with what the spec says of them. Made once per spec, shared by all candidates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from neurosym_specs.expr.evaluate import Evaluator, Scope, Undefined
from neurosym_specs.membership import member_fault
from neurosym_specs.model import Spec
from neurosym_specs.obligations import obligation_id
from neurosym_specs.semantics import Outside, Rejected, admission, expected_value
from neurosym_specs.types import DictType, ListType, OptionalType, RecordType, Type
from neurosym_specs.values import Record

from neurosym_verifiers.calls import arguments
from neurosym_verifiers.oracle import Answered, Broken, Oracle, Refused
from neurosym_verifiers.search.leaves import Inputs, key_of


class _Unstated:
    """The spec does not say which value is right, only what must hold of it."""

    def __repr__(self) -> str:
        return "UNSTATED"


UNSTATED: Final = _Unstated()


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One input inside the spec's requires.

    ``raises``: what the function must raise, empty where the input is accepted; ``decided_by``: the clause that rejects
    it (a reject's id, or the reference's), else empty. ``expected``: the right value or ``UNSTATED``.
    """

    inputs: Inputs
    key: Any
    arguments: tuple[object, ...]
    scope: Scope
    raises: tuple[str, ...] = ()
    decided_by: str = ""
    expected: Any = UNSTATED

    @property
    def accepted(self) -> bool:
        return not self.raises


@dataclass(frozen=True, slots=True)
class Fault:
    """A clause of the spec is undefined, or contradicts another one, on an input."""

    clause: str
    message: str
    inputs: tuple[Inputs, ...] = ()


class CaseMaker:
    """Says of inputs what the spec says of them, and keeps the first fault of the spec that it meets."""

    def __init__(self, spec: Spec, oracle: Oracle | None) -> None:
        self.spec = spec
        self.evaluator = Evaluator(spec)
        self.fault: Fault | None = None
        self._oracle = oracle

    def belongs(self, inputs: Inputs) -> bool:
        """Whether the inputs are in the universe: every one of its type."""
        return all(member_fault(type_, inputs[name]) is None for name, type_ in self.spec.inputs.items())

    def in_order(self, inputs: Inputs) -> Inputs:
        """The inputs in the order of the parameters, so that equal inputs have equal keys."""
        return {name: inputs[name] for name in self.spec.inputs}

    def case(self, inputs: Inputs) -> Case | None:
        """The case of inputs of the universe; None where the spec promises nothing, or is at fault."""
        inputs = self.in_order(inputs)
        scope = self.evaluator.bind(inputs)
        try:
            standing = admission(self.spec, scope)
        except Undefined as undefined:
            self.note(Fault("require or reject", str(undefined), (inputs,)))
            return None
        if isinstance(standing, Outside):
            return None
        key, args = key_of(inputs), arguments(self.spec, inputs)
        if isinstance(standing, Rejected):
            reject = standing.reject
            return Case(inputs, key, args, scope, reject.raises, obligation_id("reject", reject))
        return self._accepted(inputs, key, args, scope)

    def _accepted(self, inputs: Inputs, key: Any, args: tuple[object, ...], scope: Scope) -> Case | None:
        reference = self.spec.reference
        if reference is None or reference.where is not None:
            return Case(inputs, key, args, scope)
        if self._oracle is not None:
            answer = self._oracle.ask(inputs)
            match answer:
                case Answered(value=value):
                    return Case(inputs, key, args, scope, expected=value)
                case Refused(exception=exception):
                    return Case(inputs, key, args, scope, (exception,), "reference")
                case Broken(reason=reason):
                    self.note(Fault("reference", reason, (inputs,)))
                    return None
        try:
            expected = with_records(self.spec.output, expected_value(self.spec, scope))
            return Case(inputs, key, args, scope, expected=expected)
        except Undefined as undefined:
            self.note(Fault("reference", str(undefined), (inputs,)))
            return None

    def note(self, fault: Fault) -> None:
        """Keeps the first fault."""
        if self.fault is None:
            self.fault = fault


def with_records(type_: Type, value: Any) -> Any:
    """The value with records where a reference wrote plain tuples for those that are tuples in Python too."""
    match type_, value:
        case OptionalType(of=of), _ if value is not None:
            return with_records(of, value)
        case ListType(item=item), list():
            return [with_records(item, element) for element in value]
        case DictType(value=of), dict():
            return {key: with_records(of, element) for key, element in value.items()}
        case RecordType(name=name, fields=fields, form="tuple"), tuple() if len(value) == len(fields):
            return Record(name, {field: with_records(of, v) for (field, of), v in zip(fields, value, strict=True)})
        case _:
            return value


def runs_of(inputs: Mapping[str, Any], runs: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Inputs of several runs, taken apart from the joint form ``{"a.x": …, "b.x": …}``."""
    return {
        run: {name.split(".", 1)[1]: value for name, value in inputs.items() if name.startswith(f"{run}.")}
        for run in runs
    }
