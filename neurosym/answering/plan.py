"""How a question is gone about: who is asked by which templates, for what kind of answer, and what must be reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from neurosym_specs import spec_from_json
from neurosym_specs.model import Spec

from neurosym.answering.agreement import Trust
from neurosym.answering.schema import Schema
from neurosym.prompts import Template
from neurosym.solving.budget import Price

FUNCTION = "answer"
MOST_CHARS = 10_000
_SECONDS = "10 s"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPlan:
    """``programs`` are asked for, each by the next of ``templates`` and ``models``; those that fail are told what is
    wrong, so many times as ``repairs`` says. The first round over all templates is asked at the first of
    ``temperatures``, the next at the next. ``checked``: a spec says what is right, and the programs are its function.
    """

    question: str
    generator: str
    models: tuple[str, ...]
    templates: tuple[Template, ...]
    programs: int
    repairs: int
    temperatures: tuple[float, ...]
    max_tokens: int
    timeout_s: float
    require: Trust
    checked: bool
    schema: Schema | None = None
    constrain: bool = False
    prices: Mapping[str, Price] = field(default_factory=dict)

    def who(self, place: int) -> tuple[Template, str, float]:
        """Template, model and temperature of the program at a place, counted from 0."""
        round_ = place // len(self.templates)
        temperature = self.temperatures[min(round_, len(self.temperatures) - 1)]
        return self.templates[place % len(self.templates)], self.models[place % len(self.models)], temperature


def question_spec(question: str, output: str | dict[str, object], unit: str) -> Spec:
    """A spec without inputs whose problem is the question: what a program that answers it must keep to.

    Raises ``SpecError`` where the output is no type of the spec format.
    """
    type_ = {"type": output} if isinstance(output, str) else dict(output)
    if unit:
        type_["unit"] = unit
    has_float = "float" in str(type_.get("type"))
    policy = {"float": "allow" if has_float else "forbid", "time_limit": _SECONDS}
    return spec_from_json(
        {"spec": 1, "name": FUNCTION, "problem": question, "inputs": {}, "output": type_, "policy": policy}
    )
