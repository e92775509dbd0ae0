"""A condition as alternatives, where each says of its own what variables are.

"Without one of its brackets, run b is run a" gives other equations for each bracket that it may be. What an equation
says is put in where it surely holds (``substituting``), so the alternatives are asked about one by one.
"""

from __future__ import annotations

from neurosym_verifiers.reading.formulas.narrowing import conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import both
from neurosym_verifiers.reading.formulas.terms import Condition, Or, Zero

_MOST = 16


def alternatives(condition: Condition) -> list[Condition]:
    """Conditions of which one or more hold exactly where this one does; just this one where splitting says nothing.

    Of several disjunctions the one whose alternatives say most is split.
    """
    facts = conjuncts(condition)
    split = [part for part in facts if isinstance(part, Or) and len(part.parts) <= _MOST and _said(part)]
    if not split:
        return [condition]
    chosen = max(split, key=lambda part: (_said(part), part.key))
    rest = sorted(facts - {chosen}, key=lambda part: part.key)
    return [both(alternative, *rest) for alternative in chosen.parts]


def _said(disjunction: Or) -> int:
    """How many equations there are in each alternative, at least."""
    return min(sum(isinstance(part, Zero) for part in conjuncts(each)) for each in disjunction.parts)
