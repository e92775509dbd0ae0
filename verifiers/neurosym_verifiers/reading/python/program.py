"""A program as the reading sees it: its functions, its enums, its constants, and what its imports name.

Only modules that consist of imports, definitions and constants are read: then the result of a call depends on its
arguments alone, and the same call gives the same result.
"""

from __future__ import annotations

import ast
import builtins
import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from neurosym_verifiers.reading.data.exceptions import builtin_names, is_pythons
from neurosym_verifiers.reading.data.values import NotRead, Text, Thing, Value
from neurosym_verifiers.reading.python.class_methods import methods_of
from neurosym_verifiers.reading.python.classes import RecordClass, record_class
from neurosym_verifiers.reading.python.enums import FORMS, EnumClass, members_in

STRING_CONSTANTS = {
    name: getattr(string, name)
    for name in (
        "ascii_letters",
        "ascii_lowercase",
        "ascii_uppercase",
        "digits",
        "hexdigits",
        "octdigits",
        "whitespace",
    )
}
"""The texts of the module ``string``."""


@dataclass(slots=True)
class Program:
    """What the module-level names stand for. ``constants`` are assignments, not yet read.

    ``surely``: the assignments inside of expressions (``:=``) that are made whenever their statement is executed.
    ``used``: the names that were used while the module was loaded, each with the first line that did."""

    records: dict[str, RecordClass] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    enums: dict[str, EnumClass] = field(default_factory=dict)
    exceptions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    names: dict[str, Value] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    surely: set[ast.NamedExpr] = field(default_factory=set)

    @property
    def _tables(self) -> tuple[dict[str, Any], ...]:
        return self.functions, self.enums, self.exceptions, self.names, self.constants, self.records

    def binds(self, name: str) -> bool:
        """Whether the module gives the name a meaning."""
        return any(name in table for table in self._tables)

    def imported(self, node: ast.expr) -> str:
        """The full name of what an expression of the module stands for: that of an import, or of a builtin that the
        program does not bind; empty for anything else."""
        match node:
            case ast.Name(id=name):
                known = self.names.get(name)
                if isinstance(known, Thing) and known.of is None:
                    return known.name
                return name if hasattr(builtins, name) and not self.binds(name) else ""
            case ast.Attribute(value=of, attr=name):
                known_module = self.imported(of)
                return f"{known_module}.{name}" if known_module else ""
            case _:
                return ""

    def forget(self, name: str, line: int) -> None:
        """Before a name gets another meaning. What was made with the old one must not be read with the new one."""
        if name in self.used:
            raise NotRead(f"{name}, which gets another meaning after it was used at line {self.used[name]}", line)
        for table in self._tables:
            table.pop(name, None)

    def use(self, node: ast.AST, line: int) -> None:
        """Notes the names that an expression at module level uses, and those that the functions it calls use."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id not in self.used:
                self.used[part.id] = line
                for function in self._functions_of(part.id):
                    self.use(function, line)

    def _functions_of(self, name: str) -> Iterator[ast.FunctionDef]:
        """The functions that may be called by a name: of its own, or of its class."""
        if name in self.functions:
            yield self.functions[name]
        of = self.records.get(name) or self.enums.get(name)
        if of is not None:
            yield from of.methods.functions.values()


def program_of(*sources: str) -> Program:
    """The program of a prelude and a candidate's source, the later definitions winning. Raises ``NotRead``."""
    program = Program()
    for source in sources:
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                program.surely |= {part for part in surely_evaluated(node) if isinstance(part, ast.NamedExpr)}
        for statement in tree.body:
            _module_level(program, statement)
    return program


def _module_level(program: Program, statement: ast.stmt) -> None:
    match statement:
        case ast.Import(names=names):
            for alias in names:
                if "." in alias.name:
                    raise NotRead(f"import {alias.name}", statement.lineno)
                _bind(program, alias.asname or alias.name, Thing(alias.name), statement.lineno)
        case ast.ImportFrom(module=module, names=names, level=0) if module:
            for alias in names:
                if module == "__future__":
                    continue
                if alias.name == "*":
                    raise NotRead(f"from {module} import *", statement.lineno)
                bound = alias.asname or alias.name
                if module == "string" and alias.name in STRING_CONSTANTS:
                    _bind(program, bound, Text(STRING_CONSTANTS[alias.name]), statement.lineno)
                elif module == "decimal" and alias.name.startswith("ROUND_"):
                    _bind(program, bound, Text(alias.name), statement.lineno)
                else:
                    _bind(program, bound, Thing(f"{module}.{alias.name}"), statement.lineno)
        case ast.FunctionDef(name=name, decorator_list=[]):
            for default in (*statement.args.defaults, *statement.args.kw_defaults):
                if default is not None:
                    program.use(default, statement.lineno)
            program.forget(name, statement.lineno)
            program.functions[name] = statement
        case ast.ClassDef():
            _class(program, statement)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            _constant(program, name, value, statement.lineno)
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            _constant(program, name, value, statement.lineno)
        case ast.Expr(value=ast.Constant(value=str())):
            pass
        case _:
            raise NotRead(f"{type(statement).__name__} at module level", statement.lineno)


