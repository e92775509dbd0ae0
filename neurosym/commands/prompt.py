"""``neurosym prompt``: what would be sent to a model."""

from __future__ import annotations

import click
from neurosym_specs import load_spec

from neurosym import prompts
from neurosym.cli import debug_option
from neurosym.commands._model_options import template_options
from neurosym.commands._options import json_option
from neurosym.generators.request import CHARS_PER_TOKEN
from neurosym.reports.json import dump
from neurosym.safe_text import safe_text
from neurosym.solving.worked import worked_examples

SCHEMA_VERSION = 1
_MOST_CHARS = 1_000_000


@click.command()
@click.argument("spec")
@template_options
@json_option
@debug_option
def prompt(spec: str, template: str, shots: int, shots_from: str | None, as_json: bool) -> None:
    """Print what solve would send first to a model about SPEC. Nobody is asked."""
    used = prompts.usable_template(template)
    loaded = load_spec(spec)
    own = worked_examples(shots_from, loaded, shots) if shots_from is not None else ()
    messages = prompts.first_messages(loaded, used, shots=shots, own=own)
    if as_json:
        document = {
            "schema_version": SCHEMA_VERSION,
            "kind": "prompt",
            "template": {"name": used.name, "sha256": used.sha256},
            "estimated_tokens": sum(len(each.text) for each in messages) // CHARS_PER_TOKEN,
            "messages": [{"role": each.role, "text": each.text} for each in messages],
        }
        click.echo(dump(document))
        return
    for place, message in enumerate(messages):
        click.echo(("\n" if place else "") + f"[{message.role}]")
        click.echo(safe_text(message.text, limit=_MOST_CHARS, multiline=True), nl=False)
