"""Enums and data classes of the program's own. Each program is read as CPython runs it on many inputs, or not read."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.reading.data.values import NotRead

from tests.verifiers.test_reading_constructs import function, held_against_cpython

COIN = "import enum\nfrom enum import IntEnum, auto\nclass Coin(IntEnum):\n    ONE = 1\n    TWO = 2\n    TEN = 10\n"
STATUS = "class Status(str, Enum):\n    PAID = 'PAID'\n    OPEN = 'OPEN'\n    LATE = 'LATE'\n"
SIDE = """\
class Side(Enum):
    LEFT = -3
    MIDDLE = 0
    RIGHT = 5

    @property
    def sign(self):
        return (self.value > 0) - (self.value < 0)

    def shifted(self, by, times=1):
        return self.value + by * times

    @classmethod
    def of(cls, number):
        return cls.LEFT if number < 0 else cls(5)

    @staticmethod
    def twice(number):
        return 2 * number


"""
SHARE = """\
from dataclasses import dataclass, field
@dataclass(frozen=True, order=True)
class Share:
    rest: int
    place: int = field(default=4)
    cents: int = field(default=0, compare=False)

    @classmethod
    def of(cls, number, *, place=1):
        return cls(number % 5, place, number)


"""
YIELDING = """\
from dataclasses import dataclass
@dataclass
class Parts:
    size: int

    @property
    def each(self):
        yield 1
        yield 10 // self.size


@dataclass
class Late:
    size: int

    def __post_init__(self):
        yield 10 // self.size


def parts(z):
    yield 10 // z


"""
BIN = """\
from dataclasses import dataclass, field
@dataclass
class Bin:
    size: int
    parts: list = field(default_factory=list, repr=False)


