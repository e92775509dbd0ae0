"""Reaching combinations that one aimed change does not reach, by hill climbing over small changes.

The goals come from the booleans of the spec. For ``A and B and C`` the inputs that tell programs apart are those on
which one operand alone decides (MC/DC: B false, A and C true), so every such combination is a goal. An input is the
better the fewer operands differ from the goal, then the nearer the numeric comparisons are to tipping
(branch distance, as in search-based testing: Korel 1990, McMinn 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from neurosym_verifiers.search.aim import Lookout, Sighting
from neurosym_verifiers.search.leaves import Inputs
from neurosym_verifiers.search.moves import Mover

Score: TypeAlias = tuple[int, Fraction]
_FAR = Fraction(10**30)


@dataclass(frozen=True, slots=True)
class Goal:
    """How the operands of one ``and``/``or`` should stand."""

    site: int
    operands: tuple[bool, ...]

    def score(self, sighting: Sighting) -> Score:
        """Zero first is a hit; smaller is nearer."""
        seen = sighting.operands.get(self.site)
        if seen is None:
            return len(self.operands) + 1, _FAR
        missed = sum(have is not want for have, want in zip(seen, self.operands, strict=True))
        return missed, Fraction(sum(min(abs(d), 1000) for d in sighting.distances.values()))


def goals(sightings: Sequence[Sighting]) -> list[Goal]:
    """For every ``and``/``or`` seen: each operand deciding alone, all true and all false, if not seen yet."""
    reached = {(site, operands) for s in sightings for site, operands in s.operands.items()}
    widths = {site: len(operands) for s in sightings for site, operands in s.operands.items()}
    found: list[Goal] = []
    for site, width in widths.items():
        if width > 6:
            continue
        wanted = [tuple(i == j for j in range(width)) for i in range(width)]
        wanted += [tuple(i != j for j in range(width)) for i in range(width)]
        wanted += [(True,) * width, (False,) * width]
        found += [Goal(site, w) for w in dict.fromkeys(wanted) if (site, w) not in reached]
    return found


def climb(
    goal: Goal,
    starts: Sequence[tuple[Inputs, Sighting]],
    mover: Mover,
    lookout: Lookout,
    valid: Callable[[Inputs], bool],
    *,
    looks: int,
) -> Iterator[Inputs]:
    """An input that reaches the goal, if one is found within so many looks."""
    if not starts:
        return
    current, best = min(((inputs, goal.score(seen)) for inputs, seen in starts), key=lambda pair: pair[1])
    for _ in range(looks):
        if best[0] == 0:
            yield current
            return
        tried = mover.changed(current)
        if not valid(tried):
            continue
        score = goal.score(lookout.look(tried))
        if score[0] <= best[0] and (score <= best or mover.rng.random() < 0.1):
            current, best = tried, score
