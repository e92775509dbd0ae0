"""Figures from replayed recordings: counts of each arm, their shares with intervals, and a table for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from neurosym_specs.verdicts import FailureClass

from benchmarks.recorded_sets import RIGHT
from neurosym.figures.wilson import Share
from neurosym.safe_text import safe_text


@dataclass(slots=True)
class Arm:
    """Counts of one arm, by how often each program was recorded."""

    total: int = 0
    first_ran: int = 0
    first_right: int = 0
    last_right: int = 0
    ran: int = 0
    right: int = 0
    broken: int = 0
    recorded: int = 0
    agrees: int = 0
    mended_agrees: int = 0
    compared: int = 0
    turned_away_right: int = 0
    seconds: float = 0.0
    programs: int = 0
    first: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)

    def add(self, row: dict[str, Any]) -> None:
        """Counts one line of the state."""
        weight, first, last, mended = row["weight"], row["first"], row["last"], row["mended"]
        self.programs += 1
        self.total += weight
        self.first_ran += weight * _ran(first["run"])
        self.first_right += weight * (first["run"] == RIGHT)
        self.last_right += weight * (last["run"] == RIGHT)
        self.ran += weight * _ran(mended["run"])
        self.right += weight * (mended["run"] == RIGHT)
        self.broken += weight * (last["run"] == RIGHT and mended["run"] != RIGHT)
        self.first[first["gate"] or first["run"]] += weight
        self.mended[mended["gate"] or mended["run"]] += weight
        self.turned_away_right += weight * (mended["run"] == RIGHT and bool(mended["gate"]))
        self.seconds += row["seconds"]
        if row["recorded"] is not None:
            self.compared += weight
            self.recorded += weight * row["recorded"]
            self.agrees += weight * (row["recorded"] == (last["run"] == RIGHT))
            self.mended_agrees += weight * (row["recorded"] == (mended["run"] == RIGHT))


def _ran(run: str) -> bool:
    """Whether running it came to a value, right or wrong."""
    return run in (RIGHT, FailureClass.WRONG_VALUE.value)


def document(arm: Arm) -> dict[str, Any]:
    def share(hits: int, total: int) -> dict[str, Any]:
        found = Share(hits, total)
        return {"hits": hits, "total": total, "rate": found.rate, "interval": found.interval()}

    return {
        "programs": arm.programs,
        "recorded": arm.total,
        "first_ran": share(arm.first_ran, arm.total),
        "first_right": share(arm.first_right, arm.total),
        "last_right": share(arm.last_right, arm.total),
        "mended_ran": share(arm.ran, arm.total),
        "mended_right": share(arm.right, arm.total),
        "broken_by_mending": share(arm.broken, arm.last_right),
        "recorded_right": share(arm.recorded, arm.compared) if arm.compared else None,
        "last_as_recorded": share(arm.agrees, arm.compared) if arm.compared else None,
        "mended_as_recorded": share(arm.mended_agrees, arm.compared) if arm.compared else None,
        "turned_away_though_right": share(arm.turned_away_right, arm.right),
        "first_classes": dict(arm.first.most_common()),
        "mended_classes": dict(arm.mended.most_common()),
        "seconds": round(arm.seconds, 1),
    }


def table(arms: Mapping[str, Arm]) -> str:
    """A line for each arm: the first attempt, the last one, and that mended, beside what the recording says."""
    columns = f"{'n':>7} {'ran':>6} {'right':>6} {'right (95 %)':>20} {'ran':>6} {'right':>6} {'recorded':>8}"
    lines = [f"{'':<40}{'':>7} {'first':>13} {'last':>20} {'last, mended':>13}", f"{'':<40}{columns}"]
    for name, arm in arms.items():
        low, high = Share(arm.last_right, arm.total).interval() or (0.0, 0.0)
        last = f"{_percent(arm.last_right, arm.total)} ({100 * low:.1f}-{100 * high:.1f})"
        lines.append(
            f"{safe_text(name, limit=200)[:39]:<40}{arm.total:>7} {_percent(arm.first_ran, arm.total):>6} "
            f"{_percent(arm.first_right, arm.total):>6} {last:>20} {_percent(arm.ran, arm.total):>6} "
            f"{_percent(arm.right, arm.total):>6} {_percent(arm.recorded, arm.compared):>8}"
        )
    each = [*arms.values()]
    count, right = sum(arm.programs for arm in each), sum(arm.right for arm in each)
    away, broken = sum(arm.turned_away_right for arm in each), sum(arm.broken for arm in each)
    compared = sum(arm.compared for arm in each)
    agrees, mended = sum(arm.agrees for arm in each), sum(arm.mended_agrees for arm in each)
    lines.append(f"\n{count:,} different programs, {sum(arm.total for arm in each):,} times recorded")
    for title, classes in (("first attempt", "first"), ("last, mended", "mended")):
        whole = sum((getattr(arm, classes) for arm in each), Counter[str]())
        lines.append(f"{title}: " + ", ".join(f"{name} {number:,}" for name, number in whole.most_common()))
    shares = f"{_percent(agrees, compared)} % as it came, {_percent(mended, compared)} % mended"
    lines.append(f"right or wrong as the recording has it: {shares}, of {compared:,}")
    lines.append(f"right, and turned away by the gate: {away:,} of {right:,} ({_percent(away, right)} %)")
    lines.append(f"right, and wrong when it was mended: {broken:,}")
    return "\n".join(lines)


def _percent(hits: int, total: int) -> str:
    return f"{100 * hits / total:.1f}" if total else ""
