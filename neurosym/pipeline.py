"""A candidate's way through the house, on one screen.

    spec ─┐
          ▼
    generate ─► gate ─► rewrite ─► run ─► cross-check ─► verdict ─► evidence, reports
       ▲                                                    │
       └──────────────────── feedback ◄─────────────────────┘

``turn`` is the whole wheel, once: it asks a generator, judges what comes, and says what is wrong with it. ``judge`` is
the way of one candidate, whoever wrote it; ``verify`` walks it with each that was handed in, on one bench. What is
asked next is decided elsewhere (``neurosym.solving``). Whatever is shown or stored comes from the events that they emit
(``neurosym.events``); nothing here prints.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from neurosym_sandbox import Level
from neurosym_specs import load_spec
from neurosym_specs.errors import NeurosymError
from neurosym_specs.model import Spec
from neurosym_specs.verdicts import FailureClass
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.environment import Confinement, check_versions
from neurosym_verifiers.judgement import Judgement, NotLoaded, RunRecord
from neurosym_verifiers.wording import say_refused

from neurosym import events, gate
from neurosym.admission import Admission, Required
from neurosym.attempts import Attempt
from neurosym.diagnostics import Diagnostic, Note
from neurosym.events import Listener, Stage, nobody_listens
from neurosym.feedback import feedback_on
from neurosym.gate import Types
from neurosym.generators import Answer, Generator, Reply
from neurosym.generators.asking import Asked, ask_all
from neurosym.offers import with_explanation, with_fix, with_regions, with_slice
from neurosym.options import Options, codemods
from neurosym.positions import in_original_lines
from neurosym.preparing import Wanted, prepared
from neurosym.result import (
    CandidateResult,
    Judged,
    NotRun,
    Outcome,
    Rejected,
    ToolFault,
    VerifyResult,
    standing_of,
    waived,
)
from neurosym.rewrite import Group, Rewriting, names_of
from neurosym.rewriting import rewritten
from neurosym.source import Candidate, Delivered, Source, name_of, path_of, sandbox_package
from neurosym.waivers import Waivers


def turn(
    spec: Spec,
    bench: Bench,
    generator: Generator,
    questions: Sequence[Asked],
    require: Required,
    options: Options,
    emit: Listener = nobody_listens,
) -> tuple[Attempt, ...]:
    """Asks all questions at once, and judges the answers until one is admitted: an attempt for each question."""
    # generate: a model, a command, a recording.
    answers = ask_all(generator, questions, emit)
    attempts = [Attempt(asked, answer) for asked, answer in zip(questions, answers, strict=True)]

    # gate … verdict: where there is a choice, what passes the gate goes first, since the gate costs least.
    for place, reply in _cheapest_first(spec, answers, options):
        asked = questions[place]
        source = Source(reply.text, asked.name, is_reply=True)
        result = judge(spec, bench, source, options, emit)

        # feedback: the one thing that is wrong, for the next question.
        said = feedback_on(spec, result, require, asked.request, reply)
        attempts[place] = replace(attempts[place], result=result, feedback=said)
        if said is not None:
            emit(events.FeedbackGiven(asked.name, said))
        if result.admission(require) is Admission.ADMITTED:
            break
    return tuple(attempts)


def judge(
    spec: Spec,
    bench: Bench | None,
    candidate: Candidate,
    options: Options | None = None,
    emit: Listener = nobody_listens,
    waivers: Waivers | None = None,
) -> CandidateResult:
    """One candidate's way. Without a ``bench`` it ends behind the gate: nothing is run."""
    options = options or Options()
    begun = time.perf_counter()
    name = name_of(candidate)

    # gate: nothing has run yet, and what does not pass here never will.
    emit(events.StageEntered(name, Stage.GATE))
    entry = _enter(candidate, spec, options.types)

    # rewrite: what is handed in is judged as its bytes are, unless rewriting is asked for; what is rewritten passes the
    # gate again, and is what runs, is proved and is delivered. What is said of it is said of the original's lines.
    rewriting: Rewriting | None = None
    if options.rewrites:
        emit(events.StageEntered(name, Stage.REWRITE))
        entry, rewriting = rewritten(entry, spec, options, lambda source: _enter(source, spec, options.types))

    # run, cross-check: in the sandbox only; each verifier takes obligations of the spec and answers with verdicts.
    # verdict: one ordered combination of the verdicts on the obligations (neurosym_specs.verdicts).
    result = _judged(name, spec, bench, entry, rewriting, emit)

    # What explains or offers something changes no verdict.
    if bench is not None:
        result = with_fix(result, spec, options, lambda fixed: _again(fixed, spec, bench, options, emit))
        result = with_explanation(result, spec, options, bench)
        result = with_slice(result, spec, options, bench)
    if waivers is not None:
        result = waived(result, spec, waivers)
    result = replace(result, path=path_of(candidate), options=options, seconds=time.perf_counter() - begun)
    emit(events.CandidateFinished(result))
    return result


