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

from neurosym.contracts.conditions import Condition, Found, Input, Meaning, Parts, Result, Role, Unread, said, shortened
from neurosym.trees import expression_of

_SECTION = re.compile(r"(\s*):?(pre|post|inv|raises)(\[[\w\s,.]*\])?::?\s*(.*?)\s*")
_CONTINUES = re.compile(r"\s*(?:(?:and|or|not|if|else|in|is)\b|[])},.<>=!*/%&|^+-])")
"""How a line begins that may go on with the one before it."""

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
    for section in _sections(function, found):
        if section.word == "raises":
            listed = ",".join(text.partition("#")[0] for _, text in section.lines)
            found.allowed += [each.strip().rpartition(".")[2] for each in listed.split(",") if each.strip()]
        else:
            found.any = True
            _read_section(section, inputs, found)


@dataclass(frozen=True, slots=True)
class _Section:
    """A section of a docstring: its word, the line it begins in, and the texts in it with their lines."""

    word: str
    line: int
    lines: list[tuple[int, str]]


def _sections(function: ast.FunctionDef, found: Found) -> Iterator[_Section]:
    """The sections of a docstring. What is indented more than a section's first line belongs to it.

    What else is said of exceptions and of changes is added to what is ``found``.
    """
    text = ast.get_docstring(function, clean=False)
    if text is None:
        return
    first, margin = function.body[0].lineno, function.body[0].col_offset
    open_section: _Section | None = None
    indent = 0
    for number, line in enumerate(text.splitlines(), first):
        if not line.strip():
            continue
        own_indent = len(line) - len(line.lstrip())
        header = _SECTION.fullmatch(line)
        begins = header is not None and own_indent <= max(indent, margin)
        goes_on = open_section is not None and _goes_on(open_section, number, line)
        if open_section is not None and (own_indent > indent or goes_on) and not begins:
            open_section.lines.append((number, line.strip()))
            continue
        if open_section is not None:
            yield open_section
            open_section = None
        if sphinx := _RAISES.fullmatch(line):
            found.allowed += [each.strip().rpartition(".")[2] for each in sphinx[1].split(",")]
        elif header is not None:
            if header[3] and (changed := header[3].strip("[] ")):
                why = f"it allows a change of {changed}, and every function is asked to change no argument"
                found.any = True
                found.unread.append(Unread(number, line.strip(), why, blocks=True))
            open_section = _Section(header[2], number, [(number, header[4])] if header[4] else [])
            # The quotes stand before the first line, so that it has no indentation of its own.
            indent = margin if number == first and header[4] else own_indent
    if open_section is not None:
        yield open_section


def _goes_on(section: _Section, number: int, line: str) -> bool:
    """Whether a line that is not indented may still belong to the condition right above it."""
    return bool(section.lines) and section.lines[-1][0] == number - 1 and _CONTINUES.match(line) is not None


def _read_section(section: _Section, inputs: dict[str, Meaning], found: Found) -> None:
    """Reads a section of conditions, one a line. One that goes over several lines is not read, and then none is: what
    else stands there may be a part of it."""
    lines = [(line, text) for line, text in section.lines if not text.startswith("#")]
    expressions = [(line, expression_of(text)) for line, text in lines]
    said_of = shortened(f"{section.word}: {' '.join(text for _, text in lines)}")
    if section.word == "inv":
        found.unread.append(Unread(section.line, said_of, "an invariant is one of a class", blocks=False))
        return
    if not lines or any(each is None for _, each in expressions):
        why = "a line in it is no expression of Python" if lines else "there is no condition in it"
        found.unread.append(Unread(section.line, said_of, why, blocks=section.word == "pre"))
        return
    scope = dict(inputs)
    if section.word == "post":
        scope |= {"__return__": Result(), "__old__": Parts(inputs)}
        if "_" not in scope:
            scope["_"] = Result()
    for line, expression in expressions:
        assert expression is not None
        found.conditions.append(
            Condition(
                role=Role.PRE if section.word == "pre" else Role.POST,
                origin=f"docstring {section.word}",
                line=line,
                text=said(expression),
                expression=expression,
                scope=scope,
            )
        )
