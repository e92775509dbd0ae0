"""Figures about models, templates and specs: how often they were right, how soon, and what went wrong otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from neurosym.figures.trials import Trial, Try
from neurosym.figures.wilson import Share

_T = TypeVar("_T", str, tuple[str, str])

Counted = tuple[str, Share]


@dataclass(frozen=True, slots=True)
class Rates:
    """How often a run's program executed, and was right: in the first round, within so many, and in the end.

    In a round of several samples one of them is enough.
    """

    executed_first: Share
    executed_within: Share
    correct_first: Share
    correct_within: Share
    correct_at_end: Share


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds of one stage: half of all took at most ``p50``, 95 % at most ``p95``."""

    stage: str
    count: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of what has one ``name``: a model, a template, a spec."""

    name: str
    runs: int
    answers: int
    rates: Rates
    failures: tuple[Counted, ...]
    tokens: int
    usd: Decimal
    unpriced: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All of it. ``within``: the rounds that "within" stands for. ``clauses``: those that were broken, by spec."""

    within: int
    whole: Group
    by_model: tuple[Group, ...]
    by_template: tuple[Group, ...]
    by_spec: tuple[Group, ...]
    clauses: tuple[tuple[str, str, Share], ...]
    latencies: tuple[Latency, ...]
    unfinished: int


def summary_of(trials: Sequence[Trial], *, within: int) -> Summary:
    """The figures of these runs. A model's runs are those in which it was asked, its own rounds counted from 1."""
    models = dict.fromkeys(each.model for trial in trials for each in trial.tries)
    by_model = {model: [own for trial in trials if (own := trial.of_model(model)).tries] for model in models}
    return Summary(
        within=within,
        whole=_group("all", trials, within),
        by_model=tuple(_group(name, own, within) for name, own in sorted(by_model.items())),
        by_template=_by(trials, lambda trial: trial.template, within),
        by_spec=_by(trials, lambda trial: trial.spec, within),
        clauses=tuple(_clauses(trials)),
        latencies=tuple(_latencies([each for trial in trials for each in trial.tries])),
        unfinished=sum(not trial.is_whole for trial in trials),
    )


def _by(trials: Sequence[Trial], key: Callable[[Trial], str], within: int) -> tuple[Group, ...]:
    names = sorted({key(trial) for trial in trials})
    return tuple(_group(name, [trial for trial in trials if key(trial) == name], within) for name in names)


def _group(name: str, trials: Sequence[Trial], within: int) -> Group:
    tries = [each for trial in trials for each in trial.tries]
    judged = [each for each in tries if each.is_judged]
    failures = Counter(each.failure for each in judged if each.failure)
    return Group(
        name=name,
        runs=len(trials),
        answers=len(tries),
        rates=_rates(trials, within),
        failures=tuple((kind, Share(count, len(judged))) for kind, count in _ordered(failures)),
        tokens=sum(each.tokens for each in tries),
        usd=sum((each.usd for each in tries if each.usd is not None), Decimal(0)),
        unpriced=sum(each.usd is None and each.tokens > 0 for each in tries),
    )


def _rates(trials: Sequence[Trial], within: int) -> Rates:
    def share(rounds: int | None, holds: Callable[[Try], bool]) -> Share:
        hits = sum(any(holds(each) for tries in trial.rounds()[:rounds] for each in tries) for trial in trials)
        return Share(hits, len(trials))

    return Rates(
        executed_first=share(1, lambda each: each.executed),
        executed_within=share(within, lambda each: each.executed),
        correct_first=share(1, lambda each: each.correct),
        correct_within=share(within, lambda each: each.correct),
        correct_at_end=share(None, lambda each: each.correct),
    )


def _clauses(trials: Iterable[Trial]) -> Iterable[tuple[str, str, Share]]:
    """Every clause that was broken, with its share of the spec's judged programs, the most often broken first."""
    broken: Counter[tuple[str, str]] = Counter()
    programs: Counter[str] = Counter()
    for trial in trials:
        for each in trial.tries:
            if each.judge_s is not None:
                programs[trial.spec] += 1
                broken.update((trial.spec, clause) for clause in each.clauses)
    for (spec, clause), count in _ordered(broken):
        yield spec, clause, Share(count, programs[spec])


def _ordered(counts: Counter[_T]) -> list[tuple[_T, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def _latencies(tries: Sequence[Try]) -> Iterable[Latency]:
    for stage, found in (
        ("answer", [each.answer_s for each in tries]),
        ("gate", [each.gate_s for each in tries if each.gate_s is not None]),
        ("run to verdict", [each.judge_s for each in tries if each.judge_s is not None and each.executed]),
    ):
        if found:
            yield Latency(stage, len(found), quantile(found, 50), quantile(found, 95))


def quantile(values: Sequence[float], percent: int) -> float:
    """The smallest value that so many percent do not exceed (nearest rank)."""
    return sorted(values)[max(-(-len(values) * percent // 100), 1) - 1]
