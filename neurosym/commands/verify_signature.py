"""``neurosym verify-signature``: who vouches for an evidence pack."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from neurosym.cli import debug_option
from neurosym.evidence.pack import read_pack_and_bytes
from neurosym.evidence.signing import BadSignature, check_signature
from neurosym.reports.rechecks import signed_lines, signing_lines


@click.command(name="verify-signature")
@click.argument("pack")
@click.option("--allowed-signers", required=True, metavar="FILE", help="Who may sign, with which keys (ssh-keygen(1)).")
@click.option("--signature", metavar="FILE", help="The signature.  [default: PACK.sig]")
@click.option("--signer", metavar="WHO", default="", help="Only a signature by this one of them counts.")
@click.option("--checker", is_flag=True, help="Only a signature by another than the owner of the run counts.")
@debug_option
def verify_signature(pack: str, allowed_signers: str, signature: str | None, signer: str, checker: bool) -> int:
    """Say who signed PACK, a file of verify --evidence. Nothing in it is run: neurosym recheck does that.

    Exits with 1 if nobody did who may, with 2 if PACK itself is not as it was written.
    """
    found, raw = read_pack_and_bytes(pack)
    owner = found.asked.owner.strip()
    signed = check_signature(raw, signature if signature is not None else f"{pack}.sig", allowed_signers, signer, owner)
    if checker and not owner:
        raise BadSignature("the pack names no owner, so that nobody can say whether another one checked it")
    if checker and signed.is_owner:
        raise BadSignature(
            f"it is signed by {signed.signer}, with a key of the owner of the run: another one has to check it"
        )
    lines = [*signing_lines(found, datetime.now(UTC).date().isoformat()), *signed_lines(signed, found)]
    click.echo("\n".join(lines))
    return 0
