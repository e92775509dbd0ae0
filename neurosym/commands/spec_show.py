"""``neurosym spec show``: a spec in words."""

from __future__ import annotations

import dataclasses

import click
from neurosym_specs import load_spec
from neurosym_specs.describe import describe, render

from neurosym.cli import debug_option
from neurosym.commands._options import json_option
from neurosym.reports.json import dump
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1


@click.command()
@click.argument("spec")
@json_option
@debug_option
def show(spec: str, as_json: bool) -> None:
    """Print what SPEC says: signature, declarations, universe and obligations."""
    description = describe(load_spec(spec))
    if as_json:
        click.echo(dump({"schema_version": SCHEMA_VERSION, "kind": "spec", **dataclasses.asdict(description)}))
    else:
        click.echo(safe_text(render(description), limit=1_000_000, multiline=True), nl=False)
