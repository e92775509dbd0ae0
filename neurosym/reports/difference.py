"""A comparison of two versions as text for a person, and as a JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from neurosym_specs.model import Spec
from neurosym_verifiers.regions.difference import Apart, Comparison, Difference

from neurosym.reports.columns import labelled
from neurosym.reports.json import Document
from neurosym.reports.regions import inputs_lines, subject, where_lines
from neurosym.reports.regions_plain import end_document, end_in_words, where_document
from neurosym.safe_text import safe_text
from neurosym.source import Delivered

_LABELS = 10


def difference_text(spec: Spec, old: Delivered, new: Delivered, found: Comparison) -> str:
    """The comparison for a person, in eighty columns."""
    return "\n".join(_lines(spec, old, new, found)) + "\n"


def _lines(spec: Spec, old: Delivered, new: Delivered, found: Comparison) -> Iterator[str]:
    yield f"{safe_text(spec.name)}: {safe_text(old.name)} (old) and {safe_text(new.name)} (new)"
    yield from inputs_lines(spec)
    for number, each in enumerate(found.differences, 1):
        yield ""
        yield from _difference(spec, number, each)
    if found.seen is not None:
        yield ""
        yield from labelled("", "Seen when they were run:", 0, 0)
        yield from _apart("smallest", found.seen)
    yield ""
    yield from labelled("", conclusion(found), 0, 0)


def conclusion(found: Comparison) -> str:
    """What is known, in a sentence or two."""
    if found.unsteady:
        where = (
            "came to different ends, and to the same ones when called alone: a version keeps something between calls"
        )
        return f"Not decided: on {found.unsteady:,} of {found.runs:,} inputs they {where}."
    regions = len(found.differences)
    if found.equal and found.unread:
        return f"No difference found on {found.runs:,} inputs (tested, and not proved: {found.unread})."
    if found.equal:
        return f"Equal for every input (proved; {found.runs:,} inputs were run as well)."
    if found.unread:
        return f"They differ. Where else they do is not known: {found.unread}."
    if not regions:
        return "They differ in how a value is written, and in no value (proved)."
    where, there = ("this region", "it") if regions == 1 else (f"these {regions} regions", "them")
    return f"They differ in {where}, on every input of {there}, and nowhere else (proved)."


def _difference(spec: Spec, number: int, each: Difference) -> Iterator[str]:
    yield from labelled(f"{number}", f"old: {end_in_words(each.old, spec.output)}", 0, 4)
    yield from labelled("", f"new: {end_in_words(each.new, spec.output)}", 0, 4)
    yield from where_lines(each.spans, each.ties, _LABELS)
    yield from _apart("smallest", each.smallest)
    if each.largest is not None and each.largest.difference != each.smallest.difference:
        yield from _apart("largest" if each.surely else "large", each.largest)


def _apart(label: str, apart: Apart) -> Iterator[str]:
    yield f"    {label:<{_LABELS}}{safe_text(apart.call, limit=8_000)}"  # never broken: it can be pasted
    for name, text in (("old", apart.old), ("new", apart.new), ("new - old", apart.difference)):
        if text:
            yield from labelled("", f"{name:<11}{text}", 6, _LABELS)


def difference_document(spec: Spec, old: Delivered, new: Delivered, found: Comparison, code: int) -> Document:
    """The comparison as plain values for JSON."""
    return {
        **subject(spec, "diff"),
        "old": {"name": old.name, "sha256": old.sha256},
        "new": {"name": new.name, "sha256": new.sha256},
        "equal": found.equal,
        "proved": not found.unread and not found.unsteady,
        "unread": found.unread or None,
        "runs": found.runs,
        "unsteady": found.unsteady,
        "differences": [
            {
                **where_document(each.spans, each.ties),
                "old": end_document(each.old, spec.output),
                "new": end_document(each.new, spec.output),
                "smallest": asdict(each.smallest),
                "largest": each.largest and asdict(each.largest),
                "largest_is_proved": each.surely,
            }
            for each in found.differences
        ],
        "seen": found.seen and asdict(found.seen),
        "exit_code": code,
    }
