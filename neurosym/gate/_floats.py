"""The tenth step: floats where the spec's policy forbids them, each with its line.

A float is no danger to the machine, so the candidate is judged on. The finding is an objection: it is not admitted.
"""

from __future__ import annotations

import ast
import datetime
from collections.abc import Iterator

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.gate._certain import MATH_CONSTANTS, MATH_FLOATS, Certain
from neurosym.gate._names import Names
from neurosym.gate._place import MOST_SHOWN, diagnose, place_of, text_of
from neurosym.gate._security import is_main_test
from neurosym.source import Delivered


def find_floats(
    tree: ast.Module, names: Names, certain: Certain, spec: Spec, source: Delivered
) -> tuple[Diagnostic, ...]:
    """An objection for each line that makes a float, at most ten; none where the policy allows floats."""
    if spec.policy.allow_float:
        return ()
    found: dict[int, Diagnostic] = {}
    for node in sorted(_run(tree), key=place_of):
        line: int = getattr(node, "lineno", 0)
        if line in found:
            continue
        said = _said(node, names, certain)
        if said is not None:
            message, hint = said
            found[line] = diagnose(node, source, "NS440", FailureClass.POLICY, message, hint)
            if len(found) == MOST_SHOWN:
                break
    return tuple(found.values())


def _said(node: ast.AST, names: Names, certain: Certain) -> tuple[str, str] | None:
    """What makes a float here, and what to write instead."""
    match node:
        case ast.Constant(value=float() | complex()):
            text = text_of(node)
            return f"{text} is a float", f'write Decimal("{text}")'
        case ast.Call(func=func):
            return _said_of_call(node, names.dotted(func), certain)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            classes = {certain.class_of(left), certain.class_of(right)}
            if classes <= {int, bool}:
                return "a / between two ints is a float", "divide Decimals, or use // where whole numbers are meant"
            if classes == {datetime.timedelta}:
                return "a / between two timedeltas is a float", "divide their days as Decimals"
        case ast.BinOp(op=ast.Pow()) if certain.class_of(node) is float:
            return "an int to a negative power is a float", "use Decimal as the base"
        case ast.Attribute(attr=attr) if attr in MATH_CONSTANTS and names.dotted(node) == f"math.{attr}":
            return f"math.{attr} is a float", "write the digits that are meant as a Decimal"
        case _:
            pass
    return None


def _said_of_call(node: ast.Call, name: str | None, certain: Certain) -> tuple[str, str] | None:
    if name == "builtins.float":
        return "float() makes a float", "keep the Decimal"
    if name is not None and name.startswith("math.") and name.removeprefix("math.") in MATH_FLOATS:
        return f"{name} gives a float", "Decimal has sqrt, exp, ln and log10, and ** for powers"
    if name == "builtins.round" and node.args and certain.class_of(node.args[0]) is float:
        return "this rounds a float", "quantize a Decimal with the rounding that is meant"
    match node.func:
        case ast.Attribute(value=value, attr="total_seconds") if certain.class_of(value) is datetime.timedelta:
            return "total_seconds() gives a float", "days and seconds of a timedelta are ints"
        case _:
            return None


def _run(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of the module but for what stands under ``if __name__ == "__main__"``, and annotations."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        match node:
            case ast.If(test=test, orelse=orelse) if is_main_test(test):
                todo.extend(orelse)
            case ast.AnnAssign(target=target, value=value):
                todo.extend([target] if value is None else [target, value])
            case _:
                todo.extend(ast.iter_child_nodes(node))
