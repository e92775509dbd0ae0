"""How calls must look: the number of arguments, keywords, rounding modes, fields of records.

The static checks and the compiler refuse the same calls with the same words.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Mapping

from neurosym_specs.errors import SpecError
from neurosym_specs.expr import patterns
from neurosym_specs.expr.language import DATE_ATTRIBUTES, FUNCTIONS, METHODS, MODES, Signature
from neurosym_specs.expr.literals import UNSET, constant_value
from neurosym_specs.expr.syntax import Expression, fault
from neurosym_specs.types import OptionalType, RecordType


def closest(word: str, legal: Iterable[str]) -> str:
    """``did you mean `x`?`` for the legal name nearest to ``word``, or nothing."""
    near = difflib.get_close_matches(word.lower()[:60], {name.lower(): name for name in legal}, n=1, cutoff=0.6)
    found = next((name for name in legal if near and name.lower() == near[0]), "")
    return f"did you mean `{found}`?" if found else ""


def hint_for(word: str, legal: Iterable[str], what: str, shown: int = 20) -> str:
    """The closest legal name and all of them if they are few."""
    names = sorted(set(legal))
    parts = [closest(word, names)]
    if 0 < len(names) <= shown:
        parts.append(f"{what}: {', '.join(names)}")
    return " ".join(part for part in parts if part)


def check_arguments(expression: Expression, node: ast.Call, signature: Signature) -> None:
    """Refuse a wrong number of arguments or an unknown keyword."""
    given = len(node.args)
    for keyword in node.keywords:
        if keyword.arg not in signature.keywords:
            hint = f"write {signature.shape}"
            raise fault(expression, node, f"there is no argument `{keyword.arg}`", hint)
    if given < signature.least or (signature.most is not None and given > signature.most):
        raise fault(expression, node, f"{_count(given)} where {_range(signature)} needed", f"write {signature.shape}")


def _count(given: int) -> str:
    return "one argument" if given == 1 else f"{given or 'no'} arguments"


def _range(signature: Signature) -> str:
    if signature.most == signature.least:
        return f"{signature.least} is" if signature.least == 1 else f"{signature.least} are"
    return f"at least {signature.least} are" if signature.most is None else f"{signature.least} to {signature.most} are"


def check_function(expression: Expression, node: ast.Call, name: str) -> None:
    """The call of a function of the language by its name."""
    if name in ("round", "round_to") and not node.keywords and len(node.args) == FUNCTIONS[name].least - 1:
        raise fault(
            expression,
            node,
            "a rounding without a mode; there is no default",
            f"write {FUNCTIONS[name].shape}; {_MODES}",
        )
    check_arguments(expression, node, FUNCTIONS[name])
    if name == "matches":
        literal = constant_value(node.args[1])
        if isinstance(literal, str):
            check_pattern(expression, node, literal)


def check_pattern(expression: Expression, node: ast.AST, pattern: str) -> None:
    try:
        patterns.compile_pattern(pattern)
    except patterns.PatternError as error:
        raise fault(expression, node, str(error)) from None


_MODES = f"modes: {', '.join(MODES)}"
_PYTHON_MODES = {f"ROUND_{mode.upper()}": mode for mode in MODES}


def written_mode(node: ast.expr, is_variable: bool) -> str:
    """The rounding mode that an argument names (bare or as a text); nothing where it is computed."""
    if isinstance(node, ast.Name) and node.id in MODES and not is_variable:
        return node.id
    literal = constant_value(node)
    return literal if isinstance(literal, str) and literal in MODES else ""


def check_mode(expression: Expression, node: ast.expr, known: bool) -> None:
    """Refuse what surely is no mode. ``known``: the argument is a name that stands for a value here."""
    literal = constant_value(node)
    word = node.id if isinstance(node, ast.Name) else literal if isinstance(literal, str) else ""
    if word in MODES or known:
        return
    if word in _PYTHON_MODES:
        raise fault(expression, node, f"there is no rounding mode `{word}`", f"write {_PYTHON_MODES[word]}")
    if word:
        hint = " ".join(part for part in (closest(word, MODES), _MODES) if part)
        raise fault(expression, node, f"there is no rounding mode `{word}`", hint)
    if literal is not UNSET:
        raise fault(expression, node, "a rounding without a mode; there is no default", _MODES)


def check_definition_call(expression: Expression, node: ast.Call, name: str, parameters: tuple[str, ...]) -> None:
    shape = f"write {name}({', '.join(parameters)})"
    if node.keywords:
        raise fault(expression, node, "the arguments of a definition have no keywords", shape)
    if len(node.args) != len(parameters):
        raise fault(expression, node, f"{_count(len(node.args))} where `{name}` takes {len(parameters)}", shape)


def check_function_argument(
    expression: Expression, node: ast.AST, name: str, definitions: Mapping[str, tuple[str, ...]], arity: int
) -> None:
    """A definition given by its name to fold, scan or sorted."""
    if name not in definitions:
        raise fault(
            expression, node, "this must be the name of a function of [define]", hint_for(name, definitions, "defined")
        )
    takes = len(definitions[name])
    if takes != arity:
        called = {1: "(item)", 2: "(state, item)"}[arity]
        raise fault(expression, node, f"`{name}` takes {takes} arguments; here it is called as {name}{called}")


def record_arguments(expression: Expression, node: ast.Call, type_: RecordType) -> dict[str, ast.expr]:
    """Which expression fills which field; fields that may be none may be left out."""
    names = [name for name, _ in type_.fields]
    shape = f"write {type_.name}({', '.join(f'{name}=...' for name in names)})"
    if len(node.args) > len(names):
        raise fault(expression, node, f"{len(node.args)} values for {len(names)} fields", shape)
    given = dict(zip(names, node.args, strict=False))
    for keyword in node.keywords:
        name = str(keyword.arg)
        if name not in names:
            hint = hint_for(name, names, "fields")
            raise fault(expression, node, f"a record {type_.name} has no field `{name}`", hint)
        if name in given:
            raise fault(expression, node, f"the field `{name}` is given twice", shape)
        given[name] = keyword.value
    for name, of in type_.fields:
        if name not in given and not isinstance(of, OptionalType):
            raise fault(expression, node, f"the field `{name}` is missing", shape)
    return given


def no_method(expression: Expression, node: ast.Call, name: str) -> SpecError:
    if name in DATE_ATTRIBUTES:
        return fault(expression, node, f"`.{name}` is no method", f"write .{name} without brackets")
    if name in FUNCTIONS:
        return fault(expression, node, f"there is no method `.{name}`", f"write {FUNCTIONS[name].shape}")
    return fault(expression, node, f"there is no method `.{name}`", hint_for(name, METHODS, "methods", len(METHODS)))


_INSTEAD_OF = {
    "Decimal": "numbers are exact: write 0.015",
    "Fraction": "numbers are exact: write 1 / 3",
    "float": "numbers are exact and never floats",
    "bool": "there is no truthiness: write a comparison",
    "pow": "write x ** n",
    "divmod": "write x // y and x % y",
    "list": "write [x for x in xs]",
    "tuple": "write a list",
    "set": "write {x for x in xs}",
    "frozenset": "write {x for x in xs}",
    "dict": "write {key: value for (key, value) in xs}",
    "map": "write [f(x) for x in xs]",
    "filter": "write [x for x in xs if ...]",
    "reduce": "write fold(f, items, start)",
    "accumulate": "write scan(f, items, start)",
    "next": "write [x for x in xs if ...][0]",
    "timedelta": "add whole days: d + n",
    "datetime": "write date(year, month, day)",
    "monthrange": "write month_end(d).day",
    "isleap": "write leap(year)",
    "isinstance": "the types are those of the spec; for none write x is None",
    "isnan": "write is_nan(x)",
    "isfinite": "write is_finite(x)",
    "quantize": "write round(x, places, mode)",
    "lcm": "write abs(a * b) // gcd(a, b)",
    "prod": "write fold(times, xs, 1) with a defined times(p, x)",
    "ln": "write log(x)",
    "if": "write x if condition else y",
}


def no_function(expression: Expression, node: ast.Call, name: str, legal: Iterable[str]) -> SpecError:
    hint = _INSTEAD_OF.get(name) or closest(name, sorted(set(legal) | set(FUNCTIONS)))
    return fault(expression, node, f"there is no function `{name}`", hint)
