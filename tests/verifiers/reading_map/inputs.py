"""The inputs that rows of the map are about: each row has those that its code names."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from neurosym_specs.loader import spec_from_toml
from neurosym_specs.membership import member_fault
from neurosym_specs.model import Spec
from neurosym_verifiers.reading.inputs.shapes import key_of, shape_of
from neurosym_verifiers.search.constants import source_constants
from neurosym_verifiers.search.draw import Drawer
from neurosym_verifiers.search.leaves import key_of as key_of_inputs
from neurosym_verifiers.search.leaves import leaves, replaced

TYPES = {
    "Grade": 'type = "enum"\nclass = "Grade"\nchoices = ["LOW", "MID", "TOP"]\nvalues = { LOW = 0, MID = 1, TOP = 2 }',
    "Word": 'type = "str"\nchoices = ["ab", "b", "no"]',
    "Cents": 'type = "decimal"\nplaces = 2\nmin = "-90.00"\nmax = "90.00"',
    "Small": 'type = "int"\nmin = -9\nmax = 9',
    "Near": 'type = "date"\nmin = 2023-12-01\nmax = 2024-03-31',
    "Line": 'type = "record"\nfields = { name = "Word", qty = "Small", price = "Cents" }',
    "Point": 'type = "record"\nas = "namedtuple"\nfields = { a = "Small", b = "Small" }',
    "Order": 'type = "record"\nas = "dict"\nfields = { qty = "Small", price = "Cents" }',
    "Pair": 'type = "record"\nas = "tuple"\nfields = { n = "Small", p = "Cents" }',
    "Smalls": 'type = "list[Small]"\nmax_len = 2',
}
"""Types of the map's own. They are small, so that equal values are often drawn."""

INPUTS = {
    "x": 'type = "int"\nmin = -200\nmax = 200',
    "y": 'type = "int"\nmin = -9\nmax = 9',
    "n": 'type = "int"\nmin = 0\nmax = 6',
    "k": 'type = "int"\nmin = 1\nmax = 30',
    "big": 'type = "int"\nmin = -1000000000000000\nmax = 1000000000000000',
    "whole": 'type = "int"',
    "d": 'type = "decimal"\nplaces = 2\nmin = "-500.00"\nmax = "5000.00"',
    "e": 'type = "decimal"\nplaces = 2\nmin = "-9.00"\nmax = "9.00"',
    "r": 'type = "decimal"\nplaces = 3\nmin = "0.001"\nmax = "20.000"',
    "tie": 'type = "decimal"\nplaces = 3\nmin = "-0.030"\nmax = "0.030"',
    "mixed": 'type = "decimal"\nplaces = "0..3"\nmin = "-20"\nmax = "20"',
    "loose": 'type = "decimal"\nmin = "-20"\nmax = "20"',
    "zero": 'type = "decimal"\nplaces = 1\nmin = "-1.0"\nmax = "1.0"\nnegative_zero = true',
    "share": 'type = "fraction"\nmin = "-3"\nmax = "3"\nmax_denominator = 12',
    "ratio": 'type = "float"\nmin = -1000\nmax = 1000',
    "fee": 'type = "float"\nplaces = 2\nmin = 0\nmax = 1000',
    "on": 'type = "bool"',
    "off": 'type = "bool"',
    "grade": 'type = "Grade"',
    "unit": 'type = "enum"\nchoices = ["day", "month"]',
    "word": 'type = "Word"',
    "text": 'type = "str"\nmax_len = 3\nalphabet = "aB1 -,"',
    "code": 'type = "str"\npattern = "[A-Z][0-9]"',
    "day": 'type = "date"\nmin = 1995-01-01\nmax = 2035-12-31',
    "due": 'type = "date"\nmin = 1995-01-01\nmax = 2035-12-31',
    "ever": 'type = "date"\nmin = 0001-01-01\nmax = 9999-12-31',
    "cap": 'type = "Cents | none"',
    "limit": 'type = "Small | none"',
    "xs": 'type = "list[Small]"\nmax_len = 3',
    "ys": 'type = "list[Small]"\nmax_len = 2',
    "costs": 'type = "list[Cents]"\nmax_len = 3',
    "days_off": 'type = "list[Near]"\nmax_len = 2',
    "words": 'type = "list[Word]"\nmax_len = 2',
    "rising": 'type = "list[Small]"\nmax_len = 3\nsorted = true\nunique = true',
    "endless": 'type = "list[Small]"',
    "line": 'type = "Line"',
    "lines": 'type = "list[Line]"\nmax_len = 2',
    "point": 'type = "Point"',
    "points": 'type = "list[Point]"\nmax_len = 2',
    "order": 'type = "Order"',
    "orders": 'type = "list[Order]"\nmax_len = 2',
    "pair": 'type = "Pair"',
    "both": 'type = "tuple[Small, Cents]"',
    "many": 'type = "tuple[Small, ...]"\nmax_len = 3',
    "table": 'type = "dict[Word, Small]"\nmax_len = 2',
    "parts": 'type = "dict[Word, Smalls]"\nmax_len = 2',
    "by_day": 'type = "dict[Near, Cents]"\nmax_len = 2',
    "tags": 'type = "set[Small]"\nmax_len = 3',
}

