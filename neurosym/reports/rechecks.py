"""A recheck in words for a terminal, and as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neurosym.evidence.collecting import REPORT
from neurosym.evidence.comparing import Agreement, Compared
from neurosym.evidence.environment import Differs
from neurosym.evidence.pack import Pack
from neurosym.evidence.rechecking import Recheck
from neurosym.evidence.signing import Signed
from neurosym.reports.columns import labelled, wrapped
from neurosym.reports.json import Document, tool
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1
DIFFERS, CUT_SHORT = "NS540", "NS541"

_CUT_SHORT = (Agreement.CUT_THERE, Agreement.CUT_HERE)


def pack_lines(pack: Pack, other: Sequence[Differs], today: str) -> Iterator[str]:
    """What the pack is, and with which other tools it was made: before anything is run."""
    yield f"evidence of {pack.environment.at}: {len(pack.members)} members, every byte as it was written"
    yield f"  sha256  {pack.sha256}"
    if pack.asked.owner:
        yield from labelled("owner", pack.asked.owner, 2, 8)
    if (replies := pack.asked.replies) is not None:
        yield from labelled("replies", f"{len(replies)} recorded; no model is asked", 2, 9)
    yield from _waivers(pack, today)
    if not other:
        yield "  The same tools, in the same versions, are here."
        return
    yield "Other tools than there, so that another verdict may be theirs:"
    for each in other:
        if each.name == "neurosym":
            said = f"{pack.environment.version} there; its code is not the same, byte for byte"
        else:
            said = f"{each.there or 'not installed'} there, {each.here or 'not installed'} here"
        yield from labelled(each.name, said, 2, 16)
    if not pack.same_code:
        said = f"{REPORT} was written by that neurosym, and nobody compares it: neurosym report shows result.json."
        yield from wrapped(said, 0)


def _waivers(pack: Pack, today: str) -> Iterator[str]:
    """The waivers that the admission there rests on; one whose day has passed is none any more."""
    for candidate in pack.result.candidates:
        for each in (each for each in candidate.waivers if each.effect == "waived"):
            past = "" if today <= each.expires else " That day has passed: it is no waiver any more."
            said = (
                f"waived there: {each.clause} of {candidate.name}, by {each.owner} until {each.expires}: {each.reason}."
            )
            yield from (f"  {line}" for line in wrapped(said + past, 2))


def signing_lines(pack: Pack, today: str) -> Iterator[str]:
    """What somebody signs: the verdicts, against which spec, and the hash of the file."""
    spec = pack.result.spec
    yield f"evidence of {pack.environment.at}"
    yield f"  sha256  {pack.sha256}"
    yield from labelled("owner", pack.asked.owner or "not named", 2, 8)
    yield from labelled("spec", f"{spec.name}{f': {spec.title}' if spec.title else ''}", 2, 8)
    if pack.result.spec_fault is not None:
        yield f"SPEC FAULT  {safe_text(pack.result.spec_fault.clause, limit=200)}"
    for each in pack.result.candidates:
        yield f"{each.verdict:<9}{safe_text(each.name, limit=200)}  {each.admission}"
    yield from _waivers(pack, today)


def signed_lines(signed: Signed, pack: Pack) -> Iterator[str]:
    """Who signed it."""
    yield ""
    yield from wrapped(f"Signed by {signed.signer}. {signed.said}", 0)
    if signed.is_owner:
        yield from wrapped(
            "That is a key of the owner of the run: maker and checker are one person (--checker refuses it).", 0
        )
    elif pack.asked.owner and not signed.knows_owner:
        said = (
            f"The list does not name the owner {pack.asked.owner}: that two people are meant rests on the names alone."
        )
        yield from wrapped(said, 0)


def recheck_text(result: Recheck) -> Iterator[str]:
    """What came out, record by record where that is not the same."""
    if result.lost or result.won:
        held = [f"only there: {', '.join(result.lost)}"] if result.lost else []
        held += [f"only here: {', '.join(result.won)}"] if result.won else []
        yield from wrapped(f"Another sandbox: {'; '.join(held)}", 0)
    for agreement, said in _HEADS.items():
        found = [each for each in result.records if each.agreement is agreement]
        if found:
            yield said
            for each in found:
                yield from _record(each)
            yield ""
    for each in (each for each in result.records if not each.clause and each.agreement is Agreement.SAME):
        yield f"{each.here:<9}{safe_text(each.candidate, limit=200)}  as there"
    yield from wrapped(_summary(result), 0)
    yield from wrapped("This shows integrity, not authenticity: who vouches for it says neurosym verify-signature.", 0)


_HEADS = {
    Agreement.DIFFERS: f"DIFFERS: another verdict than there [{DIFFERS}]",
    Agreement.CUT_THERE: f"CUT SHORT there, and not here [{CUT_SHORT}]",
    Agreement.CUT_HERE: f"CUT SHORT here, and not there [{CUT_SHORT}]; --time-limit allows more",
    Agreement.FOLLOWS: "Not reached on one side, with another clause that ended the work:",
    Agreement.OTHER_CASE: "Refuted on both sides, by different calls:",
    Agreement.OTHER_GROUNDS: "Proved on both sides, on other grounds:",
}


def _record(found: Compared) -> Iterator[str]:
    name = safe_text(found.candidate, limit=200)
    yield f"  {name}{': ' if name and found.clause else ''}{safe_text(found.clause, limit=200)}"
    for label, text in (("there", found.there), ("here", found.here)):
        first, *rest = wrapped(text, 12)
        yield f"    {label:<8}{first}"
        yield from (f"{' ' * 12}{line}" for line in rest)


def _summary(result: Recheck) -> str:
    total = len(result.records)
    open_ones = sum(each.agreement in (Agreement.DIFFERS, *_CUT_SHORT) for each in result.records)
    if not open_ones:
        return f"All {total} records come out the same (exit {result.exit_code})"
    return f"{open_ones} of {total} records do not come out the same (exit {result.exit_code})"


def recheck_document(result: Recheck, other: Sequence[Differs]) -> Document:
    """For a machine."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "recheck",
        "tool": tool(),
        "pack": {
            "path": result.pack.path,
            "sha256": result.pack.sha256,
            "manifest_sha256": result.pack.manifest_sha256,
            "at": result.pack.environment.at,
            "owner": result.pack.asked.owner,
        },
        "tools": [{"name": each.name, "there": each.there, "here": each.here} for each in other],
        "sandbox": {"only_there": list(result.lost), "only_here": list(result.won)},
        "records": [
            {
                "candidate": each.candidate,
                "clause": each.clause,
                "there": each.there,
                "here": each.here,
                "agreement": each.agreement.value,
            }
            for each in result.records
        ],
        "exit_code": result.exit_code,
    }
