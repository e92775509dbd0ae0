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


@dataclass(slots=True)
class Program:
    """What the module-level names stand for. ``constants`` are assignments, not yet read."""

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
    for name, function in program.functions.items():
        _check_scopes(program, name, function)
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
    for table in (program.functions, program.enums, program.exceptions, program.names, program.constants):
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
    bases = [base.id for base in statement.bases if isinstance(base, ast.Name)]
    if statement.keywords or statement.decorator_list or len(bases) != len(statement.bases) or len(bases) != 1:
        raise NotRead(f"the class {statement.name}", statement.lineno)
    base = program.names.get(bases[0])
    if isinstance(base, Thing) and base.name == "enum.Enum":
        _forget(program, statement.name)
        program.enums[statement.name] = _enum(statement)
    else:
        raise NotRead(f"the class {statement.name}", statement.lineno)


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


def _check_scopes(program: Program, name: str, function: ast.FunctionDef) -> None:
    """No global or nonlocal names, no generators, no defaults that could be shared and changed."""
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFunctionDef)):
            raise NotRead(f"{type(node).__name__} in {name}", getattr(node, "lineno", function.lineno))


def exception_names(name: str, known: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """A builtin exception's name and those of its bases; None if there is no such exception."""
    if name in known:
        return known[name]
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return tuple(base.__name__ for base in kind.__mro__[:-1])
    return None
