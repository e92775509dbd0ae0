"""A spec's expressions as Python closures, compiled once each.

A compiled expression takes a *frame*, a list: place 0 holds the *cells* of one set of inputs (input values and
the lets computed so far), the next places what the context brings (the result, the runs, a definition's
arguments), the rest the variables of comprehensions. Definitions and lets are compiled when first used.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from neurosym_specs.errors import SpecError
from neurosym_specs.expr import syntax
from neurosym_specs.expr.budget import Budget, Meter
from neurosym_specs.expr.comparing import Comparing
from neurosym_specs.expr.datavalues import Converter, converter, data_value
from neurosym_specs.expr.functions import Library
from neurosym_specs.expr.literals import UNSET
from neurosym_specs.expr.observing import Observer
from neurosym_specs.expr.oracle import Oracle
from neurosym_specs.expr.rational import Arithmetic
from neurosym_specs.expr.strings import Methods
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined
from neurosym_specs.expr.walk import nan_occurs, orders_occur, record_types
from neurosym_specs.model import Definition, Spec
from neurosym_specs.types import RecordType

Frame: TypeAlias = list[Any]
Run: TypeAlias = Callable[[Frame], Any]


CAUGHT = (Undefined, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What an operation on values that do not fit may raise."""


@dataclass(frozen=True, slots=True)
class Local:
    """A variable in a frame."""

    slot: int


@dataclass(frozen=True, slots=True)
class RunCells:
    """A run of a relation in a frame: its cells, its result, what it raised."""

    cells: int
    result: int
    raised: int


@dataclass(frozen=True, slots=True)
class Compiled:
    """A closure and how many places its frame has after those that the caller fills."""

    run: Run
    padding: tuple[None, ...]


class Program:
    """What the compiled expressions of one spec share."""

    def __init__(
        self,
        spec: Spec,
        compile_node: Callable[[Unit, ast.expr], Run],
        budget: Budget,
        observer: Observer | None = None,
        oracle: Oracle | None = None,
    ) -> None:
        self.spec = spec
        self.compile_node = compile_node
        self.observer = observer
        self.oracle = oracle
        self.meter = Meter(budget)
        self.arithmetic = Arithmetic(self.meter)
        self.comparing = Comparing(self.meter, nan_occurs(spec), orders_occur(spec))
        reference = spec.reference
        abs_tol, rel_tol = (reference.abs_tol, reference.rel_tol) if reference else (Fraction(0), Fraction(0))
        self.library = Library(self.meter, self.arithmetic, self.comparing, abs_tol, rel_tol)
        self.methods = Methods(self.meter, self.comparing)
        self.data: dict[str, Any] = {name: data_value(value) for name, value in spec.data.items()}
        self.cell_of_input = {name: at for at, name in enumerate(spec.inputs)}
        self.cell_of_let = {name: len(spec.inputs) + at for at, name in enumerate(spec.lets)}
        self.converters: list[tuple[int, Converter]] = [
            (self.cell_of_input[name], convert) for name, type_ in spec.inputs.items() if (convert := converter(type_))
        ]
        self.convert_result = converter(spec.output)
        self.records: Mapping[str, RecordType] = record_types(spec)
        self._lets: dict[str, Run] = {}
        self._definitions: dict[str, Compiled] = {}
        self._under_way: list[str] = []

    def let(self, name: str, unit: Unit, node: ast.AST) -> Run:
        """The closure that reads a let, and computes it if it is the first to ask."""
        if name not in self._lets:
            if not self._under_way:
                self._compile_lets_before(name, unit, node)
            with self._once(name, unit, node):
                self._lets[name] = self._memoised(name)
        return self._lets[name]

    def _compile_lets_before(self, name: str, unit: Unit, node: ast.AST) -> None:
        """Compile the earlier lets in order, so that a long chain of them is not compiled inside one another."""
        for earlier in self.spec.lets:
            if earlier == name:
                return
            if earlier not in self._lets:
                with suppress(SpecError), self._once(earlier, unit, node):  # told where it is needed
                    self._lets[earlier] = self._memoised(earlier)

    def _memoised(self, name: str) -> Run:
        expression = self.spec.lets[name]
        compiled = Unit(self, expression).compiled(1)
        compute, padding, cell = compiled.run, compiled.padding, self.cell_of_let[name]

        def read(frame: Frame) -> Any:
            cells = frame[0]
            value = cells[cell]
            if value is UNSET:
                value = cells[cell] = compute([cells, *padding])
            return value

        return read

    def definition(self, name: str, unit: Unit, node: ast.AST) -> Compiled:
        if name not in self._definitions:
            definition: Definition = self.spec.definitions[name]
            with self._once(name, unit, node):
                names: dict[str, Local | RunCells] = {
                    parameter: Local(at + 1) for at, parameter in enumerate(definition.parameters)
                }
                inner = Unit(self, definition.body, names)
                self._definitions[name] = inner.compiled(1 + len(definition.parameters))
        return self._definitions[name]

    def _once(self, name: str, unit: Unit, node: ast.AST) -> _UnderWay:
        if name in self._under_way:
            chain = " -> ".join([*self._under_way[self._under_way.index(name) :], name])
            raise syntax.fault(unit.expression, node, f"`{name}` is needed for itself: {chain}", "see fold and scan")
        if len(self._under_way) > 100:
            raise syntax.fault(unit.expression, node, "more than 100 lets and definitions, each needing the next")
        return _UnderWay(self._under_way, name)


