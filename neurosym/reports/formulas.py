"""How a candidate's formula differs from the right one, in sentences."""

from __future__ import annotations

from neurosym_verifiers.algebra.differing import FormulaDifference


def formula_sentences(formula: FormulaDifference) -> list[str]:
    """The slip if it is a known one; else the short forms of ratio and difference. Texts of a spec's names."""
    if formula.slip:
        return [f"Its formula is the right one but for a known slip: {formula.slip}."]
    shown = (("divided by the right value", formula.ratio), ("less the right value", formula.difference))
    return [f"Around here its formula, {words}, is {text}" for words, text in shown if text]
