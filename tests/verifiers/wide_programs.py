"""Random programs as models write them: sets, counters, queues, dicts with defaults, enums, iterators, ``finally``."""

# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Mapping

from tests.verifiers.list_programs import FORMS, PRELUDE, STATEMENTS, ListWriter

_FORMS: Mapping[str, tuple[str, ...]] = {
    "i": (
        "len({{{i}, {i}, {i}}})", "sum({{{i}, {i}}})", "max(set({L}) | {{{i}}})", "len(set({L}) & {{{i}, {i}}})",
        "len(set({L}) - set(xs))", "len(frozenset({L}) ^ {{{i}}})", "sum({v=i} for {v} in set({L}))", "sorted(set({L}))[{k}]",
        "Counter({L})[{i}]", "len(Counter({L}))", "Counter({L}).total()", "{{{i}: {i}, {i}: {i}}}.get({i}, {i})",
        "{{{i}: {i}, {i}: {i}}}[{i}]", "sum({{{v}: {v=i} for {v} in {L}}}.values())", "list({{{v}: 1 for {v} in {L}}})[{k}]",
        "deque({L})[{k}]", "deque({L}).pop()", "deque({L}).popleft()", "{L}.pop(0)", "Coin({i})", "Coin({i}).value", "(Coin.TWO * {i})",
        "(Coin.ONE if {b} else Coin.TEN) + {i}", "sum(c for c in Coin if c > {i})", "({i} // Coin.TEN)", "[3, 4, 5][Coin.ONE]",
        "sum({v} * {w} for {v}, {w} in zip({L}, {L}))", "sum({v} - {w} for {v}, {w} in zip({L}, {L}, strict={b}))",
        "sum({v} - {w} for {v}, {w} in zip_longest({L}, {L}, fillvalue={i}))", "sum({w} - {v} for {v}, {w} in pairwise({L}))",
        "sum(islice({L}, {i}))", "sum(islice({L}, {k}, None))", "sum(takewhile(lambda {v}: {v=b}, {L}))",
        "sum(dropwhile(lambda {v}: {v=b}, {L}))", "sum(chain.from_iterable([{L}, {L}]))", "sum(accumulate({L}))",
        "reduce(lambda p1, p2: p1 - 2 * p2, {L})", "reduce(max, {L}, {i})", "len(list(combinations({L}, 2)))",
        "sum({v} * {w} for {v}, {w} in product(xs[:2], {L}[:2]))", "isinstance({i}, int)", "(1 if isinstance(cap, Decimal) else {i})",
        "total({i}, *{L})", "int({d} // 1)", "max(Share({i}, {i}), Share({i}, {i})).b", "Share({i}, {i}).twice", "Share.of({i}).a",
        "sorted([Share({i}, 1), Share({i}, 2)])[{k}].b", "sum([*checked({L}, {i})])", "sum(checked({L}, {i}))",
    ),
    "d": (
        "({d} // 2)", "({d} % 2)", "({d} % Decimal('-0.7'))", "divmod({d}, 3)[1]", "WORK.multiply({d}, {i})", "WORK.quantize({d}, Decimal(1))",
        "min({d}, INF if {b} else {d})", "({d} / 3 + {d} / 7).quantize(Decimal('0.1'))", "({d} ** 2)",
    ),
    "b": (
        "({{{i}, {i}}} <= set({L}))", "({{{i}, {i}}} == {{{i}, {i}}})", "set({L}).isdisjoint({L})", "({i} in set({L}))",
        "({i} in {{{i}: 1, {i}: 2}})", "(Coin.TWO == {i})", "({i} < Coin.TEN)", "({d} < (INF if {b} else {d}))", "(Share({i}, 1) < Share({i}, 2))",
        "(Share({i}, {i}) == Share({i}, {i}))", "bool(deque({L}))", "({i} in deque({L}))", "isinstance({i}, (str, float))",
    ),
    "L": (
        "sorted(set({L}))", "list({{{v}: {v=i} for {v} in {L}}}.values())", "list(deque({L}))", "list(islice({L}, {k}, 3))",
        "[{v} for {v}, {w} in zip({L}, {L})]", "list(takewhile(lambda {v}: {v=b}, {L}))", "list(checked({L}, {i}))",
        "[{v} + 1 for {v} in checked({L}, {i})]", "[c.value for c in Coin]",
    ),
    "D": ("({D} | {D})", "{{**{D}, 'a': {i}}}", "dict({D})"),
}  # fmt: skip

