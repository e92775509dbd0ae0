"""Which name means what where: a walk over an expression that knows its variables, and the check of its names.

Values and functions are told apart by use: ``days(...)`` is the function even where a let is called ``days``. A
variable (a parameter, or the target of a ``for``) hides an input, let or data of its name.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr import signatures
from neurosym_specs.expr.language import (
    FUNCTIONS,
    FUNCTIONS_OF_A_DEFINITION,
    FUNCTIONS_WITH_KEY,
    METHODS,
    MODES,
    RAISED,
    RESERVED,
    RESULT,
)
from neurosym_specs.expr.syntax import Expression, fault
from neurosym_specs.expr.walk import record_types
from neurosym_specs.model import Spec

Bound = frozenset[str]


@dataclass(frozen=True, slots=True)
class Reach:
    """What an expression may name beside data and definitions.

    ``runs``: the runs of a relation, through which inputs and results are read. ``result``: it knows the result.
    ``lets``: those it may use. ``parameters``: its own.
    """

    lets: frozenset[str]
    runs: tuple[str, ...] = ()
    result: bool = False
    parameters: tuple[str, ...] = ()
    in_definition: bool = False


class NameWalk:
    """Visits every part of an expression with the variables bound there, and tells its uses of names apart."""

    def __init__(self, spec: Spec, expression: Expression, runs: tuple[str, ...] = ()) -> None:
        self.spec = spec
        self.expression = expression
        self.runs = runs

    def value(self, node: ast.Name, bound: Bound) -> None:
        """A name that stands for a value."""

    def call(self, node: ast.Call, name: str, bound: Bound) -> None:
        """A call of a function, definition or constructor by its name."""

    def function(self, node: ast.expr, name: str, run: str, arity: int, bound: Bound) -> None:
        """A definition given by its name as an argument, with the run it is read in (or "")."""

    def of_run(self, node: ast.Attribute, run: str, bound: Bound) -> None:
        """``a.x``"""

    def call_in_run(self, node: ast.Call, run: str, name: str, bound: Bound) -> None:
        """``a.f(x)``"""

    def method(self, node: ast.Call, name: str, bound: Bound) -> None:
        """``x.f(y)``"""

    def mode(self, node: ast.expr, bound: Bound) -> bool:
        """A rounding mode; True if it is an expression to visit."""
        return not (isinstance(node, ast.Name) and node.id in MODES and node.id not in bound)

    def visit(self, node: ast.AST, bound: Bound) -> None:
        match node:
            case ast.Name():
                self.value(node, bound)
            case ast.Attribute(value=ast.Name(id=run)) if self.is_run(run, bound):
                self.of_run(node, run, bound)
            case ast.Call():
                self._call(node, bound)
            case ast.ListComp(elt=elt) | ast.SetComp(elt=elt) | ast.GeneratorExp(elt=elt):
                self.visit(elt, self._generators(node.generators, bound))
            case ast.DictComp():
                inside = self._generators(node.generators, bound)
                self.visit(node.key, inside)
                self.visit(node.value, inside)
            case _:
                for child in ast.iter_child_nodes(node):
                    self.visit(child, bound)

    def is_run(self, name: str, bound: Bound) -> bool:
        return name in self.runs and name not in bound

    def _generators(self, generators: list[ast.comprehension], bound: Bound) -> Bound:
        for generator in generators:
            self.visit(generator.iter, bound)
            bound = bound | set(target_names(generator.target))
            for test in generator.ifs:
                self.visit(test, bound)
        return bound

    def _call(self, node: ast.Call, bound: Bound) -> None:
        arguments: list[ast.expr] = [*node.args, *(each.value for each in node.keywords)]
        match node.func:
            case ast.Name(id=name):
                self.call(node, name, bound)
                if name not in self.spec.definitions:
                    arguments = self._special_arguments(node, name, bound)
            case ast.Attribute(value=ast.Name(id=run), attr=name) if self.is_run(run, bound):
                self.call_in_run(node, run, name, bound)
            case ast.Attribute(value=value, attr=name):
                self.method(node, name, bound)
                self.visit(value, bound)
            case _:
                pass
        for argument in arguments:
            self.visit(argument, bound)

    def _special_arguments(self, node: ast.Call, name: str, bound: Bound) -> list[ast.expr]:
        """The arguments that are values, after those that are modes or functions were told."""
        arguments = list(node.args)
        if name in FUNCTIONS_OF_A_DEFINITION and arguments:
            self._function(arguments.pop(0), 2, bound)
        if name in ("round", "round_to") and len(arguments) >= 2 and not self.mode(arguments[-1], bound):
            arguments.pop()
        for each in node.keywords:
            if name in FUNCTIONS_WITH_KEY and each.arg == "key":
                self._function(each.value, 1, bound)
            else:
                arguments.append(each.value)
        return arguments

    def _function(self, node: ast.expr, arity: int, bound: Bound) -> None:
        match node:
            case ast.Attribute(value=ast.Name(id=run), attr=name) if self.is_run(run, bound):
                self.function(node, name, run, arity, bound)
            case ast.Name(id=name):
                self.function(node, name, "", arity, bound)
            case _:
                self.function(node, "", "", arity, bound)


def target_names(target: ast.expr) -> Iterable[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from target_names(part)
        case _:
            return


class _Needs(NameWalk):
    """The inputs, lets and definitions that an expression names."""

    def __init__(self, spec: Spec, expression: Expression) -> None:
        super().__init__(spec, expression)
        self.found: set[str] = set()

    def value(self, node: ast.Name, bound: Bound) -> None:
        if node.id not in bound and (node.id in self.spec.inputs or node.id in self.spec.lets):
            self.found.add(node.id)

    def call(self, node: ast.Call, name: str, bound: Bound) -> None:
        if name in self.spec.definitions:
            self.found.add(f"{name}()")

    def function(self, node: ast.expr, name: str, run: str, arity: int, bound: Bound) -> None:
        self.call(ast.Call(func=node, args=[], keywords=[]), name, bound)


class Needs:
    """What each let and definition needs of the others, and which of them depend on the inputs.

    Definitions are written ``name()`` here, so that they do not mix with values.
    """

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.direct: dict[str, set[str]] = {}
        for name, expression in spec.lets.items():
            self.direct[name] = self._of(expression, frozenset())
        for name, definition in spec.definitions.items():
            self.direct[f"{name}()"] = self._of(definition.body, frozenset(definition.parameters))
        self.of_inputs = self._dependent()

    def _of(self, expression: Expression, bound: Bound) -> set[str]:
        walk = _Needs(self.spec, expression)
        walk.visit(expression.tree, bound)
        return walk.found

    def _dependent(self) -> set[str]:
        """The lets and definitions whose value depends on an input, directly or through others."""
        dependent = {name for name, needs in self.direct.items() if any(need in self.spec.inputs for need in needs)}
        grown = True
        while grown:
            more = {name for name, needs in self.direct.items() if name not in dependent and needs & dependent}
            dependent |= more
            grown = bool(more)
        return dependent

    def cycle(self) -> list[str]:
        """Some of them that need each other in a ring; empty if none do."""
        done: set[str] = set()
        for start in self.direct:
            path: list[str] = []
            stack: list[tuple[str, bool]] = [(start, False)]
            while stack:
                name, leave = stack.pop()
                if leave:
                    path.pop()
                    done.add(name)
                    continue
                if name in path:
                    return [*path[path.index(name) :], name]
                if name in done or name not in self.direct:
                    continue
                path.append(name)
                stack.append((name, True))
                stack.extend((need, False) for need in sorted(self.direct[name]))
        return []


class NameCheck(NameWalk):
    """Refuses names that are unknown or out of reach, and calls that cannot fit."""

    def __init__(self, spec: Spec, expression: Expression, reach: Reach, needs: Needs) -> None:
        super().__init__(spec, expression, reach.runs)
        self.reach = reach
        self.needs = needs
        self.records = record_types(spec)
        self.parameters = {name: definition.parameters for name, definition in spec.definitions.items()}

    def run(self) -> None:
        self.visit(self.expression.tree, frozenset(self.reach.parameters))

    def fault(self, node: ast.AST, message: str, hint: str = "") -> SpecError:
        return fault(self.expression, node, message, hint)

    def value(self, node: ast.Name, bound: Bound) -> None:
        name, spec = node.id, self.spec
        if name in bound:
            return
        if name in self.runs:
            raise self.fault(node, f"`{name}` is a run, not a value", f"write {name}.result, {name}.some_input")
        if name in (RESULT, RAISED):
            self._result(node)
        elif name in spec.inputs:
            if self.runs:
                raise self.fault(node, f"of which run is the input `{name}`?", f"write {self.runs[0]}.{name}")
        elif name in spec.lets:
            self._let(node)
        elif name not in spec.data:
            raise self._unknown(node, bound)

    def _result(self, node: ast.Name) -> None:
        if self.runs:
            raise self.fault(node, f"of which run is the `{node.id}`?", f"write {self.runs[0]}.{node.id}")
        if self.reach.in_definition:
            raise self.fault(node, f"a definition does not know the `{node.id}`", "make it a parameter")
        if not self.reach.result:
            raise self.fault(node, f"`{node.id}` is known in [[ensure]] and in where of [reference] only")

    def _let(self, node: ast.Name) -> None:
        name = node.id
        if name not in self.reach.lets:
            raise self.fault(node, f"the let `{name}` comes later or is this one", "a let uses those before it")
        if self.runs and name in self.needs.of_inputs:
            raise self.fault(node, f"of which run is the let `{name}`?", f"write {self.runs[0]}.{name}")

    def _unknown(self, node: ast.Name, bound: Bound) -> SpecError:
        name = node.id
        if name in {"true", "false", "none", "null", "nil"}:
            right = {"true": "True", "false": "False"}.get(name, "None")
            return self.fault(node, f"there is no `{name}`", f"write {right}")
        if name in FUNCTIONS or name in self.spec.definitions or name in self.records:
            return self.fault(node, f"`{name}` is a function, not a value", f"write {name}(...)")
        if name in MODES:
            return self.fault(node, f"`{name}` is a rounding mode", "modes stand in round and round_to only")
        legal = {*bound, *self.spec.data}
        if not self.runs:
            legal |= {*self.spec.inputs, *self.reach.lets}
        if self.reach.result:
            legal |= {RESULT, RAISED}
        return self.fault(node, f"there is no `{name}` here", signatures.hint_for(name, legal, "names"))

    def call(self, node: ast.Call, name: str, bound: Bound) -> None:
        if name in self.parameters:
            signatures.check_definition_call(self.expression, node, name, self.parameters[name])
            self._definition_in_reach(node, name)
        elif name in FUNCTIONS:
            if name not in FUNCTIONS_OF_A_DEFINITION or len(node.args) != 3 or node.keywords:
                signatures.check_function(self.expression, node, name)
        elif name in self.records:
            signatures.record_arguments(self.expression, node, self.records[name])
        elif name in bound or name in self.spec.inputs or name in self.spec.lets or name in self.spec.data:
            hint = f"write {name}[...] for an item" if name in self.spec.data else ""
            raise self.fault(node, f"`{name}` is a value, not a function", hint)
        else:
            raise signatures.no_function(self.expression, node, name, {*self.parameters, *self.records})

    def _definition_in_reach(self, node: ast.AST, name: str) -> None:
        if self.runs and f"{name}()" in self.needs.of_inputs:
            raise self.fault(node, f"`{name}` uses inputs; of which run?", f"write {self.runs[0]}.{name}(...)")

    def function(self, node: ast.expr, name: str, run: str, arity: int, bound: Bound) -> None:
        signatures.check_function_argument(self.expression, node, name, self.parameters, arity)
        if not run:
            self._definition_in_reach(node, name)

    def of_run(self, node: ast.Attribute, run: str, bound: Bound) -> None:
        name = node.attr
        legal = {*self.spec.inputs, *self.spec.lets, *self.spec.data, RESULT, RAISED}
        if name in legal:
            return
        if name in self.parameters:
            raise self.fault(node, f"`{name}` is a definition, not a value", f"write {run}.{name}(...)")
        raise self.fault(node, f"a run has no `{name}`", signatures.hint_for(name, legal, "it has"))

    def call_in_run(self, node: ast.Call, run: str, name: str, bound: Bound) -> None:
        if name not in self.parameters:
            if name in FUNCTIONS:
                hint = f"write {FUNCTIONS[name].shape}"
            else:
                hint = signatures.hint_for(name, self.parameters, "defined")
            raise self.fault(node, f"there is no definition `{name}` to read in run `{run}`", hint)
        signatures.check_definition_call(self.expression, node, name, self.parameters[name])

    def method(self, node: ast.Call, name: str, bound: Bound) -> None:
        if name not in METHODS:
            raise signatures.no_method(self.expression, node, name)
        signatures.check_arguments(self.expression, node, METHODS[name])

    def mode(self, node: ast.expr, bound: Bound) -> bool:
        known = isinstance(node, ast.Name) and (
            node.id in bound or node.id in self.spec.inputs or node.id in self.spec.lets or node.id in self.spec.data
        )
        signatures.check_mode(self.expression, node, known)
        return super().mode(node, bound)


def check_own_names(spec: Spec, place: Mapping[str, Place]) -> None:
    """Refuse inputs, lets, definitions and data that share a name, or bear one of the language."""
    owners: dict[str, str] = {}
    groups = (
        ("input", "inputs", spec.inputs),
        ("let", "let", spec.lets),
        ("definition", "define", spec.definitions),
        ("data", "data", spec.data),
    )
    for what, table, names in groups:
        for name in names:
            at = place.get(name, Place(table=f"[{table}]", key=name))
            if not name.isidentifier() or keyword.iskeyword(name):
                raise SpecError(f"`{name}` cannot be a name", at, hint="letters, digits and _, no word of Python")
            forbidden = RESERVED if what == "input" else {RESULT, RAISED}
            if what == "definition":
                forbidden = {RESULT, RAISED, *FUNCTIONS, *record_types(spec)}
            if name in forbidden:
                raise SpecError(f"`{name}` is a name of the language", at, hint=f"call the {what} something else")
            if name in owners:
                raise SpecError(
                    f"`{name}` is a {what} and a {owners[name]}", at, hint="call one of them something else"
                )
            owners[name] = what
