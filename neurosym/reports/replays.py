"""A replay in words for a terminal, and as a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from neurosym_verifiers.findings import Finding
from neurosym_verifiers.replay import Kept, NoFunction, NothingPromised, StillBroken

from neurosym.replaying import ReplayResult, TurnedAway
from neurosym.reports.columns import wrapped
from neurosym.reports.json import Document, counterexample_of, tool
from neurosym.reports.runs import plain_ending
from neurosym.reports.wording import refutation_code
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1
NO_LONGER = "NS530"


def replay_text(result: ReplayResult) -> str:
    """For a person, 80 columns."""
    return "\n".join([*_lines(result), ""])


def replay_document(result: ReplayResult) -> Document:
    """For a machine."""
    outcome = result.outcome
    document: Document = {
        "schema_version": SCHEMA_VERSION,
        "kind": "replay",
        "tool": tool(),
        "spec": {"name": result.spec.name, "path": result.spec.path, "sha256": result.spec.sha256},
        "candidate": result.candidate,
        "clause": result.clause,
        "outcome": _WORDS[type(outcome)],
        "problem": result.problem,
        "broken": [],
        "results": [],
        "exit_code": result.exit_code,
    }
    match outcome:
        case StillBroken(findings):
            document["broken"] = [
                {
                    "clause": each.obligation,
                    "code": refutation_code(each.counterexample.failure),
                    "counterexample": counterexample_of(each.counterexample),
                    "run": plain_ending(each.ended),
                }
                for each in findings
            ]
        case Kept(results):
            document["results"] = list(results)
        case NothingPromised() | NoFunction() | TurnedAway():
            pass
        case _:
            assert_never(outcome)
    return document


_WORDS: dict[type, str] = {
    StillBroken: "broken",
    Kept: "kept",
    NothingPromised: "nothing promised",
    NoFunction: "not loaded",
    TurnedAway: "rejected",
}
"""What a replay came to, in the words of the document."""


def _lines(result: ReplayResult) -> Iterator[str]:
    name = safe_text(result.candidate, limit=200)
    outcome = result.outcome
    match outcome:
        case StillBroken(findings):
            yield f"REFUTED  {name}"
            for each in findings:
                yield from _finding(each)
            yield ""
            first = findings[0].obligation
            yield from _said(
                "It still fails." if first == result.clause else f"{result.clause} is kept, and {first} is broken."
            )
        case Kept(results):
            yield f"NO LONGER BROKEN  {name}  [{NO_LONGER}]"
            yield from _said(f"{result.clause}: the calls break no promise of the spec now. They come to:")
            for said in results:
                yield f"    {safe_text(said, limit=400)}"
            yield from _said("Only these calls were run; nothing is known of other inputs. neurosym verify judges it.")
        case NothingPromised():
            yield f"NOT REPLAYED  {name}"
            yield from _said(result.problem)
        case NoFunction() | TurnedAway():
            yield f"REJECTED  {name}"
            yield from _said(result.problem)
        case _:
            assert_never(outcome)


def _finding(found: Finding) -> Iterator[str]:
    case = found.counterexample
    yield ""
    yield f"  {safe_text(found.obligation)}  [{refutation_code(case.failure)} {case.failure.value}]"
    yield ""
    for call in case.calls:
        yield f"    {safe_text(call, limit=8_000)}"
    yield ""
    for label, text in (("expected", case.expected), ("actual", case.actual), ("difference", case.difference)):
        if text:
            first, *rest = wrapped(text, 16)
            yield f"    {label:<12}{first}"
            yield from (f"{' ' * 16}{line}" for line in rest)


def _said(text: str) -> Iterator[str]:
    yield from (f"  {line}" for line in wrapped(text, 2))
