"""Closures for comprehensions and generator expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from neurosym_specs.expr.datavalues import kind_of
from neurosym_specs.expr.operators import condition
from neurosym_specs.expr.program import Frame, Local, Program, Run, RunCells, Unit
from neurosym_specs.expr.undefined import Undefined

Assign = Callable[[Frame, Any], None]


@dataclass(frozen=True, slots=True)
class Loop:
    """One ``for``: what it runs over, where its variable goes (``slot`` where it is one name), its ``if``s."""

    items: Run
    assign: Assign
    slot: int | None
    test: Run | None


@dataclass(frozen=True, slots=True)
class Loops:
    """The ``for``s of one comprehension, and what it gives for each round."""

    loops: tuple[Loop, ...]
    elements: tuple[Run, ...]


def compile_loops(
    unit: Unit,
    generators: list[ast.comprehension],
    elements: list[ast.expr],
    compile_element: Callable[[Unit, ast.expr], Run] = Unit.compile,
) -> Loops:
    """Compile a comprehension; its variables hide the names outside, and are gone after it."""
    outside = unit.names
    loops: list[Loop] = []
    try:
        for generator in generators:
            items = compile_items(unit, generator.iter)
            inside: dict[str, Local | RunCells] = dict(unit.names)
            assign, slot = _target(unit, generator.target, inside)
            unit.names = inside
            loops.append(Loop(items, assign, slot, _all_of(unit, generator.ifs)))
        return Loops(tuple(loops), tuple(compile_element(unit, element) for element in elements))
    finally:
        unit.names = outside


def compile_items(unit: Unit, node: ast.expr) -> Run:
    """What a loop runs over, charged for; a ``range`` stays one."""
    library = unit.program.library
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        if not node.keywords and 1 <= len(node.args) <= 3:
            bounds = [unit.compile(argument) for argument in node.args]
            charged = unit.guard(node, lambda *values: library.items(library.range(*values), "`for`"))
            if len(bounds) == 1:
                only = bounds[0]
                return lambda frame: charged(only(frame))
            return lambda frame: charged(*[bound(frame) for bound in bounds])
    value, meter = unit.compile(node), unit.program.meter
    slow = unit.guard1(node, lambda found: library.items(found, "`for`"))

    def items(frame: Frame) -> Any:
        found = value(frame)
        if type(found) is list:
            meter.left -= len(found)
            if meter.left >= 0:
                return found
        return slow(found)

    return items


def _all_of(unit: Unit, tests: list[ast.expr]) -> Run | None:
    compiled = [condition(unit, test) for test in tests]
    if len(compiled) <= 1:
        return compiled[0] if compiled else None
    return lambda frame: all(test(frame) for test in compiled)


def _target(unit: Unit, node: ast.expr, names: dict[str, Local | RunCells]) -> tuple[Assign, int | None]:
    if isinstance(node, ast.Name):
        slot = unit.new_slot()
        names[node.id] = Local(slot)

        def store(frame: Frame, item: Any) -> None:
            frame[slot] = item

        return store, slot
    assert isinstance(node, ast.Tuple | ast.List)
    parts = [_target(unit, part, names)[0] for part in node.elts]

    def unpack(frame: Frame, item: Any) -> None:
        if not isinstance(item, tuple | list):
            raise unit.undefined(node, f"{kind_of(item)} cannot be taken apart into {len(parts)} names")
        if len(item) != len(parts):
            raise unit.undefined(node, f"{len(item)} values for {len(parts)} names")
        for part, value in zip(parts, item, strict=True):
            part(frame, value)

    return unpack, None


def rounds(loops: tuple[Loop, ...], frame: Frame) -> Iterator[None]:
    """Set the variables to each combination in turn."""
    loop, inner = loops[0], loops[1:]
    assign, test = loop.assign, loop.test
    for item in loop.items(frame):
        assign(frame, item)
        if test is None or test(frame):
            if inner:
                yield from rounds(inner, frame)
            else:
                yield


def collect(compiled: Loops) -> Run:
    """A closure that gives the list of the elements."""
    element = compiled.elements[0]
    loops = compiled.loops
    loop, *inner = loops
    if inner:
        return lambda frame: [element(frame) for _ in rounds(loops, frame)]
    items, assign, slot, test = loop.items, loop.assign, loop.slot, loop.test
    if slot is not None and test is None:

        def gather(frame: Frame) -> list[Any]:
            found = []
            for item in items(frame):
                frame[slot] = item
                found.append(element(frame))
            return found

        return gather

    def gather_some(frame: Frame) -> list[Any]:
        found = []
        for item in items(frame):
            assign(frame, item)
            if test is None or test(frame):
                found.append(element(frame))
        return found

    return gather_some


def compile_list(unit: Unit, node: ast.ListComp | ast.GeneratorExp) -> Run:
    gather = collect(compile_loops(unit, node.generators, [node.elt]))
    if len(node.generators) == 1:
        return gather  # no longer than what it runs over
    size = unit.guard1(node, unit.program.meter.size)

    def bounded(frame: Frame) -> list[Any]:
        found: list[Any] = gather(frame)
        size(len(found))
        return found

    return bounded


def compile_set(unit: Unit, node: ast.SetComp) -> Run:
    gather = collect(compile_loops(unit, node.generators, [node.elt]))
    build = unit.guard1(node, lambda items: build_set(unit.program, items))
    return lambda frame: build(gather(frame))


def compile_dict(unit: Unit, node: ast.DictComp) -> Run:
    compiled = compile_loops(unit, node.generators, [node.key, node.value])
    loops, key, value = compiled.loops, compiled.elements[0], compiled.elements[1]
    build = unit.guard1(node, lambda items: build_dict(unit.program, items))
    return lambda frame: build([(key(frame), value(frame)) for _ in rounds(loops, frame)])


def build_set(program: Program, items: list[Any]) -> frozenset[Any]:
    program.meter.size(len(items))
    for item in items:
        program.comparing.weigh(item)
    try:
        return frozenset(items)
    except TypeError:
        raise Undefined("a list, set or dict cannot be in a set; write a tuple") from None


def build_dict(program: Program, items: list[tuple[Any, Any]]) -> dict[Any, Any]:
    program.meter.size(len(items))
    for key, _ in items:
        program.comparing.weigh(key)
    try:
        return dict(items)
    except TypeError:
        raise Undefined("a list, set or dict cannot be the key of a dict; write a tuple") from None
