"""A table of regions as text for a person, as a JSON document, and as CSV for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from neurosym_specs.describe import describe, one_line
from neurosym_specs.model import Spec
from neurosym_specs.notation import to_plain
from neurosym_specs.types import Type
from neurosym_verifiers.regions.places import IS_NONE
from neurosym_verifiers.regions.showing import End, Span
from neurosym_verifiers.regions.table import Region, RegionTable
from neurosym_verifiers.regions.worked import Worked
from neurosym_verifiers.wording import say_value

from neurosym.reports.columns import labelled
from neurosym.reports.json import Document, tool
from neurosym.reports.spreadsheet import table_text
from neurosym.safe_text import safe_text
from neurosym.source import Delivered

SCHEMA_VERSION = 1
_LABELS = 7


def regions_text(spec: Spec, source: Delivered, table: RegionTable) -> str:
    """The table for a person, in eighty columns."""
    return "\n".join(_lines(spec, source, table)) + "\n"


def _lines(spec: Spec, source: Delivered, table: RegionTable) -> Iterator[str]:
    count = len(table.regions)
    yield f"{safe_text(spec.name)} in {safe_text(source.name)}: {count} region{'s' if count != 1 else ''}"
    yield from inputs_lines(spec)
    for number, region in enumerate(table.regions, 1):
        yield ""
        yield from labelled(f"{number}", end_in_words(region.end, spec.output), 0, 4)
        yield from where_lines(region.spans, region.ties)
        yield from _case_lines("case", region.case)
        for place, case in enumerate(region.ends):
            yield from _case_lines("" if place else "ends", case)
        for place, line in enumerate(region.lines):
            yield from labelled("" if place else "code", f"{line} | {source.line(line).strip()}"[:69], 4, _LABELS)
    yield ""
    if table.unsettled:
        yield from labelled(
            "", f"Not complete: of {table.unsettled} more it is not known whether any input is in them.", 0, 0
        )
    else:
        yield from labelled("", "Every input is in exactly one of them.", 0, 0)
    held = f"the reading agreed with {table.held_against:,} calls"
    yield from labelled("", f"Every call above was run. The rest is read from the code: {held}.", 0, 0)


def inputs_lines(spec: Spec) -> Iterator[str]:
    """The inputs of the spec: their ranges, and what callers guarantee of them."""
    for place, value in enumerate(describe(spec).inputs):
        yield from labelled("" if place else "for every", f"{value.name}: {value.values}", 2, 11)
    for place, require in enumerate(spec.requires):
        those = ", of inputs that are not rejected" if require.accepted_only else ""
        yield from labelled("" if place else "given", one_line(require.that.text) + those, 2, 11)


def where_lines(spans: tuple[Span, ...], ties: tuple[str, ...], width: int = _LABELS) -> Iterator[str]:
    """Where a region lies: a line for each place and for each condition between places."""
    where = [*map(span_in_words, spans), *ties] or ["every input"]
    for place, text in enumerate(where):
        yield from labelled("" if place else "where", text, 4, width)


def _case_lines(label: str, case: Worked) -> Iterator[str]:
    call = safe_text(case.call, limit=8_000)
    if len(call) + len(case.result) + 4 + _LABELS + 4 <= 80:
        yield f"    {label:<{_LABELS}}{call}  {safe_text(case.result)}"
        return
    yield f"    {label:<{_LABELS}}{call}"  # never broken: it can be pasted
    yield from labelled("", case.result, 6, _LABELS)


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


def regions_document(spec: Spec, source: Delivered, table: RegionTable) -> Document:
    """The table as plain values for JSON."""
    return {
        **subject(spec, "regions"),
        "source": {"name": source.name, "sha256": source.sha256},
        "regions": [_region(spec, each) for each in table.regions],
        "complete": not table.unsettled,
        "held_against": table.held_against,
    }


def subject(spec: Spec, kind: str) -> Document:
    """How documents about a spec begin."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": kind,
        "tool": tool(),
        "spec": {"name": spec.name, "title": spec.title, "path": spec.path, "sha256": spec.sha256},
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
    }


def _span(span: Span) -> Document:
    def plain(value: Any) -> Any:
        return None if value is None else to_plain(span.type, value)

    options = [to_plain(span.type, value) for value in span.options]
    return {"place": span.label, "low": plain(span.low), "high": plain(span.high), "options": options or None}


def _case(case: Worked) -> Document:
    return {"inputs": dict(case.inputs), "call": case.call, "result": case.result}


def regions_csv(spec: Spec, table: RegionTable) -> str:
    """The table for a spreadsheet: a row for each region, a column for each place that any of them speaks of."""
    places = list(dict.fromkeys(span.label for region in table.regions for span in region.spans))
    rows = [("region", *places, "and", "result", "case", "case result", "ends", "lines")]
    for number, region in enumerate(table.regions, 1):
        spans = {span.label: span_in_words(span).removeprefix(span.label).strip() for span in region.spans}
        ends = "; ".join(f"{case.call} {case.result}" for case in region.ends)
        row = (
            str(number),
            *(spans.get(place, "any") for place in places),
            " and ".join(region.ties),
            end_in_words(region.end, spec.output),
            region.case.call,
            region.case.result,
            ends,
            ", ".join(map(str, region.lines)),
        )
        rows.append(row)
    return table_text(rows)
