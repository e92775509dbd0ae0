"""Figures as tables of at most 80 columns, and as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neurosym.figures.summary import Group, Summary
from neurosym.figures.wilson import Share
from neurosym.reports.columns import wrapped
from neurosym.reports.json import Document, tool
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1
_NAME, _COLUMN = 18, 13
_MOST_CLAUSES = 10


def figures_text(summary: Summary, logs: int) -> str:
    """The figures for a person."""
    return "\n".join(line.rstrip() for line in _lines(summary, logs)) + "\n"


def _lines(summary: Summary, logs: int) -> Iterator[str]:
    whole = summary.whole
    yield (
        f"{_many(whole.runs, 'run')} of {_many(len(summary.by_spec), 'spec')} in {_many(logs, 'log')}: "
        f"{_many(whole.answers, 'answer')}, {whole.tokens:,} tokens, {_money(whole)}"
    )
    if summary.unfinished:
        yield f"{_many(summary.unfinished, 'run')} broken off; they count as far as they went"
    for title, groups in (
        ("model", summary.by_model), ("template", summary.by_template), ("spec", summary.by_spec)
    ):  # fmt: skip
        yield ""
        yield from _table(title, groups, summary.within)
    yield ""
    yield from wrapped(
        "Shares of runs, with the interval that holds the true share with a confidence of 95 % (Wilson). Executed: a "
        "program that gave a usable result in every call. Right: accepted at the level that the run required.",
        0,
    )
    if whole.failures:
        yield ""
        yield "what failed, as a share of the judged answers"
        for kind, share in whole.failures:
            yield f"  {kind:<20}{share.hits:>6,}  {_say(share)}"
    if summary.clauses:
        yield ""
        yield "clauses that were broken, as a share of the spec's programs"
        for spec, clause, share in summary.clauses[:_MOST_CLAUSES]:
            yield f"  {safe_text(f'{spec}: {clause}', limit=44):<46}{share.hits:>6,}  {_say(share)}"
        if len(summary.clauses) > _MOST_CLAUSES:
            yield f"  and {len(summary.clauses) - _MOST_CLAUSES} more (--json)"
    if summary.latencies:
        yield ""
        yield f"{'seconds':<22}{'count':>8}{'half within':>14}{'95 % within':>14}"
        for each in summary.latencies:
            yield f"  {each.stage:<20}{each.count:>8,}{each.p50:>14.3f}{each.p95:>14.3f}"


def _table(title: str, groups: Sequence[Group], within: int) -> Iterator[str]:
    heads = ("executed 1st", "right 1st", f"right in {within}", "right at end")
    yield f"{title:<{_NAME}}{'runs':>6}  " + "".join(f"{head:<{_COLUMN}}" for head in heads)
    for group in groups:
        rates = group.rates
        shares = (rates.executed_first, rates.correct_first, rates.correct_within, rates.correct_at_end)
        name = safe_text(group.name, limit=60)
        if len(name) > _NAME - 1:
            yield name
            name = ""
        yield f"{name:<{_NAME}}{group.runs:>6,}  " + "".join(f"{_say(share):<{_COLUMN}}" for share in shares)


def _say(share: Share) -> str:
    """``83 % 55-95``."""
    rate, interval = share.rate, share.interval()
    if rate is None or interval is None:
        return "-"
    return f"{rate:.0%} {interval[0] * 100:.0f}-{interval[1] * 100:.0f}".replace("%", " %")


def _money(group: Group) -> str:
    if not group.unpriced:
        return f"{group.usd.normalize():f} USD"
    if not group.usd:
        return "price not known"
    return f"{group.usd.normalize():f} USD and {_many(group.unpriced, 'answer')} of unknown price"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def figures_document(summary: Summary, logs: Sequence[str]) -> Document:
    """The figures for a machine; ``docs/json.md`` describes it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "stats",
        "tool": tool(),
        "logs": list(logs),
        "within_rounds": summary.within,
        "unfinished_runs": summary.unfinished,
        "all": _group(summary.whole),
        "by_model": [_group(each) for each in summary.by_model],
        "by_template": [_group(each) for each in summary.by_template],
        "by_spec": [_group(each) for each in summary.by_spec],
        "clauses": [{"spec": spec, "clause": clause, **_share(share)} for spec, clause, share in summary.clauses],
        "latency_seconds": [
            {"stage": each.stage, "count": each.count, "p50": each.p50, "p95": each.p95} for each in summary.latencies
        ],
    }


def _group(group: Group) -> Document:
    rates = group.rates
    return {
        "name": group.name,
        "runs": group.runs,
        "answers": group.answers,
        "executed_first": _share(rates.executed_first),
        "executed_within": _share(rates.executed_within),
        "right_first": _share(rates.correct_first),
        "right_within": _share(rates.correct_within),
        "right_at_end": _share(rates.correct_at_end),
        "failures": [{"class": kind, **_share(share)} for kind, share in group.failures],
        "tokens": group.tokens,
        "usd": str(group.usd),
        "unpriced_answers": group.unpriced,
    }


def _share(share: Share) -> Document:
    interval = share.interval()
    return {
        "hits": share.hits,
        "total": share.total,
        "rate": share.rate,
        "interval_95": None if interval is None else [round(interval[0], 6), round(interval[1], 6)],
    }
