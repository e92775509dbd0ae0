"""What is noticed of a candidate's runs beside their results: output, refused system calls, memory."""

from __future__ import annotations

from neurosym_sandbox import JailRecord, Limits, Loaded, LoadFailed, Outcome, RefusedCall

from neurosym_verifiers.judgement import RunRecord

_KEPT = 400
_MOST_REFUSED = 16


class Noticed:
    """Kept over all sessions of one candidate; bounded, whatever the candidate does."""

    def __init__(self) -> None:
        self.calls = 0
        self._printed = ""
        self._refused: dict[tuple[int, str], RefusedCall] = {}
        self._refused_cut = False
        self._peak_memory_bytes = 0

    def take(self, seen: Outcome | Loaded | LoadFailed) -> None:
        """Takes note of one load or call."""
        if seen.stdout or seen.stderr:
            self._printed = self._printed or (seen.stdout + seen.stderr)[:_KEPT]
        self._refused_cut = self._refused_cut or seen.refused_cut
        self._peak_memory_bytes = max(self._peak_memory_bytes, seen.usage.peak_memory_bytes)
        for call in seen.refused:
            key = (call.number, call.arguments)
            known = self._refused.get(key)
            if known is None and len(self._refused) >= _MOST_REFUSED:
                self._refused_cut = True
                continue
            count = call.count + (known.count if known else 0)
            self._refused[key] = RefusedCall(call.number, call.name, call.arguments, count)

    def record(self, jail: JailRecord, limits: Limits) -> RunRecord:
        """What was noticed, with what it was run in."""
        return RunRecord(
            jail,
            limits,
            self.calls,
            self._printed,
            tuple(self._refused.values()),
            self._refused_cut,
            self._peak_memory_bytes,
        )
