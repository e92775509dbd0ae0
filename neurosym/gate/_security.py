"""The eighth step: nothing that hides what the code does, and no work while the module is loaded.

This is advice in time, not protection: whatever the candidate does at run time, the sandbox holds it. What is refused
here could not be read by any later step: code made from text, ways around the names, work without a function.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic, Note
from neurosym.gate._names import Names
from neurosym.gate._place import MOST_SHOWN, diagnose, note, place_of, text_of, words
from neurosym.source import Delivered

_CODE_FROM_TEXT = frozenset({"eval", "exec", "compile", "__import__"})
_ANNOTATIONS_AS_CODE = frozenset({"typing.get_type_hints", "typing.ForwardRef", "inspect.get_annotations"})
_NAMESPACES = frozenset({"globals", "__builtins__", "__loader__", "__spec__", "breakpoint"})
_WALKS = words("""
    __subclasses__ __globals__ __builtins__ __bases__ __base__ __mro__ __code__ __closure__ __getattribute__
    __reduce__ __reduce_ex__ __import__ __loader__ __spec__ __func__ __self__ __wrapped__ __defaults__ __kwdefaults__
    __basicsize__ __subclasshook__ __init_subclass__ __set_name__
    gi_frame gi_code cr_frame cr_code ag_frame ag_code tb_frame tb_next f_globals f_locals f_builtins f_back f_code
    """)
_DEFINED = frozenset({"__init_subclass__", "__subclasshook__", "__set_name__", "__reduce__", "__getattribute__"})
_FIELD_WALK = re.compile(r"\{[^{}]*\.__\w+__")
_NOT_WHILE_LOADING = frozenset({"input", "open", "exit", "quit", "help"})
_SETS_UP = frozenset({"decimal.setcontext", "decimal.getcontext", "sys.setrecursionlimit", "random.seed"})
_FILLS = frozenset({"append", "extend", "update", "add", "setdefault", "insert", "sort", "reverse", "pop", "remove"})


@dataclass(frozen=True, slots=True)
class SecurityFindings:
    """What must not run, and what was noticed on the way."""

    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[Note, ...]


def check_security(tree: ast.Module, names: Names, source: Delivered) -> SecurityFindings:
    """Dynamic code, walks over the object graph, and work at the top level of the module."""
    everywhere = itertools.chain(_hidden(tree, names, source), _hidden_in_annotations(tree, source))
    hidden = sorted(everywhere, key=lambda each: (each.line or 0, each.column or 0))
    loading = _Loading(names, source)
    loading.read(tree.body)
    found = tuple(itertools.islice(itertools.chain(hidden, loading.diagnostics), MOST_SHOWN))
    return SecurityFindings(found, tuple(loading.notes))


def _hidden(tree: ast.Module, names: Names, source: Delivered) -> Iterator[Diagnostic]:
    texts = _documentation(tree)
    outside = _outside_of_functions(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in _CODE_FROM_TEXT | _NAMESPACES:
                if not names.is_bound(name):
                    yield _dynamic(node, name, source)
            case ast.Name() | ast.Attribute() if names.dotted(node) in _ANNOTATIONS_AS_CODE:
                yield _dynamic(node, names.dotted(node) or "", source)
            case ast.Attribute(attr=attr) if attr in _WALKS:
                if not (attr in _DEFINED and _is_super(node.value)):
                    yield _walk(node, attr, source)
            case ast.Attribute(value=ast.Attribute(attr="__class__"), attr=attr) if attr not in (
                "__name__",
                "__qualname__",
                "__doc__",
            ):
                if attr.startswith("__") or attr == "mro":
                    yield _walk(node, f"__class__.{attr}", source)
            case ast.Attribute(attr="__class__" | "__dict__" as attr, ctx=ast.Store() | ast.Del()):
                yield _walk(node, attr, source)
            case ast.Constant(value=str(text)) if id(node) not in texts:
                if text in _WALKS or text in ("__class__", "__dict__"):
                    yield _walk(node, text, source)
                elif _FIELD_WALK.search(text):
                    yield _walk(node, "a dunder name in a format", source)
            case ast.Call(func=func) if names.dotted(func) in ("builtins.vars", "builtins.locals"):
                if names.dotted(func) == "builtins.vars" and node.args:
                    continue
                if id(node) in outside:
                    yield _dynamic(node, "globals", source)
            case _:
                pass


def _hidden_in_annotations(tree: ast.Module, source: Delivered) -> Iterator[Diagnostic]:
    """What stands in annotations as text is code where somebody asks for the types, as ``singledispatch`` does."""
    for place, text in _texts_of_annotations(tree):
        try:
            code = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # nobody can evaluate it
        for node in ast.walk(code):
            match node:
                case ast.Name(id=name) if name in _CODE_FROM_TEXT | _NAMESPACES:
                    yield _dynamic(place, name, source)
                case ast.Attribute(attr=attr) if attr in _WALKS:
                    yield _walk(place, attr, source)
                case _:
                    pass


def _texts_of_annotations(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=annotation) | ast.AnnAssign(annotation=annotation):
                pass
            case ast.FunctionDef(returns=annotation) | ast.AsyncFunctionDef(returns=annotation):
                pass
            case _:
                continue
        for part in ast.walk(annotation) if annotation is not None else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part, part.value


def _dynamic(node: ast.AST, name: str, source: Delivered) -> Diagnostic:
    said = {
        "eval": "eval runs code that is made from text",
        "exec": "exec runs code that is made from text",
        "compile": "compile makes code from text",
        "__import__": "__import__ imports by a name that is made at run time",
        "breakpoint": "breakpoint starts a debugger",
        **dict.fromkeys(_ANNOTATIONS_AS_CODE, f"{name} runs annotations as code"),
    }.get(name, f"{name} reaches the names of a module by text")
    hint = {
        "eval": "write the calculation itself; for choosing among functions use a dict of them",
        "exec": "write the statements themselves",
        "__import__": "use an import statement",
        "breakpoint": "take it out",
    }.get(name, "name what is meant")
    return diagnose(node, source, "NS410", FailureClass.POLICY, said, hint)


def _walk(node: ast.AST, what: str, source: Delivered) -> Diagnostic:
    return diagnose(
        node,
        source,
        "NS411",
        FailureClass.POLICY,
        f"{what} leads from a value into the interpreter",
        "a calculation needs none of it: use isinstance, a dict or a method",
    )


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _outside_of_functions(tree: ast.Module) -> set[int]:
    """The nodes whose local names are those of the module."""
    todo: list[ast.AST] = [tree]
    found: set[int] = set()
    while todo:
        node = todo.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            found.add(id(node))
            todo.extend(ast.iter_child_nodes(node))
    return found


def _documentation(tree: ast.Module) -> set[int]:
    """The constants that are statements of their own: nothing is done with them."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


