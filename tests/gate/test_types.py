"""What of mypy's findings turns a candidate away, what is only noted, and where each of them points."""

from __future__ import annotations

import pytest
from neurosym_specs import load_spec
from neurosym_specs.model import Spec

from neurosym import Source, gate
from tests.cli.shared import RIGHT
from tests.gate.programs import ROOT

FEE = "def late_fee(balance, days_overdue):\n"
TYPED = "def late_fee(balance: Decimal, days_overdue: int) -> Decimal:\n"


def _stopped(code: str, spec: Spec) -> list[tuple[str, int | None, int | None]]:
    entry = gate.enter(Source(code), spec)
    assert not isinstance(entry, gate.Faulted), entry
    return [(each.code, each.line, each.column) for each in getattr(entry, "diagnostics", ())]


def _notes(code: str, spec: Spec) -> list[tuple[str, int | None]]:
    entry = gate.enter(Source(code), spec)
    assert isinstance(entry, gate.Passed), entry
    return [(each.code, each.line) for each in entry.notes]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (FEE + "    return foo(balance)\n", ("NS451", 2, 12)),
        (FEE + "    x = 'é' + foo\n    return balance\n", ("NS451", 2, 15)),
        ("x = '''\n'''\n" + FEE + "    return balance if days_overdue else rate\n", ("NS451", 4, 41)),
        (FEE + "    return balance.quantize(Decimal('0.01')).foo\n", ("NS430", 2, 12)),
        ("class A:\n    x: int = 1\n\n" + FEE + "    return A().y\n", ("NS452", 5, 12)),
        ("def f(a, b):\n    return a\n\n" + FEE + "    return f(balance)\n", ("NS453", 5, 12)),
        (FEE + "    return days_overdue + 'a'\n", ("NS454", 2, 27)),
        (FEE + "    return days_overdue[0]\n", ("NS454", 2, 12)),
        (FEE + "    return days_overdue()\n", ("NS454", 2, 12)),
        (FEE + "    if days_overdue:\n        return 1\n    return 'a'\n", ("NS455", 3, 9)),
        (FEE + "    print(balance)\n", ("NS455", 1, 1)),
        ("def late_fee(balance: Decimal, days_overdue: int) -> str:\n    return str(balance)\n", ("NS455", 2, 5)),
        ("late_fee = lambda balance, days: balance + nowhere\n", ("NS451", 1, 44)),
        # Two annotations are put in before this place, on the same line.
        ("def late_fee(balance, days_overdue): return foo\n", ("NS451", 1, 45)),
        ("def late_fee(balance, days_overdue: int = len('é'), *, more=foo): return balance\n", ("NS451", 1, 61)),
    ],
)
def test_what_cannot_be_right_is_rejected(fee: Spec, code: str, expected: tuple[str, int, int]) -> None:
    assert expected in _stopped(code, fee)


@pytest.mark.parametrize(
    "code",
    [
        # Annotations need not be evaluated, and say nothing of the values.
        "from __future__ import annotations\n" + RIGHT.replace("int)", "Days)"),
        "from __future__ import annotations\ndef late_fee(balance: List[int], days_overdue: Days) -> Nonsense:\n"
        "    return balance\n",
        "def late_fee(balance: float, days_overdue: float) -> float:\n    return balance + Decimal(1)\n",
        "def late_fee(balance: str, days_overdue: str) -> Decimal:\n    return balance * days_overdue\n",
        # What mypy infers from a first assignment is not what is there later.
        FEE + "    fee = 0\n    fee = balance\n    return fee.quantize(Decimal('0.01'))\n",
        FEE + "    fee = None\n    if days_overdue:\n        fee = balance\n    return fee + 1\n",
        FEE + "    total = 0\n    def parts(): return [balance]\n    for each in parts():\n        total += each\n"
        "    return total.quantize(Decimal(1))\n",
        FEE + "    total = 0\n    def parts(): yield balance\n    return sum(parts())\n",
        FEE + "    fees = {}\n    fees['a'] = balance\n    return sum(fees.values())\n",
        # Some ways return another type: they may never be taken.
        FEE + "    if balance < 0:\n        return None\n    return balance\n",
        FEE + "    for rate in (Decimal(1),):\n        if balance:\n            return rate\n    return 0\n",
        # Attributes that are put on later.
        "class A:\n    pass\n" + FEE + "    a = A()\n    a.x = balance\n    return a.x\n",
        FEE + "    late_fee.calls = 1\n    return balance\n",
        # A name that somebody else binds.
        "def setup():\n    global RATE\n    RATE = 1\nRATES = setup()\n" + FEE + "    return balance * RATE\n",
        FEE + "    try:\n        return balance * rate\n    except NameError:\n        return balance\n",
        FEE + "    m = max([1, 2], key={1: 2}.get)\n    return balance * m\n",
        # What the spec declares is there without an import.
        TYPED + "    return Decimal(balance)\n",
        "import decimal\ndef late_fee(balance: decimal.Decimal, days) -> decimal.Decimal:\n    return balance\n",
        "def late_fee(*values):\n    return values[0]\n",
        "late_fee = lambda balance, days: balance\n",
        "import functools\n@functools.lru_cache\n" + FEE + "    return balance\n",
        "def late_fee(balance, days_overdue, /, extra=(1, 2), *, more=None):\n    return balance\n",
        "def late_fee(\n    balance,  # the )\n    days_overdue=3,\n):\n    return balance\n",
    ],
)
def test_what_may_be_right_is_let_through(fee: Spec, code: str) -> None:
    assert _stopped(code, fee) == []


