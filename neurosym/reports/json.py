"""The machine's form of a run: one JSON document, described in ``docs/json.md``."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TextIO

from neurosym_specs.describe import ClauseDescription
from neurosym_specs.model import Spec
from neurosym_specs.obligations import Obligation
from neurosym_specs.verdicts import (
    Counterexample,
    Failed,
    Proved,
    Refuted,
    Tested,
    Unknown,
    Vacuous,
    Verdict,
    word,
)
from neurosym_verifiers.proof.queries import Query
from neurosym_verifiers.regions.apart import NoRegions

from neurosym.diagnostics import Diagnostic, Note
from neurosym.events import Event, Finished
from neurosym.reports.frequencies import plain_frequency
from neurosym.reports.promised import plain_spec
from neurosym.reports.runs import plain_ending, plain_run
from neurosym.reports.wording import SPEC_FAULT, clauses, method_of, refutation_code
from neurosym.reproducing import recipe_of
from neurosym.result import CandidateResult, Judged, NotRun, Rejected, ToolFault, VerifyResult
from neurosym.rewrite import Rewrite
from neurosym.safe_text import plain_text, safe_json
from neurosym.waivers import Applied

if TYPE_CHECKING:
    from neurosym_verifiers.regions.table import RegionTable

    from neurosym.explaining import Explanation
    from neurosym.series import Series
    from neurosym.slices import Point, Slice

SCHEMA_VERSION = 1

Document = dict[str, Any]  # what json.dumps takes


class JsonReport:
    """Listens, and writes one document when all candidates have their verdicts."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, event: Event) -> None:
        if isinstance(event, Finished):
            self._stream.write(dump(document_of(event.result)) + "\n")


def dump(document: Document) -> str:
    """The document as ASCII text that no terminal and no CI system can take for anything but data."""
    return safe_json(json.dumps(_plain(document), ensure_ascii=True, indent=2))


def tool() -> Document:
    """What wrote a document, and on which Python: what is said holds for that version."""
    return {"name": "neurosym", "version": version("neurosym-verify"), "python": platform.python_version()}


def document_of(result: VerifyResult) -> Document:
    """The whole of a run as plain values."""
    fault = result.spec_fault
    words = clauses(result.spec)
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "verify",
        "tool": tool(),
        "spec": plain_spec(result.spec),
        "effort": {
            "seed": result.effort.seed,
            "examples": result.effort.examples,
            "time_limit_seconds": result.effort.time_limit_s,
        },
        "require": result.require.value,
        "require_sandbox": {
            "level": result.confinement.level.value,
            "layers": sorted(result.confinement.layers),
        },
        "spec_fault": fault
        and {
            "code": SPEC_FAULT,
            "clause": fault.clause,
            "message": fault.message,
            "counterexample": fault.counterexample and counterexample_of(fault.counterexample),
        },
        "candidates": [_candidate(candidate, result, words) for candidate in result.candidates],
        "preparation_seconds": round(result.preparation_s, 4),
        "exit_code": result.exit_code,
    }


def counterexample_of(found: Counterexample) -> Document:
    """A counterexample as plain values."""
    return {
        "class": found.failure.value,
        "inputs": [dict(inputs) for inputs in found.inputs],
        "calls": list(found.calls),
        "expected": found.expected,
        "actual": found.actual,
        "difference": found.difference,
        "line": found.line,
    }


def _candidate(candidate: CandidateResult, result: VerifyResult, words: Mapping[str, ClauseDescription]) -> Document:
    admission = candidate.admission(result.require)
    document: Document = {
        "name": candidate.name,
        "sha256": candidate.sha256,
        "verdict": candidate.standing.value,
        "admission": admission.value,
        "class": None,
        "diagnostics": [],
        "obligations": [],
        "notes": [_note(note) for note in candidate.notes],
        "objections": [_diagnostic(each) for each in candidate.objections],
        "gate": [{"step": step.name, "seconds": round(step.seconds, 6)} for step in candidate.gate],
        "original_sha256": candidate.original.sha256 if candidate.original else "",
        "text": candidate.original.text if candidate.original else "",
        "rewrites": [_rewrite(each) for each in candidate.rewriting.rewrites] if candidate.rewriting else [],
        "explanation": candidate.explanation and _explanation(candidate.explanation),
        "slice": candidate.slice and _slice(candidate.slice),
        "series": [_series(each) for each in candidate.series],
        "regions": candidate.regions and _regions(candidate.regions, result.spec),
        "waivers": [plain_waiver(each) for each in candidate.waivers],
        "fix": candidate.fix and _candidate(candidate.fix, result, words),
        "stopped_after": None,
        "cut_short": False,
        "solver_units": 0,
        "seconds": round(candidate.seconds, 4),
    }
    match candidate.outcome:
        case Rejected(diagnostics, run, ended):
            document["class"] = diagnostics[0].failure.value
            document["diagnostics"] = [_diagnostic(each) for each in diagnostics]
            document["sandbox"] = run and plain_run(run)
            document["run"] = ended and plain_ending(ended)
        case ToolFault(message):
            document["class"] = "tool"
            document["error"] = message
        case NotRun():
            document["stopped_after"] = "gate"
        case Judged(judgement):
            refutations = [v for v in judgement.verdicts.values() if isinstance(v, Refuted)]
            document["class"] = refutations[0].counterexample.failure.value if refutations else None
            document["obligations"] = [
                _obligation(obligation, verdict, words[obligation.id], result.spec)
                | _replay(obligation, verdict, candidate, result)
                | ({"run": plain_ending(judgement.ended[obligation.id])} if obligation.id in judgement.ended else {})
                | {"queries": [_query(query) for query in judgement.queries if query.obligation == obligation.id]}
                for obligation, verdict in judgement.verdicts.items()
            ]
            document["formula"] = judgement.formula and {
                "slip": judgement.formula.slip,
                "ratio": judgement.formula.ratio,
                "difference": judgement.formula.difference,
            }
            document["frequency"] = judgement.frequency and plain_frequency(judgement.frequency)
            document["cut_short"] = judgement.cut_short
            document["solver_units"] = judgement.solver_units
            document["calls"] = judgement.run.calls
            document["jail"] = judgement.run.jail.level.value
            document["printed"] = judgement.run.printed
            document["sandbox"] = plain_run(judgement.run)
    return document


