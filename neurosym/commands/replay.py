"""``neurosym replay``: the calls of one refutation again."""

from __future__ import annotations

import sys

import click
from neurosym_sandbox import Level
from neurosym_verifiers.environment import Confinement
from neurosym_verifiers.replay import StillBroken

from neurosym.cli import debug_option
from neurosym.commands._effort_options import NearestChoice, layers_option, sandbox_option
from neurosym.commands._options import json_option
from neurosym.commands._test_option import check_test_file, write_test_option
from neurosym.commands._test_option import write_test as write
from neurosym.gate import LIMIT_BYTES
from neurosym.replaying import REWRITES
from neurosym.replaying import replay as run_again
from neurosym.reports.json import dump
from neurosym.reports.replays import replay_document, replay_text
from neurosym.reproducing import Recipe
from neurosym.source import Candidate, Source


@click.command()
@click.argument("spec")
@click.argument("candidate")
@click.option("--clause", required=True, metavar="ID", help="The clause that was broken, as reports call it.")
@click.option("--inputs", required=True, metavar="JSON",
              help="Those of the call, by name; of several calls as an array.")  # fmt: skip
@click.option("--rewrite", "rewrites", type=NearestChoice(list(REWRITES)), multiple=True, metavar="CODEMOD",
              help=f"Rewrite it first, as it was then (may be repeated): {', '.join(REWRITES)}.")  # fmt: skip
@click.option("--script", metavar="NAME", default="", help="With --rewrite script: the variable with the result.")
@sandbox_option
@layers_option
@write_test_option
@json_option
@debug_option
def replay(
    spec: str,
    candidate: str,
    clause: str,
    inputs: str,
    rewrites: tuple[str, ...],
    script: str,
    sandbox: str,
    layers: tuple[str, ...],
    write_test: str | None,
    as_json: bool,
) -> int:
    """Run the calls that broke a clause of SPEC again with CANDIDATE (- reads standard input).

    Reports print the whole command. Only these calls are run: exits with 1 if they break a promise, and with 6 if they
    no longer do, which says nothing of other inputs.
    """
    if ("script" in rewrites) != bool(script):
        raise click.UsageError("--rewrite script and --script NAME go together")
    if write_test is not None:
        check_test_file(write_test, [spec, candidate])
    found = run_again(
        spec, _from_command_line(candidate), clause, inputs,
        rewrites=rewrites, script=script, sandbox=sandbox, layers=layers,
    )  # fmt: skip
    click.echo(dump(replay_document(found)) if as_json else replay_text(found), nl=as_json)
    if write_test is not None:
        broken = found.outcome.findings if isinstance(found.outcome, StillBroken) else ()
        confinement = Confinement(Level(sandbox), frozenset(layers))
        recipe = Recipe(spec=found.spec, candidate=candidate, rewrites=rewrites, script=script, confinement=confinement)
        write(recipe, [(each.obligation, each.counterexample.inputs) for each in broken], write_test)
    return found.exit_code


def _from_command_line(name: str) -> Candidate:
    return Source(sys.stdin.buffer.read(LIMIT_BYTES + 1), "<stdin>", path=name) if name == "-" else name
