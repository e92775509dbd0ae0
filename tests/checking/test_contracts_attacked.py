"""Contracts that look like others: what would be read wrongly, or not be seen, is named and keeps a function open."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from neurosym.checking.contracts import ContractsError
from neurosym.checking.plan import plan_modules
from neurosym.checking.run import check
from neurosym.checking.settings import settings_of_modules
from neurosym.contracts.reading import Contracts, read_contracts
from tests.cli.shared import Neurosym

IMPORTS = "import icontract\nfrom decimal import Decimal\n"
F = "def f(x: int) -> int:\n    return x\n"


def read(text: str, name: str = "f") -> Contracts:
    module = read_contracts(ast.parse(text), "m")
    return next(each for each in module.functions if each.name == name)


def bounds(contracts: Contracts, name: str) -> tuple[object, object]:
    assert contracts.spec is not None
    found = contracts.spec.inputs[name]
    return getattr(found, "min", None), getattr(found, "max", None)


def test_an_argument_that_is_called_like_a_constant_bounds_no_range() -> None:
    contracts = read(
        f"{IMPORTS}cap = 5\n@icontract.require(lambda x, cap: 0 <= x <= cap)\n"
        "@icontract.ensure(lambda result: result < 50)\ndef f(x: int, cap: int) -> int:\n    return x\n"
    )
    assert bounds(contracts, "x") == (0, 1_000_000)
    assert contracts.assumed[0] == "x at most 1,000,000"


LOST = {
    "a parameter called like the library": f"import deal\n@deal.post(lambda r: r > 10)\n{F}"
    "def g(deal: int) -> int:\n    return deal\n",
    "a star import": f"from deal import *\n@post(lambda r: r > 10)\n{F}",
    "an import that may fail": "try:\n    import icontract\nexcept ImportError:\n    icontract = None\n"
    f"@icontract.ensure(lambda result: result > 10)\n{F}",
    "another name": f"import icontract\nensure = icontract.ensure\n@ensure(lambda result: result > 10)\n{F}",
    "a call": f"import icontract\n{F}g = icontract.ensure(lambda result: result > 10)(f)\n",
    "only where types are checked": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import icontract\n"
    f"@icontract.ensure(lambda result: result > 10)\n{F}",
}


@pytest.mark.parametrize("case", LOST)
def test_a_library_that_is_used_in_a_way_that_is_not_followed_leaves_every_function_open(case: str) -> None:
    contracts = read(LOST[case])
    assert contracts.spec is None
    assert "otherwise than as a decorator, or binds its name" in contracts.unread[0].why


ENSURE = "@icontract.ensure(lambda x, result: {})\n"
UNCERTAIN = {
    "CAP = 5\ndef g(n: int = (CAP := 100)) -> int:\n    return n\n": "result < CAP",
    "CAP = 5\n@icontract.require(lambda n: n > 0, str(CAP := 9))\ndef g(n):\n    return n\n": "result < CAP",
    "CAP = 5\nmatch {}:\n    case {**CAP}:\n        pass\n": "result < CAP",
    "CAP = 5\nclass A(B, key=(CAP := 6)):\n    pass\n": "result < CAP",
    "CAP = 5\ng = lambda n=(CAP := 6): n\n": "result < CAP",
    "RATES = sorted((1, 2))\n": "result in RATES",
    "RATES = [n for n in range(3)]\n": "result in RATES",
    "RATES = ([1, 2], [3])\n": "result in RATES[0]",
    "from decimal import getcontext\ngetcontext().prec = 3\nCAP = Decimal('1.2345') * 2\n": "result <= CAP",
    "def fine(a, b):\n    return a == 0 or b > 1\n": "fine(result, 5 // x)",
}


@pytest.mark.parametrize("before", UNCERTAIN)
def test_a_condition_on_what_is_not_certain_is_not_read(before: str) -> None:
    contracts = read(IMPORTS + before + ENSURE.format(UNCERTAIN[before]) + F)
    assert contracts.spec is not None
    assert [each.text for each in contracts.unread] == [UNCERTAIN[before]]
    assert contracts.spec.ensures == ()


def test_what_a_star_import_may_bind_is_not_certain() -> None:
    contracts = read(f"{IMPORTS}CAP = 5\nfrom shop import *\n{ENSURE.format('result < CAP')}{F}")
    assert contracts.spec is None
    assert "a star import may bind it" in contracts.unread[0].why


@pytest.mark.parametrize("condition", ["result == x.quantize(step)", "result == x.quantize(cents('0.01'))"])
def test_a_step_of_rounding_is_the_decimal_that_is_written(condition: str) -> None:
    contracts = read(
        f"{IMPORTS}step = Decimal('0.01')\ndef cents(text):\n    return Decimal('1')\n"
        "@icontract.require(lambda x, step: 0 <= x <= 1 and 0 <= step <= 1)\n"
        f"@icontract.ensure(lambda x, step, result: {condition})\n"
        "def f(x: Decimal, step: Decimal) -> Decimal:\n    return x\n"
    )
    assert ["a step such as" in each.why for each in contracts.unread] == [True]


SECTIONS = {
    "post: _ > 0\n        and _ < 5": [],
    "post: _ > 0\n    and _ < 5": [],
    "post:\n        not (\n        _ > 0\n        )": [],
    "post:\n        # what it gives\n        _ > 0\n\n        _ < x": ["result > 0", "result < x"],
    "post: _ > 0\n    :post: _ < 5": ["result > 0", "result < 5"],
}


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_of_a_docstring_is_read_as_a_whole(section: str) -> None:
    for before in ("", "About it.\n\n    "):
        contracts = read(f'def f(x: int) -> int:\n    """{before}{section}\n    """\n    return x\n')
        assert contracts.spec is not None
        assert [each.that.text for each in contracts.spec.ensures] == SECTIONS[section]
        assert bool(contracts.unread) is (SECTIONS[section] == [])


def test_a_section_without_a_condition_is_not_read() -> None:
    contracts = read('def f(x: int) -> int:\n    """pre:\n    post: _ > 0"""\n    return x\n')
    assert [each.why for each in contracts.unread] == ["there is no condition in it"]


@pytest.mark.parametrize(("default", "fits"), [("None", False), ("0.5", False), ("True", False), ("LIMIT", True)])
def test_a_default_of_another_type_is_named(default: str, fits: bool) -> None:
    text = F.replace("int)", f"int = {default})")
    contracts = read(f"{IMPORTS}LIMIT = 3\n{ENSURE.format('result == x')}{text}")
    assert (contracts.unread == ()) is fits


def test_long_conditions_that_begin_alike_are_told_apart() -> None:
    long = " or ".join(f"x / {n} > result" for n in range(1, 30))
    first, second = (read(IMPORTS + ENSURE.format(each) + F).unread for each in (long, f"{long} or x > 1"))
    assert first[0].text != second[0].text
    assert len(first[0].text) <= 100


def test_a_function_whose_contracts_are_switched_off_has_none() -> None:
    off = "@icontract.ensure(lambda result: result > 5, enabled=False)\n"
    module = read_contracts(
        ast.parse(f"{IMPORTS}{off}{F}{off}def g(x: int) -> int:\n    assert x > 0\n    return x\n"), "m"
    )
    assert module.none == (("f (switched off)", 4),)
    assert [each.name for each in module.functions] == ["g"]


def test_what_is_assumed_and_what_lacks_contracts_stands_in_every_report(
    neurosym: Neurosym, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.neurosym]\ntypes = "off"\nproof = false\nexamples = 1\ntime_limit = 60\n'
        '[[tool.neurosym.check]]\nmodule = "has"\ncontracts = true\n'
    )
    Path("has.py").write_text('def f(x: int) -> int:\n    """pre: 0 <= x"""\n    return x\n')
    Path("none.py").write_text("TABLE = 1\n")
    names = {"--junit": "all.xml", "--sarif": "all.sarif", "--markdown": "all.md"}
    modules = ("--contracts", "has.py", "--contracts", "none.py")
    ran = neurosym("check", *modules, *(word for option in names.items() for word in option), "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["exit_code"]) == (5, 5)
    assert document["functions"][0]["admission"] == "admitted"
    assumed, lacking = "x at most 1,000,000", "no function of this module has contracts"
    assert assumed in document["functions"][0]["result"]["candidates"][0]["notes"][0]["message"]
    assert lacking in document["remarks"][0]["message"]
    for name in names.values():
        assert assumed in Path(name).read_text()
        assert lacking in Path(name).read_text()
    top = ElementTree.parse("all.xml").getroot()
    assert [top.get(each) for each in ("tests", "failures")] == ["7", "0"]
    assert len(list(top.iter("skipped"))) == 1
    console = neurosym("check", *modules)
    assert assumed in console.out
    assert lacking in " ".join(console.out.split())
    assert neurosym("check", *modules, "--print-specs").code == 5


def test_a_module_that_is_changed_meanwhile_is_not_judged_by_the_contracts_it_had(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text('def f(x: int) -> int:\n    """post: _ > 5"""\n    return x\n')
    settings = settings_of_modules([module], None)
    planned = plan_modules([module], settings, str)
    module.write_text("def f(x: int) -> int:\n    return x\n")
    with pytest.raises(ContractsError, match="changed after its contracts were read"):
        next(check(planned.subjects, settings))


def test_modules_have_names_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "tools").mkdir()
    (tmp_path / "pyproject.toml").write_text('[[tool.neurosym.check]]\nmodule = "fees"\ncontracts = true\n')
    files = [tmp_path / "src/fees.py", tmp_path / "tools/fees.py"]
    for file in files:
        file.write_text('def f(x: int) -> int:\n    """post: _ > 5"""\n    return x\n')
    planned = plan_modules(files, settings_of_modules(files, None), str)
    assert [each.name for each in planned.subjects] == ["fees:f", "tools.fees:f"]
