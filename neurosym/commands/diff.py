"""``neurosym diff``: where two versions of a function differ."""

from __future__ import annotations

import click
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.regions.difference import Comparison, compare
from neurosym_verifiers.regions.workbench import Workbench

from neurosym.admission import Required
from neurosym.cli import debug_option
from neurosym.commands._effort_options import examples_option, require_option, seed_option
from neurosym.commands._options import json_option
from neurosym.commands._subjects import admitted, spec_for, spec_option
from neurosym.reports.difference import difference_document, difference_text
from neurosym.reports.json import dump

DIFFERENT = 1
UNDECIDED = 3


@click.command()
@click.argument("old")
@click.argument("new")
@spec_option
@require_option("What counts as equal: no difference found, or none there.")
@examples_option
@seed_option
@json_option
@debug_option
def diff(old: str, new: str, spec_path: str | None, require: str, examples: int, seed: int, as_json: bool) -> int:
    """Show where the function in NEW differs from that in OLD: regions, the smallest input of each, how far apart.

    Exits with 0 if they are equal, 1 if they differ, 3 if --require proved is not reached or a difference comes once.
    """
    spec = spec_for(spec_path, new)
    before, after = admitted(old, spec), admitted(new, spec)
    with Workbench(spec, Effort(seed=seed, examples=examples)) as bench:
        found = compare(bench, before.text, after.text)
    code = exit_code(found, Required(require))
    if as_json:
        click.echo(dump(difference_document(spec, before, after, found, code)))
    else:
        click.echo(difference_text(spec, before, after, found), nl=False)
    return code


def exit_code(found: Comparison, require: Required) -> int:
    """Like that of diff(1), and 3 for equality that is asked to be proved and only tested, or that changes."""
    if found.unsteady and not found.differences:
        return UNDECIDED
    if not found.equal:
        return DIFFERENT
    return UNDECIDED if found.unread and require is Required.PROVED else 0
