"""Reaching combinations that one aimed change does not reach, by hill climbing over small changes.

The goals come from the booleans of the spec. For ``A and B and C`` the inputs that tell programs apart are those on
which one operand alone decides (MC/DC: B false, A and C true), so every such combination is a goal, and an input is the
better the fewer operands differ from it. Others come from its sums of fractions: what several fine ones come to
together tells those apart who round each, so two of the finest are a goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from neurosym_verifiers.search.leaves import Inputs
from neurosym_verifiers.search.moves import WORK_OF_A_MOVE, Mover
from neurosym_verifiers.search.observe import Lookout, Sighting


@dataclass(frozen=True, slots=True)
class Goal:
    """How the operands of one ``and``/``or`` should stand. ``wanted``: how often it is climbed to."""

    wanted: ClassVar = 1
    site: int
    operands: tuple[bool, ...]

    def score(self, sighting: Sighting) -> int:
        """How many operands stand otherwise; zero is a hit."""
        seen = sighting.operands.get(self.site)
        if seen is None:
            return len(self.operands) + 1
        return sum(have is not want for have, want in zip(seen, self.operands, strict=True))


@dataclass(frozen=True, slots=True)
class Together:
    """A sum should have two fractions at least that are as fine as this, in an input that is not refused."""

    wanted: ClassVar = 4
    site: int
    fineness: int

    def score(self, sighting: Sighting) -> int:
        """How many are missing, and how much finer they must be; zero is a hit."""
        finest, several = sighting.shares.get(self.site, (0, 0))
        missing = max(2 - several, 0) if finest >= self.fineness else 2 + self.fineness - finest
        return missing + 2 * sighting.refused


AnyGoal: TypeAlias = Goal | Together


def goals(sightings: Sequence[Sighting]) -> list[AnyGoal]:
    """What is not seen yet: for every ``and``/``or`` each operand deciding alone, all true and all false; for every sum
    two fractions as fine as the finest, and finer ones.

    The nearest first.
    """
    found: list[AnyGoal] = [*_of_sums(sightings), *_of_booleans(sightings)]
    return sorted(found, key=lambda goal: min(map(goal.score, sightings)))


def _of_sums(sightings: Sequence[Sighting]) -> list[Together]:
    """For each sum of fractions the size classes of the finest that were seen, and the next one."""
    seen = {(site, finest) for s in sightings if not s.refused for site, (finest, _) in s.shares.items()}
    wanted = sorted(seen | {(site, finest + 1) for site, finest in seen})
    return [goal for goal in (Together(*each) for each in wanted) if all(map(goal.score, sightings))]


def _of_booleans(sightings: Sequence[Sighting]) -> list[Goal]:
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
    goal: AnyGoal,
    starts: Sequence[tuple[Inputs, Sighting]],
    mover: Mover,
    lookout: Lookout,
    valid: Callable[[Inputs], bool],
    *,
    work: int,
) -> Iterator[Inputs]:
    """An input that reaches the goal, if one is found with so much work.

    A change that leaves the score as it is is taken too: the way often leads over a plain.
    """
    if not starts:
        return
    best = min(goal.score(seen) for _, seen in starts)
    current = mover.rng.choice([inputs for inputs, seen in starts if goal.score(seen) == best])
    limit = lookout.work + work
    while lookout.work < limit:
        if best == 0:
            yield current
            return
        tried = mover.changed(current)
        lookout.work += WORK_OF_A_MOVE
        score = goal.score(lookout.look(tried)) if valid(tried) else None
        mover.reward(score is not None and score <= best)
        if score is not None and score <= best:
            current, best = tried, score
