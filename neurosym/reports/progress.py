"""One line on a terminal that says what is going on, and is gone when it is over."""

from __future__ import annotations

from types import TracebackType
from typing import TextIO

from rich.console import Console
from rich.status import Status
from rich.text import Text

from neurosym.events import AskStarted, Event, Listener, Progress, SolveStarted, StageEntered, Started
from neurosym.safe_text import safe_text

_LONGEST_NAME = 40
_SPINNER = 3
"""Columns of the spinner and what is beside it: a line that is broken is not taken away again."""


class ProgressLine:
    """Listens in front of a ``report``, and shows one changing line on ``stream`` while the report has nothing to say.

    Both may write to the same terminal: the line is gone before the report prints. Where ``stream`` is no terminal,
    only the report is told.
    """

    def __init__(self, stream: TextIO, report: Listener) -> None:
        self._report = report
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
            self._report(event)
            return
        match event:
            case Started(spec=spec) | SolveStarted(spec=spec):
                self._report(event)
                self._show(self._status, f"checking the spec {spec.name}")
            case AskStarted():
                self._report(event)
                self._show(self._status, "getting ready")
            case StageEntered(candidate, stage):
                self._show(self._status, f"{_short(candidate)}: {stage.value}")
            case Progress(candidate, work, done, total):
                of_all = f" of {total:,}" if total else ""
                self._show(self._status, f"{_short(candidate)}: {work} {done:,}{of_all}")
            case _:
                self._status.stop()
                self._report(event)

    @staticmethod
    def _show(status: Status, text: str) -> None:
        shown, room = safe_text(text, limit=200), status.console.width - _SPINNER
        status.update(Text(shown if len(shown) <= room else shown[: room - 1] + "…"))
        status.start()


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else "…" + name[-_LONGEST_NAME:]
