"""The forms of an answer: for a person, what each program came to and the sentence with its trust; a document."""

from __future__ import annotations

from typing import TextIO

from neurosym_specs.notation import to_plain

from neurosym.admission import Admission
from neurosym.answering.agreement import Given, Group
from neurosym.answering.result import AskResult, Program
from neurosym.answering.shown import copy_of
from neurosym.diagnostics import Note
from neurosym.events import AskFinished, AskStarted, Event, SpecChecked
from neurosym.generators import NoReply, Reply
from neurosym.reports.columns import wrapped
from neurosym.reports.console import ConsoleReport
from neurosym.reports.json import Document, dump, tool
from neurosym.reports.promised import plain_spec
from neurosym.reports.solve_words import say_held, say_spent
from neurosym.reports.solving import plain_attempt
from neurosym.reports.wording import SPEC_FAULT
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1
_LINES_SHOWN = 100
_STEPS_SHOWN = 24
_FACTS_SHOWN = 3


class AskReport(ConsoleReport):
    """Listens, and prints programs, answer and trust when all is known. ``code``: also the program and its trace."""

    def __init__(self, stream: TextIO, *, code: bool = True) -> None:
        super().__init__(stream)
        self._shows_code = code

    def __call__(self, event: Event) -> None:
        match event:
            case AskStarted(spec=spec, plan=plan):
                for line in plan.question.splitlines():
                    self._paragraph(line, 0)
                through = "" if plan.models == (plan.generator,) else f" through {plan.generator}"
                templates = ", ".join(dict.fromkeys(plan.who(at)[0].name for at in range(plan.programs)))
                models = ", ".join(dict.fromkeys(plan.who(at)[1] for at in range(plan.programs)))
                by = f" by the spec {spec.name}" if plan.checked else ""
                self._paragraph(f"{_many(plan.programs, 'program')}{by}, asked of {models}{through}: {templates}", 2)
            case SpecChecked():
                super().__call__(event)
            case AskFinished(result) if result.spec_fault is None:
                self._answered(result)
            case _:
                pass

    def _answered(self, result: AskResult) -> None:
        self._line()
        for program in result.programs:
            self._program(program, result)
        for note in result.notes:
            self._note(note)
        self._line()
        if result.disagrees:
            self._disagreement(result)
        elif result.document is not None:
            self._heading(
                _word(result), f"a document that is valid by {result.plan.schema.path if result.plan.schema else ''}"
            )
            self._line(f"  {safe_text(result.document, limit=100_000)}")
            self._line()
        elif result.groups:
            self._sentence(result)
        self._paragraph(_say_trust(result), 2, hanging=4)
        shown = result.shown
        if self._shows_code and shown is not None:
            self._code_of(shown)
        self._line()
        self._paragraph(f"{_say_end(result)} (exit {result.exit_code})", 0, hanging=2)
        self._paragraph(
            f"{_many(_answers(result), 'reply', 'replies')}, {say_spent(result.spent)}, {result.seconds:.2f} s", 0
        )

    def _program(self, program: Program, result: AskResult) -> None:
        again = f", told {_many(len(program.attempts) - 1, 'time')} what is wrong" if len(program.attempts) > 1 else ""
        said = (
            f"program {program.number}: {program.template}, {program.model}, temperature {program.temperature:g}{again}"
        )
        self._paragraph(said, 2, hanging=4)
        answer = program.last.answer
        if isinstance(answer, Reply) and (held := say_held(program.last.asked.request, answer)):
            self._paragraph(held, 4)
        if isinstance(answer, Reply) and answer.cut:
            self._paragraph("the reply was cut off at its longest (--reply-tokens)", 4)
        if isinstance(answer, NoReply):
            self._beside("NO REPLY", f"{answer.kind.value}: {answer.message}")
        elif program.given is not None:
            if program.inputs is not None:
                self._beside("INPUTS", ", ".join(f"{name} = {value}" for name, value in program.inputs.items()))
            self._beside("RAN", _copy(result, program.given))
        else:
            word = program.standing.value if program.standing is not None and _failed(program) else "NO ANSWER"
            self._beside(word, program.why_not or _feedback(program))

    def _disagreement(self, result: AskResult) -> None:
        self._heading("DISAGREE", "the programs came to different answers")
        for group in result.groups:
            self._paragraph(f"{_copy(result, group.lead)}: {_say_members(group)}", 2, hanging=4)

    def _sentence(self, result: AskResult) -> None:
        sentence = result.sentence
        if sentence is None:
            lead = result.groups[0].lead
            self._heading(_word(result), _copy(result, lead))
            return
        parts = wrapped(sentence.text, 9)
        self._heading(_word(result), parts[0])
        for part in parts[1:]:
            self._line(f"{'':<9}{part}")
        self._line()
        self._paragraph(f"{sentence.copy.text}: {sentence.copy.rounding}", 2, hanging=4)
        if sentence.why_not:
            self._paragraph(f"The sentence is this tool's: {sentence.why_not}.", 2, hanging=4)

    def _code_of(self, program: Program) -> None:
        result = program.last.result
        lines = [*enumerate(program.code.rstrip().splitlines(), start=1)]
        lines = lines[next((at for at, (_, line) in enumerate(lines) if line.strip()), 0) :]
        self._line()
        self._paragraph(f"Program {program.number} (sha256 {(result.sha256 if result else '')[:16]}…):", 2)
        for number, line in lines[:_LINES_SHOWN]:
            self._line(f"    {number:>3}  {safe_text(line, limit=400)}".rstrip())
        if len(lines) > _LINES_SHOWN:
            self._paragraph(f"and {len(lines) - _LINES_SHOWN:,} more lines (--json has them all)", 2)
        if program.trace:
            self._paragraph("What its lines came to:", 2)
        for step in program.trace[: _STEPS_SHOWN - 1]:
            self._paragraph(f"{step.line:>3}  {step.name} = {step.value}", 4, hanging=9)
        if len(program.trace) > _STEPS_SHOWN:
            self._paragraph(
                f"     … and {_many(len(program.trace) - _STEPS_SHOWN, 'more step')} (--json has them), then", 4
            )
        for step in program.trace[_STEPS_SHOWN - 1 :][-1:]:
            self._paragraph(f"{step.line:>3}  {step.name} = {step.value}", 4, hanging=9)

    def _beside(self, word: str, text: str) -> None:
        for place, part in enumerate(wrapped(text, 15)):
            self._line(f"    {word if place == 0 else '':<10} {part}")


