"""``neurosym explain``: the page about a code."""

from __future__ import annotations

import click

from neurosym.cli import debug_option
from neurosym.codes import UnknownCode, all_codes, page, title
from neurosym.safe_text import safe_text


@click.command()
@click.argument("code", required=False)
@debug_option
def explain(code: str | None) -> None:
    """Print the page about CODE, or the list of all codes."""
    if code is None:
        for each in all_codes():
            click.echo(f"{each}  {title(each)}")
        return
    try:
        click.echo(page(code), nl=False)
    except UnknownCode as error:
        raise click.UsageError(safe_text(str(error))) from None
