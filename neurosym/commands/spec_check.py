"""``neurosym spec check``: the spec's own fault, if it has one."""

from __future__ import annotations

import sys

import click
from neurosym_specs import load_spec
from neurosym_verifiers.bench import Effort

from neurosym.cli import debug_option
from neurosym.commands._effort_options import examples_option, sandbox_options, seed_option
from neurosym.commands._options import json_option
from neurosym.events import Listener
from neurosym.pipeline import verify as run_pipeline
from neurosym.reports.console import ConsoleReport
from neurosym.reports.json import JsonReport


@click.command()
@click.argument("spec")
@examples_option
@seed_option
@sandbox_options
@json_option
@debug_option
def check(spec: str, examples: int, seed: int, sandbox: str, layers: tuple[str, ...], as_json: bool) -> int:
    """Check SPEC against itself: its examples, ensures and relations against its reference.

    Exits with 2 if they contradict each other on some input, which is shown.
    """
    loaded = load_spec(spec)
    report: Listener = JsonReport(sys.stdout) if as_json else ConsoleReport(sys.stdout)
    effort = Effort(seed=seed, examples=examples)
    result = run_pipeline(loaded, effort=effort, sandbox=sandbox, layers=layers, listener=report)
    if result.spec_fault is not None:
        return result.exit_code
    if not as_json:
        click.echo(f"no contradiction found in {result.preparation_s:.2f} s")
    return 0
