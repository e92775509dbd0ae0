"""What models write beside plain functions: methods, generators, contexts, guards, messages. Each program is read as
CPython runs it on many inputs, or not read."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.reading.data.values import NotRead

from tests.verifiers.programs import PRELUDE, SPEC, random_inputs
from tests.verifiers.test_reading import by_python, by_reading

HEAD = """\
import bisect
import operator
from dataclasses import dataclass
from decimal import localcontext
from fractions import Fraction
from functools import partial, reduce
from itertools import accumulate, chain, pairwise, starmap
from operator import attrgetter, itemgetter
from typing import NamedTuple
"""
BORDERS: tuple[dict[str, Any], ...] = (
    {},
    {"x": 0},
    {"x": -1, "on": False},
    {"x": 1, "n": 1, "on": True},
    {"x": 7, "n": 7},
    {"d": Decimal("0.00")},
    {"d": Decimal("-0.01"), "x": -200},
)


def held_against_cpython(source: str, output: str) -> None:
    """Raises ``NotRead``, or fails where the reading differs from CPython."""
    spec = spec_from_toml(SPEC.format(output=output))
    source = PRELUDE + HEAD + source
    run = Reader(spec).run(source)
    namespace: dict[str, Any] = {"__name__": __name__}  # which dataclasses look up
    exec(compile(source, "program", "exec"), namespace)
    rng = random.Random(5)
    for given in (*BORDERS, *({} for _ in range(40))):
        inputs = random_inputs(rng) | given
        found, expected = by_reading(run, spec, inputs), by_python(namespace, inputs)
        assert found == expected, f"{inputs}\nCPython: {expected}\nread: {found}"


def function(body: str) -> str:
    return "def f(x, n, d, r, day, on, grade):\n" + "\n".join("    " + line for line in body.splitlines()) + "\n"


LINE = """\
@dataclass(frozen=True)
class Line:
    quantity: int
    price: Decimal
    rate: int = 3

    def __post_init__(self):
        if self.quantity < 1:
            raise ValueError(f"quantity {self.quantity} of {self.price}")

    @property
    def amount(self):
        return self.price * self.quantity

    def with_tax(self, more=0):
        return self.amount * (100 + self.rate + more) / 100


"""
PAIR = """\
class Pair(NamedTuple):
    low: int
    high: int

    def clamp(self, value):
        return min(max(value, self.low), self.high)

    @property
    def width(self):
        return self.high - self.low


"""
PARTS = """\
def parts(count, step):
    left = count
    for size in (3, 5, 100):
        if left <= 0:
            return
        taken = min(size, left)
        left -= taken
        yield taken * step
    if left > 0:
        yield -left


