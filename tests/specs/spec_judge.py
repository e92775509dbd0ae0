"""A small judge for trusted code: runs an implementation in this process and holds the spec's clauses against it.

Not the product's way (that is the sandbox); it checks that the specs we ship, and the code beside them, agree.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from neurosym_specs import (
    NegativeZero,
    Record,
    Spec,
    WrittenDecimal,
    call_source,
    inputs_strategy,
    member_fault,
    type_strategy,
)
from neurosym_specs.expr.evaluate import Evaluator, Scope
from neurosym_specs.semantics import Outside, Rejected, admission, expected_value, within_tolerance
from neurosym_specs.types import DecimalType, EnumType, FloatType, ListType, RecordType, Type


class Broken(AssertionError):
    """A clause that the implementation breaks."""


def spec_value(type: Type, value: Any) -> Any:
    """The spec value of a Python result; only for the types that our own specs return."""
    match type:
        case DecimalType():
            if not isinstance(value, Decimal):
                raise Broken(f"{value!r} is no Decimal")
            places = -int(value.as_tuple().exponent)
            return (
                NegativeZero(places)
                if value.is_zero() and value.is_signed()
                else WrittenDecimal(Fraction(value), places)
            )
        case FloatType():
            if not isinstance(value, float):
                raise Broken(f"{value!r} is no float")
            return Fraction(value)
        case EnumType() if type.class_name:
            return value.name
        case RecordType():
            return Record(type.name, {name: spec_value(inner, getattr(value, name)) for name, inner in type.fields})
        case ListType():
            return [spec_value(type.item, item) for item in value]
        case _:
            return value


@dataclass
class Judge:
    """Holds one spec against one implementation; ``met`` counts how often each clause had something to say."""

    spec: Spec
    implementation: Path
    met: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        module = ModuleType("implementation")
        module.__dict__.update(Decimal=Decimal, date=date)
        sys.modules["implementation"] = module  # dataclasses look their module up
        exec(compile(self.implementation.read_text("utf-8"), str(self.implementation), "exec"), module.__dict__)
        self.names = module.__dict__
        self.evaluator = Evaluator(self.spec)

    def run(self, inputs: dict[str, Any]) -> Scope | None:
        """One call: the scope with its result, or None where there is no result to speak of."""
        scope = self.evaluator.bind(inputs)
        allowed = admission(self.spec, scope)
        if isinstance(allowed, Outside):
            return None
        call = call_source(self.spec, inputs)
        try:
            result, raised = eval(call, self.names), None
        except Exception as error:
            result, raised = None, error
        if isinstance(allowed, Rejected):
            self.met[f"reject: {allowed.reject.id}"] += 1
            names = {each.__name__ for each in type(raised).__mro__}
            if not names & set(allowed.reject.raises):
                raise Broken(f"{call} gives {raised!r} where {allowed.reject.id!r} asks for {allowed.reject.raises}")
            return None
        if raised is not None:
            raise Broken(f"{call} raises {raised!r}")
        value = spec_value(self.spec.output, result)
        fault = member_fault(self.spec.output, value, result=True)
        if fault is not None:
            raise Broken(f"{call} gives {result!r}: {fault}")
        after = scope.with_result(value)
        self._reference(call, scope, after, value)
        for ensure in self.spec.ensures:
            if ensure.when is None or after.holds(ensure.when):
                self.met[f"ensure: {ensure.id}"] += 1
                if not after.holds(ensure.that):
                    raise Broken(f"{call} gives {result!r}, against {ensure.id!r}")
        return after

    def _reference(self, call: str, scope: Scope, after: Scope, value: Any) -> None:
        reference = self.spec.reference
        assert reference is not None
        if reference.where is not None:
            good = after.holds(reference.where)
        else:
            good = within_tolerance(reference, expected_value(self.spec, scope), value)
        if not good:
            raise Broken(f"{call} gives {value!r}, against the reference")

    def pair(self, first: dict[str, Any], second: dict[str, Any]) -> None:
        """Two calls, and the relations between them."""
        runs = self.run(first), self.run(second)
        if runs[0] is None or runs[1] is None:
            return
        for relation in self.spec.relations:
            scope = self.evaluator.bind_runs(dict(zip(relation.runs, (runs[0], runs[1]), strict=True)))
            if relation.given is None or scope.holds(relation.given):
                self.met[f"relation: {relation.id}"] += 1
                if not scope.holds(relation.that):
                    raise Broken(f"{relation.id!r} breaks on {first} and {second}")

    def examples(self) -> Iterator[tuple[dict[str, Any], bool]]:
        for example in self.spec.examples:
            yield dict(example.inputs), bool(example.raises)
        for sample in self.spec.samples:
            if len(sample.inputs) == len(self.spec.inputs):
                yield dict(sample.inputs), False

    def judge(self, cases: int) -> None:
        """Run the examples, and so many random calls and pairs of calls; raises ``Broken`` for the first fault."""
        for example in self.spec.examples:
            self._example(dict(example.inputs), example.out, example.raises)
        quick = settings(
            max_examples=cases,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
        )
        seeds = [inputs for inputs, rejected in self.examples() if not rejected]
        drawn = inputs_strategy(self.spec)

        @quick
        @given(drawn)
        def calls(inputs: dict[str, Any]) -> None:
            self.run(inputs)

        @quick
        @given(
            (st.sampled_from(seeds) | drawn).flatmap(lambda inputs: st.tuples(st.just(inputs), self._changed(inputs)))
        )
        def pairs(two: tuple[dict[str, Any], dict[str, Any]]) -> None:
            self.pair(*two)

        calls()
        pairs()

    def _example(self, inputs: dict[str, Any], out: Any, raises: tuple[str, ...]) -> None:
        scope = self.evaluator.bind(inputs)
        allowed = admission(self.spec, scope)
        if raises:
            assert isinstance(allowed, Rejected), "an example raises for a valid input"
            assert set(raises) <= set(allowed.reject.raises)
        else:
            after = scope.with_result(out)
            for ensure in self.spec.ensures:
                assert (ensure.when is not None and not after.holds(ensure.when)) or after.holds(ensure.that), ensure.id
            self._reference("the example", scope, after, out)
        self.run(inputs)

    def _changed(self, inputs: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
        """The same inputs with one or two of them drawn anew."""
        names = list(self.spec.inputs)
        return st.lists(st.sampled_from(names), min_size=1, max_size=2).flatmap(
            lambda chosen: st.fixed_dictionaries(
                {
                    name: type_strategy(self.spec.inputs[name]) if name in chosen else st.just(inputs[name])
                    for name in names
                }
            )
        )
