"""``neurosym regions``: what a function does where, as a table."""

from __future__ import annotations

import click
from neurosym_specs.errors import NeurosymError
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.regions.table import NoTable, table_of
from neurosym_verifiers.regions.workbench import Workbench

from neurosym.cli import debug_option
from neurosym.commands._effort_options import examples_option, seed_option
from neurosym.commands._options import json_option
from neurosym.commands._subjects import admitted, spec_for, spec_option
from neurosym.reports.json import dump
from neurosym.reports.regions import regions_csv, regions_document, regions_text


class Unread(NeurosymError):
    """The program is not read in full, and half a table would mislead."""

    exit_code = 3
    code = "NS521"


@click.command()
@click.argument("file")
@spec_option
@examples_option
@seed_option
@click.option("--csv", "as_csv", is_flag=True, help="A table for a spreadsheet on stdout.")
@json_option
@debug_option
def regions(file: str, spec_path: str | None, examples: int, seed: int, as_csv: bool, as_json: bool) -> int:
    """Show what the function in FILE does where: ranges and names, a formula, a case that was run, the ends.

    Exits with 3 where the code is not read in full: there is no table then.
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json are two forms of one output: choose one")
    spec = spec_for(spec_path, file)
    source = admitted(file, spec)
    with Workbench(spec, Effort(seed=seed, examples=examples)) as bench:
        try:
            table = table_of(bench, source.text)
        except NoTable as problem:
            raise Unread(f"no table of {file}: {problem}") from None
    if as_json:
        click.echo(dump(regions_document(spec, source, table)))
    elif as_csv:
        click.echo(regions_csv(spec, table), nl=False)
    else:
        click.echo(regions_text(spec, source, table), nl=False)
    return 0
