"""What is sent where a question in prose is to be answered by a program: its facts, in templates of their own kind.

The program is a function without arguments, and the numbers of the question stand in it. To take them out of the
question beforehand and hand them over would need a guess which words are numbers that matter, and of which kind; that
none was miscopied or left out is checked on the program instead, where it can be seen.
"""

from __future__ import annotations

import platform
from pathlib import Path

from neurosym_specs.describe import describe
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations, python_annotation, signature
from neurosym_specs.types import DateType, DecimalType, FloatType, FractionType, IntType

from neurosym.generators.request import Message
from neurosym.prompts.facts import CLOSING, OPENING, Facts
from neurosym.prompts.template import QUESTIONS, Template, environment

INPUTS = Path(__file__).parent / "inputs" / "inputs-1.md"
DEFAULTS = ("direct-1", "steps-1", "periods-1")
"""The templates of a first, second and third program, which are to go different ways about it."""

_NUMBERS = (IntType, DecimalType, FloatType, FractionType)
_SINGLE = (*_NUMBERS, DateType)


def has_sentence(spec: Spec) -> bool:
    """Whether the answer is one number or date, which a sentence can be about."""
    return isinstance(spec.output, _SINGLE)


def question_facts(spec: Spec) -> Facts:
    """The values that a template for a question may use, by name; ``spec.problem`` is the question."""
    output = describe(spec).output
    said = f"{output.annotation}: {output.values}" + (f" ({output.text})" if output.text else "")
    return {
        "question": spec.problem.strip(),
        "declarations": declarations(spec),
        "signature": signature(spec),
        "annotation": python_annotation(spec.output),
        "output": said,
        "names_unit": has_sentence(spec),
        "unit": spec.output.unit,
        "may_use_float": spec.policy.allow_float,
        "python": platform.python_version(),
        "modules": sorted(spec.policy.imports),
        "seconds": f"{spec.policy.time_limit_s:g}",
        "opening": OPENING,
        "closing": CLOSING,
    }


def question_messages(spec: Spec, template: Template) -> tuple[Message, ...]:
    """The conversation that asks for a program which answers the question."""
    facts = question_facts(spec)
    return (Message("system", template.render("system.md", facts)), Message("user", template.render("task.md", facts)))


def with_inputs(messages: tuple[Message, ...], spec: Spec, question: str) -> tuple[Message, ...]:
    """The conversation that asks for the function of a spec, and for the inputs that the question is about."""
    example = "{" + ", ".join(f'"{name}": ...' for name in spec.inputs) + "}"
    template = environment().from_string(INPUTS.read_text(encoding="utf-8"))
    said = str(template.render({"question": question.strip(), "example": example})).strip()
    *first, last = messages
    return (*first, Message(last.role, f"{last.text.rstrip()}\n\n{said}\n"))


__all__ = ["DEFAULTS", "QUESTIONS", "has_sentence", "question_facts", "question_messages", "with_inputs"]
