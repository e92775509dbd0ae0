"""What each mending codemod makes of a text, and what it leaves alone: before and after."""

from __future__ import annotations

import pytest
from neurosym_specs.model import Spec

from neurosym.rewrite import Group, Rewriting, names_of, rewrite
from tests.cli.shared import RIGHT
from tests.rewrite.conftest import Rewritten, delivered

CASES: dict[str, list[tuple[str, str]]] = {
    "fences": [
        ("Sure!\n```python\ndef late_fee(a, b):\n    return a\n```\nEnjoy.\n", "def late_fee(a, b):\n    return a\n"),
        ("~~~\ndef late_fee(a, b):\n    return a\n", "def late_fee(a, b):\n    return a\n"),
        (
            "Constants:\n```py\nCENT = 1\n```\nThe function:\n```py\ndef late_fee(a, b):\n    return CENT\n```\n",
            "CENT = 1\n\ndef late_fee(a, b):\n    return CENT\n",
        ),
        (
            "```py\ndef late_fee(a, b):\n    return a\n```\nUse it:\n```py\nprint(late_fee(1, 2))\n```\n",
            "def late_fee(a, b):\n    return a\n",
        ),
    ],
    "prose": [
        ("Here is the code.\n\ndef late_fee(a, b):\n    return a\n", "\ndef late_fee(a, b):\n    return a\n"),
        (
            "def late_fee(a, b):\n    return a\n\nIt's exact and it doesn't round.\n- Two of these\n",
            "def late_fee(a, b):\n    return a\n\n",
        ),
        ("x = 1\nThis line explains what follows\ny = 2\n", "x = 1\ny = 2\n"),
    ],
    "main-block": [
        ("x = 1\nif __name__ == '__main__':\n    print(x)\n    # done\ny = 2\n", "x = 1\ny = 2\n"),
        ("x = 1\n\nif '__main__' == __name__: x = 2\n", "x = 1\n\n"),
    ],
    "prints": [
        ("def f(a):\n    print(a, len(a))  # why\n    return a\n", "def f(a):\n    return a\n"),
        (
            "def f(a):\n    if a:\n        print('a')\n    return a\n",
            "def f(a):\n    if a:\n        pass\n    return a\n",
        ),
        ("def f(a):\n    x = a; print(x); return x\n", "def f(a):\n    x = a; pass; return x\n"),
        ("def f(a):\n    return a\n\nprint(f(1))\n", "def f(a):\n    return a\n\n"),
        ("n = int(input('n? '))\nm = n + 1\nprint(m)\ndef f(a):\n    return a\n", "def f(a):\n    return a\n"),
    ],
    "name": [
        (
            "def fee(balance, days):\n    return fee(balance, days - 1) if days else balance\nalias = fee\n",
            "def late_fee(balance, days):\n    return late_fee(balance, days - 1) if days else balance\n"
            "alias = late_fee\n",
        ),
        (
            "def cap(x, y):\n    return min(x, y)\ndef fee(b, d):\n    return cap(b, d)\n",
            "def cap(x, y):\n    return min(x, y)\ndef late_fee(b, d):\n    return cap(b, d)\n",
        ),
        (
            "def helper(x):\n    return x\ndef fee(b, d=1):\n    return b\n",
            "def helper(x):\n    return x\ndef late_fee(b, d=1):\n    return b\n",
        ),
    ],
    "imports": [
        (
            '"""What it is."""\nfrom __future__ import annotations\nx = math.floor(Fraction(1, 2))\n',
            '"""What it is."""\nfrom __future__ import annotations\nimport math\nfrom fractions import Fraction\n'
            "x = math.floor(Fraction(1, 2))\n",
        ),
        ("# first\nx = ROUND_HALF_UP\n", "# first\nfrom decimal import ROUND_HALF_UP\nx = ROUND_HALF_UP\n"),
        ("x = datetime.timedelta(1)\r\n", "import datetime\r\nx = datetime.timedelta(1)\r\n"),
        ("x = datetime(2024, 1, 1)\n", "from datetime import datetime\nx = datetime(2024, 1, 1)\n"),
        (
            "x: Sequence[int] = deque()\n",
            "from collections import deque\nfrom collections.abc import Sequence\nx: Sequence[int] = deque()\n",
        ),
    ],
    "annotations": [
        (
            "def late_fee(balance, days_overdue=0):\n    return balance\n",
            "def late_fee(balance: Decimal, days_overdue: int = 0) -> Decimal:\n    return balance\n",
        ),
        (
            "def late_fee(balance: Decimal, days_overdue):\n    return balance\n",
            "def late_fee(balance: Decimal, days_overdue: int) -> Decimal:\n    return balance\n",
        ),
    ],
}

