"""The form for a person at a terminal: 80 columns, the verdict first, then the smallest case and what it breaks.

Text of a candidate or a spec comes out through ``safe_text`` only, and never as rich's markup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TextIO

from neurosym_sandbox import Outcome, Returned
from neurosym_specs.describe import ClauseDescription, describe
from neurosym_specs.model import Spec
from neurosym_specs.obligations import Obligation
from neurosym_specs.verdicts import (
    Counterexample,
    Failed,
    Proved,
    Refuted,
    Standing,
    Tested,
    Unknown,
    Vacuous,
    Verdict,
)
from neurosym_verifiers.environment import Confinement
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.proof.queries import Query
from rich.console import Console
from rich.text import Text

from neurosym.admission import Admission
from neurosym.diagnostics import Diagnostic, Note
from neurosym.events import CandidateFinished, Event, Finished, SpecChecked, Started
from neurosym.offers import FLOATS
from neurosym.reports.changes import lines_of, sentence_of
from neurosym.reports.columns import WIDTH, wrapped
from neurosym.reports.formulas import formula_sentences
from neurosym.reports.frequencies import frequency_sentences
from neurosym.reports.runs import say_jail, say_output
from neurosym.reports.wording import (
    SPEC_FAULT,
    clauses,
    refutation_code,
    verdict_word,
    was_stopped,
)
from neurosym.reproducing import recipe_of
from neurosym.result import CandidateResult, Judged, NotRun, Rejected, ToolFault, VerifyResult
from neurosym.rewrite import Rewrite
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_text
from neurosym.waivers import Applied, Effect

_STYLES = {
    "PROVED": "bold green",
    "TESTED": "green",
    "UNKNOWN": "yellow",
    "VACUOUS": "yellow",
    "ERROR": "bold magenta",
    "REFUTED": "bold red",
    "REJECTED": "bold red",
    "SPEC FAULT": "bold red",
    "ANSWER": "bold green",
    "UNSURE": "bold yellow",
    "DISAGREE": "bold red",
}
_MOST_LISTED = 12


class _Console(Console):
    """rich's console, but for a reader that has gone: rich exits with 1 there, which means refuted."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class ConsoleReport:
    """Listens, and prints each candidate as soon as it is judged."""

    def __init__(self, stream: TextIO) -> None:
        self._console = _Console(file=stream, width=WIDTH, markup=False, highlight=False, emoji=False, soft_wrap=True)
        self._clauses: Mapping[str, ClauseDescription] = {}
        self._confinement = Confinement()
        self._spec: Spec | None = None
        self._spec_sources: tuple[str, ...] = ()

    def __call__(self, event: Event) -> None:
        match event:
            case Started():
                self._started(event)
            case SpecChecked(fault) if fault is not None:
                self._line()
                self._heading("SPEC FAULT", fault.clause)
                self._paragraph(fault.message, 4)
                if fault.counterexample is not None:
                    self._case(fault.counterexample)
                self._line()
                self._paragraph(f"No candidate was judged. Mend the spec first: neurosym explain {SPEC_FAULT}", 2)
            case CandidateFinished(result):
                self._candidate(result)
            case Finished(result):
                self._finished(result)
            case _:
                pass

    def _started(self, event: Started) -> None:
        spec, effort = event.spec, event.effort
        self._spec, self._confinement = spec, event.confinement or self._confinement
        self._clauses = clauses(spec)
        self._spec_sources = spec.source
        self._paragraph(f"{spec.name}: {spec.title}" if spec.title else spec.name, 0)
        description = describe(spec)
        for place, value in enumerate(description.inputs):
            self._paragraph(f"{'' if place else 'for every':<11}{value.name}: {value.values}", 2, hanging=15)
        for place, promise in enumerate(description.promises):
            self._paragraph(f"{'' if place else 'where':<11}{', '.join(promise.defined)}", 2, hanging=15)
        limit = f"{effort.time_limit_s:g}s"
        self._paragraph(f"seed {effort.seed}, {effort.examples:,} examples, at most {limit} for a candidate", 2)

    def _candidate(self, result: CandidateResult) -> None:
        self._line()
        self._heading(result.standing.value, result.name, f"{result.seconds:.2f} s")
        if result.rewriting is not None:
            self._paragraph("Rewritten before it was judged; lines below are those of the text as it came.", 2)
            self._rewrites(result.rewriting.rewrites)
            self._line()
        match result.outcome:
            case Rejected(diagnostics, _, ended):
                for diagnostic in diagnostics:
                    self._diagnostic(diagnostic)
                self._ending(ended)
            case ToolFault(message):
                self._paragraph(f"NS901: this tool failed, and nothing is known of the candidate: {message}", 2)
            case NotRun():
                self._paragraph("It passes the gate. Nothing was run, so nothing is known of what it computes.", 2)
            case Judged(judgement):
                self._judged(result, judgement)
        if result.objections:
            self._line()
            self._paragraph("Not accepted, whatever the verdict: this offends the policy of the spec.", 2)
        for objection in result.objections:
            self._diagnostic(objection)
        if result.fix is not None:
            self._fix(result, result.fix)
        elif any(each.code == FLOATS for each in result.objections):
            self._paragraph("--fix offers an exact version, and judges it.", 2)
        for applied in result.waivers:
            self._waiver(applied)
        for note in result.notes:
            self._note(note)

    def _waiver(self, applied: Applied) -> None:
        """Who answers for what: it changes what is accepted, and no verdict."""
        waiver = applied.waiver
        said = f"{waiver.clause}: {waiver.owner}, until {waiver.expires}: {waiver.reason}"
        word = "waived" if applied.effect is Effect.WAIVED else f"a waiver without effect ({applied.why})"
        self._paragraph(f"{word}, {said}", 2, hanging=4, style="bold")

    def _fix(self, result: CandidateResult, fix: CandidateResult) -> None:
        """The offer of an exact version, with the verdict on it."""
        self._line()
        self._paragraph(f"An exact version of it, which was judged as well, is {fix.standing.value}:", 2)
        before = len(result.rewriting.rewrites) if result.rewriting else 0
        if fix.rewriting is not None:
            self._rewrites(fix.rewriting.rewrites[before:])
        if isinstance(fix.outcome, Rejected):
            self._diagnostic(fix.outcome.diagnostics[0])

    def _rewrites(self, rewrites: Sequence[Rewrite]) -> None:
        for text, is_diff in lines_of(rewrites):
            if is_diff:
                self._line("      " + safe_text(text, limit=160))
            else:
                self._paragraph(text, 2, hanging=4)

    def _judged(self, result: CandidateResult, judgement: Judgement) -> None:
        found = judgement.verdicts
        refuted = [(each, verdict) for each, verdict in found.items() if isinstance(verdict, Refuted)]
        for place, (obligation, verdict) in enumerate(refuted):
            if place == 0:
                self._refutation(obligation, verdict, result, judgement)
                self._ending(judgement.ended.get(obligation.id))
            else:
                case = verdict.counterexample
                self._line()
                self._paragraph(f"also broken: {obligation.id} ({refutation_code(case.failure)})", 2)
                self._call(case)
                self._again(result, obligation, case)
        if refuted:
            self._line()
        self._rest(found)
        if judgement.frequency is not None and not refuted:
            for text in frequency_sentences(judgement.frequency):
                self._paragraph(text, 2, hanging=4)
        self._opinions([query for query in judgement.queries if query.opinion is not None])
        self._paragraph(f"{judgement.run.calls:,} calls, {say_jail(judgement.run)}", 2)

    def _refutation(
        self, obligation: Obligation, verdict: Refuted, result: CandidateResult, judgement: Judgement
    ) -> None:
        case = verdict.counterexample
        self._line()
        self._paragraph(f"{obligation.id}  [{refutation_code(case.failure)} {case.failure.value}]", 2, style="bold")
        clause = self._clauses[obligation.id]
        for text in (clause.words, *clause.defined):
            if text:
                self._paragraph(text, 4, hanging=6)
        for source in clause.source or self._spec_sources:
            self._paragraph(f"source: {source}", 4)
        self._case(case)
        if case.line is not None and result.original is not None:
            self._line()
            self._code(case.line, result.original.line(case.line))
        said = sentence_of(result.explanation) if result.explanation else ""
        if said:
            self._paragraph(said, 4, hanging=6)
        often = frequency_sentences(judgement.frequency, case.calls) if judgement.frequency else []
        for text in (*formula_sentences(judgement.formula), *often):
            self._paragraph(text, 4, hanging=6)
        self._line()
        self._paragraph(f"found by {verdict.method}; replayed in a fresh sandbox", 4)
        self._again(result, obligation, case)

    def _ending(self, ended: Outcome | None) -> None:
        """What the run wrote before it ended otherwise than by a result: it often says why."""
        if ended is not None and not isinstance(ended, Returned) and (output := say_output(ended)):
            self._paragraph(f"it wrote: {output}", 4)

    def _case(self, case: Counterexample) -> None:
        self._line()
        self._call(case)
        if case.expected or case.actual or case.difference:
            self._line()
        for label, text in (("expected", case.expected), ("actual", case.actual), ("difference", case.difference)):
            if text:
                self._paragraph(f"{label:<12}{text}", 4, hanging=16)

    def _call(self, case: Counterexample) -> None:
        for call in case.calls:
            self._line("    " + safe_text(call, limit=8_000))  # never broken: it can be pasted

    def _again(self, result: CandidateResult, obligation: Obligation, case: Counterexample) -> None:
        """The command that runs it again."""
        assert self._spec is not None
        command = recipe_of(self._spec, result, self._confinement).command(obligation.id, case.inputs)
        if command:
            self._line("    " + safe_text(command, limit=MAX_COMMAND_CHARS))  # never broken: it can be pasted

    def _rest(self, verdicts: Mapping[Obligation, Verdict]) -> None:
        stopped = [obligation.id for obligation, verdict in verdicts.items() if was_stopped(verdict)]
        alike: dict[tuple[str, str], list[str]] = {}
        for obligation, verdict in verdicts.items():
            match verdict:
                case Refuted():
                    pass  # shown above
                case Unknown() if was_stopped(verdict):
                    pass  # listed below
                case Tested():  # one line each: how often each was tried is what counts
                    self._labelled("TESTED", f"{obligation.id}: {_said(obligation, verdict)}")
                case _:
                    alike.setdefault((verdict_word(verdict), _said(obligation, verdict)), []).append(obligation.id)
        for (word, said), names in alike.items():
            self._labelled(word, "; ".join(names))
            self._paragraph(said, 13)
        for lacks in dict.fromkeys(v.lacks for v in verdicts.values() if isinstance(v, Tested) and v.lacks):
            self._paragraph(f"Tested and not proved: it lacks {lacks}", 2)
        if stopped:
            self._paragraph(f"Not decided after that: {_listed(stopped)}", 2)

    def _opinions(self, queries: Sequence[Query]) -> None:
        if not queries:
            return
        solver = next(query.opinion.solver for query in queries if query.opinion is not None)
        confirmed = sum(query.opinion is not None and query.opinion.confirms for query in queries)
        self._paragraph(f"{solver} confirms {confirmed} of {len(queries)} queries that Z3 decided", 2)
        for query in queries:
            if query.opinion is not None and not query.opinion.confirms:
                about = ", ".join(each for each in (query.shape, query.part) if each)
                shape = f" ({about})" if about else ""
                said = "contradicted" if query.opinion.contradicts else f"not confirmed: {query.opinion.answer}"
                self._paragraph(f"{query.obligation}{shape}: {said}", 4, hanging=6)

    def _diagnostic(self, diagnostic: Diagnostic) -> None:
        self._line()
        self._paragraph(f"[{diagnostic.code} {diagnostic.failure.value}] {diagnostic.message}", 2, style="bold")
        if diagnostic.line is not None:
            self._code(diagnostic.line, diagnostic.source_line, diagnostic.column)
        if diagnostic.hint:
            self._paragraph(diagnostic.hint, 4)

    def _note(self, note: Note) -> None:
        where = f" (line {note.line})" if note.line is not None else ""
        self._paragraph(f"note {note.code}: {note.message}{where}", 2)

    def _finished(self, result: VerifyResult) -> None:
        if not result.candidates:
            return
        self._line()
        counts = [
            f"{sum(each.standing is standing for each in result.candidates)} {standing.value.lower()}"
            for standing in Standing
            if any(each.standing is standing for each in result.candidates)
        ]
        by_waiver = any(each.rests_on_waivers(result.require) for each in result.candidates)
        admitted = sum(each.admission(result.require) is Admission.ADMITTED for each in result.candidates)
        self._paragraph(
            f"{', '.join(counts)}; {admitted} of {len(result.candidates)} accepted at the level {result.require.value}"
            f"{', by waiver' if by_waiver else ''} (exit {result.exit_code})",
            0,
        )

    def _heading(self, word: str, name: str, remark: str = "") -> None:
        line = Text(f"{word:<8} ", style=_STYLES.get(word, "bold"))
        line.append(safe_text(name, limit=200), style="bold")
        if remark:
            line.append(f"  {remark}", style="dim")
        self._console.print(line)

    def _labelled(self, word: str, text: str) -> None:
        for place, part in enumerate(wrapped(text, 11)):
            line = Text("  ")
            line.append(f"{word if place == 0 else '':<9}", style=_STYLES.get(word, ""))
            line.append(part)
            self._console.print(line)

    def _code(self, number: int, text: str, column: int | None = None) -> None:
        shown = safe_text(text, limit=160)
        self._line(f"    {number:>4} | {shown}")
        if column is not None and shown.startswith(text[: column - 1]):
            self._line(f"         | {' ' * (column - 1)}^")

    def _paragraph(self, text: str, indent: int, *, hanging: int | None = None, style: str = "") -> None:
        below = indent if hanging is None else hanging
        for place, part in enumerate(wrapped(text, below)):
            self._console.print(Text(" " * (below if place else indent) + part, style=style))

    def _line(self, text: str = "") -> None:
        self._console.print(Text(text))


def _listed(names: Sequence[str]) -> str:
    shown = "; ".join(names[:_MOST_LISTED])
    return shown if len(names) <= _MOST_LISTED else f"{shown} and {len(names) - _MOST_LISTED} more"


def _said(obligation: Obligation, verdict: Verdict) -> str:
    unit = "sets of runs" if obligation.kind == "relation" else "inputs"
    match verdict:
        case Proved(method, assumptions):
            assumed = f", assuming {'; '.join(assumptions)}" if assumptions else ""
            return f"by {method}{assumed}"
        case Tested(cases, method, exhaustive):
            return f"{'all ' if exhaustive else ''}{cases:,} {unit} ({method})"
        case Unknown(reason, detail, cases):
            tried = f" after {cases:,} {unit}" if cases else ""
            return f"{reason.value}{tried}" + (f": {detail}" if detail else "")
        case Vacuous(why):
            return why
        case Failed(message):
            return f"this tool failed: {message}"
        case Refuted():
            return "broken"
