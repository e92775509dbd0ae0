"""What a batch came to: for a person in a screenful, for a program as one document."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neurosym.batch.store import facts_of
from neurosym.batch.tally import End, Row, Tally, by_verdict, shared_of, skipped_of, tally_of
from neurosym.reports.batch.progress import duration
from neurosym.reports.batch.stored import Stored, replay_of
from neurosym.reports.columns import wrapped
from neurosym.reports.json import tool
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_text
from neurosym.waivers import IDLE, Waiver, idle_in_words

SCHEMA_VERSION = 1
_SHOWN = 10
_ENDS = {
    End.DONE: "",
    End.INTERRUPTED: "interrupted: ",
    End.OVER_BUDGET: "the budget of the run is spent: ",
    End.FAILED_FAST: "ended with the first job that is not accepted: ",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """What a store holds when a run over it has ended. ``refused``: the first that are not accepted, each with the
    command that runs its first refutation again. ``seconds``: of this run, None where none was. ``by_waiver``: how many
    are accepted only by one; ``idle``: the waivers that do nothing, and why."""

    store: Path
    facts: dict[str, Any]
    tally: Tally
    skipped: int
    lost: int
    shared: int
    refused: tuple[tuple[Row, str], ...]
    end: End
    seconds: float | None
    judged: int
    missing: tuple[str, ...] = ()
    by_waiver: int = 0
    idle: tuple[tuple[Waiver, str], ...] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        code = self.tally.exit_code(self.end, self.skipped)
        return 3 if self.missing and code in (0, 5) else code


def summary_of(
    connection: sqlite3.Connection, store: Path, end: End, *, seconds: float | None = None, before: int = 0
) -> Summary:
    """``before``: how many jobs had results when the run began."""
    facts = facts_of(connection)
    tally = tally_of(connection)
    (lost,) = connection.execute("SELECT coalesce(sum(losses), 0) FROM jobs").fetchone()
    stored = Stored(connection, store)
    refused = tuple((row, replay_of(result)) for row, result in stored.rows("results.exit_code != 0", limit=_SHOWN))
    missing = tuple(facts.get("missing", ()))
    whole = (
        not tally.left and not missing and all(each.endswith(f"/{len(facts['shards'])}") for each in facts["shards"])
    )
    return Summary(
        store,
        facts,
        tally,
        skipped_of(connection),
        lost,
        shared_of(connection),
        refused,
        end,
        seconds,
        tally.done - before,
        missing,
        by_waiver=stored.by_waiver(),
        idle=tuple(stored.idle_waivers(all_judged=whole)),
    )


def summary_text(summary: Summary) -> str:
    """For a person, 80 columns wide but for names."""
    return "".join(f"{line}\n" for line in _lines(summary))


def summary_document(summary: Summary) -> dict[str, Any]:
    """For a program."""
    tally = summary.tally
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "batch",
        "tool": tool(),
        "store": str(summary.store),
        "manifest": summary.facts["manifest"],
        "manifest_sha256": summary.facts["manifest_sha256"],
        "shards": summary.facts["shards"],
        "missing_shards": list(summary.missing),
        "ended": summary.end.value,
        "jobs": tally.jobs,
        "done": tally.done,
        "accepted": tally.admitted,
        "accepted_by_waiver": summary.by_waiver,
        "idle_waivers": [
            {"spec": each.spec, "clause": each.clause, "owner": each.owner, "why": why} for each, why in summary.idle
        ],
        "twins": summary.facts["twins"],
        "same_code": summary.shared,
        "skipped_lines": summary.skipped,
        "lost_workers": summary.lost,
        "verdicts": [
            {"verdict": verdict, "jobs": count, "classes": [{"class": name, "jobs": n} for name, n in parts]}
            for verdict, count, parts in by_verdict(tally.classes)
        ],
        "seconds": summary.seconds and round(summary.seconds, 3),
        "judged_in_this_run": summary.judged,
        "exit_code": summary.exit_code,
    }


def _lines(summary: Summary) -> Iterator[str]:
    tally, facts = summary.tally, summary.facts
    shard = "" if facts["shards"] == ["1/1"] else f", shard {', '.join(facts['shards'])}"
    waived = f", {summary.by_waiver:,} of them by waiver" if summary.by_waiver else ""
    yield f"{safe_text(facts['manifest'])}{shard}: {_several(tally.jobs, 'job')}, {tally.admitted:,} accepted{waived}"
    for verdict, count, parts in by_verdict(tally.classes):
        yield from _folded(f"  {verdict:<11}{count:>9,}  ", [f"{failure} {number:,}" for failure, number in parts])
    if tally.left:
        then = "--resume goes on" if len(facts["shards"]) == 1 else "--resume goes on with its shard"
        yield f"  {'not judged':<11}{tally.left:>9,}  {_ENDS[summary.end]}{then}"
    if facts["twins"]:
        yield f"{_several(facts['twins'], 'duplicate')} (same spec, same bytes, same options), not verified again"
    if summary.shared:
        yield f"{_several(summary.shared, 'job')} of the same code as another in another layout, read and not run again"
    if summary.lost:
        yield f"{_several(summary.lost, 'worker')} lost at work"
    if summary.skipped:
        yield f"{_several(summary.skipped, 'bad line')} of the manifest left out (--skip-bad)"
    if summary.missing:
        yield f"missing: shard {', '.join(summary.missing)}"
    for waiver, why in summary.idle:
        first, *rest = wrapped(f"{idle_in_words(waiver, why)} ({IDLE})", 2)
        yield from (first, *(f"  {line}" for line in rest))
    if summary.refused:
        yield ""
        total = tally.done - tally.admitted
        yield f"not accepted{f' (the first {_SHOWN} of {total:,})' if total > _SHOWN else ''}:"
        for row, replay in summary.refused:
            yield from _refused(row, replay)
    yield ""
    if summary.seconds is not None:
        rate = f", {summary.judged / summary.seconds:.1f} a second" if summary.seconds > 0 and summary.judged else ""
        yield f"{_several(summary.judged, 'job')} in {duration(summary.seconds)}{rate}"
    yield f"all results are in {safe_text(str(summary.store))} (exit {summary.exit_code})"


def _several(count: int, of: str) -> str:
    return f"{count:,} {of}" + ("" if count == 1 else "s")


def _refused(row: Row, replay: str) -> Iterator[str]:
    outline = row.outline
    assert outline is not None  # it has a result
    failure = f" {outline.failure}" if outline.failure else ""
    code = f" [{outline.code}]" if outline.code else ""
    yield f"  {safe_text(row.id, limit=60)}  {outline.verdict}{failure}{code}"
    if outline.says:
        said = safe_text(outline.says, limit=300)
        yield f"    {said if len(said) <= 76 else said[:75] + '…'}"
    if replay:
        yield f"    {safe_text(replay, limit=MAX_COMMAND_CHARS)}"  # never broken: it can be pasted


def _folded(head: str, parts: list[str]) -> Iterator[str]:
    """The parts behind a head, on as many lines of 80 columns as they take."""
    line = head
    for place, part in enumerate(parts):
        text = part + ("," if place < len(parts) - 1 else "")
        if len(line) + len(text) > 80 and line.strip():
            yield line.rstrip()
            line = " " * len(head)
        line += f"{text} "
    yield line.rstrip()
