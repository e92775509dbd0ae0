"""A program as the reading sees it: its functions, its enums, its constants, and what its imports name.

Only modules that consist of imports, definitions and constants are read: then the result of a call depends on its
arguments alone, and the same call gives the same result.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from neurosym_verifiers.reading.exceptions import builtin_names, is_pythons
from neurosym_verifiers.reading.values import NotRead, Text, Thing, Value

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


@dataclass(frozen=True, slots=True)
class EnumClass:
    """An ``Enum`` with known members."""

    name: str
    members: tuple[str, ...]
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class RecordClass:
    """A dataclass, named tuple or typed dict: its fields in order, and the defaults that some have.

    ``methods`` take an instance first; those among ``properties`` are called by their name alone.
    """

    name: str
    form: str
    fields: tuple[str, ...]
    defaults: Mapping[str, ast.expr]
    methods: Mapping[str, ast.FunctionDef] = field(default_factory=dict)
    properties: frozenset[str] = frozenset()


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
                if part.id in self.functions:
                    self.use(self.functions[part.id], line)


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
                bound = alias.asname or alias.name
                if module == "string" and alias.name in STRING_CONSTANTS:
                    _bind(program, bound, Text(STRING_CONSTANTS[alias.name]), statement.lineno)
                elif module == "decimal" and alias.name.startswith("ROUND_"):
                    _bind(program, bound, Text(alias.name), statement.lineno)
                else:
                    _bind(program, bound, Thing(f"{module}.{alias.name}"), statement.lineno)
        case ast.FunctionDef(name=name, decorator_list=[]):
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
    not_read = NotRead(f"the class {statement.name}", statement.lineno)
    bases = [base.id for base in statement.bases if isinstance(base, ast.Name)]
    if statement.keywords or len(bases) != len(statement.bases) or len(bases) > 1:
        raise not_read
    base = program.names.get(bases[0]) if bases else None
    imported = base.name if isinstance(base, Thing) else ""
    if not bases and [_dataclass(program, decorator) for decorator in statement.decorator_list] == [True]:
        record = _record(program, statement, "dataclass")
    elif statement.decorator_list:
        raise not_read
    elif imported == "enum.Enum":
        enum = _enum(statement)
        program.forget(statement.name, statement.lineno)
        program.enums[statement.name] = enum
        return
    elif imported in ("typing.NamedTuple", "typing.TypedDict"):
        record = _record(program, statement, "namedtuple" if imported == "typing.NamedTuple" else "dict")
    elif bases and _is_exception(program, bases[0]):
        names = program.exceptions.get(bases[0]) or builtin_names(bases[0]) or ()
        bare = all(isinstance(part, ast.Pass) or _is_text(part) for part in statement.body)
        if is_pythons(statement.name) or not bare:
            raise not_read
        program.forget(statement.name, statement.lineno)
        program.exceptions[statement.name] = (statement.name, *names)
        return
    else:
        raise not_read
    program.forget(statement.name, statement.lineno)
    program.records[statement.name] = record


def _is_exception(program: Program, name: str) -> bool:
    return name in program.exceptions or (builtin_names(name) is not None and not program.binds(name))


def _dataclass(program: Program, decorator: ast.expr) -> bool:
    """``@dataclass``, perhaps with ``frozen`` or ``slots``, which change nothing of what is read."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(decorator, ast.Call):
        if decorator.args or any(keyword.arg not in ("frozen", "slots") for keyword in decorator.keywords):
            return False
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        known = program.names.get(called.value.id)
        return isinstance(known, Thing) and f"{known.name}.{called.attr}" == "dataclasses.dataclass"
    known = program.names.get(called.id) if isinstance(called, ast.Name) else None
    return isinstance(known, Thing) and known.name == "dataclasses.dataclass"


def _is_text(part: ast.stmt) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, str)


_NO_FIELDS = ("ClassVar", "InitVar", "KW_ONLY")


def _is_field(part: ast.AnnAssign, program: Program) -> bool:
    """Whether an annotated name of a dataclass is a field, and not one of the words for what is none."""
    text = ast.unparse(part.annotation)  # may be written as a text itself
    meanings = [program.names.get(word) for word in re.findall(r"\w+", text)]
    imported = [meaning.name for meaning in meanings if isinstance(meaning, Thing)]
    return not any(word in each for word in _NO_FIELDS for each in (text, *imported))


def _record(program: Program, statement: ast.ClassDef, form: str) -> RecordClass:
    fields: list[str] = []
    defaults: dict[str, ast.expr] = {}
    methods: dict[str, ast.FunctionDef] = {}
    properties: set[str] = set()
    for part in statement.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if _is_field(part, program):
                if name in fields:
                    raise NotRead(f"the field {name}, which is there twice", part.lineno)
                fields.append(name)
                if value is not None:
                    program.use(value, part.lineno)
                    defaults[name] = value
            case ast.Pass():
                pass
            case ast.FunctionDef(name=name, decorator_list=decorators) if form != "dict" and _may_be_method(name, form):
                match decorators:
                    case []:
                        pass
                    case [ast.Name(id="property")] if name != _AFTER_INIT and not program.binds("property"):
                        properties.add(name)
                    case _:
                        raise NotRead(f"the decorators of {statement.name}.{name}", part.lineno)
                if name in methods:
                    raise NotRead(f"the method {name}, which is there twice", part.lineno)
                methods[name] = part
            case _ if _is_text(part):
                pass
            case _:
                raise NotRead(f"the class {statement.name}", part.lineno)
    if methods and (set(methods) & set(fields) or statement.name in program.records or _mangles(statement)):
        raise NotRead(f"the class {statement.name}", statement.lineno)
    return RecordClass(statement.name, form, tuple(fields), defaults, methods, frozenset(properties))


_AFTER_INIT = "__post_init__"


def _may_be_method(name: str, form: str) -> bool:
    """Whether a function is one that is called by its name only; others change what operators and Python itself do."""
    return not name.startswith("__") or (name == _AFTER_INIT and form == "dataclass")


def _mangles(statement: ast.ClassDef) -> bool:
    """Whether a name in a class is a private one (``__rate``), which means another name."""
    names = (getattr(node, key, None) for node in ast.walk(statement) for key in ("id", "attr", "name", "arg"))
    return any(isinstance(name, str) and name.startswith("__") and not name.endswith("__") for name in names)


def _enum(statement: ast.ClassDef) -> EnumClass:
    members: list[str] = []
    values: list[Any] = []
    for part in statement.body:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                if name.startswith("_") or name in members or value in values or type(value) not in (int, str):
                    raise NotRead(f"the member {name} of {statement.name}", part.lineno)
                members.append(name)
                values.append(value)
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case _:
                raise NotRead(f"the class {statement.name}", part.lineno)
    return EnumClass(statement.name, tuple(members), tuple(values))


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


def stored_names(function: ast.FunctionDef | ast.Lambda | ast.For) -> frozenset[str]:
    """The names that a function or loop binds somewhere; those of its comprehensions and nested functions count too."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
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
