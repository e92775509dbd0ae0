"""A share of few cases with how sure it is: Wilson's score interval (E. B. Wilson, 1927)."""

from __future__ import annotations

import math
from dataclasses import dataclass

Z_95 = 1.959963984540054
"""The two-sided 95 % quantile of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Share:
    """``hits`` of ``total``."""

    hits: int
    total: int

    @property
    def rate(self) -> float | None:
        """Between 0 and 1; None where there was no case."""
        return self.hits / self.total if self.total else None

    def interval(self, z: float = Z_95) -> tuple[float, float] | None:
        """Where the true rate lies, with a confidence of 95 %; inside of 0 to 1 also for few or extreme cases."""
        if not self.total:
            return None
        n, p = self.total, self.hits / self.total
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low = 0.0 if self.hits == 0 else max(0.0, middle - half)
        return low, 1.0 if self.hits == n else min(1.0, middle + half)
