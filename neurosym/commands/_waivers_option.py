"""``--waivers``: who answers for clauses that have not the verdict that is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime

import click
from neurosym_specs.model import Spec

from neurosym.waivers import Waivers, read_waivers

waivers_option = click.option(
    "--waivers",
    metavar="FILE",
    help="Clauses for which somebody answers until a day (TOML): they change what is accepted, never a verdict.",
)


def waivers_today(path: str | os.PathLike[str] | None) -> Waivers:
    """The waivers in a file as they are in force today, in UTC; none without a file. Raises ``WaiverFault``."""
    return Waivers() if path is None else read_waivers(path, datetime.now(UTC).date())


def waivers_for(path: str | os.PathLike[str] | None, specs: Iterable[Spec]) -> Waivers:
    """The same, for these specs. Raises ``WaiverFault`` for a clause that none of them by its name has."""
    found = waivers_today(path)
    found.check(specs)
    return found
