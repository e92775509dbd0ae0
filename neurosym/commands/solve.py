"""``neurosym solve``: a model is asked for the calculation until one is right."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

import click
from neurosym_specs import load_spec
from neurosym_verifiers.bench import Effort

from neurosym.cli import FAULT, debug_option
from neurosym.commands._effort_options import (
    effort_options,
    require_option,
    sandbox_options,
)
from neurosym.commands._evidence_option import evidence_option, owner_option, say_written
from neurosym.commands._files import check_output
from neurosym.commands._model_options import (
    constrain_option,
    generator_options,
    models_of,
    price_option,
    prices_of,
    reply_tokens_option,
    settings_of,
    temperature_option,
    template_options,
    timeout_option,
)
from neurosym.commands._options import checked_option, json_option, telemetry_option
from neurosym.commands.verify import deliver
from neurosym.eventlog import EventLog
from neurosym.events import Listener, all_of
from neurosym.generators import Recording, open_generator
from neurosym.prompts import usable_template
from neurosym.reports.forms import SolvePage
from neurosym.reports.progress import ProgressLine
from neurosym.reports.solving import SolveJson, SolveReport
from neurosym.solving.budget import Budget
from neurosym.solving.loop import solve as run_loop
from neurosym.solving.plan import TEMPERATURES
from neurosym.solving.worked import worked_examples
from neurosym.telemetry import exported

if TYPE_CHECKING:
    from neurosym.evidence.replies import SolveEvidence


class _Dollars(click.ParamType[Decimal]):
    name = "dollars"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        try:
            amount = Decimal(str(value))
        except InvalidOperation:
            amount = Decimal("NaN")
        if not amount.is_finite() or amount <= 0:
            self.fail(f"{value!s} is no amount of US dollars", param, ctx)
        return amount


@click.command()
@click.argument("spec")
@generator_options
@require_option()
@template_options
@click.option(
    "--samples",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Replies that are asked for at once where a sample is fresh.",
)
@temperature_option(TEMPERATURES, "The first temperature, and those that follow where a model fails alike again.")
@reply_tokens_option(8_000)
@timeout_option
@constrain_option
@click.option(
    "--max-rounds",
    type=click.IntRange(1, 1_000),
    default=Budget().rounds,
    show_default=True,
    metavar="N",
    help="Budget: how often somebody is asked.",
)
@click.option("--max-tokens", type=click.IntRange(1), metavar="N", help="Budget: tokens read and written.")
@click.option("--max-usd", type=_Dollars(), metavar="X", help="Budget: US dollars; it needs --price.")
@click.option("--max-seconds", type=click.FloatRange(1, 10_000_000), metavar="S", help="Budget: wall time.")
@price_option
@click.option(
    "--sketch", metavar="FILE", help="A program with holes, to be completed when the last model has failed (see fill)."
)
@click.option(
    "--write",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the accepted candidate to FILE, tidied, below a header that names spec and verdict.",
)
@checked_option
@click.option(
    "--html",
    metavar="FILE",
    help="Also as a file: one HTML page with all rounds and what changed between them, to be read and printed.",
)
@evidence_option
@owner_option
@click.option("--log", metavar="FILE", help="Append all that happens to FILE, a chain that neurosym stats reads.")
@effort_options
@sandbox_options
@telemetry_option
@json_option
@debug_option
def solve(
    spec: str,
    models: tuple[str, ...],
    generator: str,
    base_url: str,
    key_variable: str,
    command: str,
    cassette: str,
    options: tuple[str, ...],
    record: str | None,
    require: str,
    template: str,
    shots: int,
    shots_from: str | None,
    samples: int,
    temperatures: tuple[float, ...],
    reply_tokens: int,
    timeout: float,
    constrain: bool,
    max_rounds: int,
    max_tokens: int | None,
    max_usd: Decimal | None,
    max_seconds: float | None,
    prices: tuple[str, ...],
    sketch: str | None,
    write: str | None,
    checked: bool,
    html: str | None,
    evidence: str | None,
    owner: str,
    log: str | None,
    examples: int,
    seed: int,
    time_limit: float,
    proof: bool,
    sandbox: str,
    layers: tuple[str, ...],
    telemetry: bool,
    as_json: bool,
) -> int:
    """Ask a model for the function of SPEC, judge what it writes, tell it what is wrong, until one is right.

    The exit code is that of verify for the best candidate; 4 where no model could be asked.
    """
    if checked and write is None:
        raise click.UsageError("--checked is for what --write writes")
    if generator == "holes" and sketch is None:
        raise click.UsageError("the generator holes needs a sketch: --sketch FILE")
    if html is not None:
        files = {"--write": write, "--log": log, "--record": record}
        if taken := [option for option, name in files.items() if name and Path(name).resolve() == Path(html).resolve()]:
            raise click.UsageError(f"--html: {taken[0]} has the same file")
        check_output("--html", html, [each for each in (spec, sketch, cassette) if each])
    if owner and evidence is None:
        raise click.UsageError("--owner is for what --evidence writes")
    if evidence is not None:
        read = [each for each in (spec, sketch, cassette) if each]
        check_output("--evidence", evidence, read)
        if any(each and Path(each).resolve() == Path(evidence).resolve() for each in (write, log, record, html)):
            raise click.UsageError("--evidence: two of the files that are written have one name")
    asked = models_of(models, generator)
    priced = prices_of(prices, asked)
    settings = settings_of(base_url, key_variable, command, cassette, options, sketch=sketch or "", spec=spec)
    loaded, used = load_spec(spec), usable_template(template)
    own = worked_examples(shots_from, loaded, shots) if shots_from is not None else ()
    report: Listener = SolveJson(sys.stdout) if as_json else SolveReport(sys.stdout)
    if html is not None:
        report = all_of(report, SolvePage(Path(html)))
    pack: SolveEvidence | None = None
    if evidence is not None:
        from neurosym.evidence.replies import SolveEvidence  # deferred with pydantic and the page

        pack = SolveEvidence(Path(evidence), owner)
        report = all_of(report, pack)
    with ExitStack() as stack:
        source = open_generator(generator, settings)
        source = stack.enter_context(closing(Recording(source, record) if record else source))
        if log is not None:
            report = all_of(stack.enter_context(EventLog(log)), report)
        if telemetry:
            report = all_of(stack.enter_context(exported()), report)
        listener = stack.enter_context(ProgressLine(sys.stderr, report))
        result = run_loop(
            loaded,
            source,
            *asked,
            effort=Effort(seed=seed, examples=examples, time_limit_s=time_limit, proof=proof, queries=pack is not None),
            require=require,
            sandbox=sandbox,
            layers=layers,
            template=used,
            temperatures=temperatures,
            samples=samples,
            shots=shots,
            own=own,
            max_tokens=reply_tokens,
            timeout_s=timeout,
            constrain=constrain,
            rounds=max_rounds,
            tokens=max_tokens,
            usd=max_usd,
            seconds=max_seconds,
            prices=priced,
            sketch=None if generator == "holes" else sketch,
            deliver=write is not None,
            contract=checked,
            slices=html is not None,
            regions=html is not None,
            listener=listener,
        )
    if pack is not None and evidence is not None:
        say_written(evidence, pack.sha256)
    if write is not None and not deliver(result.as_verified, write, checked, pack.sha256 if pack else ""):
        return result.exit_code or FAULT
    return result.exit_code
