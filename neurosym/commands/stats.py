"""``neurosym stats``: how often models were right, from the logs of ``solve``."""

from __future__ import annotations

import click

from neurosym.cli import debug_option
from neurosym.commands._options import json_option
from neurosym.eventlog import read_runs
from neurosym.figures.summary import summary_of
from neurosym.figures.trials import trials_of
from neurosym.reports.figures import figures_document, figures_text
from neurosym.reports.json import dump
from neurosym.safe_text import safe_text

NOTHING = 5


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option(
    "--within",
    type=click.IntRange(2, 1_000),
    default=3,
    show_default=True,
    metavar="N",
    help="How many rounds count for the share of runs that came right soon.",
)
@json_option
@debug_option
def stats(logs: tuple[str, ...], within: int, as_json: bool) -> int:
    """Say how often programs executed and were right, what failed, and what it took, from the LOGs of solve.

    Every log's chain is followed first: exits with 2 where a record was changed, with 5 where no model was asked.
    """
    read = [read_runs(path) for path in dict.fromkeys(logs)]
    for log in read:
        if log.cut:
            click.echo(f"neurosym: {safe_text(log.path)} ends in the middle of a record, which is left out", err=True)
    trials = [trial for log in read for trial in trials_of(log.records)]
    if not trials:
        click.echo("neurosym: no model was asked in these logs", err=True)
        return NOTHING
    summary = summary_of(trials, within=within)
    if as_json:
        click.echo(dump(figures_document(summary, [log.path for log in read])))
    else:
        click.echo(figures_text(summary, len(read)), nl=False)
    return 0
