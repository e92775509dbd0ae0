"""Feedback on a candidate that ran and broke a promise: the smallest replayed case, and what is known about it.

The right value is told for the one case, never as a formula: where a counterexample's ``expected`` is an expression of
the spec, the clause speaks in its words instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from neurosym_specs.describe import describe
from neurosym_specs.model import Example, Spec
from neurosym_specs.obligations import Obligation
from neurosym_specs.types import DecimalType, IntType, OptionalType
from neurosym_specs.verdicts import Counterexample, FailureClass, Proved, Refuted, Tested, Verdict

from neurosym.departures import RETURNED
from neurosym.explaining import ROUNDS, Explanation
from neurosym.feedback.packet import Feedback, quoted
from neurosym.feedback.slips import shapes
from neurosym.prompts.facts import words_of
from neurosym.reports.wording import refutation_code
from neurosym.safe_text import safe_text
from neurosym.source import Delivered

_HEADLINES = {
    FailureClass.WRONG_VALUE: "The function gives a wrong result.",
    FailureClass.RUNTIME: "The function raises an exception where a result is due, or the wrong one.",
    FailureClass.NAME: "The function uses a name that does not exist when it is called.",
    FailureClass.IMPORT: "The function imports what is not there when it is called.",
    FailureClass.TIMEOUT: "The function does not come to an end in its time.",
    FailureClass.MEMORY: "The function needs more memory than it may have.",
    FailureClass.OUTPUT: "The function returns or prints far too much.",
    FailureClass.FORMAT: "The result is not in the form that was asked for: places, range or length.",
    FailureClass.TYPE: "The result is of the wrong type.",
    FailureClass.STATE: "The function changes its arguments, or remembers something from one call to the next.",
    FailureClass.NONDETERMINISTIC: "The function gives different results for equal inputs.",
    FailureClass.TAMPERING: "The program meddled with what runs it.",
}
_ADVICE = {
    FailureClass.STATE: "work on copies, and keep nothing outside of the function",
    FailureClass.NONDETERMINISTIC: "depend on the arguments only: no clock, randomness, id, hash, or order of a set",
    FailureClass.TAMPERING: "only compute: no introspection, no files, no output channels",
    FailureClass.MEMORY: "do not build lists of all steps; compute with numbers as they come",
}
_NUMBER = re.compile(r"-?[\d,]+(?:\.\d+)?")
_MOST_LISTED = 8
_MOST_PROMISES = 3
_MANY = "The case is one of many: mend the rule that it shows, and treat no input specially."


def refuted(
    spec: Spec, verdicts: Mapping[Obligation, Verdict], explanation: Explanation | None, original: Delivered | None
) -> Feedback:
    """Feedback on the plainest of the broken promises: an example or the reference before what only says how."""
    broken = [(each, verdict) for each, verdict in verdicts.items() if isinstance(verdict, Refuted)]
    lead, verdict = next(((o, v) for o, v in broken if _says_the_value(spec, o)), broken[0])
    case = verdict.counterexample
    facts = [*_case(spec, lead, case), *_place(case, original)]
    if explanation is not None and (said := _departure(explanation, original)):
        facts.append(said)
    facts += list(_shapes(spec, lead, case))[:1]
    facts += list(dict.fromkeys(fact for each, _ in broken[:_MOST_PROMISES] for fact in _promise(spec, each)))
    if others := [each.id for each, _ in broken if each is not lead]:
        facts.append(f"also broken: {', '.join(others[:_MOST_LISTED])}")
    if case.failure in _ADVICE:
        facts.append(_ADVICE[case.failure])
    return Feedback(
        failure=case.failure,
        code=refutation_code(case.failure),
        headline=_HEADLINES.get(case.failure, _HEADLINES[FailureClass.WRONG_VALUE]),
        facts=tuple(facts),
        keep=_keep(verdicts),
        about=(lead.id, *case.calls),
    )


def _says_the_value(spec: Spec, obligation: Obligation) -> bool:
    """Whether a counterexample's ``expected`` is a value, and no expression of the spec."""
    if obligation.kind == "reference":
        return spec.reference is not None and spec.reference.where is None
    return obligation.kind not in ("ensure", "relation")


def _case(spec: Spec, obligation: Obligation, case: Counterexample) -> Iterator[str]:
    for place, call in enumerate(case.calls, start=1):
        yield f"the call{f' {place}' if len(case.calls) > 1 else ''}: {safe_text(call)}"
    if case.expected and _says_the_value(spec, obligation):
        yield f"expected: {safe_text(case.expected)}"
    yield f"what came out: {quoted(case.actual)}"
    if case.difference:
        yield f"difference: {safe_text(case.difference)}"


def _place(case: Counterexample, original: Delivered | None) -> Iterator[str]:
    if case.line is not None and original is not None:
        yield f"it was raised at line {case.line}, which reads {quoted(original.line(case.line))}"


def _departure(explanation: Explanation, original: Delivered | None) -> str:
    """Where the run first left the right way. Values are those of the program: data."""
    if explanation.endless_line is not None:
        text = original.line(explanation.endless_line) if original is not None else ""
        return f"line {explanation.endless_line}, which reads {quoted(text)}, goes on for more than {ROUNDS:,} rounds"
    found = explanation.departure
    if found is None:
        return ""
    name = "what is returned" if found.name == RETURNED else found.name
    when = "" if found.nth is None else f" when it is set for the {found.nth:,}. time"
    return (
        f"the first value that departs: at line {found.line} {name} is {quoted(found.actual)}{when}, and it should be "
        f"{quoted(found.expected)}"
    )


def _shapes(spec: Spec, obligation: Obligation, case: Counterexample) -> Iterator[str]:
    output = spec.output.of if isinstance(spec.output, OptionalType) else spec.output
    if not _says_the_value(spec, obligation) or not isinstance(output, DecimalType | IntType):
        return
    expected, actual = _number(case.expected, output.unit), _number(case.actual, output.unit)
    if expected is not None and actual is not None:
        places = 0 if isinstance(output, IntType) else output.places and max(output.places)
        yield from shapes(expected, actual, places)


def _number(text: str, unit: str) -> Fraction | None:
    """The number in a text that says an amount: ``1,234.50 USD``; None for any other text."""
    found = text.removesuffix(unit).strip() if unit else text.strip()
    return Fraction(found.replace(",", "")) if _NUMBER.fullmatch(found) else None


def _promise(spec: Spec, obligation: Obligation) -> Iterator[str]:
    """The clause that is broken, in words, and where it comes from."""
    clause = obligation.clause
    if clause is None:
        words = next(each.words for each in describe(spec).obligations if each.id == obligation.id)
        yield f"what is promised: {words}"
    elif not isinstance(clause, Example) and (words := words_of(clause)) and obligation.kind != "reference":
        yield f"what is promised: {safe_text(words)}"
    sources = clause.source if clause is not None else ()
    for source in sources:
        yield f"its source: {safe_text(source)}"


def _keep(verdicts: Mapping[Obligation, Verdict]) -> str:
    held = [each.id for each, verdict in verdicts.items() if isinstance(verdict, Proved | Tested)]
    if not held:
        return f"{_MANY} Keep the signature, and what the fault does not touch."
    listed = ", ".join(held[:_MOST_LISTED]) + (" and others" if len(held) > _MOST_LISTED else "")
    return f"{_MANY} Keep the signature and what already holds: {listed}."
