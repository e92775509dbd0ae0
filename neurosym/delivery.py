"""What was accepted, as a file: byte for byte what was judged, below remarks that say what that came to."""

from __future__ import annotations

import os
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path

from neurosym.admission import Admission
from neurosym.result import CandidateResult, VerifyResult
from neurosym.safe_text import safe_text

END = "# The lines below this one are what was judged; the SHA-256 above is theirs."


def delivered_text(result: VerifyResult) -> str | None:
    """The text of the file, None unless the one candidate is accepted at the level that was asked for."""
    if len(result.candidates) != 1 or result.spec_fault is not None:
        return None
    (candidate,) = result.candidates
    if candidate.admission(result.require) is not Admission.ADMITTED or candidate.source is None:
        return None
    return "\n".join([*_header(result, candidate), END, candidate.source.text])


def _header(result: VerifyResult, candidate: CandidateResult) -> list[str]:
    spec = result.spec
    title = f": {spec.title}" if spec.title else ""
    tool = f"neurosym {version('neurosym-verify')} on Python {platform.python_version()}"
    lines = [
        f"{spec.name}{title}",
        f"{candidate.standing.value} by {tool}",
        f"spec      sha256 {spec.sha256}",
        f"judged    sha256 {candidate.sha256}",
    ]
    if candidate.original is not None and candidate.original.sha256 != candidate.sha256:
        lines.append(f"original  sha256 {candidate.original.sha256}")
    if candidate.rewriting is not None:
        lines.append(f"rewritten: {', '.join(each.name for each in candidate.rewriting.rewrites)}")
    return [f"# {safe_text(line, limit=200)}" for line in lines]


def write_whole(path: str, text: str) -> None:
    """Writes a file as a whole or not at all. Raises ``OSError``."""
    handle, temporary = tempfile.mkstemp(dir=Path(path).resolve().parent, prefix=".neurosym-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
