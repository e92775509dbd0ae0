"""How hard to try, and what must be reached: options with the defaults of the verifiers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click
from neurosym_sandbox import LAYER_NAMES, Level
from neurosym_verifiers.bench import Effort

from neurosym.admission import Required
from neurosym.cli import nearest

_F = TypeVar("_F", bound=Callable[..., Any])  # click decorates functions of any signature


class NearestChoice(click.Choice[str]):
    """A choice that names the word that was meant."""

    def fail(self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None) -> NoReturn:
        word = message.split("'")[1] if message.count("'") >= 2 else ""
        super().fail(f"{word!r} is unknown; {nearest(word, list(self.choices))}", param, ctx)


examples_option = click.option(
    "--examples",
    type=click.IntRange(1, 1_000_000),
    default=Effort().examples,
    show_default=True,
    metavar="N",
    help="Inputs drawn beside the directed ones.",
)
seed_option = click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of everything that is drawn."
)


def finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuses NaN as a number of seconds."""
    if value is not None and math.isnan(value):  # which no range refuses
        raise click.BadParameter("nan is not a number of seconds", context, parameter)
    return value


time_limit_option = click.option(
    "--time-limit",
    type=click.FloatRange(0.1, 86_400),
    callback=finite,
    default=Effort().time_limit_s,
    show_default=True,
    metavar="S",
    help="Wall clock's backstop for one candidate, in seconds.",
)

sandbox_option = click.option(
    "--sandbox",
    type=NearestChoice([level.value for level in Level if level is not Level.EXTERNAL]),
    default=Level.STANDARD.value,
    show_default=True,
    help="The least level of the sandbox; weak is for candidates that you trust.",
)
layers_option = click.option(
    "--sandbox-layer",
    "layers",
    type=NearestChoice(sorted(LAYER_NAMES)),
    multiple=True,
    metavar="LAYER",
    help="A layer of the sandbox that must hold, whatever the level (may be repeated; neurosym doctor lists them).",
)

proof_option = click.option(
    "--proof/--no-proof", default=True, show_default=True, help="Whether what was tested is also put to the prover."
)


def require_option(about: str = "What a candidate must reach to be accepted.") -> Callable[[_F], _F]:
    """How much must be known; ``about`` says of what."""
    return click.option(
        "--require",
        type=NearestChoice([each.value for each in Required]),
        default=Required.TESTED.value,
        show_default=True,
        help=about,
    )


def effort_options(command: _F) -> _F:
    """How hard to try: those of one candidate, in the order in which they are listed."""
    return examples_option(seed_option(time_limit_option(proof_option(command))))


def sandbox_options(command: _F) -> _F:
    """What the sandbox must have."""
    return sandbox_option(layers_option(command))
