"""Regions as plain values with their words: what every form of a table of regions is made from."""

from __future__ import annotations

from datetime import date
from typing import Any

from neurosym_specs.model import Spec
from neurosym_specs.notation import to_plain
from neurosym_specs.types import Type
from neurosym_verifiers.regions.places import IS_NONE
from neurosym_verifiers.regions.showing import End, Span
from neurosym_verifiers.regions.table import Region, RegionTable
from neurosym_verifiers.regions.worked import Worked
from neurosym_verifiers.wording import say_value

Document = dict[str, Any]  # what json.dumps takes


def end_in_words(end: End, output: Type) -> str:
    """What a region does: an exception, a value, a formula with its unit."""
    if end.raises:
        return f"raises {end.raises}"
    if not end.formula:
        return "a formula too long to be shown"
    return end.formula if end.constant or not output.unit else f"{end.formula}  [{output.unit}]"


def span_in_words(span: Span) -> str:
    """``balance from 0.00 to 999.66 USD``."""
    if span.label.endswith(IS_NONE):
        return span.label if span.options == (True,) else f"{span.label.removesuffix(IS_NONE)} is not None"
    if span.options:
        values = [_value(span.type, value) for value in span.options]
        return f"{span.label} {' or '.join([', '.join(values[:-1]), values[-1]] if len(values) > 1 else values)}"
    low, high = (None if end is None else _value(span.type, end) for end in (span.low, span.high))
    if low == high:
        return f"{span.label} {low}"
    if low is None:
        return f"{span.label} up to {high}"
    if high is None:
        return f"{span.label} from {low}"
    unit = span.type.unit
    return f"{span.label} from {low.removesuffix(unit).rstrip() if unit else low} to {high}"


def _value(type_: Type, value: Any) -> str:
    """A value in a range: a date as the calendar has it, a name without its class, an amount with its unit."""
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str) else say_value(type_, value)


def table_document(spec: Spec, table: RegionTable) -> Document:
    """The table itself, without what it is of."""
    return {
        "regions": [_region(spec, each) for each in table.regions],
        "complete": not table.unsettled,
        "held_against": table.held_against,
    }


def _region(spec: Spec, region: Region) -> Document:
    return {
        **where_document(region.spans, region.ties),
        **end_document(region.end, spec.output),
        "lines": list(region.lines),
        "case": _case(region.case),
        "ends": [{"place": case.place, "end": case.end, **_case(case)} for case in region.ends],
    }


def where_document(spans: tuple[Span, ...], ties: tuple[str, ...]) -> Document:
    """Where a region lies: ranges in plain notation, null where they are those of all inputs."""
    return {"where": [_span(span) for span in spans], "and": list(ties)}


def end_document(end: End, output: Type) -> Document:
    """What a region does."""
    return {
        "raises": end.raises or None,
        "formula": end.formula or None,
        "constant": end.constant,
        "unit": output.unit or None,
        "text": end_in_words(end, output),
    }


def _span(span: Span) -> Document:
    def plain(value: Any) -> Any:
        return None if value is None else to_plain(span.type, value)

    options = [to_plain(span.type, value) for value in span.options]
    return {"place": span.label, "low": plain(span.low), "high": plain(span.high), "options": options or None,
            "text": span_in_words(span)}  # fmt: skip


def _case(case: Worked) -> Document:
    return {"inputs": dict(case.inputs), "call": case.call, "result": case.result}
