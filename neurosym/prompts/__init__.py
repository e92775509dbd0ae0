"""What is sent to a model: a spec's facts in a versioned template, worked examples before it, feedback behind it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from neurosym_specs.model import Spec

from neurosym.generators.request import Message
from neurosym.prompts.facts import CLOSING, OPENING, facts_of
from neurosym.prompts.lint import faults
from neurosym.prompts.shots import Shot, nearest
from neurosym.prompts.template import DEFAULT, FOLDER, Template, TemplateFault, names, read_template

__all__ = ["DEFAULT", "Template", "TemplateFault", "first_messages", "names", "repair_messages", "usable_template"]

MOST_QUOTED = 40_000
"""Characters of a model's last reply that are sent back to it."""


def usable_template(name: str, kind: Path = FOLDER) -> Template:
    """A template in which the linter finds nothing. Raises ``TemplateFault`` for any other."""
    template = read_template(name, kind)
    if found := faults(template, kind):
        raise TemplateFault(f"the template {template.name} cannot be used: {'; '.join(found)}")
    return template


def first_messages(spec: Spec, template: Template, *, shots: int = 1, own: Sequence[Shot] = ()) -> tuple[Message, ...]:
    """The conversation that asks for the function, with so many worked examples before it, those of ``own`` first."""
    system = template.render("system.md", {"opening": OPENING, "closing": CLOSING})
    worked = [
        message
        for shot in reversed(nearest(spec, shots, own))  # the nearest last, beside the question
        for message in (
            Message("user", template.render("task.md", facts_of(shot.spec))),
            Message("assistant", f"{OPENING}\n{shot.code.strip()}\n{CLOSING}\n"),
        )
    ]
    return (Message("system", system), *worked, Message("user", template.render("task.md", facts_of(spec))))


def repair_messages(
    first: tuple[Message, ...], template: Template, reply: str, headline: str, facts: tuple[str, ...], keep: str
) -> tuple[Message, ...]:
    """The conversation that hands the one thing that is wrong back to who wrote ``reply``."""
    values = {"headline": headline, "facts": list(facts), "keep": keep, "opening": OPENING, "closing": CLOSING}
    return (*first, Message("assistant", reply[:MOST_QUOTED]), Message("user", template.render("repair.md", values)))
