"""Reading an expression's text into a checked tree.

The text is scanned before Python's parser sees it (``scan.py``), so that size and nesting are bounded and
the common slips get a message of their own. What the parser makes of it is narrowed to the nodes of the
language, and every number is made exact from its text.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr import scan

MAX_DEPTH = 150
MAX_NODES = 5_000

LEADING_ZERO_MODE = "05up"


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """An expression as written, and its tree: Python's own nodes, narrowed to those of the language.

    Numbers in the tree are ``Constant``s of ``int`` or ``Fraction``; the mode ``05up`` is a ``Name`` with that id.
    """

    text: str
    tree: ast.expr
    place: Place

    def fragment(self, node: ast.AST) -> str:
        """The part of the text that ``node`` was read from, on one line."""
        return scan.one_line(source_of(self.text, node))


def source_of(text: str, node: ast.AST) -> str:
    """The exact text of a node; columns of Python's nodes count UTF-8 bytes, lines start after the added bracket."""
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if first is None or last is None:
        return ""
    lines = text.split("\n")[first - 2 : last - 1]
    if not lines:
        return ""
    start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
    lines[-1] = lines[-1].encode()[:end].decode(errors="replace")
    lines[0] = lines[0].encode()[start:].decode(errors="replace")
    return "\n".join(lines)


def position_of(text: str, node: ast.AST) -> str:
    """Where a node begins, for a message: ``column 5`` or ``line 2, column 5``."""
    line = getattr(node, "lineno", 2) - 1
    row = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
    column = len(row.encode()[: getattr(node, "col_offset", 0)].decode(errors="replace")) + 1
    return scan.position(line, column, text)


def fault(expression: Expression, node: ast.AST, message: str, hint: str = "") -> SpecError:
    """An error about one part of an expression."""
    return _fault(expression.text, node, message, expression.place, hint)


def _fault(text: str, node: ast.AST, message: str, place: Place, hint: str = "") -> SpecError:
    fragment = scan.one_line(source_of(text, node))
    return SpecError(f"`{fragment}` ({position_of(text, node)}): {message}", place, hint=hint)


def parse_expression(text: str, place: Place) -> Expression:
    """Read one expression; a ``SpecError`` says where it is wrong and what to write instead."""
    if not isinstance(text, str):
        raise SpecError(f"an expression is a text, not {str(text)[:60]!r}", place, hint="write it in quotes")
    text = text.replace("\r\n", "\n")
    scanned = scan.scan(text, place)
    tree = _parse(text, scanned.text, place)
    _check_size(tree, place)
    _Narrowing(text, place, scanned.modes).check(tree)
    return Expression(text, tree, place)


def _parse(text: str, scanned: str, place: Place) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # '\d' in a pattern: Python means to forbid it one day
            return ast.parse(f"(\n{scanned}\n)", mode="eval").body
    except SyntaxError as error:
        raise scan.syntax_fault(text, error, place) from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise SpecError(f"not an expression that can be read: {error}", place) from None


def _check_size(tree: ast.expr, place: Place) -> None:
    count = 0
    stack: list[tuple[ast.AST, int]] = [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        count += 1
        if depth > MAX_DEPTH:
            raise SpecError(
                f"the expression is nested more than {MAX_DEPTH} deep",
                place,
                hint="name its parts in [let] or [define]",
            )
        if count > MAX_NODES:
            raise SpecError(
                f"the expression has more than {MAX_NODES:,} parts", place, hint="name its parts in [let] or [define]"
            )
        deeper = depth + 1 if isinstance(node, ast.expr) else depth
        stack.extend((child, deeper) for child in ast.iter_child_nodes(node))


_ALLOWED: tuple[type[ast.AST], ...] = (
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Attribute, ast.Subscript, ast.Slice,
    ast.Name, ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp, ast.comprehension, ast.keyword, ast.expr_context, ast.boolop, ast.cmpop,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Not, ast.USub, ast.UAdd,
)  # fmt: skip

_INSTEAD: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lambda: ("a lambda is not in the language", 'write a function in [define], as "f(x)" = "..."'),
    ast.NamedExpr: ("`:=` is not in the language", "name the value in [let]"),
    ast.JoinedStr: ("an f-string is not in the language", "join texts with +, numbers with str(n)"),
    ast.Starred: ("`*` before a value is not in the language", "join lists with +; min, max and sum take a list"),
    ast.BitAnd: ("`&` is not in the language", "write `and`"),
    ast.BitOr: ("`|` is not in the language", "write `or`; join sets in a set comprehension"),
    ast.BitXor: ("`^` is not in the language", "a power is `**`, an exclusive or of booleans is `!=`"),
    ast.LShift: ("`<<` is not in the language", "write `* 2 ** n`"),
    ast.RShift: ("`>>` is not in the language", "write `// 2 ** n`"),
    ast.MatMult: ("`@` is not in the language", "write sum(x * y for (x, y) in zip(xs, ys))"),
    ast.Invert: ("`~` is not in the language", "write `not` for a boolean, `-x - 1` for a number"),
    ast.Await: ("`await` is not in the language", ""),
    ast.Yield: ("`yield` is not in the language", ""),
    ast.YieldFrom: ("`yield from` is not in the language", ""),
}


