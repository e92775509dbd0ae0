"""The generator ``holes``: no model is asked, a sketch is completed (``neurosym.filling``).

It answers with a program only where the spec decides for it: one that merely fits a few examples is no reply, since
whoever judges it by the same spec could not tell.
"""

from __future__ import annotations

import threading
import time

from neurosym_specs import load_spec
from neurosym_specs.model import Spec
from neurosym_specs.sketch import Sketch
from neurosym_verifiers.bench import Bench

from neurosym.filling.completing import complete
from neurosym.filling.fill import sketch_from
from neurosym.filling.result import Completion, Settled
from neurosym.generators.request import HOLES, Answer, NoReply, NoReplyKind, OnProgress, Reply, Request, Usage
from neurosym.generators.seam import ModelFault, Settings


class Holes:
    """Completes one sketch, once; asked again, it has no other reply. ``bench``: where that is done, else its own."""

    name = HOLES

    def __init__(self, spec: Spec, sketch: Sketch, bench: Bench | None = None) -> None:
        self._spec, self._sketch, self._bench = spec, sketch, bench
        self._own = bench is None
        self._lock = threading.Lock()
        self._is_done = False

    def generate(self, request: Request, *, timeout_s: float, on_progress: OnProgress) -> Answer:
        begun = time.monotonic()
        with self._lock:
            if self._is_done:
                return NoReply(kind=NoReplyKind.NO_FILLING, message="the sketch was completed before, to this end")
            self._is_done = True
            if self._bench is None:
                self._bench = Bench(self._spec)
            fault = self._bench.spec_fault()
            if fault is not None:
                return NoReply(kind=NoReplyKind.NO_FILLING, message=f"the spec contradicts itself: {fault.message}")
            found = complete(self._spec, self._bench, self._sketch, seconds=max(1.0, timeout_s))
        on_progress("fillings judged", found.judged)
        return self._answer(found, time.monotonic() - begun)

    def _answer(self, found: Completion, seconds: float) -> Answer:
        if found.result is None:
            unmet = f": {'; '.join(found.unmet)}" if found.unmet else ""
            return NoReply(kind=NoReplyKind.NO_FILLING, message=f"{found.why}{unmet}", seconds=seconds)
        asked = found.question
        if asked is not None:
            values = ", ".join(f"{name} = {value}" for name, value in found.values.items())
            others = ", ".join(f"{name} = {value}" for name, value in asked.values.items())
            said = f"is {asked.call} meant to be {asked.first} ({values}) or {asked.second} ({others})?"
            return NoReply(kind=NoReplyKind.UNDECIDED, message=f"the spec allows both: {said}", seconds=seconds)
        if found.settled is Settled.NOT_KNOWN:
            return NoReply(kind=NoReplyKind.UNDECIDED, message=found.settled.value, seconds=seconds)
        return Reply(text=found.text, model=HOLES, usage=Usage(), seconds=seconds)

    def close(self) -> None:
        if self._own and self._bench is not None:
            self._bench.close()


def from_settings(settings: Settings) -> Holes:
    """The sketch at ``settings.sketch`` for the spec at ``settings.spec``."""
    if not settings.sketch or not settings.spec:
        raise ModelFault("the generator holes needs a sketch: --sketch FILE")
    spec = load_spec(settings.spec)
    return Holes(spec, sketch_from(settings.sketch, spec))
