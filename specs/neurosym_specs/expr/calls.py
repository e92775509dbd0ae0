"""Closures for calls: functions of the language, definitions, record constructors, methods."""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from neurosym_specs.expr import patterns, signatures
from neurosym_specs.expr.closures import constant
from neurosym_specs.expr.comprehensions import collect, compile_items, compile_loops, rounds
from neurosym_specs.expr.datavalues import converter, kind_of
from neurosym_specs.expr.dates import needs_whole
from neurosym_specs.expr.language import FUNCTIONS, METHODS, MODES
from neurosym_specs.expr.literals import constant_value
from neurosym_specs.expr.operators import condition
from neurosym_specs.expr.program import Compiled, Frame, Local, Program, Run, RunCells, Unit
from neurosym_specs.expr.rational import needs_number
from neurosym_specs.expr.rounding import ROUNDINGS, round_places, round_step
from neurosym_specs.expr.strings import needs_text
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined
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
        only = arguments[0]
        return lambda frame: call(only(frame))
    if len(arguments) == 2:
        first, second = arguments
        return lambda frame: call(first(frame), second(frame))
    return lambda frame: call(*[argument(frame) for argument in arguments])


def _len(unit: Unit, node: ast.Call) -> Run:
    only, slow = unit.compile(node.args[0]), unit.guard(node, unit.program.library.len)

    def length(frame: Frame) -> int:
        value = only(frame)
        return len(value) if type(value) is list or type(value) is str else slow(value)

    return length


def _sum(unit: Unit, node: ast.Call) -> Run:
    library = unit.program.library
    if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
        generator = node.args[0]
        gather = collect(compile_loops(unit, generator.generators, [generator.elt]))
        total = unit.guard(node, lambda items: library.arithmetic.total(0, items))
        return lambda frame: total(gather(frame))
    return _plain(unit, node, library.sum)


def _quantifier(unit: Unit, node: ast.Call) -> Run:
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
                    return decisive
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
                    return decisive
            return otherwise

        return over_one

    def over_many(frame: Frame) -> bool:
        for _ in rounds(loops, frame):
            if test(frame) is decisive:
                return decisive
        return otherwise

    return over_many


def _least(operator: str) -> Callable[[Unit, ast.Call], Run]:
    def compile_least(unit: Unit, node: ast.Call) -> Run:
        library = unit.program.library
        default = {str(keyword.arg): unit.compile(keyword.value) for keyword in node.keywords}.get("default")
        arguments = [unit.compile(argument) for argument in node.args]
        least = unit.guard(node, library.least)
        if default is not None:
            if len(arguments) != 1:
                raise unit.fault(node, "a default is for the items of one list")
            only, otherwise = arguments[0], default
            return lambda frame: least(operator, (only(frame),), otherwise(frame), True)
        if len(arguments) != 2:
            return lambda frame: least(operator, tuple([argument(frame) for argument in arguments]), None, False)
        first, second = arguments
        if operator == "<":

            def minimum(frame: Frame) -> Any:
                a, b = first(frame), second(frame)
                if type(a) is int and type(b) is int:
                    return b if b < a else a
                return least("<", (a, b), None, False)

            return minimum

        def maximum(frame: Frame) -> Any:
            a, b = first(frame), second(frame)
            if type(a) is int and type(b) is int:
                return b if b > a else a
            return least(">", (a, b), None, False)

        return maximum

    return compile_least


def _sorted(unit: Unit, node: ast.Call) -> Run:
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


def _fold(unit: Unit, node: ast.Call) -> Run:
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


def _definition(unit: Unit, node: ast.Call, name: str, cells: int) -> Run:
    program = unit.program
    parameters = program.spec.definitions[name].parameters
    signatures.check_definition_call(unit.expression, node, name, parameters)
    arguments = [unit.compile(argument) for argument in node.args]
    compiled = program.definition(name, unit, node)
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
        only = arguments[0]
        return lambda frame: call(value(frame), only(frame))
    return lambda frame: call(value(frame), *[argument(frame) for argument in arguments])


