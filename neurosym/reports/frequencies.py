"""How often a candidate that computes with floats is wrong: as plain values, and in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, Any

from neurosym.figures.wilson import Share

if TYPE_CHECKING:
    from neurosym_verifiers.frequency import FirstWrong, Frequency

    from neurosym.reports import document


def interval_of(frequency: Frequency | document.Frequency) -> tuple[float, float] | None:
    """Where the share among all valid inputs lies with a confidence of 95 %; None where all were run."""
    return None if frequency.all_there_are else Share(frequency.wrong, frequency.inputs).interval()


def plain_frequency(frequency: Frequency) -> dict[str, Any]:
    """As plain values, with the interval that follows."""
    return {**asdict(frequency), "interval": interval_of(frequency)}


def frequency_sentences(frequency: Frequency | document.Frequency, shown: Sequence[str] = ()) -> list[str]:
    """How often, how sure that is, and which value is the first; ``shown`` are the calls of the counterexample above.

    The texts have no words but a spec's names and values.
    """
    count = f"{frequency.wrong:,} ({_percent(frequency.wrong / frequency.inputs)})" if frequency.wrong else "none"
    below = "; the one above is the smallest that was found" if shown else ""
    interval = interval_of(frequency)
    if interval is None:
        found = [f"Of all {frequency.inputs:,} valid inputs it is wrong on {count}{below}."]
    else:
        found = [
            f"Of {frequency.inputs:,} valid inputs, drawn evenly{_universe(frequency)}, it is wrong on {count}{below}.",
            f"So it is wrong on {_between(*interval)} of all valid inputs, with 95% confidence (Wilson's interval).",
        ]
    if frequency.first is not None:
        found.append(_walked(frequency.first, shown))
    return found


def _universe(frequency: Frequency | document.Frequency) -> str:
    steps = f" ({', '.join(frequency.steps)})" if frequency.steps else ""
    return f" from the universe of {frequency.population:,}{steps}" if frequency.population else ""


def _between(low: float, high: float) -> str:
    """Rounded outwards."""
    upper = _percent(high, ROUND_CEILING)
    return f"{_percent(low, ROUND_FLOOR)} to {upper}" if low else f"at most {upper}"


def _walked(first: FirstWrong | document.FirstWrong, shown: Sequence[str]) -> str:
    """What was tried, so that nobody takes it for more."""
    where = f"its minimum {first.start}" if first.from_minimum else "zero"
    call = "" if first.call in shown else f": {first.call}"
    if first.value == first.start:
        return f"It is wrong already where {first.input} is {where}{call}."
    if first.right > 1:
        before = f"it is right on all {first.right:,} valid values"
    else:
        before = "it is right on the one valid value" if first.right else "no value is valid"
    return (
        f"Going up through every value of {first.input} from {where}, with all else fixed, {before} before "
        f"{first.value}, which is the first that is wrong{call}."
    )


def _percent(share: float, rounding: str = ROUND_HALF_EVEN) -> str:
    """A share with more digits where it is small."""
    step = Decimal("0.1") if share >= 0.01 or share == 0 else Decimal("0.001")
    return f"{(Decimal(share) * 100).quantize(step, rounding)}%"
