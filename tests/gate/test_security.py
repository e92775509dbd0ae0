"""What hides code, what walks into the interpreter, what works while loading; and what is none of that."""

from __future__ import annotations

import pytest
from neurosym_specs.model import Spec

from neurosym import Source, gate
from tests.cli.shared import RIGHT

FEE = "def late_fee(balance, days_overdue):\n"


def _enter(code: str, spec: Spec) -> gate.Entry:
    return gate.enter(Source(code), spec, gate.Types.OFF)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("return eval('1')", "NS410"),
        ("run = exec; run('1')", "NS410"),
        ("return compile('1', '', 'eval')", "NS410"),
        ("import typing; return typing.get_type_hints(f)", "NS410"),
        ("from typing import ForwardRef as F; return F('1 + 1')", "NS410"),
        ("y: \"list[__import__('os').getcwd()]\" = 1", "NS410"),
        ("def g(y: \"exec('1')\") -> 'int': ...", "NS410"),
        ("def g() -> \"''.__class__.__subclasses__()\": ...", "NS411"),
        ("return __import__('os')", "NS410"),
        ("return globals()['eval']", "NS410"),
        ("return getattr(__builtins__, 'ev' + 'al')", "NS410"),
        ("return [].__class__.__mro__", "NS411"),
        ("return [].__class__.mro()", "NS411"),
        ("return late_fee.__globals__", "NS411"),
        ("return getattr(balance, '__class__')", "NS411"),
        ("return '{0.__class__.__init__}'.format(balance)", "NS411"),
        ("return f'{balance.__class__.__base__}'", "NS411"),
        ("balance.__class__ = int", "NS411"),
        ("return (lambda: 0).__code__", "NS411"),
        ("return balance.__reduce_ex__(2)", "NS411"),
        ("return vars(int)['__subclasses__']", "NS411"),
        ("return (x for x in [1]).gi_frame.f_back", "NS411"),
    ],
)
def test_what_hides_is_refused(fee: Spec, line: str, code: str) -> None:
    entry = _enter(f"{FEE}    {line}\n", fee)
    assert isinstance(entry, gate.Stopped)
    assert (entry.diagnostics[0].code, entry.diagnostics[0].failure.value) == (code, "policy")
    assert entry.diagnostics[0].line == 2


@pytest.mark.parametrize(
    "code",
    [
        "late_fee(1, 2)",
        "main()",
        "while True:\n    pass",
        "raise SystemExit",
        "x = input()",
        "x = [open(name) for name in ('a',)]",
        "if True:\n    exit(1)",
        "class A:\n    main()",
        "for x in range(3):\n    late_fee(x, x)",
        "x = vars()",
    ],
)
def test_work_at_the_top_level_is_refused(fee: Spec, code: str) -> None:
    entry = _enter(f"{RIGHT}\n{code}\n", fee)
    assert isinstance(entry, gate.Stopped)
    assert entry.diagnostics[0].failure.value == "policy"


@pytest.mark.parametrize(
    ("code", "notes"),
    [
        ("import re\nPATTERN = re.compile('a')", []),
        ("from datetime import timedelta\nONE = timedelta(days=1)\nCENT = Decimal('0.01')", []),
        ("from enum import Enum\nclass Band(Enum):\n    A = 'a'\n    B = 'b'", []),
        ("from typing import NamedTuple\nclass Row(NamedTuple):\n    a: int = 1", []),
        ("from collections import namedtuple\nRow = namedtuple('Row', 'a b')", []),
        (
            "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass A:\n"
            "    a: list[int] = field(default_factory=list)\n"
            "    def __post_init__(self):\n        object.__setattr__(self, 'b', 1)\n"
            "    def __repr__(self):\n        return self.__class__.__name__ + type(self).__qualname__",
            [],
        ),
        ("class A:\n    def __init_subclass__(cls, **given):\n        super().__init_subclass__(**given)", []),
        ("import decimal\ndecimal.getcontext().prec = 40", ["NS413"]),
        ("from decimal import getcontext, setcontext, Context\nsetcontext(Context(prec=9))", ["NS413"]),
        ("T = {}\nfor each in range(3):\n    T[each] = each", ["NS413"]),
        ("T = []\nT.append(1)", ["NS413"]),
        ("def table():\n    return {1: 2}\nT = table()", ["NS413"]),
        ("if __name__ == '__main__':\n    late_fee(1, 2)\n    exit()", ["NS414"]),
        ("print('ready')", ["NS415"]),
        ("try:\n    import numpy_free\nexcept ImportError:\n    numpy_free = None", None),
        ("def f():\n    return eval\neval_ = 1", None),
        ("X = (lambda: input())", ["NS420"]),
        ('"""A text about __subclasses__ and eval."""', []),
        ("class A:\n    def f(self):\n        return vars(self), locals()", []),
    ],
)
def test_definitions_are_let_through(fee: Spec, code: str, notes: list[str] | None) -> None:
    entry = _enter(f"{RIGHT}\n{code}\n", fee)
    if notes is not None:
        assert isinstance(entry, gate.Passed), entry
        assert [each.code for each in entry.notes] == notes


