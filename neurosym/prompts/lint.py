"""What is wrong with a template, before a model ever sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neurosym.prompts.facts import CLOSING, OPENING
from neurosym.prompts.template import PARTS, Template, environment

_TASK = frozenset({"name", "title", "problem", "declarations", "signature", "inputs", "output", "guaranteed", "refused",
                   "promises", "worked_case", "rounding", "may_use_float", "python", "modules", "cards", "seconds",
                   "opening", "closing"})  # fmt: skip
KNOWN = {"system.md": frozenset({"opening", "closing"}), "task.md": _TASK,
         "repair.md": frozenset({"headline", "facts", "keep", "opening", "closing"})}  # fmt: skip
NEEDED = {"system.md": frozenset({"opening"}), "repair.md": frozenset({"headline", "facts", "keep", "opening"}),
          "task.md": frozenset({"problem", "signature", "declarations", "inputs", "output", "modules", "refused",
                                "rounding", "opening", "closing"})}  # fmt: skip
_LONGEST = 8_000
_NAME = re.compile(r"[a-z][a-z-]*-\d+")


def faults(template: Template) -> tuple[str, ...]:
    """Each fault in words, with the part and where it can be told the line; nothing where there is none."""
    found = [fault for part in PARTS for fault in _part(part, template.parts[part])]
    if not _NAME.fullmatch(template.name):
        found.insert(0, f"its name {template.name} has no version: call it {template.name.lower()}-1")
    return tuple(found)


def _part(part: str, text: str) -> Iterator[str]:
    from jinja2 import TemplateSyntaxError, meta  # deferred: most commands lint nothing

    try:
        used = meta.find_undeclared_variables(environment().parse(text))
    except TemplateSyntaxError as error:
        yield f"{part}, line {error.lineno}: {error.message}"
        return
    for name in sorted(used - KNOWN[part]):
        yield f"{part}: it asks for {name}, which it cannot have; there are: {', '.join(sorted(KNOWN[part]))}"
    for name in sorted(NEEDED[part] - used):
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