def _word(result: AskResult) -> str:
    return "ANSWER" if result.admission is Admission.ADMITTED else "UNSURE"


def _failed(program: Program) -> bool:
    return program.standing is not None and program.standing.value in ("REJECTED", "REFUTED", "ERROR", "UNKNOWN")


def _feedback(program: Program) -> str:
    said = program.last.feedback
    return (
        "nothing is known of it"
        if said is None
        else " ".join([f"[{said.code}] {said.headline}", "; ".join(said.facts[:_FACTS_SHOWN])])
    )


def _copy(result: AskResult, given: Given) -> str:
    return copy_of(result.spec.output, given.value, given.unit).text


def _say_members(group: Group) -> str:
    numbers = [str(each.number) for each in group.members]
    return f"{'program' if len(numbers) == 1 else 'programs'} {', '.join(numbers)}"


def _say_trust(result: AskResult) -> str:
    asked = len(result.programs)
    if not result.groups:
        return "No program came to an answer that counts."
    if result.disagrees:
        return f"Of {_many(asked, 'program')} {len(result.groups[0].members)} at the most came to the same answer."
    members = result.groups[0].witnesses
    lead = result.shown
    if result.plan.checked:
        standing = lead.standing.value if lead is not None and lead.standing is not None else ""
        spec = f"checked against the spec {result.spec.name} (program {standing}, right for these inputs)"
        if members < 2:
            return f"Trust: {spec}; the inputs were read out of the question by one program only."
        return f"Trust: {spec}; the inputs were read alike by {members} of {asked} independent programs."
    if members < 2:
        return "Trust: executed once. Nothing confirms that the program computes what was asked."
    return f"Trust: agreed by {members} of {asked} independent programs. They can still misread the question alike."


