"""The smallest input that shows a fault.

One order on inputs, the same on every machine: fewer elements and characters first, then the fewest binary digits
in all amounts together (each measured in units from the simplest value of its type), then leaf by leaf in the order of
the parameters, positive before negative. The shrinker only moves down in this order, so it ends; it is greedy, so what
it finds is a local minimum: no single element, character, leaf or pair of amounts can be made smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

from neurosym_specs.types import BoolType, DateType, DictType, EnumType, Interval, ListType, SetType, StrType, Type

from neurosym_verifiers.search.draw import in_form
from neurosym_verifiers.search.grid import Grid, grid_of
from neurosym_verifiers.search.leaves import Inputs, Node, is_container, nodes, replaced, sorted_set, value_at

_FEW_NUMBERS = 4
_MOST_NUMBERS = 12
_SIMPLE_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ .,-"


def size_key(types: Mapping[str, Type], inputs: Inputs) -> tuple[Any, ...]:
    """The place of inputs in the order."""
    elements, digits = 0, 0
    parts: list[tuple[int, int, int]] = []
    for node in nodes(types, inputs):
        if node.value is None:
            parts.append((0, 0, 0))
        elif is_container(node.type):
            elements += len(node.value) if isinstance(node.type, (ListType, DictType, SetType)) else 0
        elif isinstance(node.type, StrType) and node.type.choices is None:
            elements += len(node.value)
            parts += [(1, _character(c), 0) for c in node.value]
        else:
            rank, sign = _rank(node)
            digits += rank.bit_length()
            parts.append((1, rank, sign))
    return elements, digits, parts


def _character(char: str) -> int:
    at = _SIMPLE_CHARACTERS.find(char)
    return at if at >= 0 else len(_SIMPLE_CHARACTERS) + ord(char)


def _options(type_: Type) -> list[Any] | None:
    """The values of a type that has only a few, the simplest first; None for other types."""
    if type_.choices is not None:
        return [*type_.choices, *(extra for extra in type_.also if not isinstance(extra, Interval))]
    if isinstance(type_, EnumType):
        return [name for name, _ in type_.members]
    return [False, True] if isinstance(type_, BoolType) else None


def _rank(node: Node) -> tuple[int, int]:
    """How far a scalar is from the simplest of its type, and 1 if on the negative side."""
    grid = grid_of(node.type)
    at = grid.position(node.value) if grid is not None else None
    if grid is not None and at is not None:
        away = at - grid.origin
        fine = 0 if away.denominator == 1 else away.denominator.bit_length()
        return 2 * abs(int(away)) + (fine > 0) + fine, int(away < 0)
    options = _options(node.type)
    if options is not None:
        return (options.index(node.value) if node.value in options else len(options)), 0
    return 1 << 80, int(node.value < 0) if isinstance(node.value, float) else 0


def shrink(types: Mapping[str, Type], inputs: Inputs, still_fails: Callable[[Inputs], bool], *, tries: int) -> Inputs:
    """The smallest inputs found that still fail, with at most so many questions to ``still_fails``.

    ``still_fails`` also answers for inputs outside the universe (with False).
    """
    best, key = inputs, size_key(types, inputs)
    asked: set[str] = set()
    progress = True
    while progress and tries > 0:
        progress = False
        for ways in (_fewer_parts, _simpler_leaves, _pairs_lowered, _pairs_small):
            again = True
            while again and tries > 0:
                again = False
                for smaller in ways(types, best):
                    smaller_key = size_key(types, smaller)
                    if smaller_key >= key or repr(smaller_key) in asked:
                        continue
                    asked.add(repr(smaller_key))
                    tries -= 1
                    if still_fails(smaller):
                        best, key, again, progress = smaller, smaller_key, True, True
                    if again or tries <= 0:
                        break
    return best


def _fewer_parts(types: Mapping[str, Type], inputs: Inputs) -> Iterator[Inputs]:
    """Elements, characters and entries left out, the boldest cut first; none for what may be none."""
    for node in nodes(types, inputs):
        if isinstance(node.type, ListType) and node.value:
            yield from (replaced(inputs, node.path, in_form(node.type, s)) for s in _shorter(list(node.value)))
        elif isinstance(node.value, str) and isinstance(node.type, StrType) and node.type.choices is None:
            yield from (replaced(inputs, node.path, "".join(s)) for s in _shorter(list(node.value)))
        elif isinstance(node.value, dict):
            for key in node.value:
                yield replaced(inputs, node.path, {k: v for k, v in node.value.items() if k != key})
        elif isinstance(node.value, frozenset):
            for element in sorted_set(node.value):
                yield replaced(inputs, node.path, node.value - {element})
        if node.optional and node.value is not None:
            yield replaced(inputs, node.path, None)


def _simpler_leaves(types: Mapping[str, Type], inputs: Inputs) -> Iterator[Inputs]:
    for node in nodes(types, inputs):
        yield from (replaced(inputs, node.path, simpler) for simpler in _simpler(node))


def _numbers(types: Mapping[str, Type], inputs: Inputs) -> list[tuple[Node, Grid]]:
    return [(node, grid) for node in nodes(types, inputs) if (grid := _usable_grid(node)) is not None]


def _pairs_lowered(types: Mapping[str, Type], inputs: Inputs) -> Iterator[Inputs]:
    """Two amounts lowered together, where lowering one alone would mend the fault."""
    for (node, grid), (other, other_grid) in combinations(_numbers(types, inputs)[:_MOST_NUMBERS], 2):
        yield from _both_lower(inputs, node, grid, other, other_grid)


def _pairs_small(types: Mapping[str, Type], inputs: Inputs) -> Iterator[Inputs]:
    """Every pair of amounts at small round values: a tie, say, may need two amounts that fit each other."""
    numbers = _numbers(types, inputs)
    if len(numbers) > _FEW_NUMBERS:
        return
    for (node, grid), (other, other_grid) in combinations(numbers, 2):
        for small in _small_points(grid):
            changed = replaced(inputs, node.path, grid.point(small))
            for other_small in _small_points(other_grid):
                yield replaced(changed, other.path, other_grid.point(other_small))


def _small_points(grid: Grid) -> list[int]:
    if isinstance(grid.type, DateType):
        return []
    unit = max(1, int(1 / grid.step))
    amounts = sorted({1, 2, 3, 5, 10, 25, 50, unit, 2 * unit, 5 * unit, 10 * unit, 50 * unit})
    return [grid.origin + amount for amount in amounts if grid.origin + amount <= grid.last]


def _usable_grid(node: Node) -> Grid | None:
    grid = grid_of(node.type) if node.type.choices is None and node.value is not None else None
    return grid if grid is not None and grid.position(node.value) is not None else None


def _shorter(items: list[Any]) -> Iterator[list[Any]]:
    """Halves and quarters left out, then single elements."""
    size = len(items) // 2
    while size >= 1:
        for start in range(0, len(items), size):
            yield items[:start] + items[start + size :]
        size //= 2


def _simpler(node: Node) -> Iterator[Any]:
    if node.value is None or is_container(node.type):
        return
    options = _options(node.type)
    if options is not None:
        yield from options[: options.index(node.value)] if node.value in options else options
    elif isinstance(node.type, StrType):
        for i, char in enumerate(node.value):
            for simple in ("0", "1", "a", "A"):
                if _character(simple) < _character(char):
                    yield node.value[:i] + simple + node.value[i + 1 :]
    else:
        yield from _nearer_to_origin(node)


def _nearer_to_origin(node: Node) -> Iterator[Any]:
    grid = grid_of(node.type)
    assert grid is not None
    position = grid.position(node.value)
    if position is None:
        yield grid.point(grid.origin)
        return
    at, origin = round(position), grid.origin
    away = at - origin
    if position != at:
        yield grid.point(at)
    yield grid.point(origin)
    unit = int(1 / grid.step) if grid.step < 1 else 1
    scale = 1
    while scale <= abs(away):
        scale *= 10
    while scale > 1:
        scale //= 10
        for amount in (scale, away // scale * scale if away > 0 else -(-away // scale * scale)):
            yield grid.point(origin + amount)
        if away < 0:
            yield grid.point(origin - scale)
    if away < 0:
        yield grid.point(origin - away)
    if unit > 1:
        yield grid.point(origin + away // unit * unit)
    half = away
    while abs(half) > 1:
        half = int(half / 2) if abs(half) < 2**50 else (abs(half) // 2) * (1 if half > 0 else -1)
        yield grid.point(at - half)
    for small in (3, 2, 1):
        yield grid.point(at - small if away > 0 else at + small)
        yield grid.point(origin + small)


def _both_lower(inputs: Inputs, node: Node, grid: Grid, other: Node, other_grid: Grid) -> Iterator[Inputs]:
    """Two amounts lowered by the same number of units, or halved together, where one alone would mend the fault."""
    here, there = grid.position(node.value), other_grid.position(value_at(inputs, other.path))
    assert here is not None
    assert there is not None
    at, other_at = round(here), round(there)
    drop = at - grid.origin
    while abs(drop) >= 1:
        changed = replaced(inputs, node.path, grid.point(at - drop))
        yield replaced(changed, other.path, other_grid.point(other_at - drop))
        drop = int(drop / 2) if abs(drop) < 2**50 else drop // 2
    for divisor in (10, 2):
        changed = replaced(inputs, node.path, grid.point(grid.origin + (at - grid.origin) // divisor))
        yield replaced(
            changed,
            other.path,
            other_grid.point(other_grid.origin + (other_at - other_grid.origin) // divisor),
        )
