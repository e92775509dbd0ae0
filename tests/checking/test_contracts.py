"""Contracts that stand in code: how they are read, and ``neurosym check --contracts`` end to end."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from neurosym.contracts.reading import Contracts, read_contracts
from tests.cli.shared import Neurosym
from tests.project.documents import ROOT

HEAD = """
import math
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache
from fractions import Fraction
from typing import Literal, Optional

import deal
import icontract as ic
from icontract import ensure, require

LIMIT = 10
CENT = Decimal("0.01")
switched = None
switched = LIMIT

class Kind(Enum):
    LOW = "l"
    HIGH = "h"

class Own:
    pass

def small(n):
    return n < LIMIT

"""


def read(text: str, name: str = "f") -> Contracts:
    """The contracts of a function in a module below ``HEAD``."""
    found = {each.name: each for each in read_contracts(ast.parse(HEAD + text), "m").functions}
    return found[name]


def clauses(contracts: Contracts) -> list[tuple[str, str]]:
    assert contracts.spec is not None
    spec = contracts.spec
    return [
        *(("require", each.that.text) for each in spec.requires),
        *(("reject", f"{each.when.text}: {each.raises[0]}") for each in spec.rejects),
        *(("ensure", each.that.text) for each in spec.ensures),
    ]


INT = "def f(n: int, m: int) -> int:\n    return n"
FORMS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "icontract": (
        f"@require(lambda n: n > 0, 'positive')\n@ic.ensure(lambda result, m: result > m)\n{INT}",
        [("require", "n > 0"), ("ensure", "result > m")],
    ),
    "old": (
        f"@ic.ensure(lambda OLD, result: result == OLD.n + OLD.s)\n@ic.snapshot(lambda n: n)\n"
        f"@ic.snapshot(lambda n, m: n + m, name='s')\n{INT}",
        [("ensure", "result == n + (n + m)")],
    ),
    "deal": (
        f"@deal.pre(lambda _: _.n > _.m)\n@deal.post(lambda r: r > 0)\n@deal.ensure(lambda n, m, result: result > n)\n"
        f"@deal.raises()\n@deal.pure\n@deal.safe\n{INT}",
        [("require", "n > m"), ("ensure", "result > 0"), ("ensure", "result > n")],
    ),
    "chain": (f"@deal.chain(deal.pre(lambda n, m: n > m), deal.safe)\n{INT}", [("require", "n > m")]),
    "asserts": (
        'def f(n: int) -> int:\n    """."""\n    assert n > 0, "positive"\n    assert small(n)\n    x = n\n'
        "    assert x\n    return x",
        [("require", "n > 0"), ("require", "n < 10")],
    ),
    "asserts beside others": (
        "@ensure(lambda result: result > 0)\ndef f(n: int) -> int:\n    assert n > 0\n    return n",
        [("ensure", "result > 0")],
    ),
    "docstring": (
        'def f(n: int) -> int:\n    """Adds.\n\n    pre: n > 0\n    :post:\n        __return__ > __old__.n\n'
        '        _ < 9\n    """\n    return n',
        [("require", "n > 0"), ("ensure", "result > n"), ("ensure", "result < 9")],
    ),
    "guards": (
        "@deal.raises(ValueError, KeyError)\ndef f(n: int) -> int:\n    if n < 0:\n        raise ValueError('no')\n"
        "    if n == 3:\n        raise KeyError\n    return n",
        [("reject", "n < 0: ValueError"), ("reject", "n == 3: KeyError")],
    ),
    "a name of the language": (
        "@require(lambda days: days > 0)\ndef f(days: int) -> int:\n    return days",
        [("require", "days_ > 0")],
    ),
    "no capture": (
        "def least(n):\n    return all(n <= x for x in range(3))\n@require(lambda xs: all(least(x) for x in xs))\n"
        "def f(xs: list[int]) -> int:\n    return 1",
        [("require", "all((all((x <= x_2 for x_2 in range(3))) for x in xs))")],
    ),
    "what may fail": (
        "@require(lambda xs: xs[0] > 0)\n@require(lambda xs: len(xs) > 0)\ndef f(xs: list[int]) -> int:\n    return 1",
        [("require", "not (len(xs) > 0) or xs[0] > 0"), ("require", "len(xs) > 0")],
    ),
    "money": (
        "@require(lambda a: 0 <= a <= 100 and a == round(a, 2))\n@require(lambda a: a * Decimal('1.5') > CENT)\n"
        "def f(a: Decimal) -> Decimal:\n    return a",
        [("require", "0 <= a <= 100 and a == round(a, 2, half_even)"), ("require", "a * (3 / 2) > 1 / 100")],
    ),
    "an enum": (
        "@require(lambda k: k is Kind.LOW or k is not Kind.HIGH)\ndef f(k: Kind) -> int:\n    return 1",
        [("require", "k == 'LOW' or k != 'HIGH'")],
    ),
    "a float": (
        "@require(lambda x: x > 0.1 and x < 0.5)\ndef f(x: float) -> float:\n    return x",
        [("require", f"x > {0.1.as_integer_ratio()[0]} / {0.1.as_integer_ratio()[1]} and x < 1 / 2")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_contract_is_read(form: str) -> None:
    text, expected = FORMS[form]
    contracts = read(text)
    assert contracts.unread == ()
    said = [
        (table, re.sub(r"^not \((.*?)\) or \((.*)\)$", r"not \1 or \2", text)) for table, text in clauses(contracts)
    ]
    assert said == expected


PRE = "@require(lambda n, m: {})\ndef f(n: int, m: int) -> int:\n    return n"
POST = "@ensure(lambda n, result: {})\ndef f(n: Decimal) -> Decimal:\n    return n"
BLOCKED = {
    PRE.format("n"): "counts as true",
    PRE.format("n and m"): "counts as true",
    PRE.format("n / m > 1"): "may round",
    PRE.format("n < switched"): "what switched is, is not certain",
    PRE.format("open(n) == m"): "what open does is not read",
    PRE.format("(n := m) > 1"): "has no counterpart",
    PRE.format("n == '1'"): "values of one kind",
    PRE.format("n is m"): "with None and members of enums only",
    "@require(lambda xs: xs)\ndef f(xs: list[int]) -> int:\n    return 1": "counts as true",
    "@require(lambda x: x + 1 > 0)\ndef f(x: float) -> int:\n    return 1": "may round",
    "@require(lambda a: a / 3 > 0)\ndef f(a: Decimal) -> int:\n    return 1": "may round",
    "@require(lambda n, other: n > 0)\ndef f(n: int) -> int:\n    return 1": "asks for other",
    "@require(lambda _ARGS: len(_ARGS) > 0)\ndef f(n: int) -> int:\n    return 1": "asks for _ARGS",
    "@require(lambda n: n > 0, enabled=ic.SLOW)\ndef f(n: int) -> int:\n    return 1": "whether it is enabled",
    "@require(lambda n=1: n > 0)\ndef f(n: int) -> int:\n    return 1": "no lambda",
    "@require(lambda x: x > 0)\ndef f(x: Own) -> int:\n    return 1": "only enums",
    "@require(lambda x: x > 0)\ndef f(x) -> int:\n    return 1": "no annotation",
    "@require(lambda n: n > 0)\ndef f(n: int) -> None:\n    return None": "no result",
    "@require(lambda n: n > 0)\ndef f(n: int, *more: int) -> int:\n    return n": "by a *",
    "@require(lambda n: n > 0)\ndef f(*, n: int) -> int:\n    return n": "only be given by name",
    "@require(lambda n: n > 0)\nasync def f(n: int) -> int:\n    return n": "async",
    "@require(lambda n: n > 0)\ndef f(n: int) -> int:\n    yield n": "generator",
    "@require(lambda n: n > 0)\n@small\ndef f(n: int) -> int:\n    return n": "what its decorator small does",
    "@require(lambda n: n > 0)\ndef f(n: int) -> int:\n    return n\nf = small": "bound more than once",
    "@ensure(lambda result: result > 0)\ndef f(result: int) -> int:\n    return 1": "called result",
    "@deal.pre(lambda a, b: a > b)\ndef f(n: int, m: int) -> int:\n    return n": "deal calls its condition with n, m",
    "@deal.example(lambda: f(1) == 1)\ndef f(n: int) -> int:\n    return n": "this kind of contract",
    'def f(n: int) -> int:\n    """pre: n is a large one"""\n    return n': "no expression of Python",
    'def f(xs: list[int]) -> int:\n    """post[xs]: True"""\n    return 1': "allows a change of xs",
    "@ensure(lambda OLD, xs: xs != OLD.xs)\n@ic.snapshot(lambda xs: xs[:])\ndef f(xs: list[int]) -> int:\n"
    "    return 1": "how xs changes",
    "def f(n: int) -> int:\n    assert n > LIMIT\n    LIMIT = n\n    return n": "is set later",
    "@require(lambda n: n > 0)\ndef f(n: int) -> int:\n    raise ic.ViolationError": "otherwise than as a decorator",
}  # fmt: skip


@pytest.mark.parametrize("text", BLOCKED)
def test_what_says_which_inputs_are_valid_and_is_not_read_keeps_a_function_from_being_run(text: str) -> None:
    contracts = read(text)
    assert contracts.spec is None
    assert any(each.blocks and BLOCKED[text] in each.why for each in contracts.unread), contracts.unread


OPEN = {
    POST.format("result + n > 0"): "a Decimal of any size",
    POST.format("result == round(result, 2)"): "a Decimal of any size may fail",
    "@ensure(lambda result: not -result > 1)\ndef f(n: int) -> float:\n    return 1.0": "certainly a number",
    "@ensure(lambda OLD, result: result == OLD.n)\ndef f(n: int) -> int:\n    return n": "OLD.n is not there",
    "@deal.post(lambda _: _ > 0)\ndef f(n: int) -> int:\n    return n": "takes one argument",
    "@deal.has()\ndef f(n: int) -> int:\n    print(n)\n    return n": "speaks of print",
    "@deal.reason(ValueError, lambda _: _.n < 0)\ndef f(n: int) -> int:\n    return n": "raised only where this holds",
    "@require(lambda n: n > 0)\ndef f(n: int = small(3)) -> int:\n    return n": "this default",
    "@deal.pre(lambda _: _.n > 0)\ndef f(n: int) -> int:\n    return f(n - 1)": "it calls f",
    "@ic.require(lambda n: n > 0)\ndef g(n: int) -> int:\n    return n\n@ic.require(lambda n: n > 0)\n"
    "def f(n: int) -> int:\n    return h(n)\ndef h(n):\n    return g(n)": "it calls g",
    "@deal.pre(lambda _: _.n > 0)\ndef g(n: int) -> int:\n    return n\nTABLE = {1: g}\n@ic.require(lambda n: n > 0)\n"
    "def f(n: int) -> int:\n    return TABLE[1](n)": "the module uses g",
}  # fmt: skip


@pytest.mark.parametrize("text", OPEN)
def test_what_is_asked_of_the_result_and_is_not_read_is_named(text: str) -> None:
    contracts = read(text)
    assert contracts.spec is not None
    assert [OPEN[text] in each.why and not each.blocks for each in contracts.unread] == [True], contracts.unread


def test_ranges_come_from_preconditions_and_what_they_leave_open_is_said() -> None:
    contracts = read(
        "@require(lambda a: 0 < a and 50 >= a == round(a, 2))\n@require(lambda xs: len(xs) < 3)\n"
        "@require(lambda n: n >= 7)\n@require(lambda d: d > date(2024, 1, 1))\n"
        "def f(a: Decimal, xs: list[float], n: int, d: date, k: Kind) -> int:\n    return 1"
    )
    assert contracts.assumed == (
        "a written with 0 to 2 decimals, finite and no negative zero",
        "xs each item at least -1,000,000, each item at most 1,000,000, each item finite and no negative zero",
        "n at most 1,000,000",
    )


def test_a_function_of_icontract_may_call_itself() -> None:
    assert read("@require(lambda n: n >= 0)\ndef f(n: int) -> int:\n    return f(n - 1) if n else 0").unread == ()


def test_methods_and_functions_without_contracts_are_named() -> None:
    module = read_contracts(
        ast.parse(f"{HEAD}@ic.invariant(lambda self: True)\nclass C:\n    @require(lambda n: n > 0)\n"
                  "    def m(self, n):\n        pass\n"), "m",
    )  # fmt: skip
    assert [(each.name, each.spec) for each in module.functions] == [("C", None), ("C.m", None)]
    assert [name for name, _ in module.none] == ["small"]


MODULE = '''"""Fees."""

import icontract
from icontract import ensure


@icontract.require(lambda days: 0 <= days <= 60)
@ensure(lambda result, days: result >= days)
def right(days: int) -> int:
    return days + 1


@ensure(lambda result, n: result > n, "grows")
def wrong(n: int) -> int:
    """Fails.

    pre: -50 <= n <= 50
    """
    return n + (n != 7)


@icontract.require(lambda n: 0 <= n <= 50)
@ensure(lambda result, n: result == n * 0.5)
def half(n: int) -> float:
    return n * 0.5


def reads(n: int) -> int:
    """
    pre: 0 <= n <= 50
    :raises ValueError: sometimes
    """
    return [].index(n) if n == 20 else n


@ensure(lambda result: result)
@icontract.require(lambda n: n)
def unread(n: int) -> int:
    return n


def whole(x: float) -> float:
    """pre: 0 <= x <= 1 and (x == 0 or x == 1)"""
    return 0


def plain(n):
    return n
'''
SETTINGS = """
[tool.neurosym]
types = "off"
proof = false
examples = 1
time_limit = 60

[[tool.neurosym.check]]
module = "shop.fees"
contracts = true
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one module that has contracts; its folder is the current one."""
    (tmp_path / "src/shop").mkdir(parents=True)
    (tmp_path / "src/shop/fees.py").write_text(MODULE)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_module_is_checked_by_its_contracts(neurosym: Neurosym, shop: Path) -> None:
    ran = neurosym("check", "--contracts", "src/shop/fees.py", "--junit", "junit.xml", "--json")
    document = json.loads(ran.out)
    Draft202012Validator(json.loads((ROOT / "docs/schema/check-1.schema.json").read_text())).validate(document)
    functions = {each["function"].partition(":")[2]: each for each in document["functions"]}
    candidates = {name: each["result"]["candidates"][0] for name, each in functions.items()}
    assert {name: (candidates[name]["verdict"], each["admission"]) for name, each in functions.items()} == {
        "right": ("TESTED", "admitted"),
        "wrong": ("REFUTED", "refused"),
        "half": ("UNKNOWN", "undecided"),
        "reads": ("UNKNOWN", "undecided"),
        "unread": ("UNKNOWN", "undecided"),
        "whole": ("UNKNOWN", "undecided"),
    }
    assert (ran.code, document["exit_code"]) == (1, 1)
    broken = next(each for each in candidates["wrong"]["obligations"] if each["verdict"] == "REFUTED")
    assert (broken["id"], broken["counterexample"]["calls"]) == ("ensure: grows", ["wrong(7)"])
    assert [(each["codemod"], "icontract" in each["diff"]) for each in candidates["wrong"]["rewrites"]] == [
        ("contracts", True)
    ]
    open_ones = {
        name: [each["id"] for each in candidates[name]["obligations"] if each["verdict"] == "UNKNOWN"]
        for name in ("half", "reads", "unread")
    }
    assert open_ones["half"] == ["contract: result == n * 0.5"]
    assert "no crash" in open_ones["reads"]
    assert open_ones["unread"] == ["contract: result", "contract: n"]
    assert candidates["unread"]["calls"] is None
    assert [(each["code"], "plain" in each["message"]) for each in document["remarks"]] == [("NS736", True)]

    cases = ElementTree.parse("junit.xml").getroot().iter("testcase")
    passed = [each.get("name", "") for each in cases if not len(each)]
    assert not any("contract: " in name for name in passed)

    again = neurosym("check", "-q")
    assert again.code == 1
    assert len(re.findall(r"cached", again.out)) >= 1
    assert re.search(r"^REFUTED    shop\.fees:wrong +cached", again.out, re.MULTILINE)
    assert "contract: n: not decided: not read:" in re.sub(r"\s+", " ", again.out)
    assert max(map(len, again.out.splitlines())) <= 80


ONE = """from icontract import {0}


@{0}(lambda n, result: result == n * 0.5)
def f(n: int) -> float:  # neurosym: ignore[NS734] the floor looks at it
    '''pre: 0 <= n <= 9'''
    return n * 0.5
"""


@pytest.mark.parametrize(("decorator", "code"), [("ensure", 0), ("require", 3)])
def test_a_contract_that_is_not_read_can_be_accepted_where_the_function_ran(
    neurosym: Neurosym, shop: Path, decorator: str, code: int
) -> None:
    (shop / "one.py").write_text(ONE.format(decorator))
    ran = neurosym("check", "--contracts", "one.py")
    assert ran.code == code, ran.out


def test_printed_specs_load_and_give_the_same_verdict(neurosym: Neurosym, shop: Path) -> None:
    ran = neurosym("check", "--contracts", "src/shop/fees.py", "--print-specs")
    assert ran.code == 3
    parts = dict(
        re.findall(r"^# (\w+)\.spec\.toml\n(.*?)(?=^# \w+\.spec\.toml$|\Z)", ran.out, re.MULTILINE | re.DOTALL)
    )
    assert [*parts] == ["right", "wrong", "half", "reads", "unread", "whole"]
    assert "# not read, line 23: result == n * 0.5: this arithmetic may round" in parts["half"]
    assert parts["unread"].startswith("# There is no spec")
    (shop / "wrong.spec.toml").write_text(parts["wrong"])
    only_wrong = re.sub(
        r"(?s)@icontract.*?\n\n\n|def (reads|plain).*?\n\n\n|@ensure\(lambda result: result\).*", "", MODULE
    )
    (shop / "src/shop/fees.py").write_text(only_wrong)
    settings = (shop / "pyproject.toml").read_text()
    (shop / "pyproject.toml").write_text(settings + 'specs = "wrong.spec.toml"\n')
    by_hand = json.loads(neurosym("check", "--json").out)["functions"][0]["result"]
    (shop / "pyproject.toml").write_text(settings)
    read = json.loads(neurosym("check", "--json", "--contracts", "src/shop/fees.py").out)["functions"][0]["result"]
    verdicts = [[(o["id"], o["verdict"], o.get("counterexample")) for o in each["candidates"][0]["obligations"]]
                for each in (by_hand, read)]  # fmt: skip
    assert verdicts[0] == verdicts[1]
    assert verdicts[0][0][1] == "REFUTED"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--contracts", "none.py"], 2, "does not exist"),
        (["--contracts", "bad.py"], 2, "bad.py:1: its contracts cannot be read: "),
        (["--contracts", "empty.py"], 5, "nothing to check: no function there has contracts"),
        (["--print-specs"], 2, "--print-specs goes with --contracts MODULE.py"),
        (["--contracts", "empty.py", "src"], 2, "does not go with paths"),
        (["--contracts", "empty.py", "--write-baseline"], 2, "--write-baseline is about the whole project"),
    ],
)
def test_bad_input(neurosym: Neurosym, shop: Path, arguments: list[str], code: int, said: str) -> None:
    (shop / "bad.py").write_text("def f(:\n")
    (shop / "empty.py").write_text("def f(n):\n    return n\n")
    ran = neurosym("check", *arguments)
    assert ran.code == code
    assert said in ran.out + ran.err


@pytest.mark.parametrize(
    ("line", "said"),
    [("contracts = 1", "neither true nor false"), ("", 'a pattern of files such as "specs/*.spec.toml"')],
)
def test_wrong_settings(neurosym: Neurosym, shop: Path, line: str, said: str) -> None:
    (shop / "pyproject.toml").write_text(SETTINGS.replace("contracts = true", line))
    ran = neurosym("check")
    assert ran.code == 2
    assert said in re.sub(r"\s+", " ", ran.err)


def test_the_example_of_the_page_is_read() -> None:
    page = (ROOT / "docs/contracts.md").read_text()
    example = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert example
    (contracts,) = read_contracts(ast.parse(example[1]), "fees").functions
    assert contracts.unread == ()
    assert clauses(contracts)[2:] == [("ensure", "0 <= result <= 75"), ("ensure", "days_ > 10 or result == 0")]