"""

READ = [
    # Classes
    (LINE + function("return Line(x, d).amount"), "decimal"),
    (LINE + function("return Line(quantity=n, price=d, rate=2).with_tax(n)"), "decimal"),
    (LINE + function("line = Line(n, d)\nreturn line.with_tax(more=1) - line.amount"), "decimal"),
    (LINE + function("try:\n    Line(x, d)\nexcept ValueError:\n    return -1\nreturn 1"), "int"),
    (LINE + function("return sum(line.quantity for line in [Line(n, d), Line(n + 1, r)])"), "int"),
    (PAIR + function("return Pair(-n, n).clamp(x)"), "int"),
    (PAIR + function("return Pair(*sorted((x, n))).width"), "int"),
    (PAIR + function("low, high = Pair(x, n)\nreturn low * 10 + high"), "int"),
    (PAIR + function("g = Pair(0, n).clamp\nreturn g(x)"), "int"),
    # Guards that see what the pattern binds
    (function("match x:\n    case y if y < 0:\n        return -y\n    case 0:\n        return 5\n    case y if y > n:\n"
              "        return y\n    case _:\n        return 9"), "int"),
    (function("match (x, n):\n    case (a, b) if a > b:\n        return a\n    case (a, _) if a < 0:\n        return -a"
              "\n    case (_, b):\n        return b"), "int"),
    (function("y = 1\nmatch x:\n    case y if y > n:\n        return 2\n    case _:\n        return y"), "int"),
    (function("match x:\n    case y if n // y > 2:\n        return 1\n    case _:\n        return 2"), "int"),
    # Names that are assigned in expressions
    (function("if (y := x * 2) > n and y < 50:\n    return y\nreturn y - 1"), "int"),
    (function("t = 0\nwhile (left := n - t) > 3:\n    t += 2\nreturn left * 10 + t"), "int"),
    (function("return (y := x + 1) * y + sum([z := n, z])"), "int"),
    (function("return y if (y := n) > x else -y"), "int"),
    (function("match (x, [n]):\n    case (0, []):\n        return 1\n    case (y, [a]) if a > y:\n        return a"
              "\n    case (y, zs):\n        return y - len(zs)"), "int"),
    # Messages
    (function("if x < 0:\n    raise ValueError(f'{x} of {n + 1}: {sum([x, n])} {len([1])}')\nreturn x"), "int"),
    (function("if x < 50:\n    raise ValueError(f'{n // x}')\nreturn x"), "int"),
    # Contexts
    (function("with localcontext() as c:\n    c.prec = 50\n    y = d * r * r * r * r * d\n"
              "return y.quantize(CENT, rounding=ROUND_HALF_UP)"), "decimal"),
    (function("with localcontext(prec=40):\n    return d / 8 + r"), "decimal"),
    (function("with localcontext() as c:\n    c.prec = 60\n    if x < 0:\n        raise KeyError\n    y = n\nreturn y"),
     "int"),
    (function("for i in (1, 2, 3):\n    with localcontext() as c:\n        c.prec = 30\n        if i * n > x:\n"
              "            break\nreturn i"), "int"),
    # Generators
    (PARTS + function("return sum(parts(n, x))"), "int"),
    (PARTS + function("return max(parts(n, x)) - min(parts(n, 1)) + len(list(parts(x, 1)))"), "int"),
    (PARTS + function("t = 0\nfor part in parts(n, 2):\n    if part > x:\n        break\n    t += part\nreturn t"),
     "int"),
    (PARTS + function("return sum(p * q for p, q in zip(parts(n + 200, 1), parts(n + 200, x)))"), "int"),
    (PARTS + function("def own():\n    yield x\n    yield from parts(n, 1)\n    yield from [n, x]\nreturn sum(own())"),
     "int"),
    (function("def signs():\n    for i in (1, 2, 3):\n        if i * n < x:\n            yield i\n        else:\n"
              "            yield -i\nt = 0\nfor s in list(signs()):\n    t = 3 * t + s\nreturn t"), "int"),
    (function("def checked():\n    for y in (x, n):\n        if y < 0:\n            raise ValueError('negative')\n"
              "        yield y\nreturn sum(checked())"), "int"),
    (function("def up():\n    try:\n        yield n // x\n        yield 1\n"
              "    except ZeroDivisionError:\n        yield 7"
              "\nreturn sum(up())"), "int"),
    (function("return next((y for y in (3, 7, n) if y > x), -1)"), "int"),
    (function("return next(y * 2 for y in (3, 7, n) if y > x)"), "int"),
    # The standard library
    (function("return sum(starmap(min, ((x, 5), (n, 7)))) + sum(starmap(lambda a, b: a * b, [(x, n)]))"), "int"),
    (function("return sum(starmap(divmod, [])) if on else sum(a * b for a, b in starmap(divmod, [(n, 3)]))"), "int"),
    (function("def up():\n    for y in (x, n):\n        if y < 0:\n            raise ValueError\n        yield y\n"
              "return reduce(operator.add, up(), 0)"), "int"),
    (function("a = list(accumulate([x, n, 3]))\nreturn a[0] + a[1] * 3 + a[2] * 7"), "int"),
    (function("return max(accumulate([x, n, 3], lambda a, b: 2 * a - b, initial=1))"), "int"),
    (function("return sum(a * 10 + b for a, b in pairwise([x, n, 3]))"), "int"),
    (function("return sum(1 for _ in pairwise([x])) + sum(chain([x], (n, 1), range(3)))"), "int"),
    (function("return bisect.bisect_left([0, 5, n], x) * 10 + bisect.bisect_right([0, n, 7, 7], x)"), "int"),
    (function("return bisect.bisect([n, x, 3, -5, 9], 3)"), "int"),
    (function("return reduce(operator.mul, [x, n], 2) + operator.floordiv(x, n) - operator.mod(x, n)"), "int"),
    (function("rows = [(n, x), (x, n)]\nrows.sort(key=itemgetter(1))\na, b = itemgetter(1, 0)(rows[0])\nreturn a - b"),
     "int"),
    (PAIR + function("return sum(map(attrgetter('low'), [Pair(x, n), Pair(n, 3)])) + attrgetter('width')(Pair(x, 1))"),
     "int"),
    (function("g = partial(max, n)\nreturn g(x) + partial(lambda a, b=1: a * 3 + b, b=x)(n)"), "int"),
    (function("return (d.scaleb(-2) + d.scaleb(3)).quantize(CENT, rounding=ROUND_HALF_UP)"), "decimal"),
    (function("y = Fraction(x, 12)\nreturn y.numerator * 100 + y.denominator"), "int"),
    (function("y = Fraction(3, 2) * x / 60\nreturn (2 * y.numerator + y.denominator) // (2 * y.denominator)"), "int"),
    (function("a, b = d.as_integer_ratio()\nreturn a + 7 * b"), "int"),
    (function("def none():\n    return\n    yield 1\nreturn sum(none()) + len(tuple(none()))"), "int"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), READ)
def test_is_read_as_cpython_runs_it(source: str, output: str) -> None:
    held_against_cpython(source, output)


REFUSED = [
    # Classes
    LINE.replace("frozen=True", "eq=False") + function("return 1 if Line(1, d) == Line(1, d) else 0"),
    LINE.replace("def with_tax(", "def __add__(") + function("return Line(1, d) + 1"),
    LINE.replace("self.rate + more", "self.__rate + more") + function("return Line(1, d).with_tax()"),
    LINE.replace("@property", "@staticmethod") + function("return 1 if Line(1, d).amount else 0"),
    LINE.replace("frozen=True", "").replace("raise ValueError", "self.quantity = 1; raise ValueError")
    + function("return Line(x, d).quantity"),
    PAIR.replace("def width", "def low") + function("return Pair(1, 2).low"),
    "@dataclass\nclass Line:\n    n: int\n    n2: int = 0\n" + LINE + function("return Line(1, d).rate"),
    # Names that are assigned where that may not be reached, or elsewhere
    function("y = 1\nif x > 0 and (y := n) > 3:\n    return y\nreturn y"),
    function("y = 1\nz = (y := n) if on else 2\nreturn y + z"),
    function("y = 1\nz = 0 < x < (y := n)\nreturn y"),
    function("z = [y := i for i in (1, x)]\nreturn y"),
    function("g = lambda: (y := n)\ny = 1\ng()\nreturn y"),
    # Contexts
    function("with localcontext() as c:\n    c.prec = 5\n    return int(d * r)"),
    function("with localcontext() as c:\n    y = d * 2\n    c.prec = 50\n    return int(y)"),
    function("with localcontext() as c:\n    c.prec = 50\n    c.Emax = 9\n    return int(d.quantize(CENT))"),
    function("with localcontext() as c:\n    c.prec = n\n    return int(d)"),
    # What needs more digits outside of its context
    function("y = Decimal('1.00000000000000000001')\nwith localcontext() as c:\n    c.prec = 50\n    y = y * y\n"
             "y = y + 0\nreturn 1 if y == Decimal('1.0000000000000000000200000000000000000001') else 0"),
    "ONE = Decimal('1.00000000000000000001') * Decimal('1.00000000000000000001')\n"
    + function("with localcontext(prec=60):\n    return 1 if ONE == Decimal('1.00000000000000000002') else 0"),
    # Generators
    PARTS + function("g = parts(n, 1)\nreturn sum(g) + sum(g)"),
    function("left = n\ndef g():\n    for i in (1, 2, 3):\n        yield left\nt = 0\nfor y in g():\n    left -= 1\n"
             "    t += y\nreturn t"),
    "def g(xs):\n    for i in (0, 1):\n        yield xs[i]\n"
    + function("xs = [1, 2]\nt = 0\nfor y in g(xs):\n    xs[1] = x\n    t += y\nreturn t"),
    function("xs = [1]\ndef g():\n    xs.append(2)\n    yield x\nreturn len(xs) + sum(g()) + len(xs)"),
    function("def g():\n    yield [x]\nreturn sum(y[0] for y in g())"),
    function("def g():\n    y = yield 1\n    yield y\nreturn sum(g())"),
    function("def g():\n    with localcontext() as c:\n        c.prec = 50\n        yield 1\nreturn sum(g())"),
    "def f(x, n, d, r, day, on, grade):\n    yield x\n",
    # What ends an iterator early, or is another error in a generator
    function("def g(y):\n    if y > 2:\n        raise StopIteration\n    return y\nreturn sum(map(g, (1, 3, 2)))"),
    function("def g(y):\n    if y > 2:\n        raise StopIteration\n    return y\nreturn sum(filter(g, (1, 3)))"),
    function("def g():\n    yield 1\n    raise StopIteration\nreturn sum(g())"),
    function("def g():\n    yield next(z for z in (1, 2) if z > x)\nreturn sum(g())"),
    function("return sum(map(lambda y: next(z for z in (1, 2) if z > y), (0, 5, 1)))"),
    function("return sum(starmap(lambda y: next(z for z in (1, 2) if z > y), ((0,), (5,), (1,))))"),
    function("return sum(next(z for z in (1, 2) if z > y) for y in (0, x))"),
    "class E(StopIteration):\n    pass\n"
    + function("def g(y):\n    if y > 2:\n        raise E\n    return y\nreturn sum(map(g, (1, 3, 2)))"),
    # The standard library
    function("return next([x])"),
    function("y = Fraction(x, n)\nreturn y.numerator"),
    function("return 1 if d.scaleb(-2).quantize(d.scaleb(1)) else 2"),
    function("g = partial(sum, (y for y in (x, n)))\nreturn g() + g()"),
    function("return sum(starmap(lambda a, b: a // b, [(n, x), (1, 0)]), {}['a'])"),
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_surely_the_same_is_not_read(source: str) -> None:
    with pytest.raises(NotRead):
        held_against_cpython(source, "int")
