"""What a judged program comes to as an answer: value, unit and inputs, each from a run or read; or why none."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from neurosym_sandbox import Limits, LoadFailed, Outcome, Program, Returned
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.model import Spec
from neurosym_specs.notation import from_plain, to_plain
from neurosym_specs.signature import declarations
from neurosym_verifiers.bench import Bench
from neurosym_verifiers.calls import OutsideType, WrongType, arguments, read_result
from neurosym_verifiers.clauses import SpecUndefined
from neurosym_verifiers.wording import say_outcome

from neurosym.admission import Admission, Required
from neurosym.answering import declared
from neurosym.answering.agreement import Given
from neurosym.answering.numbers import Number, is_everyday, is_of_calendar, is_taken, numbers_in, numbers_of
from neurosym.answering.sentence import MOST_CHARS
from neurosym.answering.units import MOST_CHARS as LONGEST_UNIT
from neurosym.answering.units import unit_of
from neurosym.diagnostics import Note
from neurosym.explaining import TraceStep, trace_of
from neurosym.feedback.packet import quoted
from neurosym.result import CandidateResult, Judged, Rejected, ToolFault

_MOST_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What a program comes to: an answer that counts, or ``why_not``."""

    given: Given | None = None
    why_not: str = ""
    sentence: str = ""
    inputs: Mapping[str, Any] | None = None
    trace: tuple[TraceStep, ...] = ()
    notes: tuple[Note, ...] = ()


def read(number: int, question: str, spec: Spec, bench: Bench, result: CandidateResult, *, checked: bool) -> Read:
    """What the program with this number comes to. ``checked``: it is the function of a spec, called with the inputs
    that it reads out of the question; else a function without arguments."""
    if result.admission(Required.TESTED) is not Admission.ADMITTED or result.source is None:
        return Read(why_not=_why_refused(result))
    tree = ast.parse(result.source.text)  # it passed the gate: bounded, and Python
    if checked:
        return _called(number, question, spec, bench, result, tree)
    said = declared.literals(tree)
    if not declared.computes(tree):
        return Read(why_not="it writes its answer down and computes nothing (NS605)")
    outcome = _run(spec, bench, result.source.text, {})
    if not isinstance(outcome, Returned):
        return Read(why_not=f"run once more it {say_outcome(spec.output, outcome)}")
    value = read_result(spec.output, outcome.value)
    if isinstance(value, WrongType | OutsideType):
        return Read(why_not=f"run once more it returned another kind of value: {value.reason}")
    unit, unit_notes, why_not = _unit(number, question, spec, said)
    notes = (*unit_notes, *provenance(number, question, tree))
    if why_not:
        return Read(why_not=why_not, notes=notes)
    return Read(
        given=Given(number, value, unit, text=ast.dump(tree)),
        sentence=declared.text_of(said, declared.SENTENCE, MOST_CHARS),
        trace=trace_of(spec, bench, result.source, {}, outcome.value),
        notes=notes,
    )


def _called(number: int, question: str, spec: Spec, bench: Bench, result: CandidateResult, tree: ast.Module) -> Read:
    """The function of a spec, called with the inputs that the program reads out of the question."""
    said = declared.literals(tree)
    plain = said.get(declared.INPUTS)
    if not isinstance(plain, dict):
        return Read(
            why_not="it does not say which inputs the question gives: INPUTS is missing, or no dict of literals"
        )
    if missing := [name for name in spec.inputs if name not in plain]:
        return Read(why_not=f"the question leaves an input open, it says: {', '.join(missing)}")
    try:
        inputs = {
            name: from_plain(type_, plain[name], Place("INPUTS", "", name)) for name, type_ in spec.inputs.items()
        }
    except SpecError as error:
        return Read(why_not=f"its inputs are not what the spec takes: {quoted(str(error))}")
    written = {name: to_plain(type_, inputs[name]) for name, type_ in spec.inputs.items()}
    notes = tuple(_foreign_inputs(number, question, written))
    case = bench.case(inputs)
    if case is None:
        return Read(why_not="the spec says nothing of these inputs: they are outside of its ranges", inputs=written)
    if not case.accepted:
        refusal = f"the spec refuses these inputs: {case.decided_by} ({' or '.join(case.raises)})"
        return Read(why_not=refusal, inputs=written, notes=notes)
    assert result.source is not None
    outcome = _run(spec, bench, result.source.text, inputs)
    if not isinstance(outcome, Returned):
        return Read(why_not=f"with these inputs it {say_outcome(spec.output, outcome)}", inputs=written)
    value = read_result(spec.output, outcome.value)
    try:
        is_right = not isinstance(value, WrongType | OutsideType) and bench.is_right(case, outcome)
    except SpecUndefined as error:
        return Read(why_not=f"the spec does not say what is right for these inputs: {error}", inputs=written)
    if not is_right:
        return Read(why_not="with these inputs its result is not what the spec says", inputs=written)
    return Read(
        given=Given(number, value, spec.output.unit, inputs=json.dumps(written, sort_keys=True), text=ast.dump(tree)),
        sentence=declared.text_of(said, declared.SENTENCE, MOST_CHARS),
        inputs=written,
        trace=trace_of(spec, bench, result.source, inputs, outcome.value),
        notes=notes,
    )


