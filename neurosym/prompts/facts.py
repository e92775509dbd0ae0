"""What a prompt may say of a spec: everything that a person would be told who is to write the function.

In words only. An expression of the spec, above all its reference, is the answer key or a part of it, and goes to no
model; a clause speaks by its ``text``, else by its ``id``. What callers guarantee is about inputs alone, and is shown.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from neurosym_specs.describe import describe
from neurosym_specs.model import Clause, Spec
from neurosym_specs.notation import call_source, to_source

from neurosym.prompts.cards import cards_for
from neurosym.prompts.conventions import rounding_words

OPENING, CLOSING = "```python", "```"

Facts = dict[str, Any]  # what a template is rendered with


def facts_of(spec: Spec) -> Facts:
    """The values that a template for the first prompt may use, by name."""
    said = describe(spec)
    return {
        "name": spec.name,
        "title": spec.title,
        "problem": spec.problem.strip(),
        "declarations": said.declarations,
        "signature": said.signature,
        "inputs": [_value(each.name, each.annotation, each.values, each.text) for each in said.inputs],
        "output": _value("the result", said.output.annotation, said.output.values, said.output.text),
        "guaranteed": [" ".join(each.formal) or each.words for each in said.promises],
        "refused": [f"{words_of(each)}: raise {' or '.join(each.raises)}" for each in spec.rejects],
        "promises": [words for each in (*spec.ensures, *spec.relations) if (words := words_of(each))],
        "worked_case": _worked_case(spec),
        "rounding": list(rounding_words(spec)),
        "may_use_float": spec.policy.allow_float,
        "python": platform.python_version(),
        "modules": list(_modules(spec)),
        "cards": [str(each) for each in cards_for(spec)],
        "seconds": f"{spec.policy.time_limit_s:g}",
        "opening": OPENING,
        "closing": CLOSING,
    }


def words_of(clause: Clause) -> str:
    """What a clause says in words, else what it is called; empty where it has only a number."""
    if clause.text:
        return clause.text.strip()
    table, _, number = clause.id.rpartition(" ")
    return "" if table in ("ensure", "relation", "reject", "example") and number.isdigit() else clause.id


def _value(name: str, annotation: str, values: str, text: str) -> str:
    return f"{name}: {annotation}: {values}" + (f" ({text})" if text else "")


def _worked_case(spec: Spec) -> str:
    """The first example with a result, as Python."""
    for example in spec.examples:
        if not example.raises:
            return f"{call_source(spec, example.inputs)} == {to_source(spec.output, example.out)}"
    return ""


def _modules(spec: Spec) -> Iterator[str]:
    """The modules that may be imported; of those that are installed packages, their versions."""
    for name in sorted(spec.policy.imports):
        try:
            yield f"{name} {version(name)}"
        except (PackageNotFoundError, ValueError):  # a module of the standard library
            yield name
