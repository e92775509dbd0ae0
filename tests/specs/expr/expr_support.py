"""Small specs for the tests of the expression language, and values of expressions in them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from neurosym_specs.errors import Place
from neurosym_specs.expr.check import check_spec
from neurosym_specs.expr.evaluate import Budget, Evaluator, Scope
from neurosym_specs.expr.observing import Observer
from neurosym_specs.expr.syntax import Expression, parse_expression
from neurosym_specs.model import Definition, Ensure, Reference, Relation, Spec
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    StrType,
    Type,
)

PLACE = Place("case.spec.toml", "[let]", "x")

LOT = RecordType(name="Lot", fields=(("quantity", IntType()), ("cost", OptionalType(of=DecimalType(places=(2, 2))))))
BAND = EnumType(choices=("LOW", "MID", "HIGH"), ordered=True)
INPUTS: dict[str, Type] = {
    "x": DecimalType(places=(2, 2)),
    "n": IntType(),
    "ok": BoolType(),
    "word": StrType(),
    "day": DateType(),
    "xs": ListType(item=IntType()),
    "lots": ListType(item=LOT),
    "band": BAND,
    "maybe": OptionalType(of=IntType()),
}


def expression(text: str) -> Expression:
    return parse_expression(text, PLACE)


def make_spec(
    inputs: Mapping[str, Type] | None = None,
    *,
    output: Type | None = None,
    lets: Mapping[str, str] | None = None,
    define: Mapping[str, tuple[str, str]] | None = None,
    data: Mapping[str, Any] | None = None,
    ensures: tuple[str, ...] = (),
    relations: tuple[str, ...] = (),
    runs: tuple[str, ...] = ("a", "b"),
    reference: Reference | None = None,
) -> Spec:
    """A spec with these expressions, unchecked. ``define`` maps a name to (parameters with commas, body)."""
    return Spec(
        name="case",
        inputs=INPUTS if inputs is None else inputs,
        output=output or IntType(),
        lets={name: expression(text) for name, text in (lets or {}).items()},
        definitions={
            name: Definition(name, tuple(parameters.replace(" ", "").split(",")), expression(body))
            for name, (parameters, body) in (define or {}).items()
        },
        data=data or {},
        ensures=tuple(Ensure(id=f"ensure {at}", that=expression(text)) for at, text in enumerate(ensures)),
        relations=tuple(
            Relation(id=f"relation {at}", runs=runs, given=None, that=expression(text))
            for at, text in enumerate(relations)
        ),
        reference=reference,
    )


def check(text: str, **parts: Any) -> None:
    """The static checks of a spec with one let of this text."""
    lets = {**parts.pop("lets", {}), "tested": text}
    check_spec(make_spec(lets=lets, **parts))


def check_condition(text: str, **parts: Any) -> None:
    check_spec(make_spec(ensures=(text,), **parts))


DEFAULTS: dict[str, Any] = {
    "x": Fraction(5, 2),
    "n": 3,
    "ok": True,
    "word": "abc",
    "day": date(2024, 2, 29),
    "xs": [3, 1, 2],
    "lots": [],
    "band": "LOW",
    "maybe": None,
}


def scope(
    spec: Spec | None = None,
    *,
    observer: Observer | None = None,
    budget: Budget | None = None,
    **inputs: Any,
) -> Scope:
    """A scope with these inputs; the others have the defaults above."""
    spec = spec or make_spec()
    evaluator = Evaluator(spec, observer=observer, budget=budget or Budget())
    return evaluator.bind({**{name: DEFAULTS[name] for name in spec.inputs if name in DEFAULTS}, **inputs})


def value(text: str, spec: Spec | None = None, **inputs: Any) -> Any:
    return scope(spec, **inputs).evaluate(expression(text))
