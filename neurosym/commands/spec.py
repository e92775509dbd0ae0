"""``neurosym spec``: what a spec says, and whether it says one thing only."""

from __future__ import annotations

import click

from neurosym.cli import NearestWord, debug_option


@click.group(cls=NearestWord)
@debug_option
def spec() -> None:
    """Show a spec, or check it against itself."""


assert isinstance(spec, NearestWord)
spec.lazy = {
    "show": ("neurosym.commands.spec_show:show", "Print the signature, the universe and the obligations."),
    "check": ("neurosym.commands.spec_check:check", "Check a spec against itself."),
}
