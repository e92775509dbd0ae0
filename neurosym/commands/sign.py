"""``neurosym sign``: a checker vouches for an evidence pack."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from neurosym.cli import debug_option
from neurosym.commands._files import check_output
from neurosym.evidence.pack import read_pack_and_bytes
from neurosym.evidence.signing import signature_of
from neurosym.reports.rechecks import signing_lines
from neurosym.safe_text import safe_text
from neurosym.writing import CannotWrite, write_whole


@click.command()
@click.argument("pack")
@click.option("--key", required=True, metavar="FILE", help="An OpenSSH private key, or a public one that an agent has.")
@click.option("--signature", metavar="FILE", type=click.Path(dir_okay=False),
              help="Where the signature goes.  [default: PACK.sig]")  # fmt: skip
@debug_option
def sign(pack: str, key: str, signature: str | None) -> int:
    """Sign PACK, a file of verify --evidence, with an OpenSSH key: who signs says that this is what was checked.

    What is signed is shown. neurosym verify-signature, or ssh-keygen -Y verify -n neurosym-evidence, checks it.
    """
    found, raw = read_pack_and_bytes(pack)
    path = signature if signature is not None else f"{pack}.sig"
    check_output("--signature", path, [pack, key])
    if Path(path).exists():
        shown = safe_text(path, limit=200)
        raise click.UsageError(f"{shown} is there already; another signature goes into a file of its own (--signature)")
    click.echo("\n".join(signing_lines(found, datetime.now(UTC).date().isoformat())))
    made = signature_of(raw, key)
    try:
        write_whole(path, made)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"neurosym: the signature is written to {safe_text(path, limit=200)}", err=True)
    return 0
