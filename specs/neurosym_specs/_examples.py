"""Worked cases that cannot all be right."""

from __future__ import annotations

import json

from neurosym_specs._plain import inputs_to_plain
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr.tolerance import same_value
from neurosym_specs.model import Example, Spec


def check_examples(spec: Spec) -> None:
    """Raises ``SpecError`` for two examples that give the same inputs different answers."""
    tolerant = spec.reference is not None and (spec.reference.abs_tol or spec.reference.rel_tol)
    known: dict[str, tuple[int, Example]] = {}
    for number, example in enumerate(spec.examples, start=1):
        key = json.dumps(inputs_to_plain(spec.inputs, example.inputs), default=str)
        first, other = known.setdefault(key, (number, example))
        if _contradict(example, other) and not (tolerant and not example.raises and not other.raises):
            raise SpecError(
                f"another answer than that of [[example]] {first} for the same inputs",
                Place(spec.path.rpartition("/")[2], f"[[example]] {number}"),
                hint="one of the two is wrong",
            )


def _contradict(a: Example, b: Example) -> bool:
    if bool(a.raises) != bool(b.raises):
        return True
    return not a.raises and not same_value(a.out, b.out)
