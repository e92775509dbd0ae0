"""Closures for the functions that run over items: sum, any, all, min, max, sorted, fold, scan."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from neurosym_specs.expr import signatures
from neurosym_specs.expr.closures import constant
from neurosym_specs.expr.comprehensions import collect, compile_items, compile_loops, rounds
from neurosym_specs.expr.datavalues import kind_of
from neurosym_specs.expr.literals import UNSET
from neurosym_specs.expr.operators import condition
from neurosym_specs.expr.program import Frame, Run, RunCells, Unit


def compile_sum(unit: Unit, node: ast.Call) -> Run:
    library = unit.program.library
    if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
        generator = node.args[0]
        gather = collect(compile_loops(unit, generator.generators, [generator.elt]))
        total, observer = unit.guard1(node, lambda items: library.arithmetic.total(0, items)), unit.program.observer
        if observer is None:
            return lambda frame: total(gather(frame))

        def watched(frame: Frame) -> Any:
            items = gather(frame)
            observer.summands(node, items)
            return total(items)

        return watched
    arguments = [unit.compile(argument) for argument in (*node.args, *(keyword.value for keyword in node.keywords))]
    added = unit.guard(node, library.sum)
    return lambda frame: added(*[argument(frame) for argument in arguments])


def compile_quantifier(unit: Unit, node: ast.Call) -> Run:
    """``any`` and ``all``, which stop at the first item that decides."""
    assert isinstance(node.func, ast.Name)
    decisive: bool = node.func.id == "any"
    otherwise = not decisive
    argument = node.args[0]
    if not isinstance(argument, ast.GeneratorExp):
        items = compile_items(unit, argument)

        def over_items(frame: Frame) -> bool:
            for item in items(frame):
                if item is not True and item is not False:
                    raise unit.undefined(node, f"its items are booleans, not {kind_of(item)}")
                if item is decisive:
                    return not otherwise
            return otherwise

        return over_items
    compiled = compile_loops(unit, argument.generators, [argument.elt], condition)
    loops, test = compiled.loops, compiled.elements[0]
    if len(loops) == 1:
        loop = loops[0]
        items, assign, only_if = loop.items, loop.assign, loop.test

        def over_one(frame: Frame) -> bool:
            for item in items(frame):
                assign(frame, item)
                if (only_if is None or only_if(frame)) and test(frame) is decisive:
                    return not otherwise
            return otherwise

        return over_one

    def over_many(frame: Frame) -> bool:
        for _ in rounds(loops, frame):
            if test(frame) is decisive:
                return not otherwise
        return otherwise

    return over_many


def least_compiler(operator: str) -> Callable[[Unit, ast.Call], Run]:
    """For ``min`` (``<``) and ``max`` (``>``)."""

    def compile_least(unit: Unit, node: ast.Call) -> Run:
        arguments = [unit.compile(argument) for argument in node.args]
        least = unit.guard(node, unit.program.library.least)
        if node.keywords:
            return _least_with_keywords(unit, node, operator, arguments, least)
        if len(arguments) != 2:
            return lambda frame: least(operator, tuple([argument(frame) for argument in arguments]))
        first, second = arguments
        if operator == "<":

            def minimum(frame: Frame) -> Any:
                a, b = first(frame), second(frame)
                if type(a) is int and type(b) is int:
                    return b if b < a else a
                return least("<", (a, b))

            return minimum

        def maximum(frame: Frame) -> Any:
            a, b = first(frame), second(frame)
            if type(a) is int and type(b) is int:
                return b if b > a else a
            return least(">", (a, b))

        return maximum

    return compile_least


def _least_with_keywords(
    unit: Unit, node: ast.Call, operator: str, arguments: list[Run], least: Callable[..., Any]
) -> Run:
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    default = unit.compile(keywords["default"]) if "default" in keywords else constant(UNSET)
    if "default" in keywords and len(arguments) != 1:
        raise unit.fault(node, "a default is for the items of one list")
    if "key" not in keywords:
        return lambda frame: least(operator, (arguments[0](frame),), default(frame))
    call = _function_argument(unit, keywords["key"], 1)

    def by_key(frame: Frame) -> Any:
        values = tuple([argument(frame) for argument in arguments])
        return least(operator, values, default(frame), lambda item: call(frame, item))

    return by_key


def compile_sorted(unit: Unit, node: ast.Call) -> Run:
    program = unit.program
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    items = compile_items(unit, node.args[0])
    backwards = condition(unit, keywords["reverse"]) if "reverse" in keywords else constant(False)
    in_order = unit.guard(node, lambda *values: program.comparing.in_order(*values))
    if "key" not in keywords:
        return lambda frame: in_order(list(items(frame)), None, backwards(frame))
    call = _function_argument(unit, keywords["key"], 1)

    def by_key(frame: Frame) -> Any:
        return in_order(list(items(frame)), lambda item: call(frame, item), backwards(frame))

    return by_key


def _function_argument(unit: Unit, node: ast.expr, arity: int) -> Callable[..., Any]:
    """A definition named as an argument: a function of the frame and the definition's arguments."""
    program = unit.program
    cells, name = 0, ""
    if isinstance(node, ast.Name):
        name = node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        run = unit.names.get(node.value.id)
        if isinstance(run, RunCells):
            cells, name = run.cells, node.attr
    definitions = {each: definition.parameters for each, definition in program.spec.definitions.items()}
    signatures.check_function_argument(unit.expression, node, name, definitions, arity)
    compiled = program.definition(name, unit, node)
    body, padding, meter = compiled.run, compiled.padding, program.meter

    def call(frame: Frame, *values: Any) -> Any:
        meter.left -= 1
        if meter.left < 0:
            raise unit.failed(node, meter.out_of_steps())
        return body([frame[cells], *values, *padding])

    return call


def compile_fold(unit: Unit, node: ast.Call) -> Run:
    assert isinstance(node.func, ast.Name)
    every_state = node.func.id == "scan"
    step = _function_argument(unit, node.args[0], 2)
    items, start = compile_items(unit, node.args[1]), unit.compile(node.args[2])

    def last(frame: Frame) -> Any:
        state = start(frame)
        for item in items(frame):
            state = step(frame, state, item)
        return state

    def states(frame: Frame) -> list[Any]:
        state, found = start(frame), []
        for item in items(frame):
            state = step(frame, state, item)
            found.append(state)
        return found

    return states if every_state else last
