"""GitHub's workflow commands: an annotation for each finding.

A text cannot end its command or begin another: what a command gives a meaning is escaped, after everything else was
made safe.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from neurosym.reports.document import Result
from neurosym.reports.findings import Finding, Level
from neurosym.reports.sections import Report, report_of
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_text

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_MOST_OF_A_KIND = 10
"""GitHub shows so many annotations of each level for a step, and drops the rest without a word."""


def workflow_commands(result: Result, workspace: str = "") -> str:
    """A workflow command for each finding. ``workspace``: the folder that files in annotations are named from."""
    return workflow_commands_of(report_of(result), workspace)


def workflow_commands_of(report: Report, workspace: str = "") -> str:
    """The same for several results."""
    return "".join(f"{line}\n" for line in _commands(report, workspace))


def _commands(report: Report, workspace: str) -> Iterator[str]:
    counts = dict.fromkeys(Level, 0)
    found = [(each, section.result.spec.name) for section in report.sections for each in section.findings]
    for finding, spec in [*found, *((each, "") for each in report.remarks)]:
        if finding.accepted:
            continue
        level = Level.NOTE if finding.waiver and finding.level is Level.WARNING else finding.level
        counts[level] += 1
        if counts[level] <= _MOST_OF_A_KIND:
            yield _command(finding, level, spec, workspace)
    left = sum(max(0, count - _MOST_OF_A_KIND) for count in counts.values())
    if left:
        yield f"neurosym: {left} more findings are not shown as annotations; the summary has them"


def _command(finding: Finding, level: Level, spec: str, workspace: str) -> str:
    properties = {
        "file": _from_workspace(finding.file, workspace),
        "line": finding.line,
        "col": finding.column,
        "title": f"{finding.code} {spec}".strip(),
    }
    said = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None)
    message = f"{finding.message} ({finding.waiver})" if finding.waiver else finding.message
    again = "%0Arun it again: " + _data(finding.replay, MAX_COMMAND_CHARS) if finding.replay else ""
    return f"::{_COMMANDS[level]} {said}::{_data(message)}{again}"


def _from_workspace(name: str, workspace: str) -> str:
    path = Path(name).absolute()
    return path.relative_to(workspace).as_posix() if workspace and path.is_relative_to(workspace) else name


def _data(text: str, limit: int = 4_000) -> str:
    return safe_text(text, limit=limit).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
