"""``neurosym fill``: values for the holes of a sketch, so that it keeps what the spec says."""

from __future__ import annotations

import sys

import click
from neurosym_verifiers.bench import Effort

from neurosym.admission import Admission
from neurosym.cli import FAULT, debug_option
from neurosym.commands._effort_options import (
    effort_options,
    require_option,
    sandbox_options,
)
from neurosym.commands._options import json_option
from neurosym.commands.verify import deliver
from neurosym.events import Listener
from neurosym.filling.fill import SEARCH_S
from neurosym.filling.fill import fill as run_fill
from neurosym.reports.filling import FillJson, FillReport
from neurosym.reports.progress import ProgressLine
from neurosym.safe_text import safe_text


@click.command()
@click.argument("spec")
@click.argument("sketch")
@require_option("What the completed program must reach to be accepted.")
@click.option(
    "--max-seconds",
    type=click.FloatRange(1, 86_400),
    default=SEARCH_S,
    show_default=True,
    metavar="S",
    help="Wall time to look for values.",
)
@click.option(
    "--write",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the accepted program to FILE, tidied, below a header that names spec and verdict.",
)
@effort_options
@sandbox_options
@json_option
@debug_option
def fill(
    spec: str,
    sketch: str,
    require: str,
    max_seconds: float,
    write: str | None,
    examples: int,
    seed: int,
    time_limit: float,
    proof: bool,
    sandbox: str,
    layers: tuple[str, ...],
    as_json: bool,
) -> int:
    """Find values for the holes of SKETCH, a Python file, so that it keeps all that SPEC says, and judge what comes.

    \b
    A hole is a call in place of a value:
      hole("rate")                              of the type that the spec's [[hole]] gives
      hole("rate", "decimal", (0, 1), places=4) of its own
      hole("late", between=(days, 10))          one of < <= > >= == !=

    neurosym explain NS705 says more. The exit code is that of verify for the completed program; 1 where no values fit,
    and 3 where the spec allows two that differ: then the call on which they do is shown.
    """
    report: Listener = FillJson(sys.stdout) if as_json else FillReport(sys.stdout)
    with ProgressLine(sys.stderr, report) as listener:
        result = run_fill(
            spec,
            sketch,
            effort=Effort(seed=seed, examples=examples, time_limit_s=time_limit, proof=proof),
            require=require,
            sandbox=sandbox,
            layers=layers,
            deliver=write is not None,
            seconds=max_seconds,
            listener=listener,
        )
    if write is None:
        return result.exit_code
    found = result.completion
    if found is None or found.admission(result.require) is not Admission.ADMITTED:
        click.echo(f"neurosym: nothing is written to {safe_text(write)}: nothing is accepted", err=True)
        return result.exit_code
    return result.exit_code if deliver(result.as_verified, write, checked=False) else FAULT
