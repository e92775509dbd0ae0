"""``neurosym verify``: what the pipeline finds out, shown by the reports that listen to it."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from neurosym_verifiers.bench import Effort

from neurosym.admission import Required
from neurosym.cli import debug_option, debugging
from neurosym.commands._effort_options import (
    NearestChoice,
    examples_option,
    proof_option,
    seed_option,
    time_limit_option,
)
from neurosym.commands._options import json_option
from neurosym.events import Listener, Stage, all_of
from neurosym.gate import LIMIT_BYTES, Types
from neurosym.pipeline import verify as run_pipeline
from neurosym.reports.console import ConsoleReport
from neurosym.reports.json import JsonReport
from neurosym.reports.progress import ProgressLine
from neurosym.reports.smt2 import Smt2Report
from neurosym.result import ToolFault
from neurosym.safe_text import safe_text
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
@click.option(
    "--types",
    type=NearestChoice([each.value for each in Types]),
    default=Types.SURE.value,
    show_default=True,
    help="What of mypy's findings rejects: all, what is surely wrong, or none (mypy is not run).",
)
@click.option("--stop-after", type=NearestChoice([Stage.GATE.value]), help="Run nothing: read the candidates only.")
@examples_option
@seed_option
@time_limit_option
@proof_option
@click.option(
    "--emit-smt2",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each query to the solver there, as SMT-LIB 2.",
)
@click.option("--second-opinion", is_flag=True, help="Have cvc5 decide again what Z3 proved (extra: second-opinion).")
@json_option
@debug_option
def verify(
    spec: str,
    candidates: tuple[str, ...],
    require: str,
    types: str,
    stop_after: str | None,
    examples: int,
    seed: int,
    time_limit: float,
    proof: bool,
    emit_smt2: Path | None,
    second_opinion: bool,
    as_json: bool,
) -> int:
    """Judge each CANDIDATE, a Python file (- reads standard input), against SPEC.

    The exit code follows the worst candidate: 0 if all reach what --require asks for.
    """
    if spec.endswith(".py"):
        raise click.UsageError("a spec is no Python file: the spec comes first, then the candidates")
    if candidates.count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once: name - once")
    if not proof and (emit_smt2 or second_opinion):
        raise click.UsageError("--emit-smt2 and --second-opinion are about proofs, and --no-proof leaves them out")
    report: Listener = JsonReport(sys.stdout) if as_json else ConsoleReport(sys.stdout)
    effort = Effort(seed=seed, examples=examples, time_limit_s=time_limit, proof=proof,
                    queries=emit_smt2 is not None, second_opinion=second_opinion)  # fmt: skip
    if emit_smt2 is not None:
        report = all_of(Smt2Report(_made(emit_smt2)), report)
    with ProgressLine(sys.stderr, report) as listener:
        result = run_pipeline(
            spec,
            *(_from_command_line(name) for name in candidates),
            effort=effort,
            require=require,
            types=types,
            stop_after=stop_after,
            listener=listener,
        )
    if debugging(click.get_current_context()):
        for each in result.candidates:
            if isinstance(each.outcome, ToolFault):
                click.echo(safe_text(each.outcome.trace, limit=100_000, multiline=True), err=True)
    return result.exit_code


def _from_command_line(name: str) -> Candidate:
    if name != STDIN:
        return name
    return Source(sys.stdin.buffer.read(LIMIT_BYTES + 1), "<stdin>")


def _made(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"--emit-smt2 {directory}: {error.strerror}") from error
    return directory
