"""What was accepted, as a file: byte for byte what was judged, below remarks that say what that came to."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import version

from neurosym.admission import Admission
from neurosym.result import CandidateResult, VerifyResult
from neurosym.rewrite import Rewrite
from neurosym.rewrite.runtime_checks import left_out
from neurosym.safe_text import safe_text
from neurosym.waivers import Effect

END = "# The lines below this one are what was judged; the SHA-256 above is theirs."
_NOT_REWRITTEN = "NS560"


@dataclass(frozen=True, slots=True)
class Undelivered:
    """There is no file, and ``why``."""

    why: str


def delivered_text(result: VerifyResult, *, checked: bool = False, evidence_sha256: str = "") -> str | Undelivered:
    """The text of the file, if the one candidate is accepted and was made ready as it was asked for.

    ``checked``: it was to check at run time what is promised. ``evidence_sha256``: of the pack of what it rests on.
    """
    if len(result.candidates) != 1 or result.spec_fault is not None:
        return Undelivered("no candidate was judged")
    (candidate,) = result.candidates
    if candidate.admission(result.require) is not Admission.ADMITTED or candidate.source is None:
        return Undelivered("the candidate is not accepted")
    failed = next((note.message for note in candidate.notes if note.code == _NOT_REWRITTEN), None)
    if failed is not None:
        return Undelivered(f"the candidate is accepted as it came, but {failed}")
    if checked and not any(each.name == "contract" for each in _rewrites(candidate)):
        return Undelivered("the candidate is accepted, but no checks could be put in; leave out --checked")
    return "\n".join([*_header(result, candidate, evidence_sha256), END, candidate.source.text])


def _rewrites(candidate: CandidateResult) -> tuple[Rewrite, ...]:
    return candidate.rewriting.rewrites if candidate.rewriting is not None else ()


def _header(result: VerifyResult, candidate: CandidateResult, evidence_sha256: str) -> list[str]:
    spec = result.spec
    title = f": {spec.title}" if spec.title else ""
    tool = f"neurosym {version('neurosym-verify')} on Python {platform.python_version()}"
    lines = [
        f"{spec.name}{title}",
        f"{candidate.standing.value} by {tool}",
        f"spec      sha256 {spec.sha256}",
        f"judged    sha256 {candidate.sha256}",
    ]
    for waiver in (each.waiver for each in candidate.waivers if each.effect is Effect.WAIVED):
        lines.append(f"waived: {waiver.clause}: {waiver.owner}, until {waiver.expires}: {waiver.reason}")
    if candidate.original is not None and candidate.original.sha256 != candidate.sha256:
        lines.append(f"original  sha256 {candidate.original.sha256}")
    if evidence_sha256:
        lines.append(f"evidence  sha256 {evidence_sha256}")
    if rewrites := _rewrites(candidate):
        lines.append(f"rewritten: {', '.join(each.name for each in rewrites)}")
    if any(each.name == "contract" for each in rewrites):
        lines += [f"not checked at run time: {each}" for each in left_out(spec)]
    return [f"# {safe_text(line, limit=200)}" for line in lines]