def _mode(unit: Unit, node: ast.expr) -> Run:
    """A rounding mode: its bare name, a text, or a value that is such a text."""
    written = _written_mode(unit, node)
    if written:
        return constant(written)
    program = unit.program
    known = isinstance(node, ast.Name) and (
        node.id in unit.names
        or node.id in program.cell_of_input
        or node.id in program.cell_of_let
        or node.id in program.data
    )
    signatures.check_mode(unit.expression, node, known)
    return unit.compile(node)


def _written_mode(unit: Unit, node: ast.expr) -> str:
    return signatures.written_mode(node, isinstance(node, ast.Name) and isinstance(unit.names.get(node.id), Local))


def _rounding_of(mode: Any) -> Callable[[int, int], int]:
    rounding = ROUNDINGS.get(mode) if isinstance(mode, str) else None
    if rounding is None:
        raise Undefined(f"{mode!r} is no rounding mode: {', '.join(MODES)}")
    return rounding


def _round(unit: Unit, node: ast.Call) -> Run:
    """``round(x, places, mode)`` and ``round(x, mode)``."""
    x, mode = unit.compile(node.args[0]), _mode(unit, node.args[-1])
    places = unit.compile(node.args[1]) if len(node.args) == 3 else constant(0)
    rounded = unit.guard(node, _Rounding(unit.program, node).to_places)
    static_places = constant_value(node.args[1]) if len(node.args) == 3 else 0
    static_mode = _written_mode(unit, node.args[-1])
    if unit.program.observer is None and type(static_places) is int and abs(static_places) < 100 and static_mode:
        return _round_quickly(
            x, static_places, ROUNDINGS[static_mode], lambda value: rounded(value, static_places, static_mode)
        )
    return lambda frame: rounded(x(frame), places(frame), mode(frame))


def _round_quickly(x: Run, places: int, rounding: Callable[[int, int], int], slow: Callable[[Any], Any]) -> Run:
    def to_places(frame: Frame) -> Any:
        value = x(frame)
        if type(value) is Fraction:
            return round_places(value.numerator, value.denominator, places, rounding)
        if type(value) is int and places >= 0:
            return value
        return slow(value)

    return to_places


def _round_to(unit: Unit, node: ast.Call) -> Run:
    x, step, mode = unit.compile(node.args[0]), unit.compile(node.args[1]), _mode(unit, node.args[2])
    rounded = unit.guard(node, _Rounding(unit.program, node).to_step)
    return lambda frame: rounded(x(frame), step(frame), mode(frame))


class _Rounding:
    """A rounding at one node, told to the observer if there is one."""

    def __init__(self, program: Program, node: ast.AST) -> None:
        self.program = program
        self.node = node

    def to_places(self, x: Any, places: Any, mode: Any) -> Any:
        rounding = _rounding_of(mode)
        whole = needs_whole(places, "the places of `round`")
        if abs(whole) > self.program.meter.budget.digits:
            raise BudgetExceeded(f"`round` to {whole} places")
        step = Fraction(1, 10**whole) if whole >= 0 else Fraction(10**-whole)
        return self._rounded(x, step, str(mode), lambda n, d: round_places(n, d, whole, rounding))

    def to_step(self, x: Any, step: Any, mode: Any) -> Any:
        rounding = _rounding_of(mode)
        exact = needs_number(step, "the step of `round_to`")
        if exact <= 0:
            raise Undefined(f"the step of `round_to` is positive, not {exact}")
        n, d = exact.numerator, exact.denominator
        return self._rounded(x, Fraction(n, d), str(mode), lambda a, b: round_step(a, b, n, d, rounding))

    def _rounded(self, x: Any, step: Fraction, mode: str, rounded: Callable[[int, int], Any]) -> Any:
        value = needs_number(x, "a rounding")
        if getattr(value, "is_real", False):
            from neurosym_specs.expr import reals  # python-flint is loaded only for real functions

            return reals.rounded(value, step, rounded)
        if self.program.observer is not None:
            self.program.observer.rounding(self.node, Fraction(value), step, mode)
        return self.program.arithmetic.bounded(rounded(value.numerator, value.denominator))


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
    "sum": _sum,
    "any": _quantifier,
    "all": _quantifier,
    "min": _least("<"),
    "max": _least(">"),
    "sorted": _sorted,
    "fold": _fold,
    "scan": _fold,
    "round": _round,
    "round_to": _round_to,
    "matches": _matches,
}
