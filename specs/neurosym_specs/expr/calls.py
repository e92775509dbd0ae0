"""Closures for calls: functions of the language, definitions, record constructors, methods."""

from __future__ import annotations

import ast
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from neurosym_specs.expr import iterating, patterns, roundings, signatures
from neurosym_specs.expr.closures import constant
from neurosym_specs.expr.comprehensions import compile_items
from neurosym_specs.expr.datavalues import converter
from neurosym_specs.expr.language import FUNCTIONS, METHODS
from neurosym_specs.expr.literals import constant_value
from neurosym_specs.expr.program import Compiled, Frame, Run, RunCells, Unit
from neurosym_specs.expr.remembering import reads_parameters_only, remembered
from neurosym_specs.expr.strings import needs_text
from neurosym_specs.expr.undefined import Undefined
from neurosym_specs.types import RecordType
from neurosym_specs.values import Record


def compile_call(unit: Unit, node: ast.Call) -> Run:
    if isinstance(node.func, ast.Attribute):
        return _method_or_run(unit, node, node.func)
    assert isinstance(node.func, ast.Name)
    name, program = node.func.id, unit.program
    if name in program.spec.definitions:
        return _definition(unit, node, name, 0)
    if name in FUNCTIONS:
        signatures.check_function(unit.expression, node, name)
        special = _SPECIAL.get(name)
        return special(unit, node) if special else _plain(unit, node, program.library.by_name[name])
    if name in program.records:
        return _record(unit, node, program.records[name])
    raise signatures.no_function(unit.expression, node, name, program.spec.definitions)


def _plain(unit: Unit, node: ast.Call, operation: Callable[..., Any]) -> Run:
    """A function of its values alone."""
    arguments = [unit.compile(argument) for argument in node.args]
    call = unit.guard(node, operation)
    keywords = {str(keyword.arg): unit.compile(keyword.value) for keyword in node.keywords}
    if keywords:
        named = unit.guard(node, lambda values, named: operation(*values, **named))
        return lambda frame: named(
            [argument(frame) for argument in arguments], {name: value(frame) for name, value in keywords.items()}
        )
    if len(arguments) == 1:
        only, call_one = arguments[0], unit.guard1(node, operation)
        return lambda frame: call_one(only(frame))
    if len(arguments) == 2:
        (first, second), call_two = arguments, unit.guard2(node, operation)
        return lambda frame: call_two(first(frame), second(frame))
    return lambda frame: call(*[argument(frame) for argument in arguments])


def _len(unit: Unit, node: ast.Call) -> Run:
    only, slow = unit.compile(node.args[0]), unit.guard(node, unit.program.library.len)

    def length(frame: Frame) -> int:
        value = only(frame)
        return len(value) if type(value) is list or type(value) is str else slow(value)

    return length


def _definition(unit: Unit, node: ast.Call, name: str, cells: int) -> Run:
    program = unit.program
    parameters = program.spec.definitions[name].parameters
    signatures.check_definition_call(unit.expression, node, name, parameters)
    arguments = [unit.compile(argument) for argument in node.args]
    compiled = program.definition(name, unit, node)
    if len(arguments) == 1 and reads_parameters_only(program.spec, name):
        only, call = arguments[0], _call_of(unit, node, compiled, [itemgetter(0)], cells=1)
        ask = remembered(lambda argument: call([argument, None]), program.meter)
        return lambda frame: ask(only(frame))
    return _call_of(unit, node, compiled, arguments, cells)


def _call_of(unit: Unit, node: ast.Call, compiled: Compiled, arguments: list[Run], cells: int) -> Run:
    body, padding, meter = compiled.run, compiled.padding, unit.program.meter
    if len(arguments) == 1:
        only = arguments[0]

        def call_one(frame: Frame) -> Any:
            meter.left -= 1
            if meter.left < 0:
                raise unit.failed(node, meter.out_of_steps())
            return body([frame[cells], only(frame), *padding])

        return call_one

    def call(frame: Frame) -> Any:
        meter.left -= 1
        if meter.left < 0:
            raise unit.failed(node, meter.out_of_steps())
        return body([frame[cells], *[argument(frame) for argument in arguments], *padding])

    return call


