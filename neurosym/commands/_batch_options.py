"""The files that commands write of a whole batch."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from neurosym.reports.batch.exports import FORMS, check_can_write, write
from neurosym.reports.batch.stored import Stored
from neurosym.safe_text import safe_text

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Exports:
    """Which files are asked for, by their forms."""

    files: tuple[tuple[str, Path], ...]

    def check(self, *read: Path) -> None:
        """Raises ``click.UsageError`` for a file that cannot be written, or would replace one that is ``read``, and
        ``EnvironmentFault`` where a package is missing for it."""
        for form, path in self.files:
            said = f"--{form} {safe_text(str(path), limit=200)}"
            if any(path.absolute() == each.absolute() for each in read):
                raise click.UsageError(f"{said}: that file is read, and it would be replaced")
            if path.is_dir() or not path.absolute().parent.is_dir():
                raise click.UsageError(f"{said}: " + ("a folder" if path.is_dir() else "there is no such folder"))
            if [each for _, each in self.files].count(path) > 1:
                raise click.UsageError(f"{said}: two forms cannot be written into one file")
            check_can_write(form)
            path.unlink(missing_ok=True)  # none of an earlier run is taken for this one's

    def write(self, connection: sqlite3.Connection, store: Path) -> None:
        """Writes the files about the jobs in a ``store``. Raises ``EnvironmentFault``."""
        for form, path in self.files:
            write(form, Stored(connection, store), path)


def export_options(command: Command) -> Command:
    """Gives a command the options, and hands it their values as ``exports``."""

    @functools.wraps(command)
    def collected(*arguments: Any, **options: Any) -> Any:
        values = {form: options.pop(form, None) for form in FORMS}
        files = tuple((form, Path(value)) for form, value in values.items() if value is not None)
        return command(*arguments, exports=Exports(files), **options)

    wrapped: Callable[..., Any] = collected  # click's decorators take and give any callable
    for form, about in reversed(FORMS.items()):
        wrapped = click.option(f"--{form}", metavar="FILE", help=f"Also as a file: {about}.")(wrapped)
    return cast(Command, wrapped)
