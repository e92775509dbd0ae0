"""How a refuted candidate's formula differs from the right one, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neurosym_verifiers.algebra.differing import FormulaDifference

    from neurosym.reports import document


def formula_sentences(formula: FormulaDifference | document.FormulaDifference | None) -> list[str]:
    """What is known of it; the texts have no words but a spec's names."""
    found: list[str] = []
    if formula is not None and formula.slip:
        found.append(f"Its formula is the right one but for a known slip: {formula.slip}.")
    elif formula is not None:
        shown = (("divided by the right value", formula.ratio), ("less the right value", formula.difference))
        found += [f"Around here its formula, {words}, is {text}" for words, text in shown if text]
    return found
