"""What the sandbox saw of a candidate, as plain values and in words: the jail, refused calls, how a run ended.

Texts in here are the candidate's own words: whoever shows them escapes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from neurosym_sandbox import (
    BadValue,
    Crashed,
    Exited,
    Level,
    MemoryExceeded,
    Outcome,
    OutputExceeded,
    Raised,
    RefusedCall,
    ResultExceeded,
    Returned,
    Tampered,
    TimedOut,
)
from neurosym_verifiers.judgement import RunRecord

Plain: TypeAlias = dict[str, Any]  # what json.dumps takes

_MOST_OUTPUT = 4_000


def plain_run(run: RunRecord) -> Plain:
    """The jail that a candidate ran in, the limits, and what was noticed."""
    jail = run.jail
    return {
        "level": jail.level.value,
        "profile": jail.profile,
        "layers": [layer.name for layer in jail.layers if layer.active],
        "missing": [{"name": layer.name, "detail": layer.detail} for layer in jail.missing],
        "kernel": jail.kernel,
        "machine": jail.machine,
        "landlock_abi": jail.landlock_abi,
        "limits": {
            "time_seconds": run.limits.time_s,
            "load_time_seconds": run.limits.load_time_s,
            "memory_bytes": run.limits.memory_bytes,
            "result_bytes": run.limits.result_bytes,
            "output_bytes": run.limits.output_bytes,
        },
        "peak_memory_bytes": run.peak_memory_bytes,
        **_plain_refused(run.refused, run.refused_cut),
    }


def plain_ending(outcome: Outcome) -> Plain:
    """How one run ended, and what was seen of it."""
    stdout, stderr = outcome.stdout[:_MOST_OUTPUT], outcome.stderr[:_MOST_OUTPUT]
    raised = outcome.exception if isinstance(outcome, Raised) else None
    return {
        "ended": _ENDINGS[type(outcome)],
        "exception": raised and {"name": raised.name, "message": raised.message, "line": raised.line},
        "stdout": stdout,
        "stderr": stderr,
        "output_cut": outcome.output_cut or (stdout, stderr) != (outcome.stdout, outcome.stderr),
        "cpu_seconds": round(outcome.usage.cpu_s, 6),
        "wall_seconds": round(outcome.usage.wall_s, 6),
        "peak_memory_bytes": outcome.usage.peak_memory_bytes,
        **_plain_refused(outcome.refused, outcome.refused_cut),
    }


def say_jail(run: RunRecord) -> str:
    """The level, and where it is not the strongest what of it does not hold."""
    jail = run.jail
    if jail.level is Level.STRONG:
        return f"sandbox {jail.level.value}"
    names = ", ".join(layer.name for layer in jail.missing)
    if jail.level is Level.WEAK:
        return f"sandbox WEAK, as asked for; a hostile candidate could have got out of it; not active: {names}"
    return f"sandbox {jail.level.value}; not active: {names} (neurosym doctor says why)"


def say_output(outcome: Outcome, limit: int = 200) -> str:
    """The beginning of what the run wrote, and whether that is not all."""
    text = outcome.stdout + outcome.stderr
    return text[:limit] + (" … (cut)" if outcome.output_cut or len(text) > limit else "")


def _plain_refused(calls: Sequence[RefusedCall], cut: bool) -> Plain:
    return {
        "refused_calls": [
            {"number": call.number, "name": call.name, "arguments": call.arguments, "count": call.count}
            for call in calls
        ],
        "refused_calls_cut": cut,
    }


_ENDINGS: dict[type, str] = {
    Returned: "returned",
    Raised: "raised",
    TimedOut: "out of time",
    MemoryExceeded: "out of memory",
    Crashed: "crashed",
    Exited: "exited",
    BadValue: "no plain value",
    OutputExceeded: "too much output",
    ResultExceeded: "too large a result",
    Tampered: "tampered",
}
"""How runs end, in the words of the documents."""
