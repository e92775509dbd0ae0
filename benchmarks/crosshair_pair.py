"""Two candidates of a task as two functions that CrossHair can compare: the same inputs, inside of the spec's ranges.

CrossHair knows no spec, so a guard in front of each function answers alike for inputs outside of their types. Each
candidate has classes of its own: arguments are handed over, and results compared, by their names.
"""

from __future__ import annotations

import ast
import dataclasses
import re
import sys
from dataclasses import replace
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any

from neurosym_sandbox import EnumMember, Instance
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations, signature
from neurosym_specs.types import (
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    StrType,
    TupleType,
    Type,
)
from neurosym_verifiers.calls import OutsideType, WrongType, read_result
from neurosym_verifiers.cases import CaseMaker

_PAIR = '''
import dataclasses
from datetime import date
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from math import isfinite

import shared
from shared import *
import right as _right
import candidate as _candidate


def _hand(value, module):
    """The value with the classes of another module."""
    if isinstance(value, Enum):
        return getattr(module, type(value).__name__)[value.name]
    if dataclasses.is_dataclass(value):
        fields = [getattr(value, f.name) for f in dataclasses.fields(value)]
        return getattr(module, type(value).__name__)(*(_hand(each, module) for each in fields))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return getattr(module, type(value).__name__)(*(_hand(each, module) for each in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_hand(each, module) for each in value)
    return value


def _plain(value):
    """A result without classes of its module, so that equal ones are equal."""
    if isinstance(value, Enum):
        return value.name
    if dataclasses.is_dataclass(value):
        return tuple(_plain(getattr(value, f.name)) for f in dataclasses.fields(value))
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def left({parameters}):
    if not ({guard}):
        return None
    return _plain(_right.{name}({handed_right}))


def other({parameters}):
    if not ({guard}):
        return None
    return _plain(_candidate.{name}({handed_candidate}))
'''