def verify(
    spec: Spec | str | os.PathLike[str],
    *candidates: Candidate,
    effort: Effort | None = None,
    require: Required | str = Required.TESTED,
    sandbox: Level | str = Level.STANDARD,
    layers: Iterable[str] = (),
    types: Types | str = Types.SURE,
    stop_after: Stage | str | None = None,
    mend: bool = False,
    skip: Collection[str] = (),
    script: str = "",
    deliver: bool = False,
    contract: bool = False,
    fix: bool = False,
    explain: bool = True,
    slices: bool = False,
    regions: bool = False,
    waivers: Waivers | None = None,
    listener: Listener = nobody_listens,
) -> VerifyResult:
    """Judges candidates against a spec, all on one bench, and returns what is known of each.

    ``spec`` is a loaded spec or the path of one; a candidate is the path of a file or a ``Source``. ``require`` decides
    ``exit_code`` only, never a verdict. ``sandbox`` is the least level of the sandbox, and ``layers`` are layers of it
    that must hold whatever the level. ``types`` says what of mypy's findings rejects. ``stop_after="gate"`` runs
    nothing and needs no sandbox; what passes the gate is UNKNOWN then.

    What is rewritten before it is judged: a model's reply (``Source.is_reply``) is mended, with ``mend`` every
    candidate is, but not by the codemods in ``skip``; ``script`` names the result of programs that are no function;
    with ``deliver`` it is made to stand on its own and tidied, with ``contract`` it checks the promises when called.
    ``fix`` offers exact versions where floats are objected to, ``explain`` adds what happened in a refuted call,
    ``slices`` the results around it; ``regions`` what each candidate does where, found out when all verdicts are there.
    ``waivers`` change what may be used, never a verdict.

    A candidate that cannot be read, does not parse, crashes or never ends is a result like any other. Raises
    ``SpecError`` for a spec that cannot be read, ``EnvironmentFault`` where such a sandbox is not available or the spec
    is for another Python or other packages, and ``ValueError`` for an unknown ``require``, ``sandbox``, layer,
    ``types``, ``stop_after`` or ``skip``, or a ``script`` that is no name.
    """
    require, types = Required(require), Types(types)
    confinement = Confinement(Level(sandbox), frozenset(layers))
    if stop_after is not None and Stage(stop_after) is not Stage.GATE:
        raise ValueError(f"a way can end after {Stage.GATE.value} only")
    if unknown := sorted(set(skip) - set(names_of(Group.MEND))):
        raise ValueError(f"nothing mends by the name {unknown[0]}; there are {', '.join(names_of(Group.MEND))}")
    if script and not script.isidentifier():
        raise ValueError(f"the result of a script has a name, and {script!r} is none")

    def options_for(candidate: Candidate) -> Options:
        mended = mend or (isinstance(candidate, Source) and candidate.is_reply)
        chosen = codemods(mend=mended, skip=skip, script=bool(script), deliver=deliver, contract=contract)
        return Options(types, chosen, script, fix, explain, slices)

    loaded = spec if isinstance(spec, Spec) else load_spec(spec)
    asked = [(candidate, options_for(candidate)) for candidate in candidates]
    return judge_all(
        loaded, asked, effort or Effort(), require, confinement, not stop_after, listener, waivers, regions
    )


def judge_all(
    spec: Spec,
    asked: Sequence[tuple[Candidate, Options]],
    effort: Effort,
    require: Required,
    confinement: Confinement,
    runs: bool = True,
    listener: Listener = nobody_listens,
    waivers: Waivers | None = None,
    regions: bool = False,
) -> VerifyResult:
    """Judges candidates, each as its options say, on one bench. Raises ``EnvironmentFault`` as ``verify`` does."""
    types = next((options.types for _, options in asked if options.types is not Types.OFF), Types.OFF)
    wanted = Wanted(bool(asked), types, runs=runs, rewrites=any(options.rewrites for _, options in asked))
    check_versions(spec)
    names = tuple(name_of(candidate) for candidate, _ in asked)
    listener(events.Started(spec, effort, require, names, confinement))
    with prepared(spec, effort, confinement, wanted, listener) as ready:
        given = [] if ready.fault else asked
        results = tuple(judge(spec, ready.bench, each, options, listener, waivers) for each, options in given)
    if regions:
        results = tuple(_with_regions(results, spec, effort, confinement, listener))
    result = VerifyResult(
        spec=spec,
        effort=effort,
        require=require,
        confinement=confinement,
        spec_fault=ready.fault,
        candidates=results,
        preparation_s=ready.seconds,
    )
    listener(events.Finished(result))
    return result


