"""``neurosym replay``: the calls of one refutation again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from neurosym_sandbox import Level
from neurosym_specs.errors import SpecError
from neurosym_verifiers.environment import Confinement
from neurosym_verifiers.replay import StillBroken

from neurosym.batch.faults import StoreError
from neurosym.batch.store import reading, text_of
from neurosym.cli import debug_option
from neurosym.commands._effort_options import NearestChoice, sandbox_options
from neurosym.commands._options import json_option
from neurosym.commands._test_option import check_test_file, write_test_option
from neurosym.commands._test_option import write_test as write
from neurosym.gate import LIMIT_BYTES
from neurosym.replaying import REWRITES, ReplayResult
from neurosym.replaying import replay as run_again
from neurosym.reports.json import dump
from neurosym.reports.replays import replay_document, replay_text
from neurosym.reproducing import Recipe
from neurosym.safe_text import safe_text
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
@click.option("--config", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
              help="CANDIDATE is a module of this project (a pyproject.toml), and imports others of it.")  # fmt: skip
@click.option("--store", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="CANDIDATE is the id of a job in this run store of a batch: its text as it was then.")  # fmt: skip
@sandbox_options
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
    config: str | None,
    store: Path | None,
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
    if config and (store or candidate == "-"):
        raise click.UsageError("--config is about a module of a project, which is a file")
    if store and write_test:
        raise click.UsageError("--write-test is about a candidate that is a file, and not in a --store")
    if write_test is not None:
        check_test_file(write_test, [spec, candidate])
    given = _from_command_line(candidate) if store is None else _from_store(store, candidate)
    found = _again(
        spec, given, clause, inputs,
        rewrites=rewrites, script=script, sandbox=sandbox, layers=layers, config=config or "",
    )  # fmt: skip
    click.echo(dump(replay_document(found)) if as_json else replay_text(found), nl=as_json)
    if write_test is not None:
        broken = found.outcome.findings if isinstance(found.outcome, StillBroken) else ()
        confinement = Confinement(Level(sandbox), frozenset(layers))
        recipe = Recipe(spec=found.spec.path, function=found.spec.name, candidate=candidate, rewrites=rewrites,
                        script=script, confinement=confinement, project=config or "")  # fmt: skip
        write(recipe, [(each.obligation, each.counterexample.inputs) for each in broken], write_test)
    return found.exit_code


def _again(*arguments: Any, **options: Any) -> ReplayResult:
    """As ``neurosym.replay``. A clause or inputs that cannot be are this command line's fault, and not the spec's."""
    try:
        return run_again(*arguments, **options)
    except SpecError as error:
        if (said := str(error.place)).partition(",")[0] in ("clause", "inputs"):
            raise click.UsageError(f"--{said}: {error.message}" + (f" ({error.hint})" if error.hint else "")) from None
        raise


def _from_command_line(name: str) -> Candidate:
    return Source(sys.stdin.buffer.read(LIMIT_BYTES + 1), "<stdin>", path=name) if name == "-" else name


def _from_store(store: Path, job: str) -> Candidate:
    """The text of a job as it was read when the batch was planned."""
    with reading(store) as connection:
        text = text_of(connection, job)
    if text is None:
        raise StoreError(f"there is no job {safe_text(job, limit=200)} in {store}")
    return Source(text, job)
