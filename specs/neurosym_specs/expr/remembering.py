"""Remembering the values of definitions of single characters: ``number(c)``, ``is_vowel(c)``.

Specs of texts ask the same few questions of the same few characters thousands of times. A definition that reads nothing
but its parameter has one value for each, so that value is kept, with the steps that it cost: a budget must not
depend on what was asked before.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from neurosym_specs.expr.budget import Meter
from neurosym_specs.model import Spec

_LONGEST_TEXT = 2
_MOST = 4096


def reads_parameters_only(spec: Spec, name: str) -> bool:
    """Whether a definition, and all that it calls, reads no input and no let. Says no where a name might hide one."""
    seen: set[str] = set()
    queue = [name]
    while queue:
        current = queue.pop()
        if current in seen:
            continue
        seen.add(current)
        for node in ast.walk(spec.definitions[current].body.tree):
            if isinstance(node, ast.Name):
                if node.id in spec.inputs or node.id in spec.lets or node.id in ("result", "raised"):
                    return False
                if node.id in spec.definitions:
                    queue.append(node.id)
    return True


def remembered(body: Callable[[Any], Any], meter: Meter) -> Callable[[Any], Any]:
    """The function of one argument, with the values for short texts kept. What fails is not kept."""
    known: dict[str, tuple[Any, int]] = {}

    def ask(argument: Any) -> Any:
        if type(argument) is not str or len(argument) > _LONGEST_TEXT:
            return body(argument)
        entry = known.get(argument)
        if entry is not None and entry[1] <= meter.left:
            meter.left -= entry[1]
            return entry[0]
        before = meter.left
        value = body(argument)
        if len(known) < _MOST:
            known[argument] = (value, before - meter.left)
        return value

    return ask
