"""The reports that a command writes beside what it prints: an option for each form, and GitHub's."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from neurosym.commands._files import check_output
from neurosym.reports.forms import FORMS, FileReport, Form
from neurosym.safe_text import safe_text

STDOUT = "-"

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Reports:
    """Which reports are asked for. ``github`` is None where the environment decides."""

    files: tuple[tuple[str, str], ...]
    github: bool | None

    def check(self, inputs: Collection[str], *, stdout: bool) -> None:
        """Raises ``click.UsageError`` for a file that cannot be written, or would replace one that is read.

        ``stdout``: whether one of them may be ``-``.
        """
        names = [path for _, path in self.files]
        if STDOUT in names and not stdout:
            raise click.UsageError("standard output is taken: name a file for the report")
        for form, name in self.files:
            said = f"--{form} {safe_text(name, limit=200)}"
            if names.count(name) > 1:
                raise click.UsageError(f"{said}: two reports cannot be written into one file")
            if name == STDOUT:
                continue
            check_output(f"--{form}", name, inputs)

    def wants(self, form: str) -> bool:
        """Whether this form is asked for."""
        return any(name == form for name, _ in self.files)

    def listeners(self) -> list[FileReport]:
        """A listener for each file."""
        return [FileReport(FORMS[form], Path(name)) for form, name in self.files]


def report_options_for(forms: Mapping[str, Form]) -> Callable[[Command], Command]:
    """Gives a command an option for each form, and hands it their values as ``reports``."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def collected(*arguments: Any, github: bool | None, **options: Any) -> Any:
            files = tuple((form, options.pop(form)) for form in forms if options[form] is not None)
            for form in forms:
                options.pop(form, None)
            return command(*arguments, reports=Reports(files, github), **options)

        wrapped: Callable[..., Any] = collected  # click's decorators take and give any callable
        for form, about in reversed([*forms.items()]):
            wrapped = click.option(f"--{form}", metavar="FILE", help=f"Also as a file: {about.help}.")(wrapped)
        said = "Annotations and the step's summary on GitHub; where a job runs there, they come unasked."
        github_option = click.option("--github/--no-github", default=None, help=said)
        return cast(Command, github_option(wrapped))

    return decorate


report_options = report_options_for(FORMS)
"""Those for one result."""
