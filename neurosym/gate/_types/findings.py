"""What mypy's lines mean: that the code cannot be right, or only that the model did not write something down.

A line rejects only if what it says is certain without the candidate's own annotations, or if these are consistent: mypy
believes an annotation, and a first assignment, where running the code would not. So findings that rest on the type of a
value count only in a module in which mypy found no contradiction between a type and what is put into it, and no
expression that may be anything (after ``total = 0``, adding such a value leaves an int to mypy). Without that, they
count where the classes are certain without mypy. Where a class can be looked at, the class itself is asked. Everything
else is a note.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from neurosym_specs.model import Spec
from neurosym_specs.types import OptionalType
from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic, Note
from neurosym.gate._certain import Certain, class_of_type
from neurosym.gate._place import MOST_SHOWN, column_of, diagnose, line_of, place_of, text_of, words
from neurosym.gate._types.copy import PROMISE
from neurosym.gate._types.lines import Line
from neurosym.gate._types.samples import SAMPLES, always_raises, are_apart, bare
from neurosym.source import Delivered


class Types(StrEnum):
    """How much of what the type check finds turns a candidate away."""

    STRICT = "strict"
    """Everything that ``mypy --strict`` says."""
    SURE = "sure"
    """What shows that the code cannot be right; the rest is noted."""
    OFF = "off"
    """Nothing: the check is not made."""


@dataclass(frozen=True, slots=True)
class TypeFindings:
    """What turns the candidate away, and what is only noted."""

    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[Note, ...]


_CONTRADICTS = words("""
    assignment arg-type return-value list-item dict-item typeddict-item override no-redef valid-type misc type-var
    call-overload comparison-overlap
    """)
"""Codes that say that a type and a value do not fit: then one of the two is not what mypy takes it for."""

_FOLLOWS = frozenset({"no-untyped-call", "no-any-return"})
"""What only repeats, at each use, that a function has no annotations."""

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
}
_NAME = re.compile(r'Name "([^"]+)" is not defined')
_ATTRIBUTE = re.compile(r'"([^"]+)" has no attribute "([^"]+)"')
_OPERANDS = re.compile(r'Unsupported operand types for (\S+) \("([^"]+)" and "([^"]+)"\)')
_INDEX = re.compile(r'Value of type "([^"]+)" is not indexable')
_NOT_CALLABLE = re.compile(r'"([^"]+)" not callable')
_CALLED = re.compile(r'(?: for| in call to) "(\w+)"$')
_RESULT = re.compile(r'Incompatible return value type \(got "([^"]+)", expected "([^"]+)"\)')


def sort_out(
    lines: list[Line],
    tree: ast.Module,
    certain: Certain,
    spec: Spec | None,
    source: Delivered,
    *,
    strict: bool,
    closed: bool,
) -> TypeFindings:
    """Which of mypy's lines turn the candidate away. ``strict``: all of its errors do.

    ``closed``: no value may be anything, see ``is_closed``.
    """
    look = _Look(lines, tree, certain, spec, source, is_closed=closed)
    sure: list[Diagnostic] = []
    notes: list[Note] = []
    results = look.results()
    told = {each.line for each in results}
    own = [each for each in lines if each.severity == "error" and each.inside]
    if not strict:
        own = [
            each
            for each in own
            if each.code not in _FOLLOWS and not (each.code == "return-value" and each.line in told)
        ]
    for each in own:
        if len(sure) >= MOST_SHOWN:
            break
        verdict = look.judge(each)
        if verdict is not None:
            code, failure = verdict
            sure.append(_diagnostic(each, code, failure, source))
        elif strict:
            sure.append(_diagnostic(each, "NS456", FailureClass.TYPE, source))
        else:
            notes.append(Note("NS456", f"mypy: {each.text} [{each.code}]", each.line))
    for each in lines:
        if each.severity == "error" and not each.inside and each.code in ("arg-type", "return-value", "call-arg"):
            said = each.text.replace(f'"{PROMISE}"', "the spec")
            line = look.entry.lineno if look.entry else None
            message = f"the spec and the candidate's annotations differ: {said}"
            if strict:
                text = line_of(source, line)
                sure.append(Diagnostic("NS458", FailureClass.TYPE, message, line, None, text))
            else:
                notes.append(Note("NS458", message, line))
    sure += results
    return TypeFindings(tuple(sure[:MOST_SHOWN]), tuple(notes))


def _diagnostic(each: Line, code: str, failure: FailureClass, source: Delivered) -> Diagnostic:
    text, _, hint = each.text.partition("; maybe ")
    hint = f"the nearest name is {hint.strip('?')}".replace('"', "") if hint else ""
    message = f"{text} [{each.code}]" if each.code else text
    return Diagnostic(code, failure, message, each.line, each.column, line_of(source, each.line), hint)


class _Look:
    """The module beside mypy's lines about it."""

    def __init__(
        self,
        lines: list[Line],
        tree: ast.Module,
        certain: Certain,
        spec: Spec | None,
        source: Delivered,
        *,
        is_closed: bool,
    ) -> None:
        self._names, self._spec, self._certain, self._source = certain.names, spec, certain, source
        self._is_closed = is_closed
        self._operations: dict[int, list[ast.BinOp | ast.AugAssign]] = {}
        self._of_a_union = {each.line for each in lines if "operand is of type" in each.text}
        names = certain.names
        self._lines = lines
        self._annotations: dict[int, set[tuple[int, int]]] = {}  # by line: first column, column behind the last
        self._stored: set[str] = set()
        self._classes: set[str] = set()
        self._guarded: set[int] = set()
        self._lazy = names.uses("setattr") or names.uses("hasattr") or names.uses("vars") or names.has_star
        entries: list[ast.FunctionDef] = []
        for node in ast.walk(tree):
            self._survey(node)
            if spec is not None and isinstance(node, ast.FunctionDef) and node.name == spec.name:
                entries.append(node)
        self.entry = entries[0] if len(entries) == 1 and not entries[0].decorator_list else None
        results = _returns(self.entry) if self.entry else []
        self._result_lines = {each.lineno for each in results}
        self._results = results
        doubts = (each for each in lines if each.severity == "error" and each.code in _CONTRADICTS)
        self.is_consistent = not any(
            not (each.code == "return-value" and each.inside and each.line in self._result_lines) for each in doubts
        )

    def _survey(self, node: ast.AST) -> None:
        match node:
            case ast.arg(annotation=ast.expr() as annotation):
                self._annotation(annotation)
            case (
                ast.FunctionDef(returns=ast.expr() as annotation)
                | ast.AsyncFunctionDef(returns=ast.expr() as annotation)
            ):
                self._annotation(annotation)
            case ast.AnnAssign(annotation=annotation):
                self._annotation(annotation)
            case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()):
                self._stored.add(attr)
            case ast.BinOp() | ast.AugAssign():
                self._operations.setdefault(node.lineno, []).append(node)
            case ast.Attribute(attr="__dict__"):
                self._lazy = True
            case ast.ClassDef(name=name, bases=bases, body=body, decorator_list=decorators):
                plain = {"dataclass", "dataclasses.dataclass", "total_ordering", "functools.total_ordering"}
                known = all(text_of(each).split("(")[0] in plain for each in decorators)
                based = all(text_of(each) in ("object", "NamedTuple", "typing.NamedTuple") for each in bases)
                dynamic = any(isinstance(each, ast.FunctionDef) and each.name.startswith("__getattr") for each in body)
                if known and based and not dynamic and not node.keywords:
                    self._classes.add(name)
            case ast.Try(body=body, handlers=handlers):
                if handlers:
                    self._guarded.update(line for each in body for line in _lines_of(each))
            case _:
                pass

    def _annotation(self, annotation: ast.expr) -> None:
        for node in ast.walk(annotation):
            if isinstance(node, ast.expr):
                text = line_of(self._source, node.lineno)
                first = column_of(text, node.col_offset)
                whole = node.end_lineno == node.lineno
                end = column_of(text, node.end_col_offset or 0) if whole else len(text) + 1
                self._annotations.setdefault(node.lineno, set()).add((first, end))

    def judge(self, each: Line) -> tuple[str, FailureClass] | None:
        """The code under which an error of mypy's turns the candidate away, or None for a note."""
        if each.line in self._guarded:
            return None
        match each.code:
            case "name-defined":
                return ("NS451", FailureClass.NAME) if self._is_undefined(each) else None
            case "attr-defined" if self.is_consistent and self._is_closed and not self._lazy:
                return ("NS452", FailureClass.NAME) if self._has_no_attribute(each) else None
            case "call-arg" if self.is_consistent:
                return ("NS453", FailureClass.TYPE) if self._is_closed or self._is_plain_call(each) else None
            case "operator" | "index" if self.is_consistent:
                sure = self._cannot_work(each) and (self._is_closed or self._is_certain(each))
                return ("NS454", FailureClass.TYPE) if sure else None
            case _:
                return None

    def _is_undefined(self, each: Line) -> bool:
        found = _NAME.match(each.text)
        if found is None or self._names.has_star:
            return False
        name = found[1].split(".")[0]
        known = name in vars(builtins) or self._names.is_bound(name) or self._names.is_imported(name)
        return not known and self._names.uses(name) and not self._in_annotation(each)

    def _in_annotation(self, each: Line) -> bool:
        """Whether an annotation stands there: it may never be evaluated."""
        return any(first <= each.column < end for first, end in self._annotations.get(each.line, ()))

    def _has_no_attribute(self, each: Line) -> bool:
        found = _ATTRIBUTE.match(each.text)
        if found is None:
            return False
        owner, attr = bare(found[1]), found[2]
        if owner in SAMPLES:
            return not any(hasattr(sample, attr) for sample in SAMPLES[owner])
        return owner in self._classes and attr not in self._stored

    def _is_plain_call(self, each: Line) -> bool:
        """Whether a function is called that the module defines, or Python does, and not a method of some value."""
        found = _CALLED.search(each.text)
        return found is not None and (found[1] in self._names.functions or found[1] in vars(builtins))

    def _is_certain(self, each: Line) -> bool:
        """Whether on this line an operator stands between classes that are certain, and always refuses them."""
        for node in self._operations.get(each.line, ()):
            target = node.left if isinstance(node, ast.BinOp) else node.target
            value = node.right if isinstance(node, ast.BinOp) else node.value
            left, right = self._certain.class_of(target), self._certain.class_of(value)
            sign = _SIGNS.get(type(node.op))
            if left and right and sign and always_raises(sign, left.__name__, right.__name__):
                return True
        return False

    def _cannot_work(self, each: Line) -> bool:
        if each.line in self._of_a_union:
            return False  # one of the union's types is meant
        if found := _OPERANDS.match(each.text):
            sign = found[1].removesuffix("=") if found[1] not in ("<=", ">=") else found[1]
            return always_raises(sign, bare(found[2]), bare(found[3]))
        if found := _INDEX.match(each.text):
            samples = SAMPLES.get(bare(found[1]))
            return samples is not None and not any(hasattr(sample, "__getitem__") for sample in samples)
        if found := _NOT_CALLABLE.match(each.text):
            return bare(found[1]) in SAMPLES
        return False

    def results(self) -> list[Diagnostic]:
        """A diagnostic if every result of the judged function is of a class that the spec does not promise."""
        if self.entry is None or self._spec is None or isinstance(self._spec.output, OptionalType):
            return []
        where = self.entry
        if not self._results:
            if _is_generator(where) or not _returns_at_all(where):
                return []
            said = f"{where.name} never returns a value"
            return [self._result(where, said, "return the result; printing it is not enough")]
        if declared := self._declared_otherwise():
            said = f"{where.name} is declared to return {declared[0]}, and does; {declared[1]} is promised"
            return [self._result(self._results[0], said, f"make the result a {declared[1]}")]
        if not self.is_consistent:
            return []
        wrong: dict[int, tuple[str, str]] = {}
        for each in self._lines:
            found = _RESULT.match(each.text) if each.inside and each.code == "return-value" else None
            if found is not None and are_apart(bare(found[1]), bare(found[2])):
                wrong[each.line] = (found[1], found[2])
        at = [wrong.get(each.lineno) for each in self._results]
        if not self._is_closed:
            at = [
                found if self._is_apart_for_sure(each) else None for each, found in zip(self._results, at, strict=True)
            ]
        if all(each is not None for each in at) and at[0] is not None:
            said = f"{where.name} returns {at[0][0]} on every way, and {at[0][1]} is promised"
            return [self._result(self._results[0], said, f"make the result a {at[0][1]}")]
        return []

    def _is_apart_for_sure(self, each: ast.Return) -> bool:
        """Whether the class of what is returned is certain without mypy, and another than promised."""
        found = self._certain.class_of(each.value) if each.value else None
        promised = class_of_type(self._spec.output) if self._spec else None
        return found is not None and promised is not None and are_apart(found.__name__, promised.__name__)

    def _declared_otherwise(self) -> tuple[str, str] | None:
        """The declared and the promised type, where they are apart and the body surely keeps the declared one."""
        doubts = [each for each in self._lines if each.severity == "error" and each.code in _CONTRADICTS]
        unknown = any(each.code == "no-any-return" and each.line in self._result_lines for each in self._lines)
        if len(doubts) != 1 or unknown or doubts[0].inside or not self._is_closed:
            return None
        found = _RESULT.match(doubts[0].text)
        if found is None or not are_apart(bare(found[1]), bare(found[2])):
            return None
        return found[1], found[2]

    def _result(self, node: ast.stmt, said: str, hint: str) -> Diagnostic:
        return diagnose(node, self._source, "NS455", FailureClass.TYPE, said, hint)


def _returns(function: ast.FunctionDef) -> list[ast.Return]:
    """The function's own statements that return a value."""
    found = [each for each in _own_statements(function) if isinstance(each, ast.Return) and each.value is not None]
    return sorted(found, key=place_of)


def _returns_at_all(function: ast.FunctionDef) -> bool:
    """Whether the end of the function, or a bare return, is there to be reached: not only raises."""
    last = function.body[-1]
    return not isinstance(last, ast.Raise)


def _is_generator(function: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own_statements(function))


def _own_statements(function: ast.FunctionDef) -> Iterator[ast.AST]:
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))


def _lines_of(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