def _say_end(result: AskResult) -> str:
    if result.admission is Admission.ADMITTED:
        return f"accepted: {result.trust.value}"
    if result.exit_code == 4:
        return "no model gave a reply; neurosym explain NS802 says what can be done"
    if result.disagrees:
        return "not accepted: the programs do not agree; neurosym explain NS601 says what can be done"
    if not result.groups:
        return "not accepted: there is no answer"
    return f"not accepted: the answer is {result.trust.value}, and --require asks for {result.plan.require.value}"


def _answers(result: AskResult) -> int:
    return sum(len(program.attempts) for program in result.programs)


def _many(count: int, what: str, several: str = "") -> str:
    return f"{count:,} {what if count == 1 else several or what + 's'}"


class AskJson:
    """Listens, and writes one document when the question has its answer; ``docs/json.md`` describes it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, event: Event) -> None:
        if isinstance(event, AskFinished):
            self._stream.write(dump(ask_document(event.result)) + "\n")


def ask_document(result: AskResult) -> Document:
    """The whole of a question and its answer as plain values."""
    plan, sentence, fault = result.plan, result.sentence, result.spec_fault
    lead = result.groups[0].lead if result.groups and not result.disagrees else None
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "ask",
        "tool": tool(),
        "question": plan.question,
        "spec": plain_spec(result.spec) if plan.checked else None,
        "spec_fault": fault and {"code": SPEC_FAULT, "clause": fault.clause, "message": fault.message},
        "generator": plan.generator,
        "models": list(plan.models),
        "templates": [{"name": each.name, "sha256": each.sha256} for each in plan.templates],
        "require": plan.require.value,
        "answer": lead
        and {
            "value": to_plain(result.spec.output, lead.value),
            "unit": lead.unit,
            "sentence": sentence.text if sentence else None,
            "shown": sentence.copy.text if sentence else _copy(result, lead),
            "rounding": sentence.copy.rounding if sentence else "as it was computed",
            "sentence_by": None if sentence is None else ("tool" if sentence.why_not else "model"),
            "document": result.document,
        },
        "trust": result.trust.value,
        "admission": result.admission.value,
        "agreeing": result.groups[0].witnesses if result.groups else 0,
        "answers": [
            {
                "value": to_plain(result.spec.output, group.lead.value),
                "unit": group.lead.unit,
                "programs": [each.number for each in group.members],
                "exactly_equal": group.exact,
            }
            for group in result.groups
        ],
        "notes": [_plain_note(note) for note in result.notes],
        "programs": [_plain_program(each, result) for each in result.programs],
        "spent": {
            "prompt_tokens": result.spent.prompt_tokens,
            "completion_tokens": result.spent.completion_tokens,
            "estimated": result.spent.estimated,
            "usd": str(result.spent.usd),
            "unpriced_answers": result.spent.unpriced,
            "seconds": round(result.seconds, 4),
        },
        "exit_code": result.exit_code,
    }


def _plain_note(note: Note) -> Document:
    return {"code": note.code, "message": note.message}


def _plain_program(program: Program, result: AskResult) -> Document:
    given = program.given
    return {
        "number": program.number,
        "template": program.template,
        "model": program.model,
        "temperature": program.temperature,
        "value": None if given is None else to_plain(result.spec.output, given.value),
        "unit": None if given is None else given.unit,
        "why_not": program.why_not or None,
        "inputs": None if program.inputs is None else dict(program.inputs),
        "code": program.code,
        "trace": [{"line": each.line, "name": each.name, "value": each.value} for each in program.trace],
        "attempts": [plain_attempt(each, result.spent.prices) for each in program.attempts],
    }
