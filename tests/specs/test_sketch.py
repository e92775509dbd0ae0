"""What a sketch leaves open: how holes are read, what is wrong with one, and what stands there when it is filled."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_specs.sketch_reader import SketchError, read_sketch
from neurosym_specs.types import DecimalType, EnumType, IntType, StrType
from neurosym_specs.values import WrittenDecimal

SPEC = """
spec = 1
name = "f"
[types.kind]
type = "enum"
class = "Kind"
choices = ["RETAIL", "CORPORATE"]
[inputs]
x = { type = "int", min = 0, max = 9 }
kind = "kind"
[output]
type = "int"
[[hole]]
name = "cap"
type = "int"
min = -9
max = 9
[[hole]]
name = "who"
type = "kind"
"""


@pytest.fixture(scope="module")
def spec() -> Spec:
    return spec_from_toml(SPEC)


def test_a_hole_has_its_type_from_the_spec_or_where_it_stands(spec: Spec) -> None:
    text = (
        "from decimal import Decimal\nfrom datetime import date\n"
        "def f(x, kind):\n"
        "    a = [hole('cap'), hole('cap')]\n"
        "    b = kind is hole('who')\n"
        "    c = hole('rate', Decimal, ('0', '0.5'), places=3) + hole('n', 'int', (1, 5)) + hole('yes', bool)\n"
        "    d = hole('late', between=(x, 3)), hole('side', between=(x, 1), choices=['<', '<='])\n"
        "    return hole('day', 'date', ('2024-01-01', '2024-12-31'))\n"
    )
    sketch = read_sketch(text, spec, "f.py")
    assert [*sketch.holes] == ["cap", "who", "rate", "n", "yes", "late", "side", "day"]
    assert sketch.holes["cap"] == IntType(min=Fraction(-9), max=Fraction(9))
    assert isinstance(sketch.holes["who"], EnumType)
    assert sketch.holes["rate"] == DecimalType(min=Fraction(0), max=Fraction(1, 2), places=(3, 3))
    assert sketch.holes["side"] == StrType(choices=("<", "<="))
    assert (sketch.compares("late"), sketch.compares("cap")) == (True, False)
    values = {"cap": -3, "who": "RETAIL", "rate": WrittenDecimal(Fraction(1, 4), 3), "n": 2, "yes": True}
    filled = sketch.filled({**values, "late": ">=", "side": "<", "day": date(2024, 7, 1)})
    assert filled == (
        "from decimal import Decimal\nfrom datetime import date\n"
        "def f(x, kind):\n"
        "    a = [(-3), (-3)]\n"
        "    b = kind is Kind.RETAIL\n"
        '    c = Decimal("0.250") + 2 + True\n'
        "    d = (x >= 3), (x < 1)\n"
        "    return date(2024, 7, 1)\n"
    )


def test_the_sides_of_a_comparison_may_be_open_and_stand_behind_letters_of_several_bytes(spec: Spec) -> None:
    text = "def f(x, kind):\n    é = 'ü'; y = hole('c', between=(x +\n        1, hole('cap')))  # ß\n    return (y)\n"
    filled = read_sketch(text, spec, "f.py").filled({"c": "<", "cap": 4})
    assert filled == "def f(x, kind):\n    é = 'ü'; y = ((x +\n        1) < 4)  # ß\n    return (y)\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(x, kind): return x", 'f.py: it leaves nothing open (write hole("name") in place of a value)'),
        ("def f(x, kind:\n", "f.py, line 1: no Python"),
        ("def f(x, kind): return hole('cp')", 'line 1: the hole "cp" has no type (did you mean "cap"? else declare'),
        (
            "y = hole('n', 'int', (0, 1))\nz = hole('n', 'int', (0, 2))",
            'line 2: the hole "n" is of another type than at',
        ),
        ("y = hole('n', 'int', (0, 1))\nz = hole('n', between=(1, 2))", 'line 2: the hole "n" compares two sides'),
        ("y = hole('cap', 'int', (0, 1))", "of another type than in the spec"),
        ("y = hole('n', 'int', (2, 1))", 'line 1: the hole "n": '),
        ("y = hole('n', 'int', (1, 2, 3))", "a range has two ends"),
        ("y = hole('n', 'str')", "of a type that no hole has (int, decimal with places, bool"),
        ("y = hole('n', 'float')", "of a type that no hole has"),
        ("y = hole('n', 'decimal')", "a decimal without places (places=2)"),
        ("y = hole('n', 'decimal', places=2)", "is a Decimal, which is not imported (from decimal import Decimal)"),
        ("y = hole('n', 'int', mx=3)", 'line 1: the hole "n": unknown key "mx"'),
        ("y = hole('n', 'int', max=x)", "the type of a hole is written out"),
        ("y = hole('n', between=3)", "between takes the two sides of a comparison"),
        ("y = hole('n', 'int', between=(1, 2))", "the hole"),
        (
            "def f(x, kind=hole('cap')): ...",
            "line 1: a hole in a default argument (leave it open in the function's body)",
        ),
        ("def f(x, kind): return lambda a=hole('cap'): a", "a hole in a default argument"),
        ("def f(x, kind): return f'{hole(\"cap\")}'", "a hole in an f-string"),
        ("y: hole('cap') = 3", "a hole in an annotation"),
        ("y = hole", 'line 1: hole is called where it stands (write hole("name"))'),
        ("y = hole(name)", "a hole without a name"),
        ("y = hole('class', 'int')", "is a keyword of Python"),
        ("def hole(x): return x\ny = hole('cap')", "line 1: hole has another meaning here"),
    ],
)
def test_what_is_wrong_with_a_sketch_is_said_with_its_line(spec: Spec, text: str, said: str) -> None:
    with pytest.raises(SketchError) as error:
        read_sketch(text, spec, "f.py")
    assert said in str(error.value)
    assert (error.value.exit_code, error.value.code) == (2, "NS705")
