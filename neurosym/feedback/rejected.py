"""Feedback on a candidate that never ran: what stands in the way, in which line, and the nearest that is real."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from neurosym_specs.model import DEFAULT_IMPORTS, Spec
from neurosym_specs.signature import declarations, signature
from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.feedback.packet import Feedback, quoted
from neurosym.prompts.cards import Card, card
from neurosym.prompts.facts import CLOSING, OPENING
from neurosym.safe_text import safe_text

NO_CODE = "NS215"
_MOST = 3
"""Diagnostics of one kind that are told at once: they do not hang on each other."""

_HEADLINES = {
    FailureClass.EXTRACTION: "No program could be taken out of the reply.",
    FailureClass.ENCODING: "The program holds characters that cannot be read.",
    FailureClass.SYNTAX: "What stands in the block is not Python.",
    FailureClass.SIGNATURE: "The function is not there with the signature that was asked for.",
    FailureClass.IMPORT: "The program imports what it cannot have.",
    FailureClass.NAME: "The program uses a name that does not exist.",
    FailureClass.TYPE: "The program does not fit together by its types.",
    FailureClass.POLICY: "The program does what is not allowed here.",
}
_NOT_LOADED = "The program failed while it was loaded, before the function was called."
_KEEP = {
    FailureClass.EXTRACTION: "",
    FailureClass.SYNTAX: "Only the form is wrong so far: keep the calculation, which nobody has looked at yet.",
}
_KEEP_REST = "Nothing else was found wrong so far: change only this, and keep the calculation and the signature."
_OWNER = re.compile(r"(?:the module|the class|a value of the class) ([\w.]+) has no (\w+)")
_TAKES = re.compile(r"([\w.]+) takes no argument named")
_HINTS_AT_ITS_NAMES = frozenset({"NS301"})
"""Codes whose hint repeats names that the program gave."""

_CLASSES = ("decimal.Decimal", "datetime.date", "datetime.timedelta", "fractions.Fraction")
_NEAREST = re.compile(r"the nearest name is (\w+)")


def rejected(spec: Spec, diagnostics: Sequence[Diagnostic], *, has_code: bool, cut_at: int | None) -> Feedback:
    """Feedback on what was rejected. ``cut_at``: the limit of tokens at which the reply ended, if it did."""
    lead = diagnostics[0]
    if not has_code and lead.failure is FailureClass.SYNTAX:
        return _no_code(cut_at)
    alike = [each for each in diagnostics if each.failure is lead.failure][:_MOST]
    facts = [fact for each in alike for fact in _facts(each)]
    if cut_at is not None:
        facts.insert(
            0, f"the reply ended at its limit of {cut_at:,} tokens: reply with less text and a shorter program"
        )
    if lead.failure is FailureClass.SIGNATURE:
        facts.append(f"the signature that is asked for: {' '.join(signature(spec).split())}")
        if declared := declarations(spec).strip():
            facts.append(f"with these declarations before it: {quoted(declared)}")
    headline = _NOT_LOADED if lead.code == "NS501" else _HEADLINES.get(lead.failure, _HEADLINES[FailureClass.POLICY])
    return Feedback(
        failure=lead.failure,
        code=lead.code,
        headline=headline,
        facts=tuple(facts),
        keep=_KEEP.get(lead.failure, _KEEP_REST),
        about=tuple(sorted({each.message for each in alike})),
    )


def objected(objections: Sequence[Diagnostic]) -> tuple[str, ...]:
    """The facts about what keeps a candidate from being used, whatever it computes."""
    return tuple(fact for each in objections[:_MOST] for fact in _facts(each))


def _no_code(cut_at: int | None) -> Feedback:
    ended = () if cut_at is None else (f"the reply ended at its limit of {cut_at:,} tokens, before any code",)
    return Feedback(
        failure=FailureClass.EXTRACTION,
        code=NO_CODE,
        headline=_HEADLINES[FailureClass.EXTRACTION],
        facts=(
            *ended,
            f"there is no block of code in it: one that begins with {OPENING} and ends with {CLOSING} is read",
        ),
        keep="",
    )


def _facts(diagnostic: Diagnostic) -> Iterator[str]:
    """What was found where, and the nearest that is real. The finding may repeat the program's own words."""
    where = f"line {diagnostic.line}, which reads {quoted(diagnostic.source_line)}: " if diagnostic.line else ""
    yield f"{where}{quoted(diagnostic.message)}"
    if diagnostic.hint:
        names_its_own = diagnostic.code in _HINTS_AT_ITS_NAMES
        yield f"about it: {quoted(diagnostic.hint) if names_its_own else safe_text(diagnostic.hint)}"
    found = _card(diagnostic)
    if found is not None:
        yield f"as installed here: {found}"


def _card(diagnostic: Diagnostic) -> Card | None:
    """The card about what was meant, where a name or an argument does not exist."""
    if takes := _TAKES.search(diagnostic.message):
        return _anywhere(takes[1])
    owner, near = _OWNER.search(diagnostic.message), _NEAREST.search(diagnostic.hint)
    return _anywhere(f"{owner[1]}.{near[1]}") if owner and near else None


def _anywhere(name: str) -> Card | None:
    """A card by a full name, or by that of a function or method whose module or class is left out."""
    bare = name.lstrip(".")
    if bare.split(".", 1)[0] in DEFAULT_IMPORTS:
        return card(bare)
    owners = (*sorted(DEFAULT_IMPORTS), *_CLASSES)
    return next((found for owner in owners if (found := card(f"{owner}.{bare}")) is not None), None)