def _with_regions(
    results: Sequence[CandidateResult], spec: Spec, effort: Effort, confinement: Confinement, emit: Listener
) -> Iterator[CandidateResult]:
    for number, result in enumerate(results, start=1):
        emit(events.Progress(result.name, "what it does where, candidate", number, len(results)))
        yield with_regions(result, spec, effort, confinement)


def _cheapest_first(spec: Spec, answers: Sequence[Answer], options: Options) -> list[tuple[int, Reply]]:
    """The replies with their places; of several, those that pass the gate first, and each text only once."""
    texts: dict[str, tuple[int, Reply]] = {}
    for place, answer in enumerate(answers):
        if isinstance(answer, Reply):
            texts.setdefault(answer.text.strip(), (place, answer))
    replies = [*texts.values()]
    if len(replies) < 2:
        return replies
    plain = replace(options, fix=False, explain=False)
    passes = {p: judge(spec, None, Source(r.text, "", is_reply=True), plain).outcome == NotRun() for p, r in replies}
    return sorted(replies, key=lambda each: not passes[each[0]])


def _judged(
    name: str, spec: Spec, bench: Bench | None, entry: gate.Entry, rewriting: Rewriting | None, emit: Listener
) -> CandidateResult:
    """What comes of a candidate behind the gate, in the lines of its original."""
    outcome: Outcome
    match entry:
        case gate.Stopped(diagnostics):
            outcome = Rejected(diagnostics)
        case gate.Faulted(why, trace=trace):
            outcome = ToolFault(why, trace)
        case gate.Passed(source):
            if bench is None:
                outcome = NotRun()
            else:
                emit(events.StageEntered(name, Stage.RUN))
                outcome = _run(bench, source, emit)
    result = CandidateResult(
        name=name,
        source=entry.source,
        outcome=outcome,
        standing=standing_of(outcome, spec),
        notes=entry.notes + _noticed(outcome),
        objections=entry.objections,
        rewriting=rewriting,
        gate=entry.steps,
    )
    return result if rewriting is None else in_original_lines(result, rewriting)


def _again(fixed: Rewriting, spec: Spec, bench: Bench, options: Options, emit: Listener) -> CandidateResult:
    """The verdict on a version that a rewriting made of a judged candidate."""
    name = fixed.original.name
    entry = _enter(Source(fixed.source.text, name), spec, options.types)
    return _judged(name, spec, bench, entry, fixed, emit)


def _enter(candidate: Candidate, spec: Spec, types: Types) -> gate.Entry:
    """Leads through the gate. A fault of the tool is this candidate's ERROR, and leaves the others their verdicts."""
    try:
        return gate.enter(candidate, spec, types)
    except Exception as error:
        return gate.Faulted(f"the gate failed with {type(error).__name__}: {error}", trace=traceback.format_exc())


def _run(bench: Bench, source: Delivered, emit: Listener) -> Outcome:
    """Judges in the sandbox. A fault of the tool is this candidate's ERROR, and leaves the others their verdicts."""

    def on_progress(work: str, done: int, total: int) -> None:
        emit(events.Progress(source.name, work, done, total))

    try:
        found = bench.judge(source.text, package=sandbox_package(source.package), on_progress=on_progress)
    except NeurosymError:
        raise  # the environment is at fault, and would be for every other candidate
    except Exception as error:
        return ToolFault(f"{type(error).__name__}: {error}", traceback.format_exc())
    match found:
        case Judgement():
            return Judged(found)
        case NotLoaded(FailureClass.TOOL, message):
            return ToolFault(message, "")
        case NotLoaded(failure, message, line, run, ended):
            hint = "a candidate only defines when it is loaded: no input, no exit, no work"
            found_out = Diagnostic("NS501", failure, message, line, None, source.line(line), hint)
            return Rejected((found_out,), run, ended)


def _noticed(outcome: Outcome) -> tuple[Note, ...]:
    match outcome:
        case Judged(Judgement(run=run)) | Rejected(run=RunRecord() as run):
            pass
        case _:
            return ()
    notes: list[Note] = []
    if run.printed and isinstance(outcome, Judged):
        notes.append(Note("NS550", "the candidate prints; what it prints is no part of its result"))
    if run.refused:
        said = say_refused(run.refused, run.refused_cut)
        notes.append(Note("NS551", f"the candidate asked the system for what the sandbox refuses: {said}"))
    return tuple(notes)