class _Loading:
    """Reads the statements that run when the module is loaded, in their order."""

    def __init__(self, names: Names, source: Delivered) -> None:
        self._names, self._source = names, source
        self.diagnostics: list[Diagnostic] = []
        self.notes: list[Note] = []

    def read(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                if is_main_test(test):
                    self.notes.append(note(statement, "NS414", "the block under __main__ is not run, nor judged"))
                else:
                    self._values(test)
                    self.read(body)
                self.read(orelse)
            case ast.For(iter=each, body=body, orelse=orelse):
                self._values(each)
                self.notes.append(note(statement, "NS413", "a loop runs while the module is loaded"))
                self.read([*body, *orelse])
            case ast.While():
                self._work(statement, "a while loop at the top level of the module")
            case ast.Raise():
                self._work(statement, "the module raises while it is loaded")
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
                self.read(body)
                for handler in handlers:
                    self.read(each for each in handler.body if not isinstance(each, ast.Raise))
                self.read([*orelse, *finalbody])
            case ast.With(items=items, body=body):
                for item in items:
                    self._values(item.context_expr)
                self.read(body)
            case ast.Match(subject=subject, cases=cases):
                self._values(subject)
                for case in cases:
                    self.read(case.body)
            case ast.ClassDef(body=body):
                self._values(*statement.bases, *(each.value for each in statement.keywords), *statement.decorator_list)
                self.read(body)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                defaults = [each for each in statement.args.kw_defaults if each is not None]
                self._values(*statement.decorator_list, *statement.args.defaults, *defaults)
            case ast.Expr(value=ast.Call() as call):
                self._call(call, statement)
            case ast.Expr(value=value):
                self._values(value)
            case ast.Assign(targets=targets, value=value):
                if any(self._is_context(target) for target in targets):
                    self.notes.append(note(statement, "NS413", "the context of decimal is set while loading"))
                self._values(value)
            case ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(value=value):
                self._values(value)
            case _:
                pass

    def _call(self, call: ast.Call, statement: ast.stmt) -> None:
        """A call whose result nobody uses: it is there for what it does."""
        name = self._names.dotted(call.func) or ""
        if name == "builtins.print":
            self.notes.append(note(statement, "NS415", "a print at the top level of the module"))
            self._values(*(each for each in call.args if not isinstance(each, ast.Starred)))
        elif name in _SETS_UP or (isinstance(call.func, ast.Attribute) and call.func.attr in _FILLS):
            self.notes.append(note(statement, "NS413", f"{text_of(call.func)} is called while loading"))
            self._values(*call.args)
        else:
            self._work(
                statement, f"{text_of(call.func)} is called while the module is loaded, and its result is not used"
            )

    def _values(self, *expressions: ast.expr) -> None:
        """Calls inside of what becomes a constant: harmless but for those that reach outside."""
        for expression in expressions:
            for node in _evaluated(expression):
                name = self._names.dotted(node.func) or ""
                if name.removeprefix("builtins.") in _NOT_WHILE_LOADING and name.startswith("builtins."):
                    self._work(node, f"{name.removeprefix('builtins.')} is called while the module is loaded")
                elif isinstance(node.func, ast.Name) and node.func.id in self._names.functions:
                    self.notes.append(note(node, "NS413", f"{node.func.id} is called while the module is loaded"))

    def _work(self, node: ast.AST, message: str) -> None:
        hint = "a candidate only defines when it is loaded: no input, no exit, no work"
        self.diagnostics.append(diagnose(node, self._source, "NS412", FailureClass.POLICY, message, hint))

    def _is_context(self, target: ast.expr) -> bool:
        match target:
            case ast.Attribute(value=ast.Call(func=func)):
                return self._names.dotted(func) in ("decimal.getcontext",)
            case ast.Attribute(value=value):
                return self._names.dotted(value) in ("decimal.DefaultContext", "decimal.BasicContext")
            case _:
                return False


def _evaluated(expression: ast.expr) -> list[ast.Call]:
    """The calls that happen when the expression is evaluated: not those in a lambda."""
    todo: list[ast.AST] = [expression]
    found: list[ast.Call] = []
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call):
            found.append(node)
        if not isinstance(node, ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))
    return sorted(found, key=place_of)


def is_main_test(test: ast.expr) -> bool:
    """Whether this is ``__name__ == "__main__"``."""
    match test:
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]):
            return True
        case ast.Compare(left=ast.Constant(value="__main__"), ops=[ast.Eq()], comparators=[ast.Name(id="__name__")]):
            return True
        case _:
            return False
