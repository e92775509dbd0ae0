"""GitHub Actions: annotations for the findings, and the Markdown form as the summary of the step.

Both are found by the environment that a job runs in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TextIO

from neurosym.events import Event, Finished
from neurosym.writing import CannotWrite

if TYPE_CHECKING:
    from neurosym.reports.document import Result
    from neurosym.reports.sections import Report

_LARGEST_SUMMARY = 1_000_000


def on_github(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this runs as a step of a job there."""
    return environment.get("GITHUB_ACTIONS") == "true"


class GithubReport:
    """Listens, and tells GitHub of the result: annotations on ``stream``, the summary into the step's file."""

    def __init__(self, stream: TextIO, environment: Mapping[str, str] = os.environ) -> None:
        self._stream = stream
        self._environment = environment

    def __call__(self, event: Event) -> None:
        if isinstance(event, Finished):
            from neurosym.reports.live import stored  # deferred with pydantic, which only stored results need

            self.write(stored(event.result))

    def write(self, result: Result) -> None:
        """Writes both. Raises ``EnvironmentFault`` where the summary cannot be written."""
        from neurosym.reports.markdown import markdown  # deferred like the one above
        from neurosym.reports.sections import report_of

        self._write(report_of(result), lambda _: markdown(result))

    def write_project(self, report: Report) -> None:
        """The same for a whole project."""
        from neurosym.reports.project_markdown import markdown_of  # deferred like the ones above

        self._write(report, markdown_of)

    def _write(self, report: Report, summary_of: Callable[[Report], str]) -> None:
        from neurosym.reports.workflow_commands import workflow_commands_of

        self._stream.write(workflow_commands_of(report, self._environment.get("GITHUB_WORKSPACE", "")))
        self._stream.flush()
        if summary := self._environment.get("GITHUB_STEP_SUMMARY"):
            try:
                with open(summary, "a", encoding="utf-8") as file:
                    file.write(_cut(summary_of(report)))
            except OSError as error:
                raise CannotWrite(f"the step's summary {summary} cannot be written: {error.strerror}") from error


def _cut(summary: str) -> str:
    if len(summary.encode()) <= _LARGEST_SUMMARY:
        return summary
    return summary[: _LARGEST_SUMMARY // 4] + "\n\nThe summary is longer than GitHub takes, and was cut here.\n"