LEFT_ALONE: dict[str, list[str]] = {
    "fences": [
        '"""A docstring.\n```python\nx = 1\n```\n"""\ndef f():\n    return 1\n',
        "```py\ndef late_fee(a, b):\n    return a\n```\nor\n```py\ndef late_fee(a, b):\n    return b\n```\n",
        "```text\nnothing\n```\n",
    ],
    "prose": ["x = (1,\n", "def f(:\n    return 1\n", "def late_fee(a, b):\n    retrun a\n"],
    "main-block": [
        "if __name__ == '__main__':\n    x = 1\nelse:\n    x = 2\n",
        "if __name__ == 'x':\n    y = '__main__'\n",
    ],
    "prints": [
        "def f(a):\n    print(a.pop())\n    return a\n",
        "def f(a):\n    print(a := 1)\n    return a\n",
        "def print(x):\n    return x\nprint(1)\n",
        "rate = float(input())\ndef f(a):\n    return a * rate\n",
        "def f(a):\n    return print(a)\n",
    ],
    "name": [
        "def one(a, b):\n    return a\ndef two(a, b):\n    return b\n",
        "def fee(a):\n    return a\n",
        "def fee(a, b):\n    late_fee = a\n    return late_fee\n",
        "async def fee(a, b):\n    return a\n",
        "class Fee:\n    def fee(self, a):\n        return a\n",
        "def fee(a, b):\n    return a\nfee = cache(fee)\n",
    ],
    "imports": [
        "x = Decimal(1)\n",
        "def f(Fraction):\n    return Fraction\n",
        "x = add(1, 2)\n",
        "x = numpy.array([1])\n",
        "x = os.getcwd()\n",
        "from math import *\nx = floor(Fraction(1))\n",
        "x = unknown_name\n",
    ],
    "annotations": [
        "def late_fee(balance: float, days_overdue: int) -> float:\n    return balance\n",
        "class Decimal: ...\ndef late_fee(balance: Decimal, days_overdue: int):\n    return balance\n",
        "def other(balance, days):\n    return balance\n",
    ],
}


@pytest.mark.parametrize(("codemod", "before", "after"), [(n, b, a) for n, all_ in CASES.items() for b, a in all_])
def test_it_mends(rewritten: Rewritten, codemod: str, before: str, after: str) -> None:
    assert rewritten(before, codemod) == after
    assert rewritten(after, codemod) == after, "it does not come to rest"


@pytest.mark.parametrize(("codemod", "text"), [(n, t) for n, all_ in LEFT_ALONE.items() for t in all_])
def test_it_leaves_alone(rewritten: Rewritten, codemod: str, text: str) -> None:
    assert rewritten(text, codemod) == text


def test_every_mending_codemod_has_its_cases() -> None:
    assert set(CASES) == set(LEFT_ALONE) == set(names_of(Group.MEND))


@pytest.mark.parametrize("text", [RIGHT, RIGHT.replace("\n", "\r\n"), RIGHT + "# 借方\t", "x = 1", "", "\f\nx = 'é'\n"])
def test_nothing_to_do_gives_the_text_back(fee: Spec, text: str) -> None:
    source = delivered(text)
    found = rewrite(source, fee, names_of(Group.MEND))
    assert isinstance(found, Rewriting)
    assert found.source is source
    assert found.rewrites == ()


def test_what_it_did_is_listed_with_its_diff(fee: Spec) -> None:
    found = rewrite(delivered("```\ndef fee(a, b):\n    return a\n```\n"), fee, ["fences", "name", "imports"])
    assert isinstance(found, Rewriting)
    assert [each.name for each in found.rewrites] == ["fences", "name"]
    assert "-def fee(a, b):\n+def late_fee(a, b):" in found.rewrites[1].diff
