"""``neurosym ask``: a question is answered by programs that models write, run in the sandbox."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing

import click
from neurosym_specs import load_spec
from neurosym_specs.errors import SpecError
from neurosym_verifiers.bench import Effort

from neurosym.answering.agreement import Trust
from neurosym.answering.asking import PROGRAMS, TEMPERATURES
from neurosym.answering.asking import ask as run_ask
from neurosym.answering.plan import MOST_CHARS, question_spec
from neurosym.answering.schema import read_schema
from neurosym.cli import debug_option
from neurosym.commands._effort_options import (
    NearestChoice,
    effort_options,
    sandbox_options,
)
from neurosym.commands._model_options import (
    constrain_option,
    generator_options,
    models_of,
    price_option,
    prices_of,
    reply_tokens_option,
    settings_of,
    temperature_option,
    timeout_option,
)
from neurosym.commands._options import json_option, telemetry_option
from neurosym.events import Listener, all_of
from neurosym.generators import Recording, open_generator
from neurosym.prompts import usable_template
from neurosym.prompts.questions import DEFAULTS, QUESTIONS
from neurosym.reports.asking import AskJson, AskReport
from neurosym.reports.progress import ProgressLine
from neurosym.telemetry import exported


@click.command()
@click.argument("question")
@generator_options
@click.option(
    "--programs",
    type=click.IntRange(1, 64),
    default=PROGRAMS,
    show_default=True,
    metavar="N",
    help="So many programs are asked for, apart from each other.",
)
@click.option(
    "--require",
    type=NearestChoice([each.value for each in Trust if each is not Trust.NOTHING]),
    help="What the answer must be for exit code 0: agreed by two programs and no other answer (the default), executed "
    "by one, or checked against --spec (the default with it).",
)
@click.option(
    "--type",
    "answer_type",
    default=None,
    metavar="TYPE",
    help="What the answer is, as a type of the spec format: decimal (the default), int, date, bool, list[decimal].",
)
@click.option("--unit", default="", metavar="UNIT", help="The unit that the answer is to be in, such as EUR or day.")
@click.option("--schema", metavar="FILE", help="A JSON Schema: the answer is a document that is valid by it.")
@click.option("--spec", metavar="SPEC", help="The spec of the calculation that the question is about.")
@click.option(
    "--template",
    "templates",
    multiple=True,
    metavar="NAME",
    help=f"The prompts, in turn: {', '.join(DEFAULTS)}, or folders of your own; with --spec those of solve.",
)
@click.option(
    "--repairs",
    type=click.IntRange(0, 10),
    default=1,
    show_default=True,
    metavar="N",
    help="How often a program that does not run is told what is wrong.",
)
@temperature_option(TEMPERATURES, "For the first program by each template, and for the next ones.")
@reply_tokens_option(4_000)
@timeout_option
@constrain_option
@price_option
@click.option("--code/--no-code", default=True, show_default=True, help="Whether the program and its trace are shown.")
@effort_options
@sandbox_options
@telemetry_option
@json_option
@debug_option
def ask(
    question: str,
    models: tuple[str, ...],
    generator: str,
    base_url: str,
    key_variable: str,
    command: str,
    cassette: str,
    options: tuple[str, ...],
    record: str | None,
    programs: int,
    require: str | None,
    answer_type: str | None,
    unit: str,
    schema: str | None,
    spec: str | None,
    templates: tuple[str, ...],
    repairs: int,
    temperatures: tuple[float, ...],
    reply_tokens: int,
    timeout: float,
    constrain: bool,
    prices: tuple[str, ...],
    code: bool,
    examples: int,
    seed: int,
    time_limit: float,
    proof: bool,
    sandbox: str,
    layers: tuple[str, ...],
    telemetry: bool,
    as_json: bool,
) -> int:
    """Answer QUESTION by programs that models write apart from each other, and say how far they agree.

    No number of the answer is the model's: each is a copy of what a program gave when it was run in the sandbox.
    QUESTION may be - to read it from standard input. The exit code is 0 where the answer is as --require asks, 3 where
    the programs do not agree or too few came to an answer, 1 where none of them runs, 4 where no model could be asked.
    """
    asked = models_of(models, generator)
    priced = prices_of(prices, asked)
    settings = settings_of(base_url, key_variable, command, cassette, options)
    text = _question(question)
    _go_together(answer_type, unit, schema, spec, require)
    read = read_schema(schema) if schema is not None else None
    _typed(answer_type, unit)
    loaded = load_spec(spec) if spec is not None else None
    used = [usable_template(name) if loaded else usable_template(name, QUESTIONS) for name in templates]
    limit = Effort(
        seed=seed, examples=examples if loaded else 1, time_limit_s=time_limit, proof=proof and loaded is not None
    )
    report: Listener = AskJson(sys.stdout) if as_json else AskReport(sys.stdout, code=code)
    with ExitStack() as stack:
        source = open_generator(generator, settings)
        source = stack.enter_context(closing(Recording(source, record) if record else source))
        if telemetry:
            report = all_of(stack.enter_context(exported()), report)
        listener = stack.enter_context(ProgressLine(sys.stderr, report))
        result = run_ask(
            text,
            source,
            *asked,
            answer_type=answer_type or "decimal",
            unit=unit.strip(),
            schema=read,
            spec=loaded,
            programs=programs,
            templates=used,
            require=require,
            repairs=repairs,
            temperatures=temperatures,
            max_tokens=reply_tokens,
            timeout_s=timeout,
            constrain=constrain,
            prices=priced,
            effort=limit,
            sandbox=sandbox,
            layers=layers,
            listener=listener,
        )
    return result.exit_code


def _question(given: str) -> str:
    text = (sys.stdin.read(MOST_CHARS + 1) if given == "-" else given).strip()
    if not text:
        raise click.UsageError("the question is empty")
    if len(text) > MOST_CHARS:
        raise click.UsageError(f"the question has more than {MOST_CHARS:,} characters")
    return text


def _go_together(answer_type: str | None, unit: str, schema: str | None, spec: str | None, require: str | None) -> None:
    for name, given in (("--type", answer_type), ("--unit", unit.strip()), ("--schema", schema)):
        if spec is not None and given:
            raise click.UsageError(f"{name} does not go with --spec: the spec says what the answer is")
        if schema is not None and given and name != "--schema":
            raise click.UsageError(f"{name} does not go with --schema: the schema says what the answer is")
    if require == Trust.CHECKED.value and spec is None:
        raise click.UsageError("--require checked needs a spec to check against: --spec SPEC")


def _typed(answer_type: str | None, unit: str) -> None:
    try:
        question_spec("", answer_type or "decimal", unit.strip())
    except SpecError as error:
        about = f"--type {answer_type}" if answer_type else f"--unit {unit}"
        raise click.UsageError(f"{about}: {error}") from error
