"""One line on a terminal that says what is going on, and is gone when it is over."""

from __future__ import annotations

from types import TracebackType
from typing import TextIO

from rich.console import Console
from rich.status import Status
from rich.text import Text

from neurosym.events import CandidateFinished, Event, Finished, Progress, SpecChecked, StageEntered, Started
from neurosym.safe_text import safe_text

_LONGEST_NAME = 40


class ProgressLine:
    """Listens and shows one changing line on ``stream``; does nothing where that is not a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._status: Status | None = None
        if stream.isatty():
            self._status = Status("", console=Console(file=stream, markup=False, highlight=False), spinner="line")

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status:
            self._status.stop()

    def __call__(self, event: Event) -> None:
        if self._status is None:
            return
        match event:
            case Started(spec=spec):
                self._status.start()
                self._show(f"checking the spec {spec.name}")
            case StageEntered(candidate, stage):
                self._status.start()
                self._show(f"{_short(candidate)}: {stage.value}")
            case Progress(candidate, work, done, total):
                self._show(f"{_short(candidate)}: {work} {done:,}" + (f" of {total:,}" if total else ""))
            case SpecChecked() | CandidateFinished() | Finished():
                self._status.stop()  # a report may write to the same terminal now

    def _show(self, text: str) -> None:
        assert self._status is not None
        self._status.update(Text(safe_text(text, limit=100)))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else "…" + name[-_LONGEST_NAME:]
