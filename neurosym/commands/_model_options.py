"""Who is asked, and how: options of the commands that ask a model."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

import click

from neurosym import prompts
from neurosym.commands._effort_options import NearestChoice
from neurosym.generators import Settings
from neurosym.generators.seam import names
from neurosym.solving.budget import Price

_F = TypeVar("_F", bound=Callable[..., Any])  # click decorates functions of any signature

_NAMED_ALIKE = frozenset({"command", "scripted", "holes"})
"""Generators that are one model, whose name is theirs where none is given."""


def template_options(command: _F) -> _F:
    """What is sent: the template and the worked examples before the question."""
    for option in (
        click.option(
            "--shots-from",
            metavar="FOLDER",
            help="Worked examples of your own before the library's: NAME.spec.toml with a right NAME.py beside it.",
        ),
        click.option(
            "--shots",
            type=click.IntRange(0, 10),
            default=1,
            show_default=True,
            metavar="N",
            help="Worked examples before the question, the nearest ones.",
        ),
        click.option(
            "--template",
            default=prompts.DEFAULT,
            show_default=True,
            metavar="NAME",
            help=f"The prompt: {', '.join(prompts.names())}, or a folder of your own.",
        ),
    ):
        command = option(command)
    return command


def _endpoint(context: click.Context, parameter: click.Parameter, value: str) -> str:
    from neurosym.generators.endpoint import EXAMPLE, is_endpoint

    if value and not is_endpoint(value):
        raise click.BadParameter(f"{value} is no address of an endpoint, {EXAMPLE}", context, parameter)
    return value


def generator_options(command: _F) -> _F:
    """Who is asked."""
    for option in (
        click.option("--record", metavar="FILE", help="Append every request and its answer to FILE, to be replayed."),
        click.option(
            "--option", "options", multiple=True, metavar="KEY=VALUE", help="For generators of other packages."
        ),
        click.option("--cassette", default="", metavar="FILE", help="The recording that generator cassette replays."),
        click.option(
            "--command", default="", metavar="LINE", help="The program of generator command: prompt in, reply out."
        ),
        click.option(
            "--key-variable",
            default=Settings().key_variable,
            show_default=True,
            metavar="NAME",
            help="The environment variable that holds the key.",
        ),
        click.option(
            "--base-url",
            default="",
            callback=_endpoint,
            metavar="URL",
            help="The endpoint (also OPENAI_BASE_URL); default OpenAI's.",
        ),
        click.option(
            "--generator", type=NearestChoice(names()), default="openai", show_default=True, help="Who writes replies."
        ),
        click.option(
            "--model", "models", multiple=True, metavar="NAME", help="The model; several are tried in their order."
        ),
    ):
        command = option(command)
    return command


timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(1, 86_400),
    default=180.0,
    show_default=True,
    metavar="S",
    help="Seconds for one reply, with all attempts to get it.",
)
price_option = click.option(
    "--price", "prices", multiple=True, metavar="MODEL=IN/OUT", help="US dollars for a million tokens in and out."
)


def reply_tokens_option(default: int) -> Callable[[_F], _F]:
    """The longest reply, in tokens."""
    return click.option(
        "--reply-tokens",
        type=click.IntRange(64, 1_000_000),
        default=default,
        show_default=True,
        metavar="N",
        help="The longest reply.",
    )


def temperature_option(default: tuple[float, ...], about: str) -> Callable[[_F], _F]:
    """Temperatures in their order; ``about`` says when each is used."""
    return click.option(
        "--temperature",
        "temperatures",
        type=click.FloatRange(0, 2),
        multiple=True,
        default=default,
        show_default=True,
        metavar="T",
        help=about,
    )


constrain_option = click.option(
    "--constrain/--no-constrain",
    default=False,
    show_default=True,
    help="Have the endpoint hold replies to a grammar or a schema, where it offers that; it is said where it does not.",
)


def settings_of(
    base_url: str,
    key_variable: str,
    command: str,
    cassette: str,
    options: tuple[str, ...],
    *,
    sketch: str = "",
    spec: str = "",
) -> Settings:
    """The generator's settings from the command line. Raises ``click.UsageError``."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise click.UsageError(f"--command {command!r} cannot be split into words: {error}") from error
    return Settings(
        base_url, key_variable, words, cassette, sketch=sketch, spec=spec, options=_pairs("--option", options)
    )


def models_of(models: tuple[str, ...], generator: str) -> tuple[str, ...]:
    """The models that are asked for; a generator that is one model itself gives its own name."""
    if models:
        return models
    if generator in _NAMED_ALIKE:
        return (generator,)
    raise click.UsageError("--model is needed: the name of the model to ask, as its endpoint calls it")


def prices_of(prices: tuple[str, ...], models: tuple[str, ...]) -> Mapping[str, Price]:
    """``MODEL=IN/OUT`` in US dollars for a million tokens. Raises ``click.UsageError``."""
    found: dict[str, Price] = {}
    for model, text in _pairs("--price", prices).items():
        if model not in models:
            raise click.UsageError(f"--price {model}: it is not asked; --model names {', '.join(models)}")
        try:
            read, _, written = text.partition("/")
            price = Price(Decimal(read), Decimal(written))
        except InvalidOperation:
            price = None
        if price is None or not (_is_money(price.input_usd) and _is_money(price.output_usd)):
            raise click.UsageError(f"--price {model}={text}: two amounts are needed, as in {model}=0.15/0.60")
        found[model] = price
    return found


def _is_money(amount: Decimal) -> bool:
    return amount.is_finite() and amount >= 0


def _pairs(option: str, texts: tuple[str, ...]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.rpartition("=") if option == "--price" else text.partition("=")
        if not equals or not key:
            raise click.UsageError(f"{option} {text}: it is written NAME=VALUE")
        pairs[key] = value
    return pairs
