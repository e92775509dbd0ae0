"""Asks models for a calculation until one is right, or until it is clear why none will be."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

from neurosym_sandbox import Level
from neurosym_specs import load_spec
from neurosym_specs.model import Spec
from neurosym_specs.signature import signature
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.environment import Confinement, check_versions

from neurosym import events
from neurosym.admission import Admission, Required
from neurosym.attempts import Attempt
from neurosym.events import Listener, nobody_listens
from neurosym.filling.fill import sketch_from
from neurosym.gate import Types
from neurosym.generators import IS_GONE, Generator, Message, NoReply, NoReplyKind, Reply, Request
from neurosym.generators.asking import Asked
from neurosym.generators.constraint import Constraint
from neurosym.generators.holes import Holes
from neurosym.generators.request import HOLES
from neurosym.offers import with_regions
from neurosym.options import Options, codemods
from neurosym.pipeline import turn
from neurosym.preparing import Wanted, prepared
from neurosym.prompts import DEFAULT, Template, first_messages, repair_messages, usable_template
from neurosym.prompts.shots import Shot
from neurosym.result import CandidateResult
from neurosym.solving.budget import Budget, Price, Spent, StopReason
from neurosym.solving.ladder import Ladder, Move, Step
from neurosym.solving.plan import TEMPERATURES, Plan
from neurosym.solving.result import Round, SolveResult, better
from neurosym.source import Source

_LEAST_TOKENS = 64


def solve(
    spec: Spec | str | os.PathLike[str],
    generator: Generator,
    *models: str,
    effort: Effort | None = None,
    require: Required | str = Required.TESTED,
    sandbox: Level | str = Level.STANDARD,
    layers: Iterable[str] = (),
    types: Types | str = Types.SURE,
    template: Template | str = DEFAULT,
    temperatures: Iterable[float] = TEMPERATURES,
    samples: int = 1,
    shots: int = 1,
    own: Sequence[Shot] = (),
    max_tokens: int = 8_000,
    timeout_s: float = 180.0,
    constrain: bool = False,
    rounds: int = 8,
    tokens: int | None = None,
    usd: Decimal | None = None,
    seconds: float | None = None,
    prices: Mapping[str, Price] | None = None,
    sketch: Source | str | os.PathLike[str] | None = None,
    deliver: bool = False,
    contract: bool = False,
    slices: bool = False,
    regions: bool = False,
    listener: Listener = nobody_listens,
) -> SolveResult:
    """Asks ``models`` in their order for the function of a spec, and judges each reply as ``verify`` does.

    A failure is told to the model that made it, once; when the same one comes again there is a fresh sample, then one
    at the next of ``temperatures``, then the next model, then an end. ``rounds``, ``tokens``, ``usd`` and ``seconds``
    are budgets; ``usd`` needs ``prices`` (dollars by model), unless the endpoint says what an answer cost. ``samples``
    are asked for at once where a sample is fresh. ``constrain`` has replies held to their form by endpoints that offer
    it. A ``sketch`` is completed when the last model has failed. The best candidate is always returned, whatever ended
    the run.

    ``shots`` worked examples stand before the question: the nearest of ``own`` (``solving.worked`` reads a folder),
    then those of the library.

    ``effort``, ``require``, ``sandbox``, ``layers``, ``types``, ``deliver``, ``contract``, ``slices`` and ``regions``
    (of the best candidate) are those of ``verify``.
    The generator stays open. Raises what ``verify`` raises, ``ModelFault`` where no model can be asked at all, and
    ``TemplateFault`` for a template that cannot be used.
    """
    loaded = spec if isinstance(spec, Spec) else load_spec(spec)
    plan = Plan(
        generator=generator.name,
        models=models,
        template=template if isinstance(template, Template) else usable_template(template),
        temperatures=tuple(temperatures),
        samples=samples,
        shots=shots,
        own=tuple(own),
        max_tokens=max_tokens,
        timeout_s=timeout_s,
        constrain=constrain,
        budget=Budget(rounds, tokens, usd, seconds),
        prices=prices or {},
        sketch=None if sketch is None else sketch_from(sketch, loaded),
    )
    check_versions(loaded)
    effort, require, confinement = effort or Effort(), Required(require), Confinement(Level(sandbox), frozenset(layers))
    options = Options(Types(types), codemods(mend=True, deliver=deliver, contract=contract), slices=slices)
    run = _Run(loaded, generator, plan, require, options, listener)  # it raises for a plan that leads nowhere
    listener(events.SolveStarted(loaded, effort, require, plan))
    wanted = Wanted(candidates=True, types=options.types, rewrites=True)
    with prepared(loaded, effort, confinement, wanted, listener) as ready:
        stopped = StopReason.SPEC_FAULT
        if not ready.fault and ready.bench is not None:
            stopped = run.to_the_end(ready.bench)
    best = run.best
    if regions and best is not None:
        best = with_regions(best, loaded, effort, confinement)
    result = SolveResult(
        spec=loaded,
        effort=effort,
        require=require,
        confinement=confinement,
        template=plan.template,
        models=plan.models,
        generator=plan.generator,
        budget=plan.budget,
        spent=run.spent,
        spec_fault=ready.fault,
        rounds=tuple(run.rounds),
        best=best,
        stopped=stopped,
        preparation_s=ready.seconds,
        seconds=run.seconds,
    )
    listener(events.SolveFinished(result))
    return result


class _Run:
    """What a run has come to so far, and how it goes on."""

    def __init__(
        self,
        spec: Spec,
        generator: Generator,
        plan: Plan,
        require: Required,
        options: Options,
        listener: Listener,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        if plan.samples < 1:
            raise ValueError("at least one sample has to be asked for")
        self._spec, self._generator, self._plan = spec, generator, plan
        self._require, self._options, self._emit = require, options, listener
        self._ladder = Ladder(plan.models, plan.temperatures, "" if plan.sketch is None else HOLES)
        self._first = first_messages(spec, plan.template, shots=plan.shots, own=plan.own)
        self._now = now
        self._begun = now()
        self._asked = 0
        self.spent = Spent(plan.prices)
        self.rounds: list[Round] = []
        self.best: CandidateResult | None = None

    @property
    def seconds(self) -> float:
        return self._now() - self._begun

    def to_the_end(self, bench: Bench) -> StopReason:
        """Goes from step to step until one reason to stop holds."""
        step: Step | None = self._ladder.first()
        messages = self._first
        while step is not None:
            if (over := self.spent.over(self._plan.budget, self.seconds)) is not None:
                return over
            attempts = self._round(bench, step, messages)
            for attempt in attempts:
                self.best = better(self.best, attempt.result, self._require)
            if self.best is not None and self.best.admission(self._require) is Admission.ADMITTED:
                return StopReason.ACCEPTED
            lead = self._lead(attempts)
            step = self._next(lead)
            messages = self._messages(step, lead)
        return StopReason.NO_PROGRESS if self.best is not None else self._without_any()

    def _without_any(self) -> StopReason:
        """Why there is no candidate at all: what was said last."""
        match self.rounds[-1].attempts[-1].answer:
            case NoReply(kind=NoReplyKind.UNDECIDED):
                return StopReason.UNDECIDED
            case NoReply(kind=NoReplyKind.NO_FILLING):
                return StopReason.NO_FILLING
            case _:
                return StopReason.NO_MODEL

    def _round(self, bench: Bench, step: Step, messages: tuple[Message, ...]) -> tuple[Attempt, ...]:
        number = len(self.rounds) + 1
        samples = 1 if step.move in (Move.REPAIR, Move.SKETCH) else self._plan.samples
        self._emit(events.RoundStarted(number, step, samples))
        questions = [self._question(number, place, samples, step, messages) for place in range(samples)]
        generator = self._generator
        if step.move is Move.SKETCH and self._plan.sketch is not None:
            generator = Holes(self._spec, self._plan.sketch, bench)
        attempts = turn(self._spec, bench, generator, questions, self._require, self._options, self._emit)
        for attempt in attempts:
            self.spent.add(step.model, attempt.answer.usage)
        self.spent.rounds += 1
        self.rounds.append(Round(number, step, attempts))
        self._emit(events.RoundFinished(number, attempts))
        return attempts

    def _question(self, number: int, place: int, samples: int, step: Step, messages: tuple[Message, ...]) -> Asked:
        budget = self._plan.budget
        max_tokens, timeout_s = self._plan.max_tokens, self._plan.timeout_s
        if budget.tokens is not None:
            max_tokens = max(_LEAST_TOKENS, min(max_tokens, (budget.tokens - self.spent.tokens) // samples))
        if budget.seconds is not None:
            timeout_s = max(1.0, min(timeout_s, budget.seconds - self.seconds))
        request = Request(
            model=step.model,
            messages=messages,
            temperature=step.temperature,
            max_tokens=max_tokens,
            sample=self._asked,
            constraint=Constraint(signature(self._spec)) if self._plan.constrain else None,
        )
        self._asked += 1
        name = f"round {number}" if samples == 1 else f"round {number}, sample {place + 1}"
        return Asked(name, request, timeout_s)

    def _lead(self, attempts: tuple[Attempt, ...]) -> Attempt:
        """The attempt from which the next step follows: the best that was judged, else the first."""
        lead = attempts[0]
        for attempt in attempts[1:]:
            if better(lead.result, attempt.result, self._require) is not lead.result:
                lead = attempt
        return lead

    def _next(self, lead: Attempt) -> Step | None:
        match lead.answer:
            case NoReply(kind=kind) if kind in IS_GONE:
                return self._ladder.next_model()
            case NoReply(kind=kind):
                return self._ladder.after(f"no reply: {kind.value}", can_repair=False)
            case Reply():
                if lead.feedback is None:
                    return self._ladder.after("fault of the tool", can_repair=False)
                return self._ladder.after(lead.feedback.signature, can_repair=True)

    def _messages(self, step: Step | None, lead: Attempt) -> tuple[Message, ...]:
        said = lead.feedback
        if step is None or step.move is not Move.REPAIR or said is None or not isinstance(lead.answer, Reply):
            return self._first
        return repair_messages(self._first, self._plan.template, lead.answer.text, said.headline, said.facts, said.keep)
