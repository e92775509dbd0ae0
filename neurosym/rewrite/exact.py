"""Computes with Decimals instead of floats: literals, ``float()``, ``/`` between ints, ``round``, some of ``math``.

``round`` becomes ``quantize`` with the rounding that the spec writes, where it writes one only; else with what
``round`` itself does, half to even. The result is an offer: whether it is right is for the verdict on it to say.
"""

from __future__ import annotations

import ast
import decimal
from collections.abc import Iterator, Sequence

import libcst as cst
from neurosym_specs.expr.check import expressions_of
from neurosym_specs.expr.language import MODES
from neurosym_specs.model import Spec

from neurosym.rewrite.draft import Draft, walk
from neurosym.rewrite.edits import Edit

_MATH = {"math.sqrt": "sqrt", "math.exp": "exp", "math.log": "ln", "math.log10": "log10"}
_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Float)


def find(draft: Draft) -> Sequence[Edit]:
    """The edits of every place that makes or rounds a float; none where ``Decimal`` means something else here."""
    if not draft.is_code or draft.names.is_bound("Decimal"):
        return ()
    return [edit for node in walk(draft.concrete) for edit in _edits(draft, node)]


def rounding_of(spec: Spec) -> str:
    """The one rounding mode that the spec writes, as ``decimal`` names it; half even where it is not one."""
    roundings = [
        argument.id
        for expression, _, _ in expressions_of(spec)
        for node in ast.walk(expression.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("round", "round_to")
        for argument in node.args
        if isinstance(argument, ast.Name) and argument.id in MODES
    ]
    mode = roundings[0] if len(set(roundings)) == 1 else "half_even"
    return f"ROUND_{mode.upper()}"


def _edits(draft: Draft, node: cst.CSTNode) -> Iterator[Edit]:
    match node:
        case cst.Float(value=text):
            yield from _literal(draft, node, text)
        case cst.Call():
            yield from _call(draft, node)
        case cst.BinaryOperation(left=left, operator=cst.Divide(), right=right):
            if {draft.class_of(left), draft.class_of(right)} <= {int, bool}:
                yield from _wrapped(draft, left)
        case cst.BinaryOperation(left=left, operator=cst.Power()) if draft.class_of(node) is float:
            if draft.class_of(left) is int:
                yield from _wrapped(draft, left)
        case cst.Annotation(annotation=annotation):
            for name in draft.all_of(cst.Name, annotation):
                if name.value == "float" and not draft.names.is_bound("float"):
                    yield Edit(*draft.span(name), "Decimal")
        case _:
            pass


def _literal(draft: Draft, node: cst.Float, text: str) -> Iterator[Edit]:
    holder = draft.parent(node)
    if isinstance(holder, cst.MatchValue):
        return  # in a pattern it would be a class
    around = draft.parent(holder) if isinstance(holder, cst.Arg) else None
    is_given = isinstance(around, cst.Call) and draft.dotted(around.func) == "decimal.Decimal"
    yield Edit(*draft.span(node), f'"{text}"' if is_given else f'Decimal("{text}")')


def _call(draft: Draft, node: cst.Call) -> Iterator[Edit]:
    name = draft.dotted(node.func)
    plain = [arg.value for arg in node.args if arg.keyword is None and not arg.star]
    if len(plain) != len(node.args):
        return
    if name == "builtins.float" and len(plain) == 1:
        yield Edit(*draft.span(node.func), "Decimal")
    elif name in _MATH and len(plain) == 1:
        yield Edit(*draft.span(node.func), "Decimal")
        yield _behind(draft, node, f".{_MATH[name]}()")
    elif name == "math.fabs" and len(plain) == 1:
        yield Edit(*draft.span(node.func), "abs")
    elif name == "builtins.round" and plain and draft.class_of(plain[0]) is not int:
        yield from _round(draft, node, plain)


def _round(draft: Draft, node: cst.Call, arguments: Sequence[cst.BaseExpression]) -> Iterator[Edit]:
    """``round(x, 2)`` becomes ``Decimal(x).quantize(Decimal("0.01"), rounding=...)``, without n an int as ever."""
    rounded = arguments[0]
    is_number = draft.class_of(rounded) in (float, decimal.Decimal)
    start = draft.span(node)[0]
    first, last = draft.full_span(rounded)
    end = draft.span(node)[1]
    rounding = f"rounding={rounding_of(draft.spec)}"
    to_int = len(arguments) == 1
    head = "(" if is_number and not isinstance(rounded, _ATOMS) and not rounded.lpar else ""
    head = head if is_number else "Decimal("
    tail = ")" if head else ""
    unit = "Decimal(1)" if to_int else _unit(draft, arguments[1])
    opening, closing = ("int(", ")") if to_int else ("", "")
    yield Edit(start, first, f"{opening}{head}")
    yield Edit(last, end, f"{tail}.quantize({unit}, {rounding}){closing}")


def _unit(draft: Draft, places: cst.BaseExpression) -> str:
    abstract = draft.abstract(places)
    try:
        count = ast.literal_eval(abstract) if abstract is not None else None
    except ValueError:
        count = None
    if type(count) is int and abs(count) <= 30:
        return f'Decimal("{decimal.Decimal(1).scaleb(-count)}")'
    return f"Decimal(1).scaleb(-({draft.text[slice(*draft.full_span(places))]}))"


def _wrapped(draft: Draft, node: cst.BaseExpression) -> Iterator[Edit]:
    start, stop = draft.full_span(node)
    bracketed = bool(node.lpar)
    yield Edit(start, start, "Decimal" if bracketed else "Decimal(")
    if not bracketed:
        yield Edit(stop, stop, ")")


def _behind(draft: Draft, node: cst.CSTNode, text: str) -> Edit:
    stop = draft.span(node)[1]
    return Edit(stop, stop, text)
