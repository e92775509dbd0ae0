"""``neurosym reward``: what a reply would earn in training, and what that is made of."""

from __future__ import annotations

import secrets
import sys
from dataclasses import asdict
from pathlib import Path

import click
from neurosym_specs import load_spec
from neurosym_verifiers.bench import Effort

from neurosym.cli import FAULT, debug_option
from neurosym.commands._effort_options import examples_option, proof_option, time_limit_option
from neurosym.commands._options import json_option
from neurosym.reports.json import Document, dump, tool
from neurosym.rewarding.function import rewards
from neurosym.rewarding.score import Reward
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1
STDIN = "-"
_MOST_BYTES = 1_000_000


@click.command()
@click.argument("spec")
@click.argument("replies", nargs=-1, required=True, metavar="REPLY...")
@click.option(
    "--seed", type=int, metavar="N", help="Seed of everything that is drawn.  [default: one that nobody could know]"
)
@examples_option
@time_limit_option
@proof_option
@json_option
@debug_option
def reward(
    spec: str,
    replies: tuple[str, ...],
    seed: int | None,
    examples: int,
    time_limit: float,
    proof: bool,
    as_json: bool,
) -> int:
    """Say what each REPLY, a model's text in a file (- reads standard input), earns against SPEC, and by which parts.

    Exits with 70 if one of them has no number because this tool failed on it.
    """
    if replies.count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once: name - once")
    drawn = secrets.randbelow(2**31) if seed is None else seed
    effort = Effort(seed=drawn, examples=examples, time_limit_s=time_limit, proof=proof)
    loaded = load_spec(spec)
    found = rewards([_read(name) for name in replies], loaded, effort=effort)
    if as_json:
        document = {
            "schema_version": SCHEMA_VERSION,
            "kind": "reward",
            "tool": tool(),
            "spec": {"name": loaded.name, "path": loaded.path, "sha256": loaded.sha256},
            "seed": drawn,
            "rewards": [_plain(name, each) for name, each in zip(replies, found, strict=True)],
        }
        click.echo(dump(document))
    else:
        for name, each in zip(replies, found, strict=True):
            said = "none  " if each.value is None else f"{each.value:.4f}"
            click.echo(f"{said}  {safe_text(name, limit=200)}: {each.why or each.verdict.value}")
            parts = (f"{part} {'-' if value is None else f'{value:g}'}" for part, value in asdict(each.parts).items())
            click.echo(f"        {', '.join(parts)}")
        click.echo(f"seed {drawn}")
    return FAULT if any(each.value is None for each in found) else 0


def _plain(name: str, found: Reward) -> Document:
    return {
        "reply": name,
        "value": found.value,
        "verdict": found.verdict.value,
        "parts": asdict(found.parts),
        "why": found.why or None,
    }


def _read(name: str) -> str:
    if name == STDIN:
        return sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8", "replace")
    try:
        with Path(name).open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise click.UsageError(f"{name} cannot be read: {error.strerror}") from error
