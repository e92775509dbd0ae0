"""The sixth step: the function that the spec names is there, and takes as many arguments as the spec gives it."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic, Note
from neurosym.source import Delivered

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_KEEPS_SIGNATURE = frozenset({"cache", "lru_cache", "functools.cache", "functools.lru_cache"})


@dataclass(frozen=True, slots=True)
class Found:
    """The function is there and can be called as the spec says; ``notes`` say how it differs all the same."""

    notes: tuple[Note, ...] = ()


def find_function(tree: ast.Module, spec: Spec, source: Delivered) -> Found | Diagnostic:
    """Whether the module defines ``spec.name`` so that it can be called with the spec's inputs, by position."""
    bound = _bindings(tree.body)
    definition = bound.get(spec.name)
    if definition is None:
        return _missing(tree, spec, source, sorted(bound))
    if isinstance(definition, ast.AsyncFunctionDef):
        return _wrong(
            "NS303",
            f"{spec.name} is an async function: calling it gives a coroutine, not a result",
            definition,
            source,
            "take the async away",
        )
    if isinstance(definition, ast.FunctionDef):
        if _is_generator(definition):
            return _wrong(
                "NS304",
                f"{spec.name} is a generator: calling it gives an iterator, not a result",
                definition,
                source,
                "collect the values and return them",
            )
        if all(_decorator_name(each) in _KEEPS_SIGNATURE for each in definition.decorator_list):
            return _compare(definition.args, definition, spec, source)
        return Found()
    if isinstance(definition, ast.Lambda):
        return _compare(definition.args, definition, spec, source)
    return Found()  # a class, an import or the result of a call: only running it tells


def _bindings(body: list[ast.stmt]) -> dict[str, ast.AST]:
    """What the module's names are bound to, the last one counting; looks into if, try, with and loops."""
    bound: dict[str, ast.AST] = {}
    for statement in _module_level(body):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound[statement.name] = statement
            case ast.Assign(targets=targets, value=value):
                bound.update(_stored(statement))
                bound.update({target.id: value for target in targets if isinstance(target, ast.Name)})
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                bound[name] = value
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                bound.update({(alias.asname or alias.name): statement for alias in names})
            case _:
                bound.update(_stored(statement))
    return bound


def _stored(statement: ast.stmt) -> dict[str, ast.AST]:
    """Names that a statement's own expressions bind: in a tuple, in a loop's head, by ``:=``; only running it tells."""
    stored: dict[str, ast.AST] = {}
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored[node.id] = node
        if not isinstance(node, ast.Lambda):
            inner = ast.iter_child_nodes(node)
            todo.extend(each for each in inner if isinstance(each, ast.expr | ast.withitem))
    return stored


def _module_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, Function | ast.ClassDef):
            continue
        for part in ("body", "orelse", "finalbody"):
            yield from _module_level(getattr(statement, part, []))
        for handler in getattr(statement, "handlers", []):
            yield from _module_level(handler.body)
        for case in getattr(statement, "cases", []):
            yield from _module_level(case.body)


def _missing(tree: ast.Module, spec: Spec, source: Delivered, names: list[str]) -> Diagnostic:
    for node in ast.walk(tree):
        if not isinstance(node, Function | ast.ClassDef):
            continue
        for inner in _module_level(node.body):
            if isinstance(inner, Function) and inner.name == spec.name:
                if isinstance(node, ast.ClassDef):
                    return _wrong(
                        "NS305",
                        f"{spec.name} is only a method of the class {node.name}",
                        inner,
                        source,
                        "define it as a function of the module",
                    )
                return _wrong(
                    "NS306",
                    f"{spec.name} is defined only inside of {node.name}",
                    inner,
                    source,
                    "define it at the top level of the module",
                )
    near = difflib.get_close_matches(spec.name, names, n=1, cutoff=0.5)
    functions = [node.name for node in tree.body if isinstance(node, Function)]
    if near:
        hint = f"the nearest name in it is {near[0]}: rename it"
    elif functions:
        hint = "it defines " + ", ".join(functions[:5])
    else:
        hint = "it defines no function at all"
    return Diagnostic(
        "NS301", FailureClass.SIGNATURE, f"the candidate does not define the function {spec.name}", hint=hint
    )


def _compare(arguments: ast.arguments, where: ast.AST, spec: Spec, source: Delivered) -> Found | Diagnostic:
    """A call is by position: only the number of parameters decides, names and further defaults are noted."""
    wanted = list(spec.inputs)
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    forced = [arg.arg for arg, default in keywords if default is None]
    too_few = len(positional) < len(wanted) and arguments.vararg is None
    if too_few or required > len(wanted) or forced:
        takes = _count(required, len(positional), arguments.vararg is not None)
        also = f", and {', '.join(forced)} by keyword" if forced else ""
        return _wrong(
            "NS302",
            f"{spec.name} takes {takes}{also}; the spec gives it {_parameters(len(wanted))}",
            where,
            source,
            f"the spec calls {spec.name}({', '.join(wanted)})",
        )
    line = getattr(where, "lineno", None)
    notes = []
    renamed = [f"{arg.arg} for {name}" for arg, name in zip(positional, wanted, strict=False) if arg.arg != name]
    if renamed:
        notes.append(Note("NS310", f"parameters have other names: {', '.join(renamed)}", line))
    further = [arg.arg for arg in positional[len(wanted) :]]
    further += [arg.arg for arg in arguments.kwonlyargs]
    if further:
        notes.append(Note("NS311", f"further parameters keep their defaults: {', '.join(further)}", line))
    return Found(tuple(notes))


def _wrong(code: str, message: str, where: ast.AST, source: Delivered, hint: str) -> Diagnostic:
    line: int | None = getattr(where, "lineno", None)
    text = source.line(line)
    offset: int = getattr(where, "col_offset", 0)
    column = len(text.encode()[:offset].decode("utf-8", "ignore")) + 1  # the tree counts bytes
    return Diagnostic(code, FailureClass.SIGNATURE, message, line, column, text, hint)


def _is_generator(function: ast.FunctionDef) -> bool:
    """Whether the function's own body yields; functions and classes inside it do not count."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(node))
    return False


def _decorator_name(decorator: ast.expr) -> str:
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def _count(required: int, most: int, more: bool) -> str:
    if more:
        return f"{required} or more parameters"
    return _parameters(most) if required == most else f"{required} to {most} parameters"


def _parameters(number: int) -> str:
    return "1 parameter" if number == 1 else f"{number} parameters"