def _obligation(obligation: Obligation, verdict: Verdict, clause: ClauseDescription, spec: Spec) -> Document:
    document: Document = {
        "id": obligation.id,
        "kind": obligation.kind,
        "text": clause.words,
        "formal": list(clause.defined),
        "source": list(clause.source or spec.source),
        "verdict": word(verdict),
        "method": method_of(verdict),
    }
    match verdict:
        case Proved(assumptions=assumptions):
            document["assumptions"] = list(assumptions)
        case Refuted(found):
            document |= {
                "code": refutation_code(found.failure),
                "counterexample": counterexample_of(found),
            }
        case Tested(cases=cases, exhaustive=exhaustive, lacks=lacks):
            document |= {"cases": cases, "exhaustive": exhaustive, "lacks": lacks}
        case Unknown(reason, detail, cases):
            document |= {"reason": reason.value, "detail": detail, "cases": cases}
        case Vacuous(why):
            document |= {"detail": why}
        case Failed(message):
            document |= {"error": message}
    return document


def _replay(obligation: Obligation, verdict: Verdict, candidate: CandidateResult, result: VerifyResult) -> Document:
    """How a refutation is run again."""
    if not isinstance(verdict, Refuted):
        return {}
    recipe = recipe_of(result.spec, candidate, result.confinement)
    return {"replay": recipe.command(obligation.id, verdict.counterexample.inputs)}


def plain_waiver(applied: Applied) -> Document:
    """A waiver, and what it does for a candidate, as plain values."""
    waiver = applied.waiver
    return {
        "clause": waiver.clause,
        "owner": waiver.owner,
        "reason": waiver.reason,
        "expires": waiver.expires.isoformat(),
        "candidate": waiver.candidate,
        "effect": applied.effect.value,
        "why": applied.why,
    }


def _query(query: Query) -> Document:
    opinion = query.opinion
    return {
        "shape": query.shape,
        "case": query.case or None,
        "lemma": query.lemma or None,
        "answer": query.verdict,
        "strategy": query.strategy,
        "algebra": query.algebra,
        "second_opinion": opinion
        and {"solver": opinion.solver, "answer": opinion.answer, "confirmed": opinion.confirms},
    }


def _diagnostic(diagnostic: Diagnostic) -> Document:
    return {
        "code": diagnostic.code,
        "class": diagnostic.failure.value,
        "message": diagnostic.message,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "source_line": diagnostic.source_line,
        "hint": diagnostic.hint,
    }


def _explanation(explanation: Explanation) -> Document:
    departure = explanation.departure
    return {
        "steps": [{"line": each.line, "name": each.name, "value": each.value} for each in explanation.steps],
        "departure": departure
        and {
            "line": departure.line,
            "name": departure.name,
            "actual": departure.actual,
            "expected": departure.expected,
            "where": departure.where,
            "nth": departure.nth,
        },
        "endless_line": explanation.endless_line,
    }


def _slice(slice_: Slice) -> Document:
    return {"input": slice_.input, "at": slice_.at, "points": [_point(each) for each in slice_.points]}


def _series(series: Series) -> Document:
    return {
        "name": series.name,
        "entries": series.entries,
        "departing": series.departing,
        "points": [_point(each) for each in series.points],
    }


def _point(point: Point) -> Document:
    return {"x": point.x, "expected": point.expected, "actual": point.actual, "right": point.right}


def _regions(found: RegionTable | NoRegions, spec: Spec) -> Document:
    if isinstance(found, NoRegions):
        return {"regions": [], "complete": False, "held_against": 0, "missing": found.why}
    from neurosym.reports.regions_plain import table_document  # deferred: most runs ask for no table, and load none

    return {**table_document(spec, found), "missing": ""}


def _rewrite(rewrite: Rewrite) -> Document:
    return {
        "codemod": rewrite.name,
        "says": rewrite.says,
        "diff": rewrite.diff,
        "seconds": round(rewrite.seconds, 6),
    }


def _note(note: Note) -> Document:
    return {"code": note.code, "message": note.message, "line": note.line}


def _plain(value: Any) -> Any:
    """Plain JSON values: texts that strict readers accept, and any value that is none of JSON's as its text."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return plain_text(value)
        case float() if value == value and abs(value) != float("inf"):
            return value
        case dict():
            return {plain_text(str(key)): _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return plain_text(str(value))
