"""``neurosym export``: training data from the logs of ``solve``."""

from __future__ import annotations

import json

import click

from neurosym.cli import debug_option
from neurosym.commands._effort_options import NearestChoice
from neurosym.commands.stats import NOTHING
from neurosym.eventlog import read_runs
from neurosym.exporting.lines import Kind, lines_of
from neurosym.safe_text import safe_json, safe_text


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option(
    "--kind",
    type=NearestChoice([each.value for each in Kind]),
    default=Kind.CHAT.value,
    show_default=True,
    help="Chat examples, pairs of an accepted and another reply, or candidates with verdict and fix.",
)
@click.option("--licence", default="", metavar="TEXT", help="What stands in the field licence of every line.")
@click.option(
    "--test-percent",
    type=click.IntRange(0, 100),
    default=10,
    show_default=True,
    metavar="N",
    help="So many of a hundred specs go into the split test, each with all its lines.",
)
@debug_option
def export(logs: tuple[str, ...], kind: str, licence: str, test_percent: int) -> int:
    """Write what was executed and judged in the LOGs of solve as JSON lines.

    Exits with 2 where a record was changed, with 5 where there is nothing to write.
    """
    read = [read_runs(path) for path in dict.fromkeys(logs)]
    count = 0
    for log in read:
        if log.cut:
            click.echo(f"neurosym: {safe_text(log.path)} ends in the middle of a record, which is left out", err=True)
        for line in lines_of(log.records, Kind(kind), licence=licence, test_percent=test_percent):
            click.echo(safe_json(json.dumps(line, ensure_ascii=True)))
            count += 1
    if not count:
        click.echo(f"neurosym: nothing in these logs is of the kind {kind}", err=True)
        return NOTHING
    return 0