"""
LOT = "class Lot(NamedTuple):\n    n: int\n    cost: int = 2\n"

READ = [
    (YIELDING + function("for y in Parts(x).each:\n    return y\nreturn 3"), "int"),
    (YIELDING + function("return sum(y for y in Parts(x).each)"), "int"),
    # Members that are numbers
    (COIN + function("return Coin.TEN + x - Coin.ONE * n"), "int"),
    (COIN + function("return Coin(n).value"), "int"),
    (COIN + function("try:\n    coin = Coin(n)\nexcept ValueError:\n    return -1\nreturn x // coin * coin.value"), "int"),
    (COIN + function("coin = Coin.TEN if on else Coin.TWO\nreturn x % coin + (coin == 10) + (coin is Coin.TWO)"), "int"),
    (COIN + function("return 1 if Coin.TWO < n <= Coin.TEN else 0"), "int"),
    (COIN + function("return sum(Coin) + len(Coin) + max(Coin) + sum(c.value * n for c in Coin if c > x)"), "int"),
    (COIN + function("return 1 if n in list(Coin) else 2 if n in (Coin.TEN, 7) else 3"), "int"),
    (COIN + function("return {1: 5, 2: 6, 10: 7}[Coin(n)]"), "int"),
    (COIN + function("return (10, 20, 30)[Coin.TWO] + abs(-Coin.TEN) + int(Coin.ONE) + bool(Coin.ONE)"), "int"),
    (COIN + function("match n:\n    case Coin.ONE:\n        return 5\n    case Coin.TEN:\n        return 6\nreturn x"), "int"),
    (COIN + function("return Coin['TEN'] + Coin['ONE' if on else 'TWO'].value"), "int"),
    (COIN + function("return (d / Coin.TEN + Decimal(Coin.TWO)) * Coin(2)"), "decimal"),
    (COIN + function("return 1 if Coin.ONE == grade else 2"), "int"),
    ("from enum import IntEnum, auto\nclass Band(IntEnum):\n    A = auto()\n    B = auto()\n    C = 7\n    D = auto()\n"
     + function("return Band.A + 10 * Band.B + 100 * Band.D + (Band(8) is Band.D)"), "int"),
    ("import enum\nclass Band(enum.Enum):\n    A = -1\n    B = enum.auto()\n" + function("return Band.B.value + x"), "int"),
    # Members that are texts
    (STATUS + function("s = Status.PAID if x > 0 else Status.OPEN\nreturn {'PAID': 1, 'OPEN': 2}[s.value]"), "int"),
    (STATUS + function("return 1 if Status('PAID') == 'PAID' and Status.OPEN != Status.LATE else 2"), "int"),
    (STATUS + function("return {'PAID': x, 'OPEN': n}[Status.OPEN if on else Status.PAID]"), "int"),
    (STATUS + function("return ['PAID', 'LATE'].index(Status.LATE)"), "int"),
    # What members say of themselves
    (function("return {'LOW': 1, 'MID': 2, 'TOP': 3}[grade.name] * 10 + grade.value"), "int"),
    (function("return sum(g.value * 3 for g in Grade if g is not grade) + len(Grade)"), "int"),
    (function("return max(Grade, key=lambda g: (g is grade, g.value)).value"), "int"),
    (function("return Grade['MID' if on else 'TOP'].value - Grade(n).value"), "int"),
    (SIDE + function("return Side.of(x).value + Side.of(x).sign * 100 + Side.RIGHT.shifted(x, times=n)"), "int"),
    (SIDE + function("side = Side.MIDDLE if on else Side(5)\nreturn Side.twice(side.shifted(n)) + side.twice(x)"), "int"),
    (SIDE + function("return Side(n - 3).value"), "int"),
    # Data classes
    (SHARE + function("return 1 if Share(x) < Share(n, 3) else 0"), "int"),
    (SHARE + function("return Share(1, n, 5) == Share(1, 3, x)"), "bool"),
    (SHARE + function("a, b = Share.of(x), Share.of(n, place=2)\nreturn max(a, b).cents"), "int"),
    (SHARE + function("rows = sorted([Share.of(n), Share.of(n + 1), Share.of(7)], reverse=True)\n"
                      "return rows[0].cents * 100 + rows[2].rest"), "int"),
    (BIN + function("a = Bin(x)\na.parts.append(n)\nb = Bin(x)\nreturn len(b.parts) + a.parts[0]"), "int"),
    (LOT + function("a, b = Lot(n), Lot(x, cost=3)\nreturn (min(a, b).cost, a < b)[0] + (a <= b)"), "int"),
    ("from dataclasses import dataclass\n@dataclass(kw_only=True)\nclass P:\n    a: int = 3\n    b: int\n"
     + function("return P(b=x).a + P(a=n, b=1).b"), "int"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), READ)
def test_is_read_as_cpython_runs_it(source: str, output: str) -> None:
    held_against_cpython(source, output)


REFUSED = [
    # What yields is not gone through by the call
    YIELDING + function("return 1 if 1 in Parts(x).each else 0"),
    YIELDING + function("return next(Parts(x).each)"),
    YIELDING + function("return Late(x).size"),
    YIELDING + function("return len(list(map(parts, (1, x))))"),
    YIELDING + function("return max([x], key=parts)"),
    YIELDING + function("return sorted([x], key=parts)[0]"),
    # A member that is more is another result, and another key
    COIN + function("return Coin.ONE"),
    COIN + function("return {Coin.ONE: 1, 2: 3}[n]"),
    COIN + function("return Coin.ONE.bit_length()"),
    "from enum import IntEnum\nclass Grade(IntEnum):\n    LOW = 0\n    MID = 1\n    TOP = 2\n" + function("return x"),
    # What an enum does otherwise
    "class Side(Enum):\n    A = 1\n    @classmethod\n    def _missing_(cls, value):\n        return cls.A\n"
    + function("return Side(x).value"),
    "class Side(Enum):\n    A = 1\n    def __eq__(self, other):\n        return True\n    __hash__ = None\n"
    + function("return 1 if Side.A == x else 0"),
    "class Side(Enum):\n    A = 1\n    B = 1\n" + function("return len(Side)"),
    "class Side(Enum):\n    A = 1\n    B = True\n" + function("return len(Side)"),
    "from enum import IntFlag\nclass Side(IntFlag):\n    A = 1\n    B = 2\n" + function("return Side(3).value"),
    "from enum import unique\n@unique\nclass Side(Enum):\n    A = 1\n" + function("return Side.A.value"),
    "from enum import auto\nclass Side(Enum):\n    A = 5\n    B = 2\n    C = auto()\n" + function("return Side.C.value"),
    "class Side(Enum):\n    A = 1\n    B = 'b'\n" + function("return 1 if Side.B.value == 'b' else 0"),
    STATUS + function("return 1 if Status.PAID.lower() == 'paid' else 0"),
    # Data classes that are compared otherwise
    "@dataclass(eq=False)\nclass P:\n    a: int\n" + function("return 1 if P(x) == P(x) else 0"),
    "@dataclass\nclass P:\n    a: int\n" + function("return 1 if P(x) < P(n) else 0"),
    LOT + function("return 1 if Lot(x, 2) == (x, 2) else 0"),
    "from dataclasses import field\n@dataclass\nclass P:\n    a: int = field(init=False)\n" + function("return P().a"),
    "from dataclasses import field\n@dataclass\nclass P:\n    a: int = field(default=1, compare=x)\n" + function("return x"),
    # A default that is evaluated in the class, which has that name itself
    "a = 9\n@dataclass\nclass P:\n    a: int = 1\n    b: int = a + 1\n" + function("return P().b"),
    "a = 9\nclass P(NamedTuple):\n    a: int = 1\n    b: int = a + 1\n" + function("return P().b"),
    "from dataclasses import field\ndef b(q=0):\n    return 9\n@dataclass\nclass P:\n    a: int = 1\n    def b(self=0):\n        return 7\n"
    "    c: int = field(default_factory=b)\n" + function("return P(5).c"),
    "@dataclass\nclass P:\n    a: int = 1\n    def property(self):\n        return 7\n    @property\n    def c(self):\n        return 5\n" + function("return P(5).c"),
    # A member that is a text is shown by its own name
    STATUS + function("return len('%s' % Status.PAID)"),
    STATUS + function("return len('%s-%s' % (Status.PAID, 'a'))"),
    # A pattern that asks for more than there is
    "@dataclass\nclass P:\n    a: int\n" + function("match P(x):\n    case P(a, b):\n        return 1\nreturn 2"),
    "@dataclass\nclass P:\n    a: int\n" + function("match P(x):\n    case P(3, a=3):\n        return 1\nreturn 2"),
    # Names that get another meaning after something was made with them
    "@dataclass\nclass P:\n    a: int\n    def v(self):\n        return g()\ndef g():\n    return 1\nK = P(1).v()\ndef g():\n    return 2\n" + function("return K"),
    "class P(Enum):\n    A = 1\n    @property\n    def v(self):\n        return g()\ndef g():\n    return 1\nK = P.A.v\ndef g():\n    return 2\n" + function("return K"),
    "class E(ValueError):\n    pass\nclass F(E):\n    pass\nclass E(KeyError):\n    pass\n" + function("try:\n    raise F\nexcept E:\n    return 1\nexcept ValueError:\n    return 2"),
    SHARE.replace("@classmethod", "@classmethod\n    @property") + function("return Share.of.rest"),
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_surely_the_same_is_not_read(source: str) -> None:
    with pytest.raises(NotRead):
        held_against_cpython(source, "int")


LOTS = """
spec = 1
name = "f"
[inputs]
a = "Lot"
b = "Lot"
[types.Lot]
type = "record"
as = "{form}"
fields = {{ cost = {{ type = "int", min = 0, max = 3 }}, note = {{ type = "int", min = 0, max = 3 }} }}
[output]
type = "int"
[[ensure]]
that = "result >= 0"
"""
HEAD = "from dataclasses import dataclass, field\nfrom typing import NamedTuple\n"
BODY = "\n\ndef f(a, b):\n    return {}\n"


@pytest.mark.parametrize(
    ("form", "declared", "returned"),
    [
        (
            "dataclass",
            "@dataclass\nclass Lot:\n    cost: int\n    note: int = field(compare=False)",
            "1 if a == b else 0",
        ),
        ("dataclass", "class Lot(NamedTuple):\n    cost: int\n    note: int", "1 if a == b else 0"),
        ("namedtuple", "class Lot(NamedTuple):\n    note: int\n    cost: int", "a[0]"),
        ("namedtuple", "@dataclass\nclass Lot:\n    cost: int\n    note: int", "a[0]"),
        ("namedtuple", "def Lot():\n    return 1", "a[0]"),
        ("dict", "", "list(a.values())[0]"),
    ],
)
def test_inputs_that_the_program_takes_for_others_are_not_read(form: str, declared: str, returned: str) -> None:
    with pytest.raises(NotRead):
        Reader(spec_from_toml(LOTS.format(form=form))).run(HEAD + declared + BODY.format(returned))


@pytest.mark.parametrize(
    ("form", "declared", "returned"),
    [
        (
            "dataclass",
            "@dataclass(order=True)\nclass Lot:\n    cost: int\n    note: int = field(default=1)",
            "1 if a == Lot(2) else 0",
        ),
        ("namedtuple", "class Lot(NamedTuple):\n    cost: int\n    note: int = 5", "a[0] + Lot(1).note"),
        ("dict", "", "a['cost'] + sum(b.values())"),
    ],
)
def test_classes_that_the_program_declares_itself_are_read(form: str, declared: str, returned: str) -> None:
    assert Reader(spec_from_toml(LOTS.format(form=form))).run(HEAD + declared + BODY.format(returned)).exits
