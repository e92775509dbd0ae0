"""``--evidence``: all that the verdicts rest on, in one file."""

from __future__ import annotations

from collections.abc import Sequence

import click

from neurosym.diagnostics import Diagnostic
from neurosym.gate import read
from neurosym.safe_text import safe_text
from neurosym.source import Candidate, Source, name_of, path_of

evidence_option = click.option(
    "--evidence",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write all that the verdicts rest on into FILE, a zip file, for neurosym recheck.",
)

owner_option = click.option(
    "--owner", metavar="WHO", default="", help="With --evidence: who answers for this run; another may sign it."
)


def say_written(path: str, sha256: str) -> None:
    """Says where the evidence is, and what it shows; or that there is none, for want of a candidate."""
    shown = safe_text(path, limit=400)
    if not sha256:
        click.echo(f"neurosym: no evidence is written to {shown}: no candidate came", err=True)
        return
    click.echo(f"neurosym: the evidence is written to {shown}, sha256 {sha256}; it is not signed, so that it shows "
               "integrity, not authenticity (neurosym sign)", err=True)  # fmt: skip


def held(candidates: Sequence[Candidate]) -> list[Source]:
    """The candidates as the bytes that are there now: those and no others are judged, and put into the evidence.

    Raises ``click.UsageError`` for one that cannot be read: there would be no evidence of it.
    """
    return [_held(each) for each in candidates]


def _held(candidate: Candidate) -> Source:
    raw, name = read(candidate), name_of(candidate)
    if isinstance(raw, Diagnostic):
        said = safe_text(name, limit=200)
        raise click.UsageError(f"--evidence of {said}: {raw.message} ({raw.code}); verify it without")
    return Source(raw, name, path=path_of(candidate))