def surely_evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a statement's own expressions that are evaluated whenever it is executed, unless one raises."""
    match node:
        case ast.BoolOp(values=[first, *_]) | ast.IfExp(test=first):
            parts: list[ast.AST] = [first]
        case ast.Compare(left=left, comparators=[first, *_]):
            parts = [left, first]
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            parts = []
        case _:
            parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, (ast.expr, ast.keyword))]
    for part in parts:
        yield part
        yield from surely_evaluated(part)


def _bind(program: Program, name: str, value: Value, line: int) -> None:
    program.forget(name, line)
    program.names[name] = value


def _constant(program: Program, name: str, value: ast.expr, line: int) -> None:
    if name in program.constants or name in program.functions or name in program.enums:
        raise NotRead(f"{name}, which is assigned twice", line)
    program.use(value, line)
    program.forget(name, line)
    program.constants[name] = value


def _class(program: Program, statement: ast.ClassDef) -> None:
    """An enum, a record, or an exception of the program's own."""
    name, line = statement.name, statement.lineno
    is_new = not program.binds(name)
    bases = tuple(program.imported(base) for base in statement.bases)
    if record := record_class(statement, program.imported, is_new=is_new):
        for each in record.fields:
            for used in (each.default, each.factory):
                if used is not None:
                    program.use(used, line)
        program.forget(name, line)
        program.records[name] = record
    elif bases in FORMS and not statement.keywords and not statement.decorator_list:
        enum = _enum(program, statement, FORMS[bases], is_new)
        program.forget(name, line)
        program.enums[name] = enum
    elif names := _exception(program, statement):
        for base in statement.bases:
            program.use(base, line)
        program.forget(name, line)
        program.exceptions[name] = names
    else:
        raise NotRead(f"the class {name}", line)


def _exception(program: Program, statement: ast.ClassDef) -> tuple[str, ...]:
    """The name and the bases of an exception of the program's own; nothing for another class."""
    match statement:
        case ast.ClassDef(bases=[ast.Name(id=base)], keywords=[], decorator_list=[]):
            bases = program.exceptions.get(base) or (() if program.binds(base) else builtin_names(base) or ())
        case _:
            bases = ()
    bare = all(isinstance(part, ast.Pass) or _is_text(part) for part in statement.body)
    return (statement.name, *bases) if bases and bare and not is_pythons(statement.name) else ()


def _is_text(part: ast.stmt) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, str)


def _enum(program: Program, statement: ast.ClassDef, data: str, is_new: bool) -> EnumClass:
    def is_auto(node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and not node.args and program.imported(node.func) == "enum.auto"

    members, functions = members_in(statement, data, is_auto)
    methods = methods_of(statement, functions, program.imported, frozenset())
    if functions and (set(methods.functions) & {*members, "name", "value"} or not is_new):
        raise NotRead(f"the class {statement.name}", statement.lineno)
    names = tuple(members)
    return EnumClass(statement.name, names, tuple(members.values()), names, data, methods)


def own_nodes(function: ast.FunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    """What is in a function's body, without what is in the functions in it."""
    waiting: list[ast.AST] = list(function.body) if isinstance(function, ast.FunctionDef) else [function.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.AsyncFunctionDef, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def is_generator(function: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether a call of it gives a generator."""
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own_nodes(function))


def check_scopes(function: ast.FunctionDef | ast.Lambda, name: str) -> None:
    """No global or nonlocal names, and nothing asynchronous; raises ``NotRead``."""
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Await, ast.AsyncFunctionDef)):
            raise NotRead(f"{type(node).__name__} in {name}", getattr(node, "lineno", function.lineno))


def stored_names(function: ast.FunctionDef | ast.Lambda | ast.For | ast.While) -> frozenset[str]:
    """The names that a function or loop binds or deletes somewhere, a function's parameters among them; those of its
    comprehensions and nested functions count too."""
    parameters = () if isinstance(function, (ast.For, ast.While)) else ast.walk(function.args)
    found = {each.arg for each in parameters if isinstance(each, ast.arg)}
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if node is not function:
                found.add(name)
            case (
                ast.ExceptHandler(name=str() as name)
                | ast.MatchAs(name=str() as name)
                | ast.MatchStar(name=str() as name)
            ):
                found.add(name)
            case ast.MatchMapping(rest=str() as name):
                found.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in aliases}
    return frozenset(found)