class _UnderWay:
    def __init__(self, names: list[str], name: str) -> None:
        self.names = names
        self.name = name

    def __enter__(self) -> None:
        self.names.append(self.name)

    def __exit__(self, *_: object) -> None:
        self.names.pop()


class Unit:
    """One expression being compiled: which names are in reach, and how many places its frame needs."""

    def __init__(
        self,
        program: Program,
        expression: Expression,
        names: dict[str, Local | RunCells] | None = None,
        *,
        runs: bool = False,
    ) -> None:
        self.program = program
        self.expression = expression
        self.names: dict[str, Local | RunCells] = names or {}
        self.runs = runs
        self.size = 0

    def compiled(self, filled: int) -> Compiled:
        """Compile the whole expression; the caller of the closure fills the first so many places of the frame."""
        self.size = filled
        try:
            run = self.compile(self.expression.tree)
        except RecursionError:
            raise self.fault(self.expression.tree, "too many lets and definitions, each needing the next") from None
        return Compiled(run, (None,) * (self.size - filled))

    def compile(self, node: ast.expr) -> Run:
        return self.program.compile_node(self, node)

    def new_slot(self) -> int:
        self.size += 1
        return self.size - 1

    def fault(self, node: ast.AST, message: str, hint: str = "") -> SpecError:
        return syntax.fault(self.expression, node, message, hint)

    def failed(self, node: ast.AST, error: BaseException) -> Undefined:
        """The ``Undefined`` to raise for what an operation raised."""
        found = error if isinstance(error, Undefined) else _undefined(error)
        found.locate(self.expression, self.expression.fragment(node))
        return found

    def undefined(self, node: ast.AST, reason: str) -> Undefined:
        return Undefined(reason, self.expression, self.expression.fragment(node))

    def guard1(self, node: ast.AST, operation: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """``guard`` for one value; passing the values on by a star costs as much as an addition."""

        def guarded(value: Any) -> Any:
            try:
                return operation(value)
            except CAUGHT as error:
                raise self.failed(node, error) from None

        return guarded

    def guard2(self, node: ast.AST, operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """``guard`` for two values."""

        def guarded(left: Any, right: Any) -> Any:
            try:
                return operation(left, right)
            except CAUGHT as error:
                raise self.failed(node, error) from None

        return guarded

    def guard(self, node: ast.AST, operation: Callable[..., Any]) -> Callable[..., Any]:
        """The operation, with whatever it raises told as undefined at this node."""

        def guarded(*values: Any) -> Any:
            try:
                return operation(*values)
            except CAUGHT as error:
                raise self.failed(node, error) from None

        return guarded


def _undefined(error: BaseException) -> Undefined:
    match error:
        case ZeroDivisionError():
            return Undefined("division by zero")
        case KeyError():
            return Undefined(f"there is no key {error.args[0]!r}" if error.args else "there is no such key")
        case IndexError():
            return Undefined("the index is out of range")
        case RecursionError():
            return BudgetExceeded("a value or an expression nested too deeply")
        case _:
            return Undefined(str(error) or type(error).__name__)