def test_a_name_of_its_own_is_no_builtin(fee: Spec) -> None:
    entry = _enter(f"def compile(x):\n    return x\n{FEE}    return compile(balance)\n", fee)
    assert isinstance(entry, gate.Passed)


def test_several_faults_are_told_at_once(fee: Spec) -> None:
    entry = _enter("import os\nmain()\ndef fee(a):\n    return eval(a)\n", fee)
    assert isinstance(entry, gate.Stopped)
    assert [each.code for each in entry.diagnostics] == ["NS301", "NS401", "NS410", "NS412"]


def test_what_is_impure_is_noted_with_its_line(fee: Spec) -> None:
    code = (
        "import datetime\nfrom datetime import date as day\n"
        f"{FEE}    now = datetime.datetime.now()\n    key = hash('a') + id(now)\n    return day.today()\n"
    )
    entry = _enter(code, fee)
    assert isinstance(entry, gate.Passed)
    assert [(each.code, each.line, each.message.split()[0]) for each in entry.notes] == [
        ("NS420", 4, "datetime.datetime.now"),
        ("NS420", 5, "hash"),
        ("NS420", 5, "id"),
        ("NS420", 6, "datetime.date.today"),
    ]


@pytest.mark.parametrize("line", ["id = 1; return id", "return [hash for hash in [1]]", "return datetime.now()"])
def test_what_only_looks_impure_is_not(fee: Spec, line: str) -> None:
    assert [each.code for each in _enter(f"{FEE}    {line}\n", fee).notes] == []


@pytest.mark.parametrize(
    ("head", "body", "code", "said"),
    [
        ("import typing", "return typing.sys.modules", "NS401", "typing.sys is the module sys"),
        ("from typing import sys", "return sys", "NS401", "typing.sys is the module sys"),
        ("from typing import sys as t", "return t", "NS401", "typing.sys is the module sys"),
        ("import typing as t", "return t.sys", "NS401", "typing.sys is the module sys"),
        ("import dataclasses", "return dataclasses.sys", "NS401", "dataclasses.sys is the module sys"),
        ("import dataclasses", "return dataclasses.inspect.currentframe()", "NS401", "is the module inspect"),
        ("import statistics", "return statistics.random.random()", "NS401", "is the module random"),
        ("import json", "return json.codecs.open", "NS401", "is the module codecs"),
        ("import json", "return json.decoder.scanner.sys", None, ""),
        ("import re", "return re._compiler._sre", "NS401", "is the module _sre"),
        ("import collections", "return collections._sys", "NS401", "is the module sys"),
        ("import enum", "return enum.bltns", "NS401", "is the module builtins"),
        ("from decimal import __builtins__ as b", "return b", "NS411", "__builtins__"),
        ("", "match late_fee:\n        case object(__globals__=names): return names", "NS411", "__globals__"),
        ("", "match late_fee:\n        case [object(__code__=c)] | object(__class__=c): return c", "NS411", "__code__"),
    ],
)
def test_modules_that_a_module_uses_are_not_imported_with_it(
    fee: Spec, head: str, body: str, code: str | None, said: str
) -> None:
    entry = _enter(f"{head}\n{FEE}    {body}\n", fee)
    if code is None:
        return
    assert isinstance(entry, gate.Stopped), entry
    assert code in {each.code for each in entry.diagnostics}
    assert any(said in each.message for each in entry.diagnostics)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("import collections.abc", "return collections.abc.Mapping"),
        ("from collections import abc", "return abc.Mapping"),
        ("import datetime", "return datetime.datetime(2024, 1, 1)"),
        ("import json.decoder", "return json.decoder.JSONDecoder"),
        ("import calendar", "return calendar.datetime.date(2024, 1, 1)"),
        ("from typing import Final, TypedDict", "return Final"),
        ("", "match balance:\n        case object(real=real): return real"),
    ],
)
def test_what_a_module_is_there_for_may_be_used(fee: Spec, head: str, body: str) -> None:
    assert isinstance(_enter(f"{head}\n{FEE}    {body}\n", fee), gate.Passed)
