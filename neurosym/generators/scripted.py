"""Replies that are written down beforehand, in their order: for tests and for showing how the loop goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from neurosym.generators.request import Answer, NoReply, NoReplyKind, OnProgress, Reply, Request, estimated
from neurosym.generators.seam import ModelFault, Settings

Line = str | Answer | Callable[[Request], str | Answer]


class Scripted:
    """The generator ``scripted``: gives the lines of its script one after the other, and keeps the ``requests``.

    A line is a text, a whole answer, or a function of the request. Behind the last line it has nothing to say.
    """

    name = "scripted"

    def __init__(self, script: Iterable[Line]) -> None:
        self._script = iter(script)
        self._lock = threading.Lock()
        self.requests: list[Request] = []

    def generate(self, request: Request, *, timeout_s: float, on_progress: OnProgress) -> Answer:
        with self._lock:
            self.requests.append(request)
            line = self._line(request)
        if line is None:
            return NoReply(kind=NoReplyKind.UNAVAILABLE, message="the script has no more lines")
        said = line(request) if callable(line) else line
        if not isinstance(said, str):
            return said
        on_progress("characters of the reply", len(said))
        return Reply(text=said, model=request.model, usage=estimated(request, said))

    def close(self) -> None:
        pass

    def _line(self, request: Request) -> Line | None:
        return next(self._script, None)


class Numbered(Scripted):
    """A script whose lines are given by the number of the sample: who asks several at once gets the same each time."""

    def __init__(self, script: Iterable[Line]) -> None:
        lines = [*script]
        super().__init__(())
        self._lines = lines

    def _line(self, request: Request) -> Line | None:
        return self._lines[request.sample] if request.sample < len(self._lines) else None


def from_folder(settings: Settings) -> Scripted:
    """The files of a folder as a script, in the order of their names: ``--option replies=FOLDER``."""
    folder = Path(settings.options.get("replies", ""))
    if "replies" not in settings.options:
        raise ModelFault("the generator scripted needs a folder of replies: --option replies=FOLDER")
    if not folder.is_dir():
        raise ModelFault(f"--option replies={folder}: there is no such folder")
    try:
        return Numbered([path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()) if path.is_file()])
    except (OSError, UnicodeDecodeError) as error:
        raise ModelFault(f"a reply in {folder} cannot be read: {error}") from error
