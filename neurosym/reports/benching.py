"""What a benchmark came to, and how that differs from an earlier run: 80 columns for a person, and plain values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from neurosym.batch.tally import by_verdict
from neurosym.benching.cases import MEASURES, Case, Measure
from neurosym.benching.comparing import Changed, Compared, Comparison
from neurosym.benching.history import BenchRun
from neurosym.figures.paired import Difference
from neurosym.figures.summary import quantile
from neurosym.figures.wilson import Share
from neurosym.reports.columns import wrapped
from neurosym.reports.json import Document, tool
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1
_SHOWN = 20
_ID_CHARS = 8
_RANGES = "Ranges hold the true value with a confidence of 95 %"
_ALONE = f"{_RANGES} (Wilson)."
_BOTH = (
    f"{_RANGES} (of a change: whole tasks drawn anew). WORSE and better are more than chance by that and by the "
    "sign-flip test over tasks, at 5 %."
)


def bench_text(run: BenchRun, comparison: Comparison | None, slower: float | None, exit_code: int) -> str:
    """For a person."""
    lines = [*_alone(run), *(_compared(comparison, slower) if comparison is not None else ()), ""]
    lines += wrapped(_ALONE if comparison is None else _BOTH, 0)
    return "".join(f"{line.rstrip()}\n" for line in [*lines, "", f"exit {exit_code}"])


def runs_text(runs: Sequence[BenchRun]) -> str:
    """The runs of a history, the oldest first, a line each."""
    lines = [f"{'run':<10}{'when (UTC)':<21}{'candidates':>10}{'wrong':>7}  name"]
    for run in runs:
        wrong = sum(case.is_wrong_verdict for case in run.cases)
        when = run.at[:19].replace("T", " ")
        lines.append(f"{run.id[:_ID_CHARS]:<10}{when:<21}{len(run.cases):>10,}{wrong:>7,}  {_short(run.name, 30)}")
    return "".join(f"{line}\n" for line in lines)


def bench_document(run: BenchRun, comparison: Comparison | None, slower: float | None, exit_code: int) -> Document:
    """For a program."""
    seconds = [case.seconds for case in run.cases]
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "bench",
        "tool": tool(),
        "run": _run_document(run),
        "tasks": len({case.task_sha256 for case in run.cases}),
        "measures": [{"measure": each.title, **_share_document(share)} for each, share in _measured(run.cases)],
        "verdicts": [
            {"verdict": verdict, "candidates": count, "classes": [{"class": c, "candidates": n} for c, n in parts]}
            for verdict, count, parts in by_verdict(_classes(run.cases))
        ],
        "wrong_verdicts": [_case_document(case) for case in run.cases if case.is_wrong_verdict],
        "seconds": {"p50": round(quantile(seconds, 50), 4), "p95": round(quantile(seconds, 95), 4)},
        "against": comparison and _comparison_document(comparison, slower),
        "exit_code": exit_code,
    }


def runs_document(runs: Sequence[BenchRun]) -> Document:
    """The runs of a history for a program."""
    return {"schema_version": SCHEMA_VERSION, "kind": "bench runs", "runs": [_run_document(run) for run in runs]}


def _measured(cases: Sequence[Case]) -> list[tuple[Measure, Share]]:
    found = [(measure, measure.share(cases)) for measure in MEASURES]
    return [(measure, share) for measure, share in found if share.total]


def _classes(cases: Sequence[Case]) -> Counter[tuple[str, str]]:
    return Counter((case.verdict, case.failure) for case in cases)


def _alone(run: BenchRun) -> Iterator[str]:
    tasks = len({case.task_sha256 for case in run.cases})
    where = f" (run {run.id[:_ID_CHARS]})" if run.id else ", not kept"
    yield f"{_short(run.subject, 200)}: {_several(len(run.cases), 'candidate')} of {_several(tasks, 'spec')}"
    yield f"{_short(run.name, 60)}{where}"
    yield ""
    for measure, share in _measured(run.cases):
        rate = f"{_percent(share.rate):>8}  {_interval(share)} %"
        yield f"{measure.title:<28}{share.hits:>7,} of {share.total:<7,}{rate}"
    wrong = [case for case in run.cases if case.is_wrong_verdict]
    yield f"{'WRONG VERDICTS' if wrong else 'wrong verdicts':<28}{len(wrong):>7,}"
    for case in wrong[:_SHOWN]:
        yield f"  {_short(case.name, 56)}  {case.verdict}{f', is {case.label}' if case.label else ''}"
    if len(wrong) > _SHOWN:
        yield f"  and {len(wrong) - _SHOWN:,} more (--json)"
    yield ""
    for verdict, count, parts in by_verdict(_classes(run.cases)):
        said = ", ".join(f"{failure} {number:,}" for failure, number in parts)
        yield from wrapped(f"{verdict:<11}{count:>8,}  {said}", 21)
    seconds = [case.seconds for case in run.cases]
    yield f"seconds for one      half within {quantile(seconds, 50):.3f}, 95 % within {quantile(seconds, 95):.3f}"


def _compared(found: Comparison, slower: float | None) -> Iterator[str]:
    before = found.before
    yield ""
    yield f"against {_short(before.name, 40)} (run {before.id[:_ID_CHARS]}, {before.at[:19].replace('T', ' ')} UTC)"
    left_out = [f"{count:,} {which}" for count, which in
                ((found.only_before, "only there"), (found.only_after, "only here")) if count]  # fmt: skip
    yield f"{_several(found.tasks, 'spec')} in both" + (f"; left out: {', '.join(left_out)}" if left_out else "")
    for what in found.differs:
        yield from wrapped(f"  other: {_short(what, 200)}", 4)
    yield ""
    yield f"{'':<28}{'before':>8}{'after':>8}{'change':>9}  {'95 %':<17}"
    for each in found.measures:
        rates = f"{_percent(each.before.rate):>8}{_percent(each.after.rate):>8}"
        change = each.difference
        interval = f"{100 * change.low:+.1f} to {100 * change.high:+.1f}"
        yield f"{each.measure.title:<28}{rates}{100 * change.mean:>+9.1f}  {interval:<17}{_judged(each)}"
    if found.seconds is not None:
        low, mean, high = (math.exp(each) for each in (found.seconds.low, found.seconds.mean, found.seconds.high))
        over = slower is not None and low > slower
        said = f"more than {slower:g} times" if over else ""
        interval = f"x{low:.2f} to x{high:.2f}"
        yield f"{'time of the same candidates':<44}{f'x{mean:.2f}':>9}  {interval:<17}{said}"
    if found.changed:
        yield ""
        yield f"{_several(len(found.changed), 'candidate')} with another verdict"
        for changed in found.changed[:_SHOWN]:
            yield f"  {_kind(changed):<9}{_short(changed.after.name, 44)}  {_from_to(changed)}"
        if len(found.changed) > _SHOWN:
            yield f"  and {len(found.changed) - _SHOWN:,} more (--json)"


def _judged(each: Compared) -> str:
    return "WORSE" if each.difference.is_below else "better" if each.difference.is_above else ""


def _kind(changed: Changed) -> str:
    return {True: "worse", False: "better", None: "other"}[changed.is_worse]


def _from_to(changed: Changed) -> str:
    return f"{changed.before.verdict} -> {changed.after.verdict}"


def _percent(rate: float | None) -> str:
    return "" if rate is None else f"{100 * rate:.1f} %"


def _interval(share: Share) -> str:
    low, high = share.interval() or (0.0, 0.0)
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _several(count: int, of: str) -> str:
    return f"{count:,} {of}" + ("" if count == 1 else "s")


def _short(text: str, limit: int) -> str:
    return safe_text(text, limit=limit)


def _run_document(run: BenchRun) -> Document:
    return {
        "id": run.id or None,
        "at": run.at or None,
        "name": run.name,
        "subject": run.subject,
        "inputs_sha256": run.inputs_sha256,
        "settings": dict(run.settings),
        "tools": dict(run.tools),
        "candidates": len(run.cases),
    }


def _case_document(case: Case) -> Document:
    return {
        "task": case.task,
        "name": case.name,
        "label": case.label or None,
        "verdict": case.verdict,
        "class": case.failure or None,
        "candidate_sha256": case.candidate_sha256,
    }


def _share_document(share: Share) -> Document:
    return {"hits": share.hits, "total": share.total, "rate": share.rate, "interval": share.interval()}


def _difference_document(found: Difference) -> Document:
    return {"change": found.mean, "low": found.low, "high": found.high, "p": found.p,
            "worse": found.is_below, "better": found.is_above}  # fmt: skip


def _comparison_document(found: Comparison, slower: float | None) -> Document:
    return {
        "run": _run_document(found.before),
        "tasks": found.tasks,
        "only_before": found.only_before,
        "only_after": found.only_after,
        "differs": list(found.differs),
        "measures": [
            {
                "measure": each.measure.title,
                "before": _share_document(each.before),
                "after": _share_document(each.after),
                **_difference_document(each.difference),
            }
            for each in found.measures
        ],
        "log_seconds_ratio": found.seconds
        and {"mean": found.seconds.mean, "low": found.seconds.low, "high": found.seconds.high, "p": found.seconds.p},
        "changed": [
            {**_case_document(each.after), "before": each.before.verdict, "kind": _kind(each)} for each in found.changed
        ],
        "regression": found.is_regression(slower),
    }
