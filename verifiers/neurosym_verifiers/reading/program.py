"""A program as the reading sees it: its functions, its enums, its constants, and what its imports name.

Only modules that consist of imports, definitions and constants are read: then the result of a call depends on its
arguments alone, and the same call gives the same result.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from neurosym_verifiers.reading.values import NotRead, Text, Thing, Value


@dataclass(frozen=True, slots=True)
class EnumClass:
    """An ``Enum`` with known members."""

    name: str
    members: tuple[str, ...]
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class RecordClass:
    """A dataclass, named tuple or typed dict: its fields in order, and the defaults that some have."""

    name: str
    form: str
    fields: tuple[str, ...]
    defaults: Mapping[str, ast.expr]


@dataclass(slots=True)
class Program:
    """What the module-level names stand for. ``constants`` are assignments, not yet read."""

    records: dict[str, RecordClass] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    enums: dict[str, EnumClass] = field(default_factory=dict)
    exceptions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    names: dict[str, Value] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)


def program_of(*sources: str) -> Program:
    """The program of a prelude and a candidate's source, the later definitions winning. Raises ``NotRead``."""
    program = Program()
    for source in sources:
        for statement in ast.parse(source).body:
            _module_level(program, statement)
    return program


def _module_level(program: Program, statement: ast.stmt) -> None:
    match statement:
        case ast.Import(names=names):
            for alias in names:
                if "." in alias.name:
                    raise NotRead(f"import {alias.name}", statement.lineno)
                _bind(program, alias.asname or alias.name, Thing(alias.name))
        case ast.ImportFrom(module=module, names=names, level=0) if module:
            for alias in names:
                if module == "__future__":
                    continue
                bound = alias.asname or alias.name
                if module == "decimal" and alias.name.startswith("ROUND_"):
                    _bind(program, bound, Text(alias.name))
                else:
                    _bind(program, bound, Thing(f"{module}.{alias.name}"))
        case ast.FunctionDef(name=name, decorator_list=[]):
            _forget(program, name)
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


def _forget(program: Program, name: str) -> None:
    tables = (program.functions, program.enums, program.exceptions, program.names, program.constants, program.records)
    for table in tables:
        table.pop(name, None)


def _bind(program: Program, name: str, value: Value) -> None:
    _forget(program, name)
    program.names[name] = value


def _constant(program: Program, name: str, value: ast.expr, line: int) -> None:
    if name in program.constants or name in program.functions or name in program.enums:
        raise NotRead(f"{name}, which is assigned twice", line)
    _forget(program, name)
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
        record = _record(statement, "dataclass")
    elif statement.decorator_list:
        raise not_read
    elif imported == "enum.Enum":
        enum = _enum(statement)
        _forget(program, statement.name)
        program.enums[statement.name] = enum
        return
    elif imported in ("typing.NamedTuple", "typing.TypedDict"):
        record = _record(statement, "namedtuple" if imported == "typing.NamedTuple" else "dict")
    elif bases and _is_exception(program, bases[0]):
        names = exception_names(bases[0], program.exceptions) or ()
        if not all(isinstance(part, ast.Pass) or _is_text(part) for part in statement.body):
            raise not_read
        _forget(program, statement.name)
        program.exceptions[statement.name] = (statement.name, *names)
        return
    else:
        raise not_read
    _forget(program, statement.name)
    program.records[statement.name] = record


def _is_exception(program: Program, name: str) -> bool:
    others = (program.functions, program.enums, program.names, program.constants, program.records)
    return exception_names(name, program.exceptions) is not None and not any(name in table for table in others)


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


def _record(statement: ast.ClassDef, form: str) -> RecordClass:
    fields: list[str] = []
    defaults: dict[str, ast.expr] = {}
    for part in statement.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if "ClassVar" not in ast.unparse(part.annotation):
                fields.append(name)
                if value is not None:
                    defaults[name] = value
            case ast.Pass():
                pass
            case _ if _is_text(part):
                pass
            case _:
                raise NotRead(f"the class {statement.name}", part.lineno)
    return RecordClass(statement.name, form, tuple(fields), defaults)


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


def check_scopes(function: ast.FunctionDef | ast.Lambda, name: str) -> None:
    """No global or nonlocal names, and no generators; raises ``NotRead``."""
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFunctionDef)):
            raise NotRead(f"{type(node).__name__} in {name}", getattr(node, "lineno", function.lineno))


def stored_names(function: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """The names that a function binds somewhere; those of its comprehensions and nested functions count too."""
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


def exception_names(name: str, known: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """A builtin exception's name and those of its bases; None if there is no such exception."""
    if name in known:
        return known[name]
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return tuple(base.__name__ for base in kind.__mro__[:-1])
    return None