class _Narrowing:
    """Refuses what the language does not have, and makes numbers exact, in one walk over a tree."""

    def __init__(self, text: str, place: Place, modes: frozenset[tuple[int, int]]) -> None:
        self.text = text
        self.place = place
        self.modes = modes

    def fault(self, node: ast.AST, message: str, hint: str = "") -> SpecError:
        return _fault(self.text, node, message, self.place, hint)

    def check(self, tree: ast.expr) -> None:
        for parent, node in _with_parents(tree):
            if not isinstance(node, _ALLOWED):
                message, hint = _INSTEAD.get(type(node), (f"{type(node).__name__} is not in the language", ""))
                raise self.fault(node if hasattr(node, "lineno") else parent, message, hint)
            match node:
                case ast.Constant():
                    self.constant(node)
                case ast.Name():
                    self.name(node)
                case ast.Compare():
                    self.comparison(node)
                case ast.Attribute(attr=attr) if attr.startswith("_"):
                    raise self.fault(node, f"there is no attribute `{attr}`")
                case ast.Call():
                    self.call(node)
                case ast.comprehension():
                    self.target(node.target)
                    if node.is_async:
                        raise self.fault(node.target, "`async for` is not in the language", "write `for`")
                case ast.Dict(keys=keys) if None in keys:
                    raise self.fault(node, "`**` inside a dict is not in the language", "write a dict comprehension")
                case _:
                    pass

    def constant(self, node: ast.Constant) -> None:
        value = node.value
        if value is None or isinstance(value, str | bool):
            return
        if isinstance(value, int | float):
            node.value = exact_number(source_of(self.text, node))  # type: ignore[assignment]  # a Fraction is no literal of Python
            return
        if isinstance(value, complex):
            raise self.fault(node, "a complex number is not in the language")
        if isinstance(value, bytes):
            raise self.fault(node, "bytes are not in the language", "write a text without the b")
        raise self.fault(node, "this constant is not in the language")

    def name(self, node: ast.Name) -> None:
        if (node.lineno - 1, node.col_offset) in self.modes:
            node.id = LEADING_ZERO_MODE

    def comparison(self, node: ast.Compare) -> None:
        for operator, right in zip(node.ops, node.comparators, strict=True):
            is_none = isinstance(right, ast.Constant) and right.value is None
            if isinstance(operator, ast.Is | ast.IsNot) and not is_none:
                better = "==" if isinstance(operator, ast.Is) else "!="
                raise self.fault(node, "`is` compares with None only", f"write `{better}`")

    def call(self, node: ast.Call) -> None:
        if not isinstance(node.func, ast.Name | ast.Attribute):
            raise self.fault(node, "only a named function can be called")
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.fault(node, "`**` in a call is not in the language", "write the arguments one by one")

    def target(self, node: ast.expr) -> None:
        match node:
            case ast.Name():
                return
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self.target(part)
            case _:
                raise self.fault(node, "the variable of a `for` is a name or a tuple of names")


def _with_parents(tree: ast.expr) -> Iterator[tuple[ast.AST, ast.AST]]:
    stack: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
    while stack:
        parent, node = stack.pop()
        yield parent, node
        stack.extend((node, child) for child in reversed(list(ast.iter_child_nodes(node))))


_DECIMAL = re.compile(r"(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?")


def exact_number(literal: str) -> int | Fraction:
    """The exact value of a number as written (``0.015`` is 15/1000); an ``int`` where it is whole."""
    digits = literal.replace("_", "")
    if digits[:2].lower() in {"0x", "0o", "0b"}:
        return int(digits, 0)
    found = _DECIMAL.fullmatch(digits)
    if found is None:
        raise ValueError(f"not a number: {literal!r}")
    whole, decimals, exponent = found[1], found[2] or "", int(found[3] or 0)
    value = int((whole + decimals) or "0")
    shift = exponent - len(decimals)
    exact = value * 10**shift if shift >= 0 else Fraction(value, 10**-shift)
    return exact.numerator if exact.denominator == 1 else exact