IMPORTS = {
    "bisect": "import bisect",
    "calendar": "import calendar",
    "decimal": "import decimal",
    "functools": "import functools",
    "itertools": "import itertools",
    "math": "import math",
    "operator": "import operator",
    "re": "import re",
    "statistics": "import statistics",
    "Counter": "from collections import Counter",
    "defaultdict": "from collections import defaultdict",
    "deque": "from collections import deque",
    "dataclass": "from dataclasses import dataclass",
    "date": "from datetime import date",
    "datetime": "from datetime import datetime",
    "timedelta": "from datetime import timedelta",
    "Decimal": "from decimal import Decimal",
    "InvalidOperation": "from decimal import InvalidOperation",
    "getcontext": "from decimal import getcontext",
    "localcontext": "from decimal import localcontext",
    "Enum": "from enum import Enum",
    "IntEnum": "from enum import IntEnum",
    "Fraction": "from fractions import Fraction",
    "NamedTuple": "from typing import NamedTuple",
}

_MOST_DRAWS = 600
_ANYTHING = '[[ensure]]\nthat = "1 == 1"\n'


def names_in(code: str) -> set[str]:
    """The words that a piece of Python uses as names."""
    readable = code.replace("05up", "up")  # the one name of the spec's language that is none of Python's
    return {node.id for node in ast.walk(ast.parse(readable)) if isinstance(node, ast.Name)}


def spec_of(code: str, result: str, more: str = "") -> Spec:
    """The spec of a function whose parameters are the inputs that the code names. ``more``: tables of its own."""
    return _spec(names_in(code), f'[output]\ntype = "{result}"\n{_ANYTHING}{more}')


def spec_with(clauses: str, code: str, output: str) -> Spec:
    """The spec of the same with clauses, which may name inputs, too, and the output where ``output`` is empty."""
    used = names_in(code) | set(re.findall(r"\w+", clauses))
    return _spec(used, f"[output]\n{output}\n{clauses}" if output else f"{clauses}\n{_ANYTHING}")


def _spec(used: set[str], more: str) -> Spec:
    inputs = "".join(f"[inputs.{name}]\n{text}\n" for name, text in INPUTS.items() if name in used)
    types = "".join(f"[types.{name}]\n{text}\n" for name, text in TYPES.items())
    return spec_from_toml(f'spec = 1\nname = "f"\n{types}\n[inputs]\n{inputs}\n{more}\n')


def imports_of(program: str) -> str:
    """The import lines that a program needs."""
    words = set(re.findall(r"\w+", program)) | set(re.findall(r"ROUND_\w+", program))
    lines = [line for name, line in IMPORTS.items() if name in words]
    modes = sorted(set(re.findall(r"(?<!\.)\bROUND_\w+", program)))
    return "\n".join([*lines, *([f"from decimal import {', '.join(modes)}"] if modes else [])])


def input_types() -> dict[str, str]:
    """The types and inputs of the map in one line each."""
    lines = {name: "; ".join(text.splitlines()) for name, text in (TYPES | INPUTS).items()}
    return {name: re.sub(r'^type = "(.*?)"', r"\1", line) for name, line in lines.items()}


def drawn(spec: Spec, code: str, shapes: list[Any], wanted: int) -> dict[Any, list[dict[str, Any]]]:
    """Inputs for each of the shapes, ``wanted`` over all and five of each at the least, as far as there are so many.

    Values that matter by themselves come first, one after the other, then values at random, which are often such too.
    The same for the same code.
    """
    found: dict[Any, dict[Any, dict[str, Any]]] = {key_of(shape): {} for shape in shapes}
    each = max(5, -(-wanted // max(len(shapes), 1)))
    for inputs in _proposed(spec, code):
        if any(member_fault(type_, inputs[name]) for name, type_ in spec.inputs.items()):
            continue
        kept = found.get(key_of(shape_of(spec, inputs)))
        if kept is not None and len(kept) < each:
            kept.setdefault(key_of_inputs(inputs), inputs)
        if all(len(kept) >= each for kept in found.values()):
            break
    return {key: list(kept.values()) for key, kept in found.items()}


def _proposed(spec: Spec, code: str) -> Iterator[dict[str, Any]]:
    drawer = Drawer(random.Random(code), source_constants(code))
    for _ in range(2):
        base = drawer.inputs(spec.inputs)
        for leaf in leaves(spec.inputs, base):
            values = [None, *drawer.special(leaf.type)] if leaf.optional else drawer.special(leaf.type)
            yield from map(partial(replaced, base, leaf.path), values)
    for _ in range(_MOST_DRAWS):
        yield drawer.inputs(spec.inputs)
