"""A sketch that was completed, or was not: for a person at a terminal, and for a machine as one document."""

from __future__ import annotations

from typing import TextIO

from neurosym.admission import Admission
from neurosym.events import CandidateFinished, Event, FillFinished
from neurosym.filling.result import Completion, FillResult, Question, Settled
from neurosym.reports.console import ConsoleReport
from neurosym.reports.json import Document, document_of, dump
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1
_ENDS = {
    Admission.REFUSED: "not accepted",
    Admission.FAILED: "nothing is known: this tool failed",
    Admission.UNDECIDED: "not decided",
    Admission.NOTHING_TO_CHECK: "nothing to check: the spec promises nothing",
}


class FillReport(ConsoleReport):
    """Listens, and prints the verdict on the completed program, what stands in its holes, and the open question."""

    def __call__(self, event: Event) -> None:
        match event:
            case FillFinished(result):
                self._filled(result)
            case CandidateFinished():
                pass  # each filling on the way; the one that is left is shown
            case _:
                super().__call__(event)

    def _filled(self, result: FillResult) -> None:
        found = result.completion
        if found is None:
            return  # the spec's fault was shown when it was found, with what to do
        if found.result is not None:
            super().__call__(CandidateFinished(found.result))
        self._line()
        if found.values:
            self._values(found)
        else:
            self._none(found)
        if found.question is not None:
            self._question(found.question)
        self._line()
        self._paragraph(f"{_end(result, found)} (exit {result.exit_code})", 0, hanging=2)

    def _values(self, found: Completion) -> None:
        many = f"{found.judged:,} filling{'' if found.judged == 1 else 's'} judged"
        self._paragraph(f"In the holes, found by {found.by} ({many}):", 2)
        widest = max(map(len, found.values))
        for name, value in found.values.items():
            self._line(f"    {safe_text(name):<{widest}} = {safe_text(value, limit=400)}")
        if found.settled in (Settled.BY_REFERENCE, Settled.NO_OTHER):
            self._paragraph(f"No question is left: {found.settled.value}.", 2)

    def _none(self, found: Completion) -> None:
        self._paragraph(f"{safe_text(found.sketch.name)}: {found.why}", 0, hanging=2)
        if found.unmet:
            self._paragraph("No values get all of this right together:", 2)
        for call in found.unmet:
            self._line(f"    {safe_text(call, limit=2_000)}")

    def _question(self, asked: Question) -> None:
        self._line()
        self._paragraph("The question is which is meant:", 2)
        self._line(f"    {safe_text(asked.call, limit=2_000)}")
        self._paragraph(f"{asked.first} with the values above", 6, hanging=8)
        others = ", ".join(f"{name} = {value}" for name, value in asked.values.items())
        self._paragraph(f"{asked.second} with {others}", 6, hanging=8)
        self._paragraph("Write the answer into the spec as an [[example]], and fill the sketch again.", 2)


def _end(result: FillResult, found: Completion) -> str:
    admission = found.admission(result.require)
    if admission is Admission.ADMITTED:
        return f"accepted at the level {result.require.value}"
    if found.question is not None:
        return "not decided: the spec allows both"
    return _ENDS[admission]


class FillJson:
    """Listens, and writes one document when it is over; ``docs/json.md`` describes it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, event: Event) -> None:
        if isinstance(event, FillFinished):
            self._stream.write(dump(fill_document(event.result)) + "\n")


def fill_document(result: FillResult) -> Document:
    """The whole of it as plain values; the completed program as in the document of ``verify``."""
    verified = document_of(result.as_verified)
    candidates = verified.pop("candidates")
    found = result.completion
    if candidates and found is not None:
        candidates[0]["admission"] = found.admission(result.require).value  # not while a question is open
    asked = found and found.question
    return {
        **verified,
        "schema_version": SCHEMA_VERSION,
        "kind": "fill",
        "sketch": found and found.sketch.name,
        "values": dict(found.values) if found and found.values else None,
        "found_by": found and found.by,
        "fillings_judged": found.judged if found else 0,
        "decided": found.settled.name.lower() if found and found.values else None,
        "question": asked
        and {"call": asked.call, "first": asked.first, "second": asked.second, "second_values": dict(asked.values)},
        "why_none": found.why or None if found else None,
        "unmet": list(found.unmet) if found else [],
        "candidate": candidates[0] if candidates else None,
        "code": found.result.source.text if found and found.result and found.result.source else None,
        "admission": found and found.admission(result.require).value,
        "seconds": round(result.seconds, 4),
        "exit_code": result.exit_code,
    }
