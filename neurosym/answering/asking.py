"""Answers a question by programs that are written apart from each other, and says how far they agree."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from neurosym_sandbox import Level
from neurosym_specs import load_spec
from neurosym_specs.model import Spec
from neurosym_specs.signature import signature
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.environment import Confinement, check_versions

from neurosym import events
from neurosym.admission import Required
from neurosym.answering import reading
from neurosym.answering.agreement import Group, Trust, difference_of, groups_of
from neurosym.answering.plan import MOST_CHARS, AskPlan, question_spec
from neurosym.answering.result import AskResult, Program
from neurosym.answering.schema import Schema
from neurosym.answering.sentence import Sentence, sentence_of
from neurosym.attempts import Attempt
from neurosym.diagnostics import Note
from neurosym.events import Listener, nobody_listens
from neurosym.feedback import feedback_on
from neurosym.gate import Types
from neurosym.generators import Generator, Message, Reply, Request
from neurosym.generators.asking import Asked, ask_all
from neurosym.generators.constraint import Constraint
from neurosym.options import Options, codemods
from neurosym.pipeline import judge
from neurosym.preparing import Wanted, prepared
from neurosym.prompts import Template, first_messages, names, repair_messages, usable_template
from neurosym.prompts.questions import DEFAULTS, QUESTIONS, has_sentence, question_messages, with_inputs
from neurosym.solving.budget import Price, Spent
from neurosym.source import Source

TEMPERATURES = (0.2, 0.8)
PROGRAMS = 3


def ask(
    question: str,
    generator: Generator,
    *models: str,
    answer_type: str | Mapping[str, object] = "decimal",
    unit: str = "",
    schema: Schema | None = None,
    spec: Spec | str | os.PathLike[str] | None = None,
    programs: int = PROGRAMS,
    templates: Sequence[Template | str] = (),
    require: Trust | str | None = None,
    repairs: int = 1,
    temperatures: Iterable[float] = TEMPERATURES,
    max_tokens: int = 4_000,
    timeout_s: float = 180.0,
    constrain: bool = False,
    prices: Mapping[str, Price] | None = None,
    effort: Effort | None = None,
    sandbox: Level | str = Level.STANDARD,
    layers: Iterable[str] = (),
    listener: Listener = nobody_listens,
) -> AskResult:
    """Asks ``models`` in turn for ``programs`` by ``templates`` in turn, and runs those that pass the gate.

    Without a ``spec`` a program is a function without arguments that returns an ``answer_type`` (a type of the spec
    format; in the ``unit``, if one is asked for), or what a ``schema`` describes. With a ``spec`` it is the function of
    that spec, judged as ``verify`` does, and called with the inputs that the program reads out of the question.
    ``constrain`` has replies held to their form by endpoints that offer it.

    ``require`` is how far the answer must be trusted for exit code 0: ``agreed`` (the default) by two programs and no
    other answer, ``executed`` by one, ``checked`` against a spec (the default where there is one). Raises what
    ``verify`` raises, ``ModelFault`` where no model can be asked at all, ``TemplateFault``, and ``ValueError`` for a
    question that is empty or too long and options that do not go together.
    """
    question = question.strip()
    if not question or len(question) > MOST_CHARS:
        raise ValueError(f"a question has between 1 and {MOST_CHARS:,} characters")
    if not models or programs < 1:
        raise ValueError("at least one model and one program are needed")
    checked = spec is not None
    if checked and (schema is not None or unit):
        raise ValueError("with a spec, the spec says what the answer is: no schema and no unit beside it")
    required = Trust(require) if require is not None else (Trust.CHECKED if checked else Trust.AGREED)
    if required is Trust.CHECKED and not checked:
        raise ValueError("to be checked, an answer needs a spec")
    if spec is None:
        loaded = question_spec(question, schema.type if schema else dict(_as_table(answer_type)), unit)
    else:
        loaded = spec if isinstance(spec, Spec) else load_spec(spec)
    check_versions(loaded)
    plan = AskPlan(
        question=question,
        generator=generator.name,
        models=models,
        templates=_templates(templates, checked),
        programs=programs,
        repairs=repairs,
        temperatures=tuple(temperatures),
        max_tokens=max_tokens,
        timeout_s=timeout_s,
        require=required,
        checked=checked,
        schema=schema,
        constrain=constrain,
        prices=prices or {},
    )
    effort = effort or (Effort() if checked else Effort(examples=1, proof=False))
    confinement = Confinement(Level(sandbox), frozenset(layers))
    begun = time.monotonic()
    listener(events.AskStarted(loaded, effort, plan))
    run = _Run(loaded, generator, plan, listener)
    wanted = Wanted(candidates=True, types=run.options.types, rewrites=True)
    with prepared(loaded, effort, confinement, wanted, listener) as ready:
        found = () if ready.fault or ready.bench is None else run.all_of(ready.bench)
    groups = groups_of([each.given for each in found if each.given is not None])
    result = AskResult(
        plan=plan,
        spec=loaded,
        spec_fault=ready.fault,
        programs=found,
        groups=groups,
        trust=_trust(groups, checked),
        sentence=_sentence(loaded, plan, found, groups),
        document=schema.write(groups[0].lead.value) if schema and groups else None,
        notes=_notes(found, groups),
        spent=run.spent,
        seconds=time.monotonic() - begun,
    )
    listener(events.AskFinished(result))
    return result


class _Run:
    """The programs of one question on their way from the first question to an answer."""

    def __init__(self, spec: Spec, generator: Generator, plan: AskPlan, emit: Listener) -> None:
        self._spec, self._generator, self._plan, self._emit = spec, generator, plan, emit
        self.options = Options(Types.SURE, codemods(mend=True), explain=False)
        self.spent = Spent(plan.prices)
        self._asked = 0

    def all_of(self, bench: Bench) -> tuple[Program, ...]:
        """Every program, judged and read; those that failed were told what is wrong, as often as the plan says."""
        plan = self._plan
        first = [self._first(place) for place in range(plan.programs)]
        attempts: list[list[Attempt]] = [[] for _ in first]
        places = list(range(plan.programs))
        for number in range(1 + plan.repairs):
            if not places:
                break
            messages = [first[at] if number == 0 else self._again(at, first[at], attempts[at][-1]) for at in places]
            for at, attempt in zip(places, self._round(bench, number, places, messages), strict=True):
                attempts[at].append(attempt)
            places = [at for at in places if attempts[at][-1].feedback is not None]
        return tuple(self._program(at, bench, tuple(each)) for at, each in enumerate(attempts))

    def _first(self, place: int) -> tuple[Message, ...]:
        template, _, _ = self._plan.who(place)
        if self._plan.checked:
            return with_inputs(first_messages(self._spec, template), self._spec, self._plan.question)
        return question_messages(self._spec, template)

    def _again(self, place: int, first: tuple[Message, ...], attempt: Attempt) -> tuple[Message, ...]:
        said = attempt.feedback
        assert said is not None
        assert isinstance(attempt.answer, Reply)
        template, _, _ = self._plan.who(place)
        return repair_messages(first, template, attempt.answer.text, said.headline, said.facts, said.keep)

    def _round(
        self, bench: Bench, number: int, places: Sequence[int], messages: Sequence[tuple[Message, ...]]
    ) -> list[Attempt]:
        """Asks at once for all programs at these places, and judges what comes."""
        questions = []
        for at, said in zip(places, messages, strict=True):
            _, model, temperature = self._plan.who(at)
            request = Request(
                model=model,
                messages=said,
                temperature=temperature,
                max_tokens=self._plan.max_tokens,
                sample=self._asked,
                constraint=Constraint(signature(self._spec)) if self._plan.constrain else None,
            )
            self._asked += 1
            questions.append(Asked(f"program {at + 1}", request, self._plan.timeout_s))
        answers = ask_all(self._generator, questions, self._emit)
        attempts: list[Attempt] = []
        for asked, answer in zip(questions, answers, strict=True):
            self.spent.add(asked.request.model, answer.usage)
            if not isinstance(answer, Reply):
                attempts.append(Attempt(asked, answer))
                continue
            result = judge(self._spec, bench, Source(answer.text, asked.name, is_reply=True), self.options, self._emit)
            said_of_it = feedback_on(self._spec, result, Required.TESTED, asked.request, answer)
            if said_of_it is not None and number < self._plan.repairs:
                self._emit(events.FeedbackGiven(asked.name, said_of_it))
            attempts.append(Attempt(asked, answer, result, said_of_it))
        self.spent.rounds += 1
        return attempts

    def _program(self, place: int, bench: Bench, attempts: tuple[Attempt, ...]) -> Program:
        template, model, temperature = self._plan.who(place)
        program = Program(
            number=place + 1, template=template.name, model=model, temperature=temperature, attempts=attempts
        )
        result = program.last.result
        if result is None:
            return program
        found = reading.read(place + 1, self._plan.question, self._spec, bench, result, checked=self._plan.checked)
        return replace(
            program,
            given=found.given,
            why_not=found.why_not,
            sentence=found.sentence,
            inputs=found.inputs,
            trace=found.trace,
            notes=found.notes,
        )


def _as_table(answer_type: str | Mapping[str, object]) -> Mapping[str, object]:
    return {"type": answer_type} if isinstance(answer_type, str) else answer_type


def _templates(given: Sequence[Template | str], checked: bool) -> tuple[Template, ...]:
    """Those that are given, else the ones that go different ways about it."""
    chosen: Sequence[Template | str] = given or (tuple(names()) if checked else DEFAULTS)
    return tuple(
        each if isinstance(each, Template) else (usable_template(each) if checked else usable_template(each, QUESTIONS))
        for each in chosen
    )


def _trust(groups: Sequence[Group], checked: bool) -> Trust:
    """How far the first answer can be trusted: by so many programs, and by a spec. Two answers are none."""
    if len(groups) != 1:
        return Trust.NOTHING
    if groups[0].witnesses < 2:
        return Trust.EXECUTED
    return Trust.CHECKED if checked else Trust.AGREED


def _sentence(spec: Spec, plan: AskPlan, programs: Sequence[Program], groups: Sequence[Group]) -> Sentence | None:
    """The first sentence of a program of the first group that may be shown, else the tool's own."""
    if not groups or not has_sentence(spec) or plan.schema is not None:
        return None
    lead = groups[0].lead
    written = [programs[lead.number - 1], *(programs[each.number - 1] for each in groups[0].members)]
    found = [sentence_of(each.sentence, plan.question, spec.output, lead.value, lead.unit) for each in written]
    return next((each for each in found if not each.why_not), found[0])


def _notes(programs: Sequence[Program], groups: Sequence[Group]) -> tuple[Note, ...]:
    """What there is to know of the whole: how answers differ, and programs that are the same text."""
    notes: list[Note] = []
    for other in groups[1:]:
        said = difference_of(groups[0].lead, other.lead)
        pair = f"program {groups[0].lead.number} and program {other.lead.number}"
        notes.append(Note("NS601", f"{pair} do not agree" + (f": {said}" if said else "")))
    if groups and not groups[0].exact:
        notes.append(Note("NS601", "the programs agree to 15 digits, and differ in the digits behind them"))
    texts: dict[str, list[int]] = {}
    for given in (each.given for each in programs if each.given is not None):
        texts.setdefault(given.text, []).append(given.number)
    for alike in texts.values():
        if len(alike) > 1:
            said = " and ".join(str(each) for each in alike)
            notes.append(Note("NS606", f"the programs {said} are the same text, and count once"))
    return (*(note for program in programs for note in program.notes), *notes)
