"""The third and fifth steps: how deep, how long and how large, before any parser or solver sees the text.

Deep nesting kills parsers (CPython, libcst and mypy are recursive), and long chains make them quadratic. The text is
measured by one linear scan, then parsed, and the tree is measured without recursion.
"""

from __future__ import annotations

import ast
import re

from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.source import Delivered

MAX_BRACKETS = 60
MAX_DEPTH = 300
MAX_NODES = 50_000
MAX_NUMBER_CHARS = 1_000
MAX_STRING_CHARS = 65_536
MAX_OPERATORS_IN_A_ROW = 60

_TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\n]*)
    | (?P<string>\"{3}(?:[^\\"]|\\.|\"(?!\"\"))*(?:\"{3}|\Z)
                |'{3}(?:[^\\']|\\.|'(?!''))*(?:'{3}|\Z)
                |"(?:[^\\"\n]|\\.)*["\n]?
                |'(?:[^\\'\n]|\\.)*['\n]?)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<number>(?<![\w.])[0-9][\w.]*)
    | (?P<unary>(?:(?:[-+~]|\bnot\b|\blambda\s*:|\bawait\b)\s*){2,})
    """,
    re.VERBOSE | re.DOTALL,
)
_UNARY_WORD = re.compile(r"[-+~]|not|lambda|await")


def measure_text(source: Delivered) -> Diagnostic | None:
    """What is too deep or too long in the text, found in one pass that does not parse."""
    depth = 0
    for token in _TOKEN.finditer(source.text):
        match token.lastgroup:
            case "open":
                depth += 1
                if depth > MAX_BRACKETS:
                    return _at(source, token.start(), "NS201", f"brackets are nested more than {MAX_BRACKETS} deep")
            case "close":
                depth = max(0, depth - 1)
            case "number" if token.end() - token.start() > MAX_NUMBER_CHARS:
                size = token.end() - token.start()
                return _at(
                    source,
                    token.start(),
                    "NS203",
                    f"a number is {size:,} characters long, and the limit is {MAX_NUMBER_CHARS:,}",
                )
            case "string" if token.end() - token.start() > MAX_STRING_CHARS:
                size = token.end() - token.start()
                return _at(
                    source,
                    token.start(),
                    "NS203",
                    f"a text in quotes is {size:,} characters long, and the limit is {MAX_STRING_CHARS:,}",
                )
            case "unary" if len(_UNARY_WORD.findall(token.group())) > MAX_OPERATORS_IN_A_ROW:
                return _at(
                    source, token.start(), "NS201", f"more than {MAX_OPERATORS_IN_A_ROW} operators stand in a row"
                )
            case _:
                pass
    return None


def measure_tree(tree: ast.Module, source: Delivered) -> Diagnostic | None:
    """What is too deep or too large in the parsed tree; walks it level by level."""
    level: list[ast.AST] = [tree]
    nodes = 0
    depth = 0
    line = 1
    while level:
        depth += 1
        nodes += len(level)
        line = next((node.lineno for node in level if isinstance(node, (ast.stmt, ast.expr))), line)
        if depth > MAX_DEPTH:
            return _on_line(
                source,
                line,
                "NS201",
                f"the code is nested more than {MAX_DEPTH} levels deep",
                "a long chain of + or elif nests one level for each link: use sum() or a table",
            )
        if nodes > MAX_NODES:
            return _on_line(
                source,
                line,
                "NS202",
                f"the code has more than {MAX_NODES:,} parts",
                "tables belong into the [data] of the spec",
            )
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return None


def _at(source: Delivered, offset: int, code: str, message: str) -> Diagnostic:
    line = source.text.count("\n", 0, offset) + 1
    column = offset - source.text.rfind("\n", 0, offset)
    return Diagnostic(code, FailureClass.SYNTAX, message, line, column, source.line(line))


def _on_line(source: Delivered, line: int, code: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code, FailureClass.SYNTAX, message, line, None, source.line(line), hint)
