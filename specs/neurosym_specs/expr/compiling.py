"""From a node of an expression's tree to its closure: names, constants, displays, conditions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from datetime import date
from typing import Any

from neurosym_specs.expr import calls, comparisons, comprehensions, operators
from neurosym_specs.expr.closures import cell, cell_of, constant, local
from neurosym_specs.expr.datavalues import DataTable, kind_of
from neurosym_specs.expr.dates import attribute, needs_whole
from neurosym_specs.expr.language import DATE_ATTRIBUTES, FUNCTIONS, METHODS, MODES, RAISED, RESULT
from neurosym_specs.expr.literals import UNSET, is_constant
from neurosym_specs.expr.program import Frame, Local, Run, RunCells, Unit
from neurosym_specs.expr.undefined import Undefined
from neurosym_specs.values import Record


def compile_node(unit: Unit, node: ast.expr) -> Run:
    run = _COMPILERS[type(node)](unit, node)
    return _folded(run) if is_constant(node) and not isinstance(node, ast.Constant) else run


def _folded(run: Run) -> Run:
    """A closure over literals alone as its value; as it is where it has none (it is undefined when it is needed)."""
    try:
        return constant(run([]))
    except Undefined:
        return run


def _constant(unit: Unit, node: ast.Constant) -> Run:
    return constant(node.value)


def _name(unit: Unit, node: ast.Name) -> Run:
    name, program = node.id, unit.program
    variable = unit.names.get(name)
    if isinstance(variable, Local):
        return _of_context(unit, node, variable.slot) if name in (RESULT, RAISED) else local(variable.slot)
    if isinstance(variable, RunCells):
        raise unit.fault(node, f"`{name}` is a run, not a value", f"write {name}.result or {name}.some_input")
    if name in program.cell_of_input:
        if unit.runs:
            raise unit.fault(node, f"`{name}` is an input; in a relation say of which run", f"write a.{name}")
        return cell(program.cell_of_input[name])
    if name in program.cell_of_let:
        return program.let(name, unit, node)
    if name in program.data:
        return constant(program.data[name])
    if name in FUNCTIONS or name in program.spec.definitions or name in program.records:
        raise unit.fault(node, f"`{name}` is a function", f"write {name}(...)")
    if name in MODES:
        raise unit.fault(node, f"`{name}` is a rounding mode; it stands only in round and round_to")
    raise unit.fault(node, f"there is no `{name}` here")


def _of_context(unit: Unit, node: ast.AST, slot: int) -> Run:
    name = unit.expression.fragment(node)

    def read(frame: Frame) -> Any:
        value = frame[slot]
        if value is UNSET:
            raise unit.undefined(node, f"there is no `{name}` here: nothing has run")
        return value

    return read


def _attribute(unit: Unit, node: ast.Attribute) -> Run:
    if isinstance(node.value, ast.Name):
        run = unit.names.get(node.value.id)
        if isinstance(run, RunCells):
            return _of_run(unit, node, run)
    name, value = node.attr, unit.compile(node.value)

    def read(frame: Frame) -> Any:
        found = value(frame)
        if type(found) is Record:
            try:
                return found.fields[name]
            except KeyError:
                raise unit.undefined(node, f"a record {found.type_name} has no field `{name}`") from None
        if name in DATE_ATTRIBUTES and isinstance(found, date):
            return attribute(found, name)
        if type(found) is DataTable and name in found:
            return found[name]
        if name in METHODS:
            raise unit.undefined(node, f"`.{name}` is a method: write .{name}(...)")
        raise unit.undefined(node, f"{kind_of(found)} has no `{name}`")

    return read


def _of_run(unit: Unit, node: ast.Attribute, run: RunCells) -> Run:
    """``a.x``: an input, a let, the result of one run."""
    name, program = node.attr, unit.program
    if name in program.cell_of_input:
        return cell_of(run.cells, program.cell_of_input[name])
    if name in program.cell_of_let:
        let, slot = program.let(name, unit, node), run.cells
        return lambda frame: let([frame[slot]])
    if name == RESULT:
        return _of_context(unit, node, run.result)
    if name == RAISED:
        return _of_context(unit, node, run.raised)
    if name in program.data:
        return constant(program.data[name])
    raise unit.fault(node, f"a run has no `{name}`")


def _tuple(unit: Unit, node: ast.Tuple) -> Run:
    parts = [unit.compile(part) for part in node.elts]
    if len(parts) == 2:
        first, second = parts
        return lambda frame: (first(frame), second(frame))
    return lambda frame: tuple([part(frame) for part in parts])


def _list(unit: Unit, node: ast.List) -> Run:
    parts = [unit.compile(part) for part in node.elts]
    return lambda frame: [part(frame) for part in parts]


def _set(unit: Unit, node: ast.Set) -> Run:
    parts = [unit.compile(part) for part in node.elts]
    build = unit.guard(node, lambda items: comprehensions.build_set(unit.program, items))
    return lambda frame: build([part(frame) for part in parts])


def _dict(unit: Unit, node: ast.Dict) -> Run:
    keys = [unit.compile(key) for key in node.keys if key is not None]
    values = [unit.compile(value) for value in node.values]
    pairs = list(zip(keys, values, strict=True))
    build = unit.guard(node, lambda items: comprehensions.build_dict(unit.program, items))
    return lambda frame: build([(key(frame), value(frame)) for key, value in pairs])


def _if(unit: Unit, node: ast.IfExp) -> Run:
    branches: list[tuple[Run, Run]] = []
    rest: ast.expr = node
    while isinstance(rest, ast.IfExp):
        branches.append((operators.condition(unit, rest.test), unit.compile(rest.body)))
        rest = rest.orelse
    otherwise = unit.compile(rest)
    if len(branches) == 1:
        test, body = branches[0]
        return lambda frame: body(frame) if test(frame) else otherwise(frame)

    def choose(frame: Frame) -> Any:
        for test, body in branches:
            if test(frame):
                return body(frame)
        return otherwise(frame)

    return choose


def _subscript(unit: Unit, node: ast.Subscript) -> Run:
    value = unit.compile(node.value)
    if isinstance(node.slice, ast.Slice):
        return _slice(unit, node, value, node.slice)
    index = unit.compile(node.slice)
    slow = unit.guard2(node, lambda found, at: _item(unit, found, at))

    def read(frame: Frame) -> Any:
        found, at = value(frame), index(frame)
        if type(at) is int and type(found) is list:
            try:
                return found[at]
            except IndexError:
                raise unit.undefined(node, f"index {at} of a list of {len(found)}") from None
        return slow(found, at)

    return read


def _item(unit: Unit, found: Any, at: Any) -> Any:
    if isinstance(found, dict):
        unit.program.comparing.weigh(at)
        return found[at]
    if isinstance(found, str):
        found = str(found)
    if isinstance(found, str | list | tuple):
        whole = needs_whole(at, "an index")
        if not -len(found) <= whole < len(found):
            raise Undefined(f"index {whole} of {kind_of(found)} of {len(found)}")
        return found[whole]
    if isinstance(found, Record):
        raise Undefined(f"a record {found.type_name} is read by its fields, as x.{next(iter(found.fields), 'field')}")
    raise Undefined(f"{kind_of(found)} has no items")


def _slice(unit: Unit, node: ast.Subscript, value: Run, bounds: ast.Slice) -> Run:
    parts: list[Run] = [
        constant(None) if part is None else unit.compile(part) for part in (bounds.lower, bounds.upper, bounds.step)
    ]
    meter = unit.program.meter

    def cut(found: Any, *ends: Any) -> Any:
        if not isinstance(found, str | list | tuple):
            raise Undefined(f"{kind_of(found)} has no slices")
        whole = [None if end is None else needs_whole(end, "a slice") for end in ends]
        meter.spend(1 + (len(found) >> 3))
        return (str(found) if isinstance(found, str) else found)[slice(*whole)]

    low, high, step = parts
    slow = unit.guard(node, cut)
    if bounds.step is None:

        def read(frame: Frame) -> Any:
            found, start, stop = value(frame), low(frame), high(frame)
            if (type(found) is list or type(found) is str) and (start is None or type(start) is int):
                if stop is None or type(stop) is int:
                    meter.left -= 1 + (len(found) >> 3)
                    return found[start:stop]
            return slow(found, start, stop)

        return read
    return lambda frame: slow(value(frame), low(frame), high(frame), step(frame))


_COMPILERS: dict[type[ast.expr], Callable[[Unit, Any], Run]] = {  # Any: each takes its own class of node
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.IfExp: _if,
    ast.Subscript: _subscript,
    ast.BoolOp: operators.compile_boolean,
    ast.BinOp: operators.compile_binary,
    ast.UnaryOp: operators.compile_unary,
    ast.Compare: comparisons.compile_comparison,
    ast.Call: calls.compile_call,
    ast.ListComp: comprehensions.compile_list,
    ast.GeneratorExp: comprehensions.compile_list,
    ast.SetComp: comprehensions.compile_set,
    ast.DictComp: comprehensions.compile_dict,
}
