"""``neurosym verify``: what the pipeline finds out, shown by the reports that listen to it."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click
from neurosym_specs import load_spec
from neurosym_verifiers.bench import Effort

from neurosym.cli import FAULT, debug_option, debugging
from neurosym.commands._effort_options import (
    NearestChoice,
    effort_options,
    require_option,
    sandbox_options,
)
from neurosym.commands._evidence_option import evidence_option, held, owner_option, say_written
from neurosym.commands._files import check_output
from neurosym.commands._options import checked_option, json_option, telemetry_option
from neurosym.commands._report_options import Reports, report_options
from neurosym.commands._test_option import check_test_file, write_test_option
from neurosym.commands._test_option import write_test as write_test_file
from neurosym.commands._waivers_option import waivers_for, waivers_option
from neurosym.delivery import Undelivered, delivered_text
from neurosym.events import Listener, Stage, all_of
from neurosym.gate import LIMIT_BYTES, Types
from neurosym.pipeline import verify as run_pipeline
from neurosym.reports.console import ConsoleReport
from neurosym.reports.github import GithubReport, on_github
from neurosym.reports.json import JsonReport
from neurosym.reports.progress import ProgressLine
from neurosym.reports.smt2 import Smt2Report
from neurosym.reproducing import recipe_of, refuted_cases
from neurosym.result import ToolFault, VerifyResult
from neurosym.rewrite import Group, names_of
from neurosym.safe_text import safe_text
from neurosym.source import Candidate, Source
from neurosym.telemetry import exported
from neurosym.writing import CannotWrite, write_whole

if TYPE_CHECKING:
    from neurosym.evidence.collecting import EvidenceReport

STDIN = "-"


@click.command()
@click.argument("spec")
@click.argument("candidates", nargs=-1, required=True, metavar="CANDIDATE...")
@require_option()
@click.option(
    "--types",
    type=NearestChoice([each.value for each in Types]),
    default=Types.SURE.value,
    show_default=True,
    help="What of mypy's findings rejects: all, what is surely wrong, or none (mypy is not run).",
)
@click.option("--stop-after", type=NearestChoice([Stage.GATE.value]), help="Run nothing: read the candidates only.")
@click.option("--mend", is_flag=True, help="Mend what is mechanical first: fences, imports, prints, names.")
@click.option(
    "--skip",
    type=NearestChoice(names_of(Group.MEND)),
    multiple=True,
    metavar="CODEMOD",
    help=f"Do not mend this way (may be given several times): {', '.join(names_of(Group.MEND))}.",
)
@click.option("--script", metavar="NAME", help="Candidates are no functions: their top level computes NAME.")
@click.option("--fix", is_flag=True, help="Where floats are objected to, offer an exact version and judge that too.")
@click.option("--explain/--no-explain", default=True, show_default=True, help="Say what happened in a refuted call.")
@click.option("--regions/--no-regions", default=None, help="Keep in reports and --json what each candidate does where; "
              "with --html and --evidence it is there unasked.")  # fmt: skip
@click.option(
    "--write",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the one candidate to FILE if it is accepted, tidied, below a header that names spec and verdict.",
)
@checked_option
@effort_options
@sandbox_options
@click.option(
    "--emit-smt2",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each query to the solver there, as SMT-LIB 2.",
)
@click.option("--second-opinion", is_flag=True, help="Have cvc5 decide again what Z3 proved (extra: second-opinion).")
@write_test_option
@waivers_option
@evidence_option
@owner_option
@telemetry_option
@json_option
@report_options
@debug_option
def verify(
    spec: str,
    candidates: tuple[str, ...],
    require: str,
    types: str,
    stop_after: str | None,
    mend: bool,
    skip: tuple[str, ...],
    script: str | None,
    fix: bool,
    explain: bool,
    regions: bool | None,
    write: str | None,
    checked: bool,
    examples: int,
    seed: int,
    time_limit: float,
    proof: bool,
    sandbox: str,
    layers: tuple[str, ...],
    emit_smt2: Path | None,
    second_opinion: bool,
    write_test: str | None,
    waivers: str | None,
    evidence: str | None,
    owner: str,
    telemetry: bool,
    as_json: bool,
    reports: Reports,
) -> int:
    """Judge each CANDIDATE, a Python file (- reads standard input), against SPEC.

    The exit code follows the worst candidate: 0 if all reach what --require asks for.
    """
    if spec.endswith(".py"):
        raise click.UsageError("a spec is no Python file: the spec comes first, then the candidates")
    if skip and not mend:
        raise click.UsageError("--skip says how not to mend, and nothing is mended without --mend")
    if script is not None and not script.isidentifier():
        raise click.UsageError("--script takes the name of the variable that holds the result")
    if write is not None and (len(candidates) != 1 or stop_after):
        raise click.UsageError("--write delivers one candidate that was judged: name one, without --stop-after")
    if checked and write is None:
        raise click.UsageError("--checked is for what --write writes")
    if candidates.count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once: name - once")
    if not proof and (emit_smt2 or second_opinion):
        raise click.UsageError("--emit-smt2 and --second-opinion are about proofs, and --no-proof leaves them out")
    if write_test is not None:
        if len(candidates) != 1 or stop_after:
            raise click.UsageError("--write-test is about one candidate that was judged: name one")
        check_test_file(write_test, [spec, *candidates])
    if evidence is not None:
        if stop_after:
            raise click.UsageError("--evidence is about candidates that were judged, and --stop-after judges none")
        others = [write, write_test, *(path for _, path in reports.files)]
        if any(each is not None and Path(each).resolve() == Path(evidence).resolve() for each in others):
            raise click.UsageError("--evidence: two of the files that are written have one name")
        check_output("--evidence", evidence, [spec, *candidates])
    if owner and evidence is None:
        raise click.UsageError("--owner is for what --evidence writes")
    if regions and stop_after:
        raise click.UsageError("--regions is about candidates that were judged, and --stop-after judges none")
    on_page = reports.wants("html") or evidence is not None
    reports.check([spec, *candidates], stdout=False)
    given: list[Candidate] = [_from_command_line(name) for name in candidates]
    report: Listener = JsonReport(sys.stdout) if as_json else ConsoleReport(sys.stdout)
    report = all_of(report, *reports.listeners())
    if on_github() if reports.github is None else reports.github:
        report = all_of(report, GithubReport(sys.stderr))
    effort = Effort(seed=seed, examples=examples, time_limit_s=time_limit, proof=proof,
                    queries=emit_smt2 is not None or evidence is not None, second_opinion=second_opinion)  # fmt: skip
    if emit_smt2 is not None:
        report = all_of(Smt2Report(_made(emit_smt2)), report)
    pack: EvidenceReport | None = None
    if evidence is not None:
        from neurosym.evidence.collecting import EvidenceReport  # deferred with pydantic and the page

        sources = held(given)
        given = [*sources]
        pack = EvidenceReport(Path(evidence), sources, owner)
        report = all_of(report, pack)
    loaded = load_spec(spec)
    in_force = None if waivers is None else waivers_for(waivers, [loaded])
    with ExitStack() as stack:
        if telemetry:
            report = all_of(stack.enter_context(exported()), report)
        listener = stack.enter_context(ProgressLine(sys.stderr, report))
        result = run_pipeline(
            loaded,
            *given,
            effort=effort,
            require=require,
            sandbox=sandbox,
            layers=layers,
            types=types,
            stop_after=stop_after,
            mend=mend,
            skip=skip,
            script=script or "",
            deliver=write is not None,
            contract=checked,
            fix=fix,
            explain=explain,
            waivers=in_force,
            slices=as_json or on_page,
            regions=on_page if regions is None else regions,
            listener=listener,
        )
    if debugging(click.get_current_context()):
        for each in result.candidates:
            if isinstance(each.outcome, ToolFault):
                click.echo(safe_text(each.outcome.trace, limit=100_000, multiline=True), err=True)
    if pack is not None and evidence is not None:
        say_written(evidence, pack.sha256)
    if write_test is not None and result.candidates:
        (judged,) = result.candidates
        recipe = recipe_of(result.spec, judged, result.confinement)
        write_test_file(recipe, refuted_cases(judged), write_test)
    if write is not None and not deliver(result, write, checked, pack.sha256 if pack else ""):
        return result.exit_code or FAULT  # it is accepted, and what was asked for is not there
    return result.exit_code


def deliver(result: VerifyResult, path: str, checked: bool, evidence_sha256: str = "") -> bool:
    """Writes what was accepted, and says so; the report on standard output is complete without it."""
    text = delivered_text(result, checked=checked, evidence_sha256=evidence_sha256)
    if isinstance(text, Undelivered):
        click.echo(f"neurosym: nothing is written to {safe_text(path)}: {safe_text(text.why, limit=400)}", err=True)
        return False
    try:
        write_whole(path, text)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"neurosym: the accepted candidate is written to {safe_text(path)}", err=True)
    return True


def _from_command_line(name: str) -> Candidate:
    if name != STDIN:
        return name
    return Source(sys.stdin.buffer.read(LIMIT_BYTES + 1), "<stdin>", path=STDIN)


def _made(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"--emit-smt2 {directory}: {error.strerror}") from error
    return directory
