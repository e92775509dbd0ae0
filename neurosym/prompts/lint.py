"""What is wrong with a template, before a model ever sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from neurosym.prompts.facts import CLOSING, OPENING
from neurosym.prompts.template import FOLDER, PARTS, QUESTIONS, Template, environment


@dataclass(frozen=True, slots=True)
class _Names:
    """By part of a template, the facts that it can have, and those without which no reply can be right."""

    known: Mapping[str, frozenset[str]]
    needed: Mapping[str, frozenset[str]]


_FENCES = frozenset({"opening", "closing"})
_REPAIR = frozenset({"headline", "facts", "keep"})
_TASK = frozenset({"name", "title", "problem", "declarations", "signature", "inputs", "output", "guaranteed", "refused",
                   "promises", "worked_case", "rounding", "may_use_float", "python", "modules", "cards", "seconds",
                   "opening", "closing"})  # fmt: skip
_QUESTION = _FENCES | {"question", "declarations", "signature", "annotation", "output", "names_unit", "unit",
                       "may_use_float", "python", "modules", "seconds"}  # fmt: skip
_KINDS: Mapping[Path, _Names] = {
    FOLDER: _Names(
        known={"system.md": _FENCES, "task.md": _TASK, "repair.md": _FENCES | _REPAIR},
        needed={
            "system.md": frozenset({"opening"}),
            "task.md": frozenset({"problem", "signature", "declarations", "inputs", "output", "modules", "refused",
                                  "rounding", "opening", "closing"}),
            "repair.md": frozenset({"headline", "facts", "keep", "opening"}),
        },
    ),
    QUESTIONS: _Names(
        known={"system.md": _QUESTION, "task.md": _QUESTION, "repair.md": _FENCES | _REPAIR},
        needed={
            "system.md": frozenset({"opening"}),
            "task.md": frozenset({"question", "signature", "declarations", "output", "names_unit", "unit", "modules",
                                  "opening", "closing"}),
            "repair.md": frozenset({"headline", "facts", "keep", "opening"}),
        },
    ),
}  # fmt: skip
_LONGEST = 8_000
_NAME = re.compile(r"[a-z][a-z-]*-\d+")


def faults(template: Template, kind: Path = FOLDER) -> tuple[str, ...]:
    """Each fault in words, with the part and where it can be told the line; nothing where there is none."""
    found = [fault for part in PARTS for fault in _part(part, template.parts[part], _KINDS[kind])]
    if not _NAME.fullmatch(template.name):
        found.insert(0, f"its name {template.name} has no version: call it {template.name.lower()}-1")
    return tuple(found)


def _part(part: str, text: str, names: _Names) -> Iterator[str]:
    from jinja2 import TemplateSyntaxError, meta  # deferred: most commands lint nothing

    try:
        used = meta.find_undeclared_variables(environment().parse(text))
    except TemplateSyntaxError as error:
        yield f"{part}, line {error.lineno}: {error.message}"
        return
    for name in sorted(used - names.known[part]):
        yield f"{part}: it asks for {name}, which it cannot have; there are: {', '.join(sorted(names.known[part]))}"
    for name in sorted(names.needed[part] - used):
        yield f"{part}: it leaves out {name}, without which no reply can be right"
    if len(text) > _LONGEST:
        yield f"{part}: it has {len(text):,} characters, and {_LONGEST:,} are enough"
    for number, line in enumerate(text.splitlines(), start=1):
        if line != line.rstrip():
            yield f"{part}, line {number}: spaces at the end"
        if not line.isprintable():
            yield f"{part}, line {number}: a character that cannot be seen"
        if OPENING in line or line.strip() == CLOSING:
            yield f"{part}, line {number}: a fence that is written out; use opening and closing"
