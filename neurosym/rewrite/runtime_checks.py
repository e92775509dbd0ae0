"""What of a spec's promises can be checked when the function is called, as conditions in plain Python, and what not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Ensure, Spec
from neurosym_specs.notation import to_source
from neurosym_specs.obligations import obligation_id
from neurosym_specs.signature import python_annotation
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    Interval,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    StrType,
    Type,
)

from neurosym.rewrite.plain_python import Teller, Untold

RESULT = "_checked_result"
_PLAIN = IntType | DecimalType | FractionType | FloatType | BoolType | StrType | DateType
_EXACT = IntType | DecimalType | FractionType | DateType


@dataclass(frozen=True, slots=True)
class Check:
    """Where ``condition`` holds, ``error`` (an exception's name) is raised with a text that says ``says``."""

    condition: str
    error: str
    says: str


@dataclass(frozen=True, slots=True)
class Checks:
    """What is checked ``before`` and ``after`` the function does its work, and in words what is ``left_out``."""

    before: tuple[Check, ...]
    after: tuple[Check, ...]
    left_out: tuple[str, ...]


def left_out(spec: Spec) -> tuple[str, ...]:
    """The promises of a spec that a checked file does not check, in words."""
    return checks(spec, {name: name for name in spec.inputs}).left_out


def checks(spec: Spec, names: Mapping[str, str]) -> Checks:
    """The checks of a spec, whose inputs have these names in the function.

    A breach of what the caller promises is a TypeError or a ValueError, one of what the function promises is an
    AssertionError. A refusal that is owed and does not come is found after the work, so that nothing that the function
    itself does is hidden.
    """
    skipped: list[str] = []
    before = [
        check
        for name, type_ in spec.inputs.items()
        for check in _of_value(spec, names[name], type_, names[name], skipped)
    ]
    after: list[Check] = []
    ask, tell = Teller(spec, names), Teller(spec, names, RESULT)

    def add(to: list[Check], called: str, condition: Callable[[], str], error: str, says: str) -> None:
        try:
            found = condition()
        except Untold:
            skipped.append(called)
            return
        if "Fraction" in found and "fractions" not in spec.policy.imports:
            skipped.append(called)
        else:
            to.append(Check(found, error, " ".join(says.split())))

    for require in spec.requires:
        if require.accepted_only and spec.rejects:
            skipped.append(f"require: {require.id}")
        else:
            says = f"the inputs are outside of what is promised: {require.that.text}"
            add(before, f"require: {require.id}", partial(_not, ask, require.that), "ValueError", says)
    for reject in spec.rejects:
        says = f"{spec.name} had to refuse these inputs: {reject.when.text}"
        called = obligation_id("reject", reject)
        add(after, called, partial(ask.condition, reject.when.tree), "AssertionError", says)
    after += _of_result(spec, skipped)
    for ensure in spec.ensures:
        says = f"{spec.name} broke what it ensures: {ensure.that.text}"
        called = obligation_id("ensure", ensure)
        add(after, called, partial(_broken, tell, ensure), "AssertionError", says)
    if spec.reference is not None:
        skipped.append("reference")
    skipped += [obligation_id("relation", relation) for relation in spec.relations]
    return Checks(tuple(before), tuple(after), tuple(dict.fromkeys(skipped)))


def _not(teller: Teller, expression: Expression) -> str:
    return f"not {teller.condition(expression.tree)}"


def _broken(teller: Teller, ensure: Ensure) -> str:
    if ensure.slack:
        raise Untold
    broken = _not(teller, ensure.that)
    return broken if ensure.when is None else f"{teller.condition(ensure.when.tree)} and {broken}"


def _of_result(spec: Spec, skipped: list[str]) -> Iterator[Check]:
    """What is wrong with the result by itself is the function's fault, whatever it is."""
    reference = spec.reference
    is_wider = reference is not None and bool(reference.abs_tol or reference.rel_tol)
    for check in _of_value(spec, RESULT, spec.output, "the result", skipped, is_wider=is_wider):
        yield Check(check.condition, "AssertionError", f"{spec.name} broke its promise: {check.says}")


def _of_value(
    spec: Spec, name: str, type_: Type, said: str, skipped: list[str], *, is_wider: bool = False
) -> Iterator[Check]:
    """Type, range and places of an input or the result. ``is_wider``: a tolerance widens the range."""
    if isinstance(type_, OptionalType):
        for check in _of_value(spec, name, type_.of, said, skipped, is_wider=is_wider):
            yield Check(f"{name} is not None and ({check.condition})", check.error, check.says)
        return
    yield from _of_type(name, type_, said, skipped, is_wider=is_wider)
    if isinstance(type_, DecimalType) and type_.places is not None:
        low, high = type_.places
        if is_wider or type_.nan or type_.infinity or "fractions" not in spec.policy.imports:
            skipped.append(f"the places of {said}")
        elif type_.exact_exponent:
            condition = f"not {low} <= -int({name}.as_tuple().exponent) <= {high}"
            yield Check(condition, "ValueError", f"{said} has not as many decimal places as it must")
        else:
            condition = f"Fraction({name}) * {10**high} % 1 != 0"
            yield Check(condition, "ValueError", f"{said} has more than {high} decimal places")


def _of_type(name: str, type_: Type, said: str, skipped: list[str], *, is_wider: bool) -> Iterator[Check]:
    if isinstance(type_, EnumType) and type_.class_name:
        yield Check(f"not isinstance({name}, {type_.class_name})", "TypeError", f"{said} must be a {type_.class_name}")
        return
    if isinstance(type_, EnumType):
        yield Check(f"type({name}) is not str", "TypeError", f"{said} must be of the type str")
        yield Check(f"{name} not in {_tuple(map(repr, type_.choices or ()))}", "ValueError", f"{said} is no choice")
        return
    if not isinstance(type_, _PLAIN):
        yield from _of_container(name, type_, said)
        skipped.append(f"what is in {said}")
        return
    kind = python_annotation(type_)
    yield Check(f"type({name}) is not {kind}", "TypeError", f"{said} must be of the type {kind}")
    if isinstance(type_, BoolType):
        return
    condition = None if is_wider else _in_range(name, type_)
    if condition is None:
        if is_wider or not _is_unbounded(type_):
            skipped.append(f"the range of {said}")
        return
    if condition:
        yield Check(f"not ({condition})", "ValueError", f"{said} is outside of its range")


def _of_container(name: str, type_: Type, said: str) -> Iterator[Check]:
    """The type and the length of what holds other values; ``_of_type`` says that no more is checked."""
    if isinstance(type_, RecordType) and type_.form in ("dataclass", "namedtuple"):
        yield Check(f"not isinstance({name}, {type_.name})", "TypeError", f"{said} must be a {type_.name}")
        return
    kind = python_annotation(type_).partition("[")[0]
    kind = "dict" if isinstance(type_, RecordType) and type_.form == "dict" else kind
    yield Check(f"type({name}) is not {kind}", "TypeError", f"{said} must be of the type {kind}")
    if isinstance(type_, ListType | SetType | DictType):
        high = "" if type_.max_len is None else f" <= {type_.max_len}"
        if type_.min_len or high:
            yield Check(
                f"not {type_.min_len} <= len({name}){high}", "ValueError", f"{said} has a length outside of its range"
            )


def _is_unbounded(type_: Type) -> bool:
    match type_:
        case IntType() | DecimalType() | FractionType() | FloatType():
            return type_.min is type_.max is None and type_.choices is None
        case StrType():
            return (type_.min_len, type_.max_len, type_.alphabet, type_.pattern) == (0, None, None, None)
        case _:
            return False


def _in_range(name: str, type_: Type) -> str | None:
    """The condition that a value of the right Python type is inside; empty if all are, None if it is not said."""
    if isinstance(type_, StrType):
        if type_.choices is not None and not any(isinstance(each, Interval) for each in type_.also):
            return f"{name} in {_tuple(map(repr, (*type_.choices, *type_.also)))}"
        if type_.pattern is not None or type_.alphabet is not None or type_.also:
            return None
        high = "" if type_.max_len is None else f" <= {type_.max_len}"
        return f"{type_.min_len} <= len({name}){high}" if type_.min_len or high else ""
    if not isinstance(type_, _EXACT):
        return None
    if isinstance(type_, DecimalType) and (type_.nan or type_.infinity):
        return None
    if isinstance(type_, FractionType) and type_.max_denominator is not None:
        return None
    finite = f"{name}.is_finite()" if isinstance(type_, DecimalType) else ""
    if type_.choices is not None:
        ways = [f"{name} in {_tuple(_literal(type_, each) for each in type_.choices)}"]
    else:
        ways = [_between(name, type_, type_.min, type_.max)]
    for each in type_.also:
        if isinstance(each, Interval):
            ways.append(_between(name, type_, each.low, each.high))
        else:
            ways.append(f"{name} == {_literal(type_, each)}")
    if "" in ways:
        return finite
    inside = " or ".join(ways)
    if not finite:
        return inside
    return f"{finite} and ({inside})" if len(ways) > 1 else f"{finite} and {inside}"


def _between(name: str, type_: Type, low: object, high: object) -> str:
    ends = (None if low is None else _literal(type_, low), None if high is None else _literal(type_, high))
    match ends:
        case (None, None):
            return ""
        case (str(least), None):
            return f"{name} >= {least}"
        case (None, str(most)):
            return f"{name} <= {most}"
        case (least, most):
            return f"{least} <= {name} <= {most}"


def _literal(type_: Type, value: object) -> str:
    if isinstance(type_, IntType) and isinstance(value, int | Fraction):
        return str(value)
    return to_source(type_, value)


def _tuple(texts: Iterable[str]) -> str:
    return f"({', '.join(texts)},)"
