"""How often a candidate that computes with floats is wrong, where in the range, and first at which value.

The counterexample is the smallest input on which a float's last digit shows. This says how much of the universe is like
it: one cent in a million is another finding than one in ten. Where all inputs are few they are all run; else some are
drawn, each by itself and every value alike, so that those that are valid are drawn evenly from all valid ones.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise, product
from math import prod
from random import Random

from neurosym_specs.model import Spec
from neurosym_specs.notation import call_source
from neurosym_specs.types import FloatType

from neurosym_verifiers.axes import Axis, axes_of, by_size
from neurosym_verifiers.search.grid import Grid
from neurosym_verifiers.search.leaves import Inputs

_FEW = 1_000
_DRAWN = 400
_MOST_BANDS = 40
_LONGEST_WALK = 1_000


class Seen(Enum):
    """What a candidate does on one input. ``OUTSIDE``: no value is promised there. ``OPEN``: a clause is undefined."""

    RIGHT = auto()
    WRONG = auto()
    OUTSIDE = auto()
    OPEN = auto()


class OutOfTime(Exception):
    """No more is run."""


Judge = Callable[[Inputs], Seen]
"""Runs the candidate on an input. Raises ``OutOfTime``."""


@dataclass(frozen=True, slots=True)
class Band:
    """Of the ``inputs`` that were run with a value from ``low`` to ``high`` (the spec's notation) so many are wrong."""

    low: str
    high: str
    inputs: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Strip:
    """Where along ``input`` the candidate is wrong, whatever the others are: the whole range in equal bands."""

    input: str
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class FirstWrong:
    """The first ``value`` of ``input`` that is wrong, going up from ``start`` through every value, all others fixed.

    ``from_minimum``: ``start`` is where the range begins; else it is zero. ``right``: how many valid values are before
    it, on each of which the candidate was run and is right. ``call``: the call with the value.
    """

    input: str
    start: str
    from_minimum: bool
    value: str
    right: int
    call: str


@dataclass(frozen=True, slots=True)
class Frequency:
    """Wrong on ``wrong`` of ``inputs`` valid inputs. ``all_there_are``: and there are no others.

    Else they were drawn evenly, with ``seed``, from ``population`` inputs, valid or not; ``steps``: of an input with
    more values, from which.
    """

    wrong: int
    inputs: int
    all_there_are: bool
    population: int
    seed: str
    steps: tuple[str, ...] = ()
    strip: Strip | None = None
    first: FirstWrong | None = None


def computes_with_floats(spec: Spec, source: str) -> bool:
    """Whether a program may compute with binary floats: it divides or names one, and no exact type stands in for it."""
    if any(isinstance(type_, FloatType) for type_ in (*spec.inputs.values(), spec.output)) or names_floats(source):
        return True
    nodes = list(ast.walk(ast.parse(source)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return any(isinstance(node, ast.Div) for node in nodes) and not names & {"Decimal", "Fraction"}


def names_floats(source: str) -> bool:
    """Whether a program writes a float, or names the type."""
    return any(
        (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
        for node in ast.walk(ast.parse(source))
    )


def counted(spec: Spec, judge: Judge) -> Frequency | None:
    """The frequency; None for inputs that are not drawn evenly (lists, texts, what has no bounds).

    The draw is the same for every candidate of a spec. What was judged until time was up counts, and is a draw too.
    """
    axes = axes_of(spec)
    if axes is None:
        return None
    population, rng = prod(map(len, axes)), Random(spec.name)
    whole = population <= _FEW and not any(isinstance(axis.values, Grid) for axis in axes)
    judged: list[tuple[dict[str, int], bool]] = []
    try:
        for places in _all_places(axes, rng) if whole else _drawn_places(axes, rng):
            seen = judge({axis.name: axis.at(places[axis.name]) for axis in axes})
            if seen is Seen.OPEN:
                whole = False
            elif seen is not Seen.OUTSIDE:
                judged.append((places, seen is Seen.WRONG))
    except OutOfTime:
        whole = False
    wrong = sum(wrong for _, wrong in judged)
    steps = tuple(axis.missing for axis in axes if axis.missing)
    strip = _strip(axes, judged) if wrong else None
    return Frequency(wrong, len(judged), whole, population, spec.name, steps, strip) if judged else None


def first_wrong(spec: Spec, inputs: Inputs, judge: Judge) -> FirstWrong | None:
    """The first wrong value on the way up to a wrong input, along the first axis that is short enough to be walked.

    None where there is none, or a clause on the way is undefined: then nothing shows that it is the first.
    """
    for axis in by_size(axes_of(spec) or []):
        at = None if axis.missing else axis.place_of(inputs[axis.name])
        starts = [start for start in (0, axis.zero) if at is not None and start is not None]
        start = next((start for start in starts if 0 <= (at or 0) - start <= _LONGEST_WALK), None)
        if at is None or start is None:
            continue
        right = 0
        for place in range(start, at + 1):
            here = {**inputs, axis.name: axis.at(place)}
            match judge(here):
                case Seen.WRONG:
                    call = call_source(spec, here)
                    return FirstWrong(axis.name, axis.text(start), start == 0, axis.text(place), right, call)
                case Seen.OPEN:
                    return None
                case Seen.RIGHT:
                    right += 1
                case Seen.OUTSIDE:
                    pass
    return None


def _all_places(axes: Sequence[Axis], rng: Random) -> Iterator[dict[str, int]]:
    """All inputs, in an order without meaning, so that those that time is enough for are drawn evenly."""
    whole = list(product(*(range(len(axis)) for axis in axes)))
    rng.shuffle(whole)
    return ({axis.name: place for axis, place in zip(axes, places, strict=True)} for places in whole)


def _drawn_places(axes: Sequence[Axis], rng: Random) -> Iterator[dict[str, int]]:
    """Inputs that are drawn evenly, each by itself."""
    return ({axis.name: rng.randrange(len(axis)) for axis in axes} for _ in range(_DRAWN))


def _strip(axes: Sequence[Axis], judged: Sequence[tuple[dict[str, int], bool]]) -> Strip | None:
    """Along the amount with the most values; without one, along the number or date with the most."""
    axis = next(iter(by_size(axes)), None)
    if axis is None:
        return None
    count = min(_MOST_BANDS, len(axis))
    edges = [len(axis) * band // count for band in range(count + 1)]
    inputs, wrong = [0] * count, [0] * count
    for places, is_wrong in judged:
        band = bisect_right(edges, places[axis.name]) - 1
        inputs[band] += 1
        wrong[band] += is_wrong
    ends = ((axis.text(low), axis.text(high - 1)) for low, high in pairwise(edges))
    return Strip(axis.name, tuple(Band(*end, n, w) for end, n, w in zip(ends, inputs, wrong, strict=True)))
