"""Signatures by OpenSSH keys: who vouches for a pack. A signature is a file of its own beside it, in ssh's own format.

The format and what ``allowed_signers`` holds: ssh-keygen(1), sections on ``-Y`` and on ALLOWED SIGNERS. ``ssh-keygen``
does all of the cryptography, so that whoever does not trust this tool can ask it alone.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from neurosym_specs.errors import NeurosymError
from neurosym_verifiers.environment import EnvironmentFault, NotInstalled

NAMESPACE = "neurosym-evidence"
"""What the signature is for: one that was made for something else does not count here."""

_WAIT_S = 60.0


class BadSignature(NeurosymError):
    """The signature is not one of this file by somebody who may sign; ``str`` says what is wrong."""

    exit_code = 1
    code = "NS742"


@dataclass(frozen=True, slots=True)
class Signed:
    """Who signed, as the list of allowed signers calls them, and what ssh-keygen said of the key.

    ``is_owner``: it is the owner of the run, or a key by which the owner may sign as well. ``knows_owner``: the list
    has the owner at all, so that this can be told by more than two names that differ.
    """

    signer: str
    said: str
    is_owner: bool
    knows_owner: bool


def signature_of(raw: bytes, key: str) -> bytes:
    """A signature of the bytes, by a private key's file or by an agent that has the key of a public one.

    Raises ``EnvironmentFault`` where there is no ssh-keygen, or it cannot sign with that key.
    """
    done = _ssh_keygen(["sign", "-q", "-f", key, "-n", NAMESPACE], raw, wait_s=None)
    if done.returncode or not done.stdout:
        raise EnvironmentFault(f"ssh-keygen does not sign with {key}: {_why(done)}")
    return done.stdout


def check_signature(raw: bytes, signature: str, allowed_signers: str, signer: str = "", owner: str = "") -> Signed:
    """Who signed the bytes; only ``signer`` counts, where one is named. ``owner`` is that of the run.

    One key may stand in the list for several people or for a pattern of names, so that the name alone does not tell
    whether the owner signed: the list is asked whether the key is the owner's as well.

    Raises ``BadSignature`` where nobody who may sign has, ``EnvironmentFault`` where there is no ssh-keygen.
    """
    for what, path in (("signature", signature), ("list of allowed signers", allowed_signers)):
        if not os.access(path, os.R_OK) or not Path(path).is_file():
            raise BadSignature(f"there is no {what} to read at {path}")
    listed, why = _principals(raw, signature, allowed_signers)
    names = [signer] if signer else listed
    if not names:
        raise BadSignature(f"the key of {signature} is none that {allowed_signers} allows for {NAMESPACE} now{why}")
    for name in names:
        done = _verified(raw, signature, allowed_signers, name)
        if done.returncode == 0:
            same = any(_folded(owner) == _folded(each) for each in (name, *listed))
            is_owner = same or bool(owner and not _verified(raw, signature, allowed_signers, owner).returncode)
            known = is_owner or bool(owner and _is_listed(owner, allowed_signers))
            return Signed(name, " ".join(done.stdout.decode("utf-8", "replace").split()), is_owner, known)
        why = _why(done)
    raise BadSignature(f"{signature} is no valid signature of it by {' or '.join(names)}: {why}")


def _verified(raw: bytes, signature: str, allowed_signers: str, name: str) -> subprocess.CompletedProcess[bytes]:
    words = ["verify", "-f", allowed_signers, "-I", name, "-n", NAMESPACE, "-s", signature]
    return _ssh_keygen(words, raw, wait_s=_WAIT_S)


def _is_listed(name: str, allowed_signers: str) -> bool:
    return _ssh_keygen(["match-principals", "-I", name, "-f", allowed_signers], b"", wait_s=_WAIT_S).returncode == 0


def _folded(name: str) -> str:
    return name.strip().casefold()


def _principals(raw: bytes, signature: str, allowed_signers: str) -> tuple[list[str], str]:
    """Whose key the signature names, or why nobody's; that it is a good one is not known yet.

    Raises ``BadSignature`` for a file that is no signature.
    """
    done = _ssh_keygen(["find-principals", "-s", signature, "-f", allowed_signers], raw, wait_s=_WAIT_S)
    if done.returncode == 0:
        return done.stdout.decode("utf-8", "replace").split("\n")[:-1], ""
    why = _why(done)
    if why.startswith("Couldn't parse signature"):
        raise BadSignature(f"{signature} is no signature: {why}")
    return [], "" if why.startswith("No principal") else f": {why}"


def _ssh_keygen(words: list[str], raw: bytes, *, wait_s: float | None) -> subprocess.CompletedProcess[bytes]:
    command = ["ssh-keygen", "-Y", *words]
    try:
        return subprocess.run(
            command, input=raw, capture_output=True, check=False, timeout=wait_s, env={**os.environ, "LC_ALL": "C"}
        )
    except FileNotFoundError:
        raise NotInstalled("there is no ssh-keygen here; it is part of OpenSSH (8.9 or newer)") from None
    except subprocess.TimeoutExpired:
        raise EnvironmentFault("ssh-keygen does not answer") from None


def _why(done: subprocess.CompletedProcess[bytes]) -> str:
    said = (done.stderr or done.stdout).decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in said if line.strip()), f"it ended with {done.returncode}")
