"""How often a refuted candidate is wrong: on inputs drawn evenly from the universe, or on all where they are few.

The counterexample is the smallest input on which a float's last digit shows. This says how much of the universe is like
it: one cent in a million is another finding than one in ten.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from random import Random

from neurosym_specs.model import Spec
from neurosym_specs.types import FloatType

from neurosym_verifiers.search.exhaust import domain_of
from neurosym_verifiers.search.grid import Grid, grid_of
from neurosym_verifiers.search.leaves import Inputs

_FEW = 600
_DRAWN = 400


@dataclass(frozen=True, slots=True)
class Frequency:
    """Wrong on ``wrong`` of ``inputs`` valid inputs. ``all_there_are``: and there are no others."""

    wrong: int
    inputs: int
    all_there_are: bool


def computes_with_floats(spec: Spec, source: str) -> bool:
    """Whether a program may compute with binary floats: it divides or names one, and no exact type stands in for it."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    if any(isinstance(type_, FloatType) for type_ in (*spec.inputs.values(), spec.output)):
        return True
    if any(isinstance(node, ast.Constant) and isinstance(node.value, float) for node in nodes):
        return True
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    divides = any(isinstance(node, ast.Div) for node in nodes)
    return "float" in names or (divides and not names & {"Decimal", "Fraction"})


def counted(spec: Spec, judge: Callable[[Inputs], bool | None]) -> Frequency | None:
    """The frequency; None for inputs that are not drawn evenly (lists, texts, what has no bounds).

    The draw is the same for every candidate of a spec. ``judge``: whether the candidate is wrong on an input; None
    where nothing is promised there, or no more is run.
    """
    whole = _all_inputs(spec)
    inputs = whole if whole is not None else _drawn(spec, Random(spec.name))
    if inputs is None:
        return None
    wrong = seen = 0
    for each in inputs:
        verdict = judge(each)
        if verdict is not None:
            seen += 1
            wrong += verdict
    return Frequency(wrong, seen, whole is not None) if seen else None


def _all_inputs(spec: Spec) -> list[Inputs] | None:
    """All inputs, where they are few."""
    domains = [domain_of(type_) for type_ in spec.inputs.values()]
    known = [domain for domain in domains if domain is not None]
    if len(known) < len(domains) or prod(map(len, known)) > _FEW:
        return None
    return [dict(zip(spec.inputs, values, strict=True)) for values in product(*known)]


def _drawn(spec: Spec, rng: Random) -> Iterator[Inputs] | None:
    """Inputs that are spread evenly; None where some type has no such."""
    domains = {name: domain_of(type_) for name, type_ in spec.inputs.items()}
    grids = {name: _even(grid_of(type_)) for name, type_ in spec.inputs.items() if domains[name] is None}
    if None in grids.values():
        return None

    def one(name: str) -> object:
        domain, grid = domains[name], grids.get(name)
        if domain is not None:
            return rng.choice(domain)
        assert grid is not None
        return grid.point(rng.randint(grid.first, grid.last))

    return ({name: one(name) for name in spec.inputs} for _ in range(_DRAWN))


def _even(grid: Grid | None) -> Grid | None:
    """The grid of a type whose values are the points of one range."""
    if grid is None or grid.type.choices is not None or grid.type.also:
        return None
    bounds = (getattr(grid.type, "min", None), getattr(grid.type, "max", None))
    return None if None in bounds else grid
