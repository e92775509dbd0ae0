"""``neurosym recheck``: an evidence pack once more, on this machine."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click
from neurosym_sandbox import Level

from neurosym.cli import debug_option
from neurosym.commands._effort_options import finite, sandbox_option
from neurosym.commands._options import json_option
from neurosym.events import nobody_listens
from neurosym.evidence.environment import differences, environment_now
from neurosym.evidence.pack import read_pack
from neurosym.evidence.rechecking import recheck as run_again
from neurosym.reports.json import dump
from neurosym.reports.progress import ProgressLine
from neurosym.reports.rechecks import pack_lines, recheck_document, recheck_text


@click.command()
@click.argument("pack")
@click.option("--time-limit", type=click.FloatRange(0.1, 86_400), callback=finite, metavar="S",
              help="Wall clock's backstop for one candidate, in seconds.  [default: as there]")  # fmt: skip
@sandbox_option
@json_option
@debug_option
def recheck(pack: str, time_limit: float | None, sandbox: str, as_json: bool) -> int:
    """Say whether PACK, a file of verify or solve --evidence, is as it was written, and judge what is in it again.

    Exits with 0 if every verdict comes out the same, whatever it is; 1 if one differs; 3 if the clock ended the work
    there or here, so that it is not known (--time-limit gives more); 2 if a byte was altered.
    """
    found = read_pack(pack)
    now = datetime.now(UTC)
    other = differences(found.environment, environment_now(now))
    if not as_json:
        click.echo("\n".join([*pack_lines(found, other, now.date().isoformat()), ""]))
    with ProgressLine(sys.stderr, nobody_listens) as listener:
        result = run_again(found, time_limit_s=time_limit, sandbox=Level(sandbox), listener=listener)
    if as_json:
        click.echo(dump(recheck_document(result, other)))
    else:
        click.echo("\n".join(recheck_text(result)))
    return result.exit_code