def _record(unit: Unit, node: ast.Call, type_: RecordType) -> Run:
    """A record by position or by name; a field that may be none may be left out."""
    given = signatures.record_arguments(unit.expression, node, type_)
    fields = [(name, unit.compile(given[name]) if name in given else constant(None)) for name, _ in type_.fields]
    convert = converter(type_)

    def build(frame: Frame) -> Record:
        made = Record(type_.name, {name: value(frame) for name, value in fields})
        return convert(made) if convert else made

    return build


def _method_or_run(unit: Unit, node: ast.Call, function: ast.Attribute) -> Run:
    name, program = function.attr, unit.program
    if isinstance(function.value, ast.Name):
        run = unit.names.get(function.value.id)
        if isinstance(run, RunCells):
            if name not in program.spec.definitions:
                raise unit.fault(node, f"there is no definition `{name}` to read in run `{function.value.id}`")
            return _definition(unit, node, name, run.cells)
    if name not in METHODS:
        raise signatures.no_method(unit.expression, node, name)
    signatures.check_arguments(unit.expression, node, METHODS[name])
    value, method = unit.compile(function.value), program.methods.by_name[name]
    if name == "join":
        items = compile_items(unit, node.args[0])
        join = unit.guard(node, method)
        return lambda frame: join(value(frame), items(frame))
    call = unit.guard(node, method)
    arguments = [unit.compile(argument) for argument in node.args]
    keywords = {str(keyword.arg): unit.compile(keyword.value) for keyword in node.keywords}
    if keywords:
        named = unit.guard(node, lambda found, values, named: method(found, *values, **named))
        return lambda frame: named(
            value(frame),
            [argument(frame) for argument in arguments],
            {key: argument(frame) for key, argument in keywords.items()},
        )
    if not arguments:
        return lambda frame: call(value(frame))
    if len(arguments) == 1:
        only, call_two = arguments[0], unit.guard2(node, method)
        return lambda frame: call_two(value(frame), only(frame))
    return lambda frame: call(value(frame), *[argument(frame) for argument in arguments])


def _matches(unit: Unit, node: ast.Call) -> Run:
    text, literal = unit.compile(node.args[0]), constant_value(node.args[1])
    meter = unit.program.meter
    if isinstance(literal, str):
        pattern = patterns.compile_pattern(literal)
        known = unit.guard(node, lambda value: pattern.matches(needs_text(value, "`matches`"), meter))
        return lambda frame: known(text(frame))
    found = unit.compile(node.args[1])

    def match(value: Any, written: Any) -> bool:
        try:
            dynamic = patterns.compile_pattern(str(needs_text(written, "`matches`")))
        except patterns.PatternError as error:
            raise Undefined(str(error)) from None
        return dynamic.matches(needs_text(value, "`matches`"), meter)

    matched = unit.guard(node, match)
    return lambda frame: matched(text(frame), found(frame))


_SPECIAL: dict[str, Callable[[Unit, ast.Call], Run]] = {
    "len": _len,
    "sum": iterating.compile_sum,
    "any": iterating.compile_quantifier,
    "all": iterating.compile_quantifier,
    "min": iterating.least_compiler("<"),
    "max": iterating.least_compiler(">"),
    "sorted": iterating.compile_sorted,
    "fold": iterating.compile_fold,
    "scan": iterating.compile_fold,
    "floor": roundings.compile_to_whole,
    "ceil": roundings.compile_to_whole,
    "trunc": roundings.compile_to_whole,
    "round": roundings.compile_round,
    "round_to": roundings.compile_round_to,
    "matches": _matches,
}
