"""The forms in which a result can be written to a file, each loaded when it is asked for; and the listener that writes.

A form is a function from the stored result to text. It formats what the document says and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from neurosym.events import Event, Finished, SolveFinished
from neurosym.writing import CannotWrite, write_whole

if TYPE_CHECKING:
    from neurosym.reports.document import Result

Render: TypeAlias = "Callable[[Any], str]"  # from a Result; a project's from a Report


@dataclass(frozen=True, slots=True)
class Form:
    """Where the function is, and what the form is for."""

    place: str
    help: str

    def load(self) -> Render:
        """The function itself."""
        module, _, attribute = self.place.partition(":")
        return cast(Render, getattr(import_module(module), attribute))  # a name in a table has no type


FORMS = {
    "junit": Form("neurosym.reports.junit:junit", "JUnit XML, a case for each clause"),
    "sarif": Form("neurosym.reports.sarif:sarif", "SARIF 2.1.0, what is said of places in files"),
    "markdown": Form("neurosym.reports.markdown:markdown", "Markdown, for a pull request"),
    "csv": Form("neurosym.reports.clauses_csv:clauses_csv", "CSV, a row for each clause of each candidate"),
    "html": Form("neurosym.reports.page:html", "one HTML page, to be read and printed"),
}


PROJECT_FORMS = {
    "junit": Form("neurosym.reports.junit:junit_of", FORMS["junit"].help),
    "sarif": Form("neurosym.reports.sarif:sarif_of", FORMS["sarif"].help),
    "markdown": Form("neurosym.reports.project_markdown:markdown_of", "Markdown, a table of all functions"),
    "html": Form("neurosym.reports.page.project:project_html", "one HTML page, all functions, to be read and printed"),
}
"""Those of a whole project: functions from a ``Report``."""


class ReportFile:
    """A file that is written when everything is known.

    One that is there already goes before the work begins, so that none of an earlier run is taken for this one's.
    Raises ``EnvironmentFault`` where the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if path.is_file():
            try:
                path.unlink()
            except OSError as error:
                raise CannotWrite(f"{path} cannot be written: {error.strerror}") from error

    def write(self, text: str) -> None:
        """Writes the file."""
        try:
            write_whole(str(self._path), text)
        except OSError as error:
            raise CannotWrite(f"{self._path} cannot be written: {error.strerror}") from error


class SolvePage:
    """Listens, and writes the page of a run of ``solve`` when it is over."""

    def __init__(self, path: Path) -> None:
        self._file = ReportFile(path)

    def __call__(self, event: Event) -> None:
        if isinstance(event, SolveFinished):
            from neurosym.reports.page.rounds import solve_html  # deferred with pydantic and jinja2

            self._file.write(solve_html(event.result))


class FileReport:
    """Listens, and writes one form of the result into a file when all candidates have their verdicts."""

    def __init__(self, form: Form, path: Path) -> None:
        self._form = form
        self._file = ReportFile(path)

    def __call__(self, event: Event) -> None:
        if isinstance(event, Finished):
            from neurosym.reports.live import stored  # deferred with pydantic, which only stored results need

            self.write(stored(event.result))

    def write(self, result: Result) -> None:
        """Writes the file. Raises ``EnvironmentFault``."""
        self._file.write(self._form.load()(result))