def test_missing_annotations_are_notes(fee: Spec) -> None:
    assert _notes("def part(x):\n    return x\n\n" + FEE + "    return part(balance)\n", fee) == [
        ("NS457", 4),
        ("NS456", 1),
    ]


@pytest.mark.parametrize(
    "silencer",
    [
        "x = foo  # type: ignore",
        "x = foo  # type: ignore[name-defined]  # why",
        "# mypy: ignore-errors\nx = foo",
        "#mypy:ignore-errors\nx = foo",
        "'''\n# mypy: ignore-errors\n'''\nx = foo",
        "import typing\nassert typing.TYPE_CHECKING\nassert not typing.TYPE_CHECKING\nx = foo",
        "from typing import TYPE_CHECKING\nassert not TYPE_CHECKING, 'no'\nx = foo",
        "import typing as t\n@t.no_type_check\ndef f():\n    return foo",
        "from typing import no_type_check as quiet\n@quiet\nclass A:\n    x = foo",
        "from typing import TYPE_CHECKING\nif not TYPE_CHECKING:\n    x = foo",
        "from typing import cast\nx = cast(int, foo)",
    ],
)
def test_nothing_silences_mypy(fee: Spec, silencer: str) -> None:
    found = _stopped(f"{RIGHT}\n{silencer}\n", fee)
    assert [code for code, _, _ in found] == ["NS451"]
    line = len(RIGHT.split("\n")) + silencer[: silencer.index("foo")].count("\n") + 1
    column = len(silencer[: silencer.index("foo")].split("\n")[-1]) + 1
    assert found[0][1:] == (line, column)


@pytest.mark.parametrize(
    ("silencer", "line"),
    [
        ("x = 1  # type: ignore", 1),
        ("# mypy: disallow-any-expr", 1),
        ("from typing import cast\nx = cast(\n    int,\n    (1 + 2),\n)", 2),
        ("from typing import cast\nx = (cast(list[int], [cast(int, 1)]))", 2),
        ("from typing import Any\nx: Any = 1", 2),
        ("from typing import TYPE_CHECKING\nassert (\n    TYPE_CHECKING\n)", 2),
        ("from typing import no_type_check\n@no_type_check\ndef f() -> None:\n    pass", 2),
    ],
)
def test_what_silences_is_noted_and_the_copy_stays_python(fee: Spec, silencer: str, line: int) -> None:
    notes = _notes(f"{silencer}\n{RIGHT}", fee)
    assert ("NS450", line) in notes


def test_crlf_and_no_last_line_end_change_no_place(fee: Spec) -> None:
    code = (FEE + "    x = 1\n    return foo").replace("\n", "\r\n")
    assert _stopped(code, fee) == [("NS451", 3, 12)]


def test_a_text_that_looks_like_a_silencer_is_kept(fee: Spec) -> None:
    assert _notes(RIGHT + "\nx = '# type: ignore'\n", fee) == []


def _specs() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "exam").glob("*/*.spec.toml"))


@pytest.mark.parametrize("path", _specs())
def test_no_right_candidate_of_the_exam_is_turned_away(path: str) -> None:
    spec = load_spec(ROOT / path)
    for candidate in sorted((ROOT / path).parent.glob("correct_*.py")):
        entry = gate.enter(candidate, spec)
        assert isinstance(entry, gate.Passed), entry
        assert entry.objections == ()
