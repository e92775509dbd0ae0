"""``neurosym verify``: what the pipeline finds out, shown by the reports that listen to it."""

from __future__ import annotations

import sys

import click
from neurosym_verifiers.bench import Effort

from neurosym.admission import Required
from neurosym.cli import debug_option
from neurosym.commands._effort_options import NearestChoice, examples_option, seed_option, time_limit_option
from neurosym.commands._options import json_option
from neurosym.events import Listener
from neurosym.gate import LIMIT_BYTES
from neurosym.pipeline import verify as run_pipeline
from neurosym.reports.console import ConsoleReport
from neurosym.reports.json import JsonReport
from neurosym.reports.progress import ProgressLine
from neurosym.source import Candidate, Source

STDIN = "-"


@click.command()
@click.argument("spec")
@click.argument("candidates", nargs=-1, required=True, metavar="CANDIDATE...")
@click.option(
    "--require",
    type=NearestChoice([each.value for each in Required]),
    default=Required.TESTED.value,
    show_default=True,
    help="What a candidate must reach to be accepted.",
)
@examples_option
@seed_option
@time_limit_option
@json_option
@debug_option
def verify(
    spec: str,
    candidates: tuple[str, ...],
    require: str,
    examples: int,
    seed: int,
    time_limit: float,
    as_json: bool,
) -> int:
    """Judge each CANDIDATE, a Python file (- reads standard input), against SPEC.

    The exit code follows the worst candidate: 0 if all reach what --require asks for.
    """
    if candidates.count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once: name - once")
    report: Listener = JsonReport(sys.stdout) if as_json else ConsoleReport(sys.stdout)
    effort = Effort(seed=seed, examples=examples, time_limit_s=time_limit)
    with ProgressLine(sys.stderr, report) as listener:
        result = run_pipeline(
            spec,
            *(_from_command_line(name) for name in candidates),
            effort=effort,
            require=require,
            listener=listener,
        )
    return result.exit_code


def _from_command_line(name: str) -> Candidate:
    if name != STDIN:
        return name
    return Source(sys.stdin.buffer.read(LIMIT_BYTES + 1), "<stdin>")
