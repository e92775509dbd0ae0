"""Honest programs: a jail that stops these is worth nothing. Each is called with 21 and returns int 42."""

from __future__ import annotations

_EXPRESSIONS = """
decimal: int(decimal.Decimal("0.1") * 10 * x * 2)
decimal: int((decimal.Decimal(x) * 2).quantize(decimal.Decimal("1"), rounding=decimal.ROUND_HALF_EVEN))
decimal: [c := decimal.Context(prec=3), int(c.divide(decimal.Decimal(126), 3))][1]
decimal: [int(f"{decimal.Decimal(x * 2000):,.2f}".replace(",", "").partition(".")[0]) // 1000][0]
decimal: int(decimal.Decimal(1764).sqrt()) if decimal.Decimal("1e30").as_tuple().exponent == 30 else 0
fractions: int(fractions.Fraction(x, 3) * 6)
fractions: fractions.Fraction("0.125").denominator * 5 + 2
datetime: (datetime.date(2024, 2, 29) + datetime.timedelta(days=x)).day * 2
datetime: (datetime.date(2024, 3, 1) - datetime.date(2024, 1, 19)).days
datetime: datetime.datetime.strptime("2024-02-29 10:42", "%Y-%m-%d %H:%M").minute
datetime: datetime.datetime.fromisoformat("2024-02-29T10:42:00+02:00").minute
datetime: int(datetime.datetime(2024, 2, 29).strftime("%j")) - 18
datetime: datetime.timedelta(minutes=42) // datetime.timedelta(minutes=1)
calendar: calendar.monthrange(2024, 2)[1] + 13
calendar: len(calendar.month(2024, 2)) and sum(map(calendar.isleap, range(1900, 2070))) + 0
json: json.loads(json.dumps({"a": [x * 2, None, 1.5]}))["a"][0]
json: json.loads('{"x": 42, "y": "\\u00e9"}')["x"]
json: len(json.dumps({"b": [1, 2, 3], "a": {"c": True, "d": None}}, indent=0, sort_keys=True)) - 9
re: int(re.search(r"(?P<n>\\d+)", "total 42 EUR")["n"])
re: int(re.sub(r"[^0-9]", "", "4a2b"))
re: len(re.findall(r"\\w+", "a b " * x))
statistics: int(statistics.mean([40, 42, 44]))
statistics: int(statistics.median([1, 42, 99]))
statistics: round(statistics.NormalDist(42, 1).mean)
statistics: round(statistics.linear_regression([1, 2, 3], [2, 4, 6]).slope * x)
statistics: statistics.mode([42, 42, 1])
math: math.isqrt(42 * 42)
math: math.comb(7, 2) * 2
math: int(math.fsum([0.1] * 420))
math: math.gcd(84, 126)
math: round(math.exp(math.log(42)))
heapq: heapq.nsmallest(2, [99, 42, 1])[1]
heapq: [h := [9, 5, 42], heapq.heapify(h), heapq.heappop(h), heapq.heappop(h), heapq.heappop(h)][4]
bisect: bisect.bisect_left(range(100), 42)
collections: collections.Counter("ab" * x)["a"] * 2
collections: sum(collections.deque(range(10), maxlen=4)) + 12
collections: collections.namedtuple("P", "a b")(x, 42).b
collections: collections.OrderedDict(a=1, b=42).popitem()[1]
collections: [d := collections.defaultdict(int), d.__setitem__("k", d["k"] + 42), d["k"]][2]
itertools: sum(itertools.islice(itertools.count(1), 8)) + 6
itertools: len(list(itertools.combinations(range(7), 2))) * 2
itertools: list(itertools.accumulate([20, 1, x]))[-1]
itertools: sum(len(list(g)) for _, g in itertools.groupby("aabb" * 10)) + 2
functools: functools.reduce(lambda a, b: a + b, [x, x])
functools: functools.partial(pow, 42)(1)
functools: functools.lru_cache(lambda n: n * 2)(x)
operator: operator.itemgetter(1)([0, operator.add(x, x)])
string: int(string.Template("$a").substitute(a=42))
string: len(string.ascii_letters) - 10
graphlib: len(list(graphlib.TopologicalSorter({"b": {"a"}, "c": {"b"}}).static_order())) * 14
enum: enum.Enum("E", {"A": 42})["A"].value
enum: enum.IntFlag("F", "A B C")(7).value * 6
numbers: x * 2 if isinstance(x, numbers.Integral) else 0
math: len(str(7 ** 4000)) - 3339
math: (2 ** 20000 % 1000003 * 0) + x * 2
math: math.factorial(500) // math.factorial(499) - 458
math: int(str(10 ** 4000)[0] + "0") + 32
math: len(f"{x!r:>42}")
math: "\\N{SNOWMAN} Straße".casefold().count("ss") * 42
math: int.from_bytes((42).to_bytes(8, "big"), "big")
math: len({hash("a"), hash("b")}) * x
math: round(sum(sorted([0.5, 20.5, x], key=lambda v: -v)))
math: {**{"a": 1}, "b": 42}["b"]
math: max(range(43), key=lambda v: (v % 43, v))
math: int("".join(reversed("24")))
math: len({frozenset({n, n + 1}) for n in range(42)})
math: eval("x * 2", {"x": x})
"""


