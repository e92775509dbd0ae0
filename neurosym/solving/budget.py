"""What a run may spend, and what it has spent: rounds, tokens, money, time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from neurosym.generators.request import Usage

_MILLION = Decimal(1_000_000)


class StopReason(StrEnum):
    """The closed list of why a run ended."""

    ACCEPTED = "accepted"
    SPEC_FAULT = "spec fault"
    NO_MODEL = "no model"
    NO_PROGRESS = "no progress"
    NO_FILLING = "no filling"
    UNDECIDED = "undecided"
    ROUNDS = "rounds spent"
    TOKENS = "tokens spent"
    MONEY = "money spent"
    TIME = "time spent"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens that a model reads, and that it writes."""

    input_usd: Decimal
    output_usd: Decimal


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent; None is without end. It is looked at before each round, so the last one may go over it."""

    rounds: int = 8
    tokens: int | None = None
    usd: Decimal | None = None
    seconds: float | None = None


@dataclass(slots=True)
class Spent:
    """What is spent so far. ``unpriced``: how many answers have no known price; ``estimated``: tokens are a guess."""

    prices: Mapping[str, Price] = field(default_factory=dict)
    rounds: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: Decimal = Decimal(0)
    unpriced: int = 0
    estimated: bool = False

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def add(self, model: str, usage: Usage) -> Decimal | None:
        """Counts one answer of the model that was asked; its cost, where that is known."""
        self.prompt_tokens += usage.prompt_tokens
        self.completion_tokens += usage.completion_tokens
        self.estimated = self.estimated or usage.estimated
        cost = cost_of(usage, self.prices.get(model))
        if cost is None:
            self.unpriced += usage.tokens > 0
        else:
            self.usd += cost
        return cost

    def over(self, budget: Budget, seconds: float) -> StopReason | None:
        """What is spent, if anything is; money too where nobody knows what was spent."""
        if self.rounds >= budget.rounds:
            return StopReason.ROUNDS
        if budget.tokens is not None and self.tokens >= budget.tokens:
            return StopReason.TOKENS
        if budget.usd is not None and (self.usd >= budget.usd or self.unpriced):
            return StopReason.MONEY
        if budget.seconds is not None and seconds >= budget.seconds:
            return StopReason.TIME
        return None


def cost_of(usage: Usage, price: Price | None) -> Decimal | None:
    """What an answer cost in US dollars: as the other side says, else by its price; None where neither is known."""
    if usage.cost_usd is not None:
        return usage.cost_usd
    if price is None:
        return None
    return (usage.prompt_tokens * price.input_usd + usage.completion_tokens * price.output_usd) / _MILLION
