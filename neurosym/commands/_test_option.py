"""``--write-test``: a refutation as a pytest test, for whoever mends the candidate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import click

from neurosym.commands._files import check_output
from neurosym.reproducing import MARK, Calls, Recipe
from neurosym.safe_text import safe_text
from neurosym.writing import CannotWrite, write_whole

write_test_option = click.option(
    "--write-test",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write a pytest test that runs what is broken again; it fails until that is mended.",
)


def check_test_file(path: str, inputs: Collection[str]) -> None:
    """Raises ``click.UsageError`` for a file that no test can be written to, or that is something else's."""
    said = f"--write-test {safe_text(path, limit=200)}"
    file = Path(path)
    if not file.name.isascii() or file.suffix != ".py":
        raise click.UsageError(f"{said}: a test is a Python file, such as test_{file.stem or 'it'}.py")
    check_output("--write-test", path, inputs)
    if file.exists() and not _is_ours(file):
        raise click.UsageError(f"{said}: that file is there already, and neurosym did not write it; name another")


def write_test(recipe: Recipe, cases: Sequence[tuple[str, Calls]], path: str) -> None:
    """Writes the test, and says so; or why there is none, and leaves a test that is there as it is."""
    shown = safe_text(path, limit=200)
    if not cases:
        click.echo(f"neurosym: nothing is broken, so no test is written to {shown}", err=True)
        return
    if recipe.candidate in ("", "-"):
        click.echo(f"neurosym: no test is written to {shown}: it could not find a candidate that is no file", err=True)
        return
    try:
        write_whole(path, recipe.test(cases, path))
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"neurosym: a test of what is broken is written to {shown}", err=True)


def _is_ours(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(len(MARK)) == MARK.encode()
    except OSError:
        return False