def _programs() -> dict[str, str]:
    programs = {}
    for number, line in enumerate(_EXPRESSIONS.strip().splitlines(), start=1):
        module, _, expression = line.partition(": ")
        programs[f"{module} {number}"] = f"import {module}\ndef f(x): return {expression}\n"
    return programs


HONEST = {
    **_programs(),
    "dataclass": """
import dataclasses
@dataclasses.dataclass(frozen=True, order=True, slots=True)
class Money:
    cents: int
    currency: str = "EUR"
    def __add__(self, other): return dataclasses.replace(self, cents=self.cents + other.cents)
def f(x): return sum((Money(x), Money(x)), start=Money(0)).cents
""",
    "named tuple": """
from typing import NamedTuple
class P(NamedTuple):
    a: int
    b: int = 21
def f(x): return sum(P(x))
""",
    "typed dict and literals": """
from __future__ import annotations
from typing import Literal, TypedDict, Final, get_type_hints
class T(TypedDict):
    side: Literal["buy", "sell"]
    n: int
K: Final = 2
def f(x: int) -> int:
    t: T = {"side": "buy", "n": x}
    return t["n"] * len(get_type_hints(T))
""",
    "enum with behaviour": """
import enum
class Band(enum.IntEnum):
    LOW = enum.auto()
    HIGH = 42
    @classmethod
    def of(cls, n): return cls.HIGH if n > 20 else cls.LOW
def f(x): return int(Band.of(x))
""",
    "match": """
def f(x):
    match [x, {"k": x}]:
        case [int(a), {"k": b}] if a == b: return a + b
        case _: return 0
""",
    "recursion": """
import functools
@functools.cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
def f(x): return fib(9) + 8 + depth(800) - 800
""",
    "generators": """
def numbers(n):
    total = 0
    while total < n:
        got = yield total
        total += 1 if got is None else got
def both(n):
    yield from numbers(n)
    yield from numbers(n)
def f(x): return sum(1 for _ in both(x))
""",
    "context managers and exceptions": """
import contextlib
@contextlib.contextmanager
def guard(log):
    log.append(1)
    try: yield log
    except ZeroDivisionError: log.append(40)
    finally: log.append(1)
def f(x):
    with guard([]) as log: 1 / 0
    return sum(log)
""",
    "exception groups": """
def f(x):
    try: raise ExceptionGroup("g", [ValueError(x), KeyError(x)])
    except* ValueError as group: n = group.exceptions[0].args[0]
    except* KeyError: n = x
    return n * 2
""",
    "closures and decorators": """
import functools
def twice(g):
    @functools.wraps(g)
    def inner(*args, **kwargs): return g(*args, **kwargs) * 2
    return inner
@twice
def f(x): return x
""",
    "protocols and generics": """
import abc, typing
T = typing.TypeVar("T")
class Box(typing.Generic[T]):
    def __init__(self, item: T) -> None: self.item = item
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int: ...
class Square(Shape):
    def area(self): return 42
def f(x): return Box[Shape](Square()).item.area()
""",
    "descriptors and metaclasses": """
class Twice:
    def __get__(self, obj, cls): return obj.n * 2
class Meta(type):
    def __new__(m, name, bases, space): return super().__new__(m, name, bases, {**space, "double": Twice()})
class A(metaclass=Meta):
    def __init__(self, n): self.n = n
def f(x): return A(x).double
""",
    "async without a loop": """
async def double(x): return x * 2
def f(x):
    try: double(x).send(None)
    except StopIteration as stop: return stop.value
""",
    "bisection": """
def f(x):
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < x * 2 else (low, middle)
    return round(high)
""",
    "amortisation": """
from decimal import Decimal, ROUND_HALF_UP, localcontext
def f(x):
    with localcontext() as context:
        context.prec = 34
        balance, rate = Decimal("1000"), Decimal("0.05") / 12
        payment = (balance * rate / (1 - (1 + rate) ** -24)).quantize(Decimal("0.01"), ROUND_HALF_UP)
        months = 0
        while balance > payment:
            balance, months = (balance * (1 + rate) - payment).quantize(Decimal("0.01"), ROUND_HALF_UP), months + 1
    return months + 19
""",
    "a large list": "def f(x): return sum(1 for n in sorted(range(100_000), reverse=True) if n < x * 2)\n",
    "much output": "def f(x):\n    for n in range(500): print('line', n)\n    return x * 2\n",
    "memory within the limit": "def f(x): return len(bytearray(50 * 2**20)) // (50 * 2**20) * x * 2\n",
}
