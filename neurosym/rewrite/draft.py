"""A text that is about to be rewritten, with what codemods ask about it: its trees, its names, its places.

Imports libcst: belongs into the worker's process.
"""

from __future__ import annotations

import ast
import bisect
import itertools
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations

from neurosym.diagnostics import Diagnostic
from neurosym.gate._caps import measure_text, measure_tree
from neurosym.gate._certain import Certain
from neurosym.gate._names import Names, given_names
from neurosym.rewrite.edits import Edit, line_starts
from neurosym.source import Delivered
from neurosym.trees import tree_of

_N = TypeVar("_N", bound=cst.CSTNode)


class Unreadable(Exception):
    """libcst does not read the text, or counts its characters otherwise than Python: nothing is done to it then."""


class Draft:
    """One text. What is too deep or too large for libcst, and what does not parse, has no trees: ``is_code`` is false.

    ``options`` are those of the caller, for the codemods that take any.
    """

    def __init__(self, text: str, spec: Spec, options: Mapping[str, Any] | None = None) -> None:
        self.text, self.spec, self.options = text, spec, options or {}

    @cached_property
    def tree(self) -> ast.Module | None:
        """Python's own tree, None if there is none."""
        return parsed(self.text)

    @property
    def is_code(self) -> bool:
        """Whether the text can be rewritten as Python."""
        return self.tree is not None

    @property
    def module(self) -> ast.Module:
        """Python's own tree of a text that is code."""
        assert self.tree is not None
        return self.tree

    @cached_property
    def names(self) -> Names:
        """What its names stand for, with those that the spec's declarations give it."""
        return Names(self.module, self.given)

    @cached_property
    def given(self) -> dict[str, str]:
        """The imports that the spec's declarations make before it."""
        return given_names(declarations(self.spec))

    @cached_property
    def given_classes(self) -> frozenset[str]:
        """The classes that the spec's declarations define before it."""
        return frozenset(n.name for n in ast.parse(declarations(self.spec)).body if isinstance(n, ast.ClassDef))

    @cached_property
    def certain(self) -> Certain:
        """The classes of its values, where they are certain."""
        return Certain(self.module, self.names, self.spec)

    @cached_property
    def _wrapper(self) -> MetadataWrapper:
        try:
            return MetadataWrapper(cst.parse_module(self.text), unsafe_skip_copy=True)
        except cst.ParserSyntaxError as error:
            raise Unreadable(str(error)) from None

    @cached_property
    def concrete(self) -> cst.Module:
        """libcst's tree, which keeps every character. Raises ``Unreadable``."""
        module = self._wrapper.module
        names = (node for node in walk(module) if isinstance(node, cst.Name) and self.code(node) != node.value)
        if module.code != self.text or next(names, None) is not None:
            raise Unreadable("it counts characters otherwise")  # as libcst 1.9 does behind a form feed
        return module

    @cached_property
    def _spans(self) -> Mapping[cst.CSTNode, Any]:
        return self._wrapper.resolve(ByteSpanPositionProvider)

    def resolve(self, provider: Any) -> Mapping[cst.CSTNode, Any]:
        """libcst's metadata."""
        return self._wrapper.resolve(provider)

    @cached_property
    def _characters(self) -> list[int] | None:
        """For each character the byte it begins at; None where these are the same."""
        if self.text.isascii():
            return None
        return [0, *itertools.accumulate(len(c.encode()) for c in self.text)]

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where the node stands, in characters, without the parentheses and the white space around it."""
        found = self._spans[node]
        start, stop = found.start, found.start + found.length
        if self._characters is None:
            return start, stop
        return bisect.bisect_left(self._characters, start), bisect.bisect_left(self._characters, stop)

    def full_span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where the node stands with the parentheses around it."""
        start, stop = self.span(node)
        for left in reversed(getattr(node, "lpar", ())):
            size = len(cst.Module([]).code_for_node(left))
            start -= size
        for right in getattr(node, "rpar", ()):
            stop += len(cst.Module([]).code_for_node(right))
        return start, stop

    def code(self, node: cst.CSTNode) -> str:
        """The node's own text."""
        start, stop = self.span(node)
        return self.text[start:stop]

    @cached_property
    def _starts(self) -> list[int]:
        return line_starts(self.text)

    def line(self, node: cst.CSTNode) -> int:
        """The line on which the node begins, from 1."""
        return bisect.bisect_right(self._starts, self.span(node)[0])

    def line_start(self, offset: int) -> int:
        """Where the line of a place begins."""
        return self._starts[bisect.bisect_right(self._starts, offset) - 1]

    def line_end(self, offset: int) -> int:
        """Where the next line begins."""
        after = bisect.bisect_right(self._starts, offset)
        return self._starts[after] if after < len(self._starts) else len(self.text)

    def indent(self, node: cst.CSTNode) -> str:
        """The white space before a statement that begins its line, from a form feed on, where Python counts anew."""
        return self.indent_at(self.span(node)[0])

    def indent_at(self, offset: int) -> str:
        """The text before a place on its line, from a form feed on."""
        return self.text[self.line_start(offset) : offset].rpartition("\f")[2]

    @property
    def newline(self) -> str:
        """The line end that the text uses."""
        return self.concrete.default_newline

    @cached_property
    def _expressions(self) -> dict[tuple[int, int], ast.expr]:
        rows = [line.encode() for line in self._rows()]
        found: dict[tuple[int, int], ast.expr] = {}
        for node in ast.walk(self.module):
            if isinstance(node, ast.expr) and node.end_lineno is not None and node.end_col_offset is not None:
                start = self._starts[node.lineno - 1] + len(rows[node.lineno - 1][: node.col_offset].decode())
                last = rows[node.end_lineno - 1][: node.end_col_offset]
                found.setdefault((start, self._starts[node.end_lineno - 1] + len(last.decode())), node)
        return found

    def _rows(self) -> Iterator[str]:
        for start, stop in itertools.pairwise([*self._starts, len(self.text)]):
            yield self.text[start:stop]

    def abstract(self, node: cst.CSTNode) -> ast.expr | None:
        """Python's own node for an expression."""
        return self._expressions.get(self.span(node)) or self._expressions.get(self.full_span(node))

    def class_of(self, node: cst.CSTNode) -> type | None:
        """The exact class of an expression's value, None where it is not certain."""
        found = self.abstract(node)
        return None if found is None else self.certain.class_of(found)

    def dotted(self, node: cst.CSTNode) -> str:
        """What an expression names, as ``decimal.Decimal`` or ``builtins.print``; empty where it is not certain."""
        found = self.abstract(node)
        return (self.names.dotted(found) or "") if found is not None else ""

    def all_of(self, kind: type[_N], within: cst.CSTNode | None = None) -> list[_N]:
        """All nodes of a kind, in the order of the text."""
        return [node for node in walk(within or self.concrete) if isinstance(node, kind)]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node that holds it."""
        return self._parents[node]

    @cached_property
    def _parents(self) -> dict[cst.CSTNode, cst.CSTNode]:
        return {child: node for node in walk(self.concrete) for child in node.children}

    def removal(self, statement: cst.CSTNode) -> Edit:
        """Takes whole lines out: those of the statement and the white space and remark behind it."""
        start, stop = self.span(statement)
        stop = self.line_end(start + max(0, len(self.text[start:stop].rstrip()) - 1))
        if isinstance(statement, cst.BaseCompoundStatement):
            deeper = re.compile(
                rf"(?:[ \t]*(?:\r\n|\r|\n))*\f?{self.indent(statement)}[ \t]+#[^\r\n]*(?:\r\n|\r|\n|\Z)"
            )
            while remark := deeper.match(self.text, stop):  # a remark at the end of its block is part of it
                stop = remark.end()
        return Edit(self.line_start(start), stop, "")

    def removals(self, statements: list[cst.CSTNode]) -> list[Edit]:
        """Takes statements out; where that would empty a block, ``pass`` takes the place of the first."""
        edits = []
        gone = set(map(id, statements))
        for statement in statements:
            block = self.parent(statement)
            body = list(getattr(block, "body", ()))
            whole = isinstance(statement, cst.SimpleStatementLine | cst.BaseCompoundStatement)
            emptied = not isinstance(block, cst.Module) and all(id(each) in gone for each in body)
            if whole and not (emptied and statement is body[0]):
                edits.append(self.removal(statement))
            else:
                start, stop = self.span(statement)
                edits.append(Edit(start, start + len(self.text[start:stop].rstrip()), "pass"))
        return edits


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The node and all below it, in the order of the text, without recursion."""
    todo = [node]
    while todo:
        here = todo.pop()
        yield here
        todo.extend(reversed(here.children))


def parsed(text: str) -> ast.Module | None:
    """Python's tree, None for what does not parse or is larger or deeper than the gate lets through."""
    source = Delivered("", text, "")
    if isinstance(measure_text(source), Diagnostic):
        return None
    tree = tree_of(text)
    return None if tree is None or isinstance(measure_tree(tree, source), Diagnostic) else tree