def _why_refused(result: CandidateResult) -> str:
    match result.outcome:
        case Rejected(diagnostics):
            return f"[{diagnostics[0].code} {diagnostics[0].failure.value}] {diagnostics[0].message}"
        case ToolFault(message):
            return f"[NS901] this tool failed: {message}"
        case Judged() if result.objections:
            return f"[{result.objections[0].code}] {result.objections[0].message}"
        case _:
            return ""


def _run(spec: Spec, bench: Bench, text: str, inputs: Mapping[str, Any]) -> Outcome:
    """One call in a fresh sandbox."""
    program = Program(text, spec.name, declarations(spec), spec.policy.imports)
    limits = Limits(time_s=spec.policy.time_limit_s, memory_bytes=spec.policy.memory_limit_bytes)
    with bench.jail(0).open(program, limits) as session:
        if isinstance(session.loaded, LoadFailed):
            assert session.loaded.outcome is not None  # it was loaded before, so that something happened now
            return session.loaded.outcome
        return session.call(arguments(spec, inputs))


def _unit(number: int, question: str, spec: Spec, said: Mapping[str, Any]) -> tuple[str, tuple[Note, ...], str]:
    """The unit that counts, what was noticed about it, and why the answer does not count because of it."""
    unit, wanted = declared.text_of(said, declared.UNIT, LONGEST_UNIT), spec.output.unit
    given = {each.value for each in numbers_in(question)}
    if any(each.value not in given for each in numbers_in(unit)) or set(unit) & set("{}"):
        return wanted, (Note("NS602", f"program {number}: the unit it names has a number in it and is not shown"),), ""
    if not wanted:
        return unit, (), ""
    if not unit:
        return wanted, (Note("NS602", f"program {number} names no unit; {wanted} is what was asked for"),), ""
    one, other = unit_of(unit), unit_of(wanted)
    if (one.base, one.factor) != (other.base, other.factor):
        return unit, (), f"its answer is in {quoted(unit)}, and {wanted} is asked for (NS602)"
    return wanted, (), ""


def provenance(number: int, question: str, tree: ast.Module) -> Iterator[Note]:
    """What the program does not take from the question, and what it brings itself."""
    asked, written = numbers_in(question), numbers_of(tree, but=declared.NAMES)
    if left := _named(each for each in asked if not is_taken(each, written) and not is_everyday(each)):
        yield Note("NS603", f"program {number} does not use of the question: {left}")
    brought = (
        each
        for each in written
        if not (is_everyday(each) or is_taken(each, asked) or any(is_taken(other, (each,)) for other in asked))
    )
    if named := _named(each for each in brought if not is_of_calendar(each, question)):
        yield Note("NS604", f"program {number} brings numbers that are not in the question: {named}")


def _foreign_inputs(number: int, question: str, written: Mapping[str, Any]) -> Iterator[Note]:
    asked = numbers_in(question)
    for name, value in written.items():
        text = json.dumps(value, ensure_ascii=False)
        if foreign := _named(each for each in numbers_in(text) if not is_everyday(each) and not is_taken(each, asked)):
            yield Note(
                "NS604", f"program {number}: the input {name} has numbers that are not in the question: {foreign}"
            )


def _named(numbers: Iterable[Number]) -> str:
    """The numbers as they are written, each once and at its first place, in their order."""
    first = {each.text: each for each in reversed([*numbers])}
    texts = [f"{text} (line {each.line})" if each.line else text for text, each in reversed(first.items())]
    more = f" and {len(texts) - _MOST_NAMED} more" if len(texts) > _MOST_NAMED else ""
    return ", ".join(texts[:_MOST_NAMED]) + more
