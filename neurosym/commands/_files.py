"""Files that a command writes: none may replace what it reads, and each must have a folder to be in."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

import click

from neurosym.safe_text import safe_text


def check_output(option: str, name: str, inputs: Collection[str]) -> None:
    """Raises ``click.UsageError``, which names the option, for a file that cannot be written, or that is read."""
    said, path = f"{option} {safe_text(name, limit=200)}", Path(name)
    if any(_same(path, each) for each in inputs):
        raise click.UsageError(f"{said}: that file is read, and would be replaced")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise click.UsageError(f"{said}: " + ("a folder" if path.is_dir() else "there is no such folder"))


def _same(path: Path, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False
