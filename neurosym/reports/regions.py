"""A table of regions as text for a person, as a JSON document, and as CSV for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator

from neurosym_specs.clause_parts import one_line
from neurosym_specs.describe import describe
from neurosym_specs.model import Spec
from neurosym_verifiers.regions.showing import Span
from neurosym_verifiers.regions.table import RegionTable
from neurosym_verifiers.regions.worked import Worked

from neurosym.reports.columns import labelled
from neurosym.reports.json import Document, tool
from neurosym.reports.regions_plain import end_in_words, span_in_words, table_document
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


def regions_document(spec: Spec, source: Delivered, table: RegionTable) -> Document:
    """The table as plain values for JSON."""
    return {
        **subject(spec, "regions"),
        "source": {"name": source.name, "sha256": source.sha256},
        **table_document(spec, table),
    }


def subject(spec: Spec, kind: str) -> Document:
    """How documents about a spec begin."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": kind,
        "tool": tool(),
        "spec": {"name": spec.name, "title": spec.title, "path": spec.path, "sha256": spec.sha256},
    }


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