_STATEMENTS: tuple[str, ...] = (
    "c = Counter()\nfor {new:i} in {L}:\n    c[{i}] += {i}\nfor k1, k2 in c.items():\n    {N:i} = 2 * {N:i} + k1 - k2",
    "dd = defaultdict(int)\nfor tag, q, _ in rows:\n    dd[tag] += q\n{N:i} += dd[{s}] + len(dd)",
    "dd = defaultdict(list)\nfor tag, q, _ in rows:\n    dd[tag].append({i})\n{N:i} += sum(dd[{s}]) + len(dd)",
    "dd = defaultdict(list)\nfor tag, q, _ in rows:\n    if {b}:\n        dd[tag].append(q)\n{N:i} += len(dd['a']) + sum(dd['b'])",
    "dd = defaultdict(list)\nfor {new:i} in {L}:\n    dd[{i}].append({i})\n{N:i} += sum(map(len, dd.values())) + sum(dd.get({i}, []))",
    "seen = set()\nfor {new:i} in {L}:\n    if {i} in seen:\n        {N:i} += 1\n    seen.add({i})\n{N:i} += len(seen)",
    "seen = set({L})\nseen.discard({i})\nseen |= {{{i}}}\n{N:i} += len(seen)", "seen = set({L})\nseen.remove({i})\n{N:i} += sum(seen)",
    "dq = deque()\nfor {new:i} in {L}:\n    dq.append({i})\n    while len(dq) > {k}:\n        {N:i} += dq.popleft()\n{N:i} += sum(dq)",
    "one = {N:L} if {b} else ys\none.append({i})", "one = {N:L} if {b} else ys\none[{k}] = {i}",
    "kk = {{}}\nfor {new:i} in {L}:\n    kk[{i}] = kk.get({i}, 0) + {i}\ndel kk[{i}]\n{N:i} += sum(kk.values())",
    "try:{B}finally:{B}", "try:{B}except {X}:{B}finally:{B}", "try:\n    return {R}\nfinally:{B}", "for {new:i} in {L}:\n    try:{BB}    finally:\n        {N:i} += 1",
    "for {new:i} in checked({L}, {i}):{C}", "for {new:i} in (12 // z for z in {L}):{C}", "for {new:i} in map(lambda z: 12 // z, {L}):{C}",
    "for {new:i} in filter(lambda z: 12 // z > 1, {L}):{C}", "def each():\n    for z in {N:L}:\n        yield z + 1\nfor {new:i} in each():{C}",
    "match {L}:\n    case []:{BB}    case [i1, *L1]:{BB}", "match {i}:\n    case int(i1) if {b}:{BB}    case _:{BB}", "match cap:\n    case None:{BB}    case Decimal():{BB}",
    "match Share({i}, {i}):\n    case Share(a=0):{BB}    case Share(i1, i2):{BB}",
    "try:\n    {N:i} = Coin({i}).value\nexcept ValueError:{B}", "{new:i} = i2 = {i}", "{N:L}.remove({i})", "{N:L}.clear()", "del {N:L}[{k}]",
    "{N:D}.pop({s}, {i})", "del {N:D}[{s}]", "{N:D}.update({D})", "{N:D} |= {D}", "{N:i} += {N:D}.pop({s})",
)  # fmt: skip

_PRELUDE = """\
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from decimal import Context
from enum import IntEnum
from functools import reduce
from itertools import accumulate, chain, combinations, dropwhile, islice, pairwise, product, takewhile, zip_longest

INF = Decimal("Infinity")
WORK = Context(prec=40, rounding=ROUND_HALF_UP)


class Coin(IntEnum):
    ONE = 1
    TWO = 2
    TEN = 10


@dataclass(frozen=True, order=True)
class Share:
    a: int
    b: int = field(compare=False)

    @property
    def twice(self):
        return self.a * 2 - self.b

    @classmethod
    def of(cls, n):
        return cls(n % 5, n)


def total(first, *more):
    return first * 10 + sum(more)


def checked(zs, least):
    for z in zs:
        if z < least:
            raise ValueError(f"{z} is less than {least}")
        yield z


"""


class WideWriter(ListWriter):
    """Writes one random program over the same inputs, about half of it in these forms."""

    def program(self) -> tuple[str, str]:
        self._forms = {kind: (*FORMS[kind], *_FORMS.get(kind, ()), *_FORMS.get(kind, ())) for kind in FORMS}
        source, kind = super().program()
        head = PRELUDE.split("\n\n\n", 1)[0]
        return source.replace(head, f"{head}\n{_PRELUDE.rstrip()}", 1), kind

    def _statement(self, depth: int) -> str:
        forms = _STATEMENTS if self._rng.random() < 0.6 else STATEMENTS
        form = self._rng.choice(forms)
        while depth <= 0 and any(hole in form for hole in ("{B}", "{C}", "{BB}")):
            form = self._rng.choice(forms)
        return self._filled(form, depth, 2)
