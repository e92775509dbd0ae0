"""Date inputs as days of months, where only their place in a month and the day of the week matter (``months``)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from neurosym_specs.model import Spec
from neurosym_specs.types import DateType, OptionalType, Type, inner_types


@dataclass(frozen=True, slots=True, kw_only=True)
class InMonth(DateType):
    """A date that is read as a day of a month."""


def in_months(spec: Spec) -> Spec | None:
    """The spec with its date inputs read so; None where there is none."""
    changed = {name: new for name, type_ in spec.inputs.items() if (new := _in_month(type_)) is not None}
    return replace(spec, inputs={**spec.inputs, **changed}) if changed else None


def _in_month(type_: Type) -> Type | None:
    match type_:
        case DateType(choices=None) if not type_.also:
            return InMonth(**{field.name: getattr(type_, field.name) for field in fields(type_)})
        case OptionalType(of=of) if (inner := _in_month(of)) is not None:
            return replace(type_, of=inner)
        case _:
            return None


def has_months(spec: Spec) -> bool:
    """Whether date inputs of a spec are read as days of months."""
    return any(isinstance(part, InMonth) for type_ in spec.inputs.values() for part in (type_, *inner_types(type_)))


def steps_by_days(spec: Spec, source: str) -> bool:
    """Whether a program goes from day to day, or its spec speaks of days of the week."""
    texts = (source, *(expression.text for expression in spec.lets.values()))
    return "timedelta" in source or any("weekday" in text for text in texts)
