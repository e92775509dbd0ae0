"""How a refuted candidate's formula differs from the right one, and how often its value does, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neurosym_verifiers.algebra.differing import FormulaDifference
    from neurosym_verifiers.frequency import Frequency

    from neurosym.reports import document


def formula_sentences(
    formula: FormulaDifference | document.FormulaDifference | None, frequency: Frequency | document.Frequency | None
) -> list[str]:
    """What is known of either; the texts have no words but a spec's names."""
    found: list[str] = []
    if formula is not None and formula.slip:
        found.append(f"Its formula is the right one but for a known slip: {formula.slip}.")
    elif formula is not None:
        shown = (("divided by the right value", formula.ratio), ("less the right value", formula.difference))
        found += [f"Around here its formula, {words}, is {text}" for words, text in shown if text]
    if frequency is not None:
        of = "all" if frequency.all_there_are else "the"
        drawn = "" if frequency.all_there_are else " that were drawn evenly"
        share = f" ({frequency.wrong / frequency.inputs:.1%})" if frequency.wrong else ""
        found.append(
            f"Of {of} {frequency.inputs:,} valid inputs{drawn} it is wrong on "
            f"{frequency.wrong or 'none'}{share}; the one above is the smallest that was found."
        )
    return found
