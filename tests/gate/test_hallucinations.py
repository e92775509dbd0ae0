"""What the installed Python does not have, with the nearest real name; and silence where that is not certain."""

from __future__ import annotations

import pytest
from neurosym_specs.model import Spec

from neurosym import Source, gate

FEE = "def late_fee(balance, days_overdue):\n"
HEAD = "import math, decimal, statistics, itertools, datetime as dt\nfrom datetime import date, timedelta\n"


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("return decimal.ROUND_HALFUP", "NS430", "ROUND_HALF_UP"),
        ("return math.squareroot(2)", "NS430", "sqrt"),
        ("return math.mean([1])", "NS430", "statistics"),
        ("return dt.date.fromisformat('a')", "NS430", "fromisoformat"),
        ("return Decimal('1').quantise(balance)", "NS430", "quantize"),
        ("return balance.is_negative()", "NS430", ""),
        ("return 'a'.startwith('a')", "NS430", "startswith"),
        ("x = []; x.add(1); return x", "NS430", ""),
        ("return date(2024, 1, 1).add_days(3)", "NS430", ""),
        ("return (date(2024, 1, 1) - date(2023, 1, 1)).month", "NS430", ""),
        ("return round(balance, digits=2)", "NS431", "ndigits"),
        ("return sorted([1], by=len)", "NS431", "key"),
        ("return balance.quantize(balance, round=1)", "NS431", "rounding"),
        ("return math.isclose(1, 2, tolerance=1)", "NS431", ""),
        ("return statistics.mean([1], weights=[1])", "NS431", ""),
        ("from decimal import ROUND_UP_HALF", "NS432", "ROUND_HALF_UP"),
        ("from collections import orderdict", "NS432", "OrderedDict"),
        ("import collections.ordered", "NS432", ""),
        ("from math import mean", "NS432", "statistics"),
    ],
)
def test_what_does_not_exist_is_refused(fee: Spec, line: str, code: str, hint: str) -> None:
    entry = gate.enter(Source(f"{HEAD}{FEE}    {line}\n"), fee, gate.Types.OFF)
    assert isinstance(entry, gate.Stopped)
    assert [each.code for each in entry.diagnostics] == [code]
    assert hint in entry.diagnostics[0].hint
    assert entry.diagnostics[0].line == 4


@pytest.mark.parametrize(
    "line",
    [
        "import collections.abc; return collections.abc.Iterable",
        "return date.max.year + timedelta.max.days",
        "return balance.as_tuple().exponent",
        "return dt.datetime.min.isoformat(sep=' ')",
        "return date(2024, 1, 1).replace(year=1)",
        "return max([1], default=0, key=len)",
        "return int('1', base=2)",
        "return dict(anything=1)",
        "if TYPE_CHECKING:\n        import sqlalchemy\n    return balance",
        "try: return math.squareroot(2)\n    except AttributeError: return 0",
        "return math.cbrt(2) if hasattr(math, 'cubert') else math.cubert(2)",
        "math = other(); return math.squareroot",
        "decimal.getcontext().prec_ = 1",
        "x = []\n    x = other()\n    return x.add(1)",
        "for x in [1]: pass\n    return x.foo",
        "def f(text): return text.foo\n    return f('a')",
        "return [text.foo for text in late_fee(1, 2)]",
        "from statistics import *; return foo.bar",
        "return itertools.batched if False else itertools.chain.from_iterable",
        "return (1).real + True.bit_length() + 'a'.__len__()",
    ],
)
def test_what_is_not_certain_is_not_said(fee: Spec, line: str) -> None:
    entry = gate.enter(Source(f"{HEAD}{FEE}    {line}\n"), fee, gate.Types.OFF)
    if "batched" in line:  # newer Pythons have it
        return
    assert isinstance(entry, gate.Passed), entry
