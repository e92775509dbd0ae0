"""Carries what is said about a rewritten text back to the lines and columns of the original."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import neurosym_sandbox as sandbox
from neurosym_specs.verdicts import Proved, Refuted, Tested, Unknown, Verdict

from neurosym.diagnostics import Diagnostic, Note
from neurosym.result import CandidateResult, Judged, Outcome, Rejected
from neurosym.rewrite import Rewriting

if TYPE_CHECKING:
    from neurosym_verifiers.regions.table import RegionTable

AT_LINE = re.compile(r"\bat line (\d+)(?=$|[;,.)])")
"""How the words of this tool name a line of a candidate."""


def in_original_lines(result: CandidateResult, rewriting: Rewriting) -> CandidateResult:
    """The same result, said of the original's lines; ``source`` stays what was judged."""
    return replace(
        result,
        outcome=_outcome(result.outcome, rewriting),
        notes=tuple(_note(each, rewriting) for each in result.notes),
        objections=_all(result.objections, rewriting),
    )


def regions_in_original_lines(table: RegionTable, rewriting: Rewriting) -> RegionTable:
    """The same table, with the original's lines."""

    def lines(rewritten: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({rewriting.back.place(line)[0] for line in rewritten}))

    return replace(table, regions=tuple(replace(each, lines=lines(each.lines)) for each in table.regions))


def _outcome(outcome: Outcome, rewriting: Rewriting) -> Outcome:
    match outcome:
        case Rejected(diagnostics=diagnostics):
            ended = None if outcome.ended is None else _ending(outcome.ended, rewriting)
            return replace(outcome, diagnostics=_all(diagnostics, rewriting), ended=ended)
        case Judged(judgement=judgement):
            verdicts = {obligation: _verdict(each, rewriting) for obligation, each in judgement.verdicts.items()}
            endings = {id_: _ending(each, rewriting) for id_, each in judgement.ended.items()}
            return Judged(replace(judgement, verdicts=verdicts, ended=endings))
        case _:
            return outcome


def _ending(ending: sandbox.Outcome, rewriting: Rewriting) -> sandbox.Outcome:
    if isinstance(ending, sandbox.Raised) and ending.exception.line is not None:
        line = rewriting.back.place(ending.exception.line)[0]
        return replace(ending, exception=replace(ending.exception, line=line))
    return ending


def _all(diagnostics: Iterable[Diagnostic], rewriting: Rewriting) -> tuple[Diagnostic, ...]:
    return tuple(_diagnostic(each, rewriting) for each in diagnostics)


def _diagnostic(diagnostic: Diagnostic, rewriting: Rewriting) -> Diagnostic:
    if diagnostic.line is None:
        return diagnostic
    line, column = rewriting.back.place(diagnostic.line, diagnostic.column)
    return replace(diagnostic, line=line, column=column, source_line=rewriting.original.line(line))


def _note(note: Note, rewriting: Rewriting) -> Note:
    return note if note.line is None else replace(note, line=rewriting.back.place(note.line)[0])


def _verdict(verdict: Verdict, rewriting: Rewriting) -> Verdict:
    match verdict:
        case Refuted(counterexample) if counterexample.line is not None:
            line = rewriting.back.place(counterexample.line)[0]
            return replace(verdict, counterexample=replace(counterexample, line=line))
        case Tested(lacks=lacks) if lacks:
            return replace(verdict, lacks=_text(lacks, rewriting))
        case Unknown(detail=detail) if detail:
            return replace(verdict, detail=_text(detail, rewriting))
        case Proved(assumptions=assumptions) if assumptions:
            return replace(verdict, assumptions=tuple(_text(each, rewriting) for each in assumptions))
        case _:
            return verdict


def _text(text: str, rewriting: Rewriting) -> str:
    """What the reading says of a line stands in its words: ``not read: re.match at line 7``."""
    return AT_LINE.sub(lambda found: f"at line {rewriting.back.place(int(found[1]))[0]}", text)