def write_pair(folder: Path, spec: Spec, right: Path, candidate: Path) -> None:
    """Writes ``shared``, ``right``, ``candidate`` and ``pair``, whose ``left`` and ``other`` are to be compared."""
    given = declarations(spec)
    (folder / "shared.py").write_text(given + "\n", encoding="utf-8")
    for name, path in (("right", right), ("candidate", candidate)):
        source = path.read_text(encoding="utf-8")
        (folder / f"{name}.py").write_text(_after_future(given, source), encoding="utf-8")
    function = ast.parse(signature(spec) + " ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    names = [parameter.arg for parameter in function.args.args]
    pair = _PAIR.format(
        parameters=ast.unparse(function.args),
        guard=" and ".join(_guard(type_, name) for name, type_ in spec.inputs.items()),
        name=spec.name,
        handed_right=", ".join(f"_hand({name}, _right)" for name in names),
        handed_candidate=", ".join(f"_hand({name}, _candidate)" for name in names),
    )
    (folder / "pair.py").write_text(pair, encoding="utf-8")


def _after_future(given: str, source: str) -> str:
    """The spec's declarations before a source, its ``from __future__`` first."""
    future = "".join(re.findall(r"^from __future__ import .*\n", source, re.MULTILINE))
    return f"{future}{given}\n{source}"


def _guard(type_: Type, at: str) -> str:
    """A Python condition that the value is one of the type, as far as ranges and lengths say."""
    if type_.choices is not None and not isinstance(type_, EnumType):
        return _among(type_.choices, at)
    match type_:
        case IntType(min=low, max=high):
            return _between(low, high, at)
        case FractionType(min=low, max=high):
            return _between(low, high, at)
        case FloatType(min=low, max=high):
            return f"(isfinite({at}) and {_between(low, high, at)})"
        case DecimalType(min=low, max=high, places=places):
            few = "" if places is None else f" and {at} * {10 ** places[1]} == int({at} * {10 ** places[1]})"
            return f"({at}.is_finite() and {_between(low, high, at)}{few})"
        case DateType(min=first, max=last):
            return f"({first!r} <= {at} <= {last!r})".replace("datetime.", "")
        case EnumType(class_name=""):
            return _among(type_.choices or (), at)
        case StrType(min_len=least, max_len=most):
            return _long(least, most, at)
        case OptionalType(of=of):
            return f"({at} is None or {_guard(of, at)})"
        case ListType(item=item, min_len=least, max_len=most) | SetType(item=item, min_len=least, max_len=most):
            return f"({_long(least, most, at)} and all({_guard(item, 'x')} for x in {at}))"
        case TupleType(items=items):
            return " and ".join(_guard(item, f"{at}[{i}]") for i, item in enumerate(items))
        case DictType(key=key, value=of, min_len=least, max_len=most):
            inside = f"{_guard(key, 'k')} and {_guard(of, 'v')}"
            return f"({_long(least, most, at)} and all({inside} for k, v in {at}.items()))"
        case RecordType(fields=fields, form=form):
            forms = {"tuple": "{at}[{i}]", "dict": "{at}[{name!r}]"}
            place = forms.get(form, "{at}.{name}")
            parts = [_guard(of, place.format(at=at, i=i, name=name)) for i, (name, of) in enumerate(fields)]
            return f"({' and '.join(parts)})"
        case _:
            return "True"


def _between(low: Any, high: Any, at: str) -> str:
    parts = [f"Fraction({bound.numerator}, {bound.denominator})" if bound.denominator != 1 else str(bound.numerator)
             if bound is not None else "" for bound in (low, high) if bound is not None]  # fmt: skip
    tests = []
    if low is not None:
        tests.append(f"{parts[0]} <= {at}")
    if high is not None:
        tests.append(f"{at} <= {parts[-1]}")
    return f"({' and '.join(tests) or 'True'})"


def _among(choices: tuple[Any, ...], at: str) -> str:
    values = ", ".join(repr(each) if isinstance(each, (str, int, date)) else f"Fraction({each!s})" for each in choices)
    return f"({at} in ({values},))".replace("datetime.", "")


def _long(least: int, most: int | None, at: str) -> str:
    return f"({least} <= len({at})" + (f" <= {most})" if most is not None else ")")


def outside(folder: Path, spec: Spec, given: str) -> bool | None:
    """Whether the spec excludes the inputs that CrossHair names (``a=1, b=2``); None if they cannot be read."""
    namespace: dict[str, Any] = {}
    try:
        exec("from datetime import *\nfrom decimal import *\nfrom fractions import *\nimport datetime", namespace)
        exec((folder / "shared.py").read_text(encoding="utf-8"), namespace)
        namespace["shared"] = type(sys)("shared")
        namespace["shared"].__dict__.update(namespace)
        values = eval(f"dict({given})", namespace)
        inputs = {name: read_result(type_, _crossed(values[name])) for name, type_ in spec.inputs.items()}
        if any(isinstance(each, (WrongType, OutsideType)) for each in inputs.values()):
            return True
        return CaseMaker(replace(spec, reference=None), None).case(inputs) is None
    except Exception:
        return None


def _crossed(value: Any) -> Any:
    """A Python value as it comes out of a jail: members and instances by name."""
    if isinstance(value, Enum):
        return EnumMember(type(value).__name__, value.name)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = tuple((f.name, _crossed(getattr(value, f.name))) for f in dataclasses.fields(value))
        return Instance(type(value).__name__, "dataclass", fields)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        names: tuple[str, ...] = getattr(value, "_fields")  # noqa: B009  # no class of ours
        fields = tuple((name, _crossed(each)) for name, each in zip(names, value, strict=True))
        return Instance(type(value).__name__, "namedtuple", fields)
    if isinstance(value, (list, tuple)):
        return type(value)(map(_crossed, value))
    if isinstance(value, dict):
        return {key: _crossed(each) for key, each in value.items()}
    return value
