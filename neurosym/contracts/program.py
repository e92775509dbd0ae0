"""The module that contracts stand in: what its names stand for, its constants, its one-line functions."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from neurosym.gate._names import Names

LIBRARIES = ("icontract", "deal")

_CONTEXTS = frozenset({"getcontext", "setcontext", "localcontext", "DefaultContext"})

Decorated = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Program:
    """One module, read and not run."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.names = Names(tree)
        self._libraries = frozenset(_library_names(tree))
        self._values: dict[str, ast.expr] = {}
        self._functions: dict[str, ast.FunctionDef] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        # What a star import brings may be called like anything.
        bound = Counter(() if self.names.has_star else _bound(tree))
        for statement in tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if bound[name] == 1:
                    self._values[name] = value
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if bound[name] == 1:
                    self._values[name] = value
                case ast.FunctionDef(name=name) if bound[name] == 1:
                    self._functions[name] = statement
                case ast.ClassDef(name=name) if bound[name] == 1:
                    self.classes[name] = statement
                case _:
                    pass

    @cached_property
    def sets_context(self) -> bool:
        """Whether the module speaks of the context of Decimals, so that their precision may be another."""
        nodes = ast.walk(self.tree)
        return any(getattr(each, "id", getattr(each, "attr", getattr(each, "name", ""))) in _CONTEXTS for each in nodes)

    def value(self, name: str) -> ast.expr | None:
        """What a name of the module is set to, once and for all; None where that is not certain."""
        return self._values.get(name)

    def function(self, name: str) -> ast.FunctionDef | None:
        """The function of the module with that name, where nothing else has it."""
        return self._functions.get(name)

    def dotted(self, node: ast.expr) -> str:
        """What an expression names, as ``decimal.Decimal``; empty where that is not certain."""
        return self.names.dotted(node) or ""

    def library(self, decorator: ast.expr) -> str:
        """The contract that a decorator is, as ``icontract.require``; empty where it is none."""
        name = self.dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
        return name if name.partition(".")[0] in LIBRARIES and "." in name else ""

    @cached_property
    def decorated(self) -> Sequence[tuple[Decorated, list[ast.expr]]]:
        """Whatever has contracts as decorators, wherever it stands, with those."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, Decorated)]
        found = [(node, [each for each in node.decorator_list if self.library(each)]) for node in nodes]
        return [(node, contracts) for node, contracts in found if contracts]

    @cached_property
    def catches(self) -> bool:
        """Whether anything in the module may catch an exception."""
        return any(isinstance(node, ast.Try | ast.TryStar | ast.With) for node in ast.walk(self.tree))

    def stray(self) -> ast.AST | None:
        """A use of a library of contracts that is no decorator, or one of which that is not certain, since its name is
        bound to something else too: it cannot be taken away, and nothing says which functions it is about."""
        inside = {id(part) for _, found in self.decorated for each in found for part in ast.walk(each)}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and id(node) not in inside and node.id in self._libraries:
                return node
            if isinstance(node, ast.Import | ast.ImportFrom) and (
                mixes(node) or (taken_away(node) and self._is_hidden(node))
            ):
                return node
        return None

    def _is_hidden(self, node: ast.stmt) -> bool:
        """Whether an import of contracts does not stand alone on its lines at the top level."""
        if not taken_away(node):
            return False
        lines = [each.lineno for each in self.tree.body]
        return all(each is not node for each in self.tree.body) or lines.count(node.lineno) > 1


def taken_away(node: ast.AST) -> bool:
    """Whether an import statement is of contracts only, and goes with them."""
    match node:
        case ast.Import(names=names):
            return all(each.name.partition(".")[0] in LIBRARIES for each in names)
        case ast.ImportFrom(module=str(module), level=0):
            return module.partition(".")[0] in LIBRARIES
        case _:
            return False


def mixes(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether an import statement is of contracts and of something else, or of all names there are."""
    if isinstance(node, ast.Import):
        return not taken_away(node) and any(each.name.partition(".")[0] in LIBRARIES for each in node.names)
    return taken_away(node) and any(each.name == "*" for each in node.names)


def _library_names(tree: ast.Module) -> Iterator[str]:
    """The names that imports of contracts bind, wherever they stand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [each for each in node.names if each.name.partition(".")[0] in LIBRARIES]
            yield from (each.asname or each.name.partition(".")[0] for each in found)
        elif isinstance(node, ast.ImportFrom) and taken_away(node):
            yield from (each.asname or each.name for each in node.names)


@dataclass(frozen=True, slots=True)
class OneLiner:
    """A function that only returns an expression over its parameters."""

    parameters: tuple[str, ...]
    body: ast.expr


def one_liner(function: ast.expr | ast.stmt) -> OneLiner | None:
    """A lambda, or a function whose body is one ``return``; None for any other, and for parameters with defaults."""
    match function:
        case ast.Lambda(args=arguments, body=body):
            pass
        case ast.FunctionDef(args=arguments, body=statements, decorator_list=[]):
            rest = statements[1:] if _is_text(statements[0]) else statements
            if len(rest) != 1 or not isinstance(rest[0], ast.Return) or rest[0].value is None:
                return None
            body = rest[0].value
        case _:
            return None
    if arguments.vararg or arguments.kwarg or arguments.defaults or any(arguments.kw_defaults):
        return None
    names = tuple(each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))
    return OneLiner(names, body)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that the module's own scope binds, once for each binding, and those that a function declares global."""
    todo: list[ast.AST] = [*tree.body]
    while todo:
        node = todo.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Global):
                        yield from inner.names
                todo += _evaluated_around(node)
                continue
            case ast.Lambda(args=arguments):
                todo.append(arguments)
                continue
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (each.asname or each.name.partition(".")[0] for each in names)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case _:
                pass
        todo.extend(ast.iter_child_nodes(node))


def _evaluated_around(node: Decorated) -> list[ast.AST]:
    """What of a function or class is evaluated in the scope around it: decorators, defaults, annotations, bases."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    return [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]
