"""Contracts inside of a function: leading asserts, the sections of PEP 316 in its docstring, and guards.

Leading asserts are preconditions where a function has no other contracts. Any other assert is judged as what it is:
where it fails, the function raises. A guard is a leading ``if ...: raise``; it says when an exception is raised that
the contracts only allow.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from neurosym.contracts.conditions import Condition, Found, Input, Meaning, Parts, Result, Role, Unread, said

_SECTION = re.compile(r"(\s*):?(pre|post|inv|raises)(\[[\w\s,.]*\])?::?\s*(.*?)\s*")
_RAISES = re.compile(r"\s*:raises\s+([\w.]+(?:\s*,\s*[\w.]+)*)\s*:.*")


@dataclass(frozen=True, slots=True)
class Guard:
    """``if test: raise exception`` before anything else is done."""

    line: int
    text: str
    test: ast.expr
    exception: str


def read_inside(function: ast.FunctionDef, found: Found) -> None:
    """Adds what a function's own text says to what is ``found``."""
    inputs: dict[str, Meaning] = {name: Input(name) for name in parameters(function)}
    _read_docstring(function, inputs, found)
    if found.any:
        return
    for statement in _leading(function, ast.Assert):
        assert isinstance(statement, ast.Assert)
        found.any = True
        if strange := _locals_in(statement.test, function):
            found.unread.append(
                Unread(statement.lineno, said(statement.test), f"{strange} is set later in the function", blocks=True)
            )
            continue
        found.conditions.append(
            Condition(
                role=Role.PRE,
                origin="assert",
                line=statement.lineno,
                text=said(statement.test),
                expression=statement.test,
                scope=inputs,
                description=_message(statement.msg),
            )
        )


def guards(function: ast.FunctionDef) -> Iterator[Guard]:
    """The guards that stand behind the docstring and the leading asserts."""
    body = function.body[len([*_leading(function, ast.Assert)]) + _has_docstring(function) :]
    for statement in body:
        match statement:
            case ast.If(test=test, body=[ast.Raise(exc=raised, cause=None)], orelse=[]):
                name = raised.func if isinstance(raised, ast.Call) else raised
                if not isinstance(name, ast.Name) or _locals_in(test, function):
                    return
                yield Guard(statement.lineno, said(test), test, name.id)
            case _:
                return


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    """The names of a function's parameters, in their order; of those behind a star too."""
    arguments = function.args
    return tuple(each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def has_sections(node: ast.AST) -> bool:
    """Whether a docstring has sections of PEP 316."""
    text = ast.get_docstring(node, clean=False) if isinstance(node, _Documented) else None
    return any((m := _SECTION.fullmatch(line)) and m[2] != "raises" for line in (text or "").splitlines())


_Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _has_docstring(function: ast.FunctionDef) -> bool:
    return ast.get_docstring(function, clean=False) is not None


def _leading(function: ast.FunctionDef, kind: type[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in function.body[_has_docstring(function) :]:
        if not isinstance(statement, kind):
            return
        yield statement


def _locals_in(test: ast.expr, function: ast.FunctionDef) -> str:
    """A name in a condition that is a variable of the function and has no value yet; empty if there is none."""
    stored = {
        node.id for node in ast.walk(function) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    stored |= {each.name for each in ast.walk(function) if isinstance(each, ast.FunctionDef) and each is not function}
    own = {node.id for node in ast.walk(test) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    used = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)} - own
    return next(iter(sorted(used & stored - set(parameters(function)))), "")


def _message(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _read_docstring(function: ast.FunctionDef, inputs: dict[str, Meaning], found: Found) -> None:
    text = ast.get_docstring(function, clean=False)
    if text is None:
        return
    first = function.body[0].lineno
    section, indent = "", 0
    for number, line in enumerate(text.splitlines(), first):
        if not line.strip():
            continue
        if section and len(line) - len(line.lstrip()) > indent:
            _section_line(section, line.strip(), number, inputs, found)
            continue
        section = ""
        if sphinx := _RAISES.fullmatch(line):
            found.allowed += [each.strip().rpartition(".")[2] for each in sphinx[1].split(",")]
            continue
        header = _SECTION.fullmatch(line)
        if header is None:
            continue
        if header[3] and header[3].strip("[] "):
            why = f"it allows a change of {header[3].strip('[] ')}, and every function is asked to change no argument"
            found.any = True
            found.unread.append(Unread(number, line.strip(), why, blocks=True))
        if header[4] and not header[4].startswith("#"):
            _section_line(header[2], header[4], number, inputs, found)
        else:
            section, indent = header[2], len(header[1])


def _section_line(section: str, text: str, line: int, inputs: dict[str, Meaning], found: Found) -> None:
    if section == "raises":
        found.allowed += [each.strip().rpartition(".")[2] for each in text.partition("#")[0].split(",") if each.strip()]
        return
    found.any = True
    shown = " ".join(text.split())
    if section == "inv":
        found.unread.append(Unread(line, f"inv: {shown}", "an invariant is one of a class", blocks=False))
        return
    try:
        expression = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        why = "it is no expression of Python on one line"
        found.unread.append(Unread(line, f"{section}: {shown}", why, blocks=section == "pre"))
        return
    scope = dict(inputs)
    if section == "post":
        scope |= {"__return__": Result(), "__old__": Parts(inputs)}
        if "_" not in scope:
            scope["_"] = Result()
    found.conditions.append(
        Condition(
            role=Role.PRE if section == "pre" else Role.POST,
            origin=f"docstring {section}",
            line=line,
            text=said(expression),
            expression=expression,
            scope=scope,
        )
    )
