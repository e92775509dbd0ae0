"""Random programs with classes of their own, and with ``match``: guards that fail behind a capture, alternatives, classes
by place and by name, stars, mappings, and what is captured, seen behind the match."""

# ruff: noqa: E501
from __future__ import annotations

import random
from collections.abc import Mapping

from tests.verifiers.list_programs import Filler
from tests.verifiers.programs import PRELUDE as _PRELUDE

PRELUDE = (
    _PRELUDE
    + """\
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum, auto, unique
from typing import NamedTuple
import enum

base = 9
count = 8


"""
)

# The classes of a program: of each table one, with {k} for a number; first the usual ones, then odd ones.
_LOTS: tuple[tuple[str, ...], tuple[str, ...]] = (
    (
        "@dataclass\nclass Lot:\n    a: int\n    b: int = {k}", "@dataclass(frozen=True)\nclass Lot:\n    a: int\n    b: int = {k}", "@dataclass(order=True)\nclass Lot:\n    a: int\n    b: int = base", "@dataclass(frozen=True, order=True)\nclass Lot:\n    a: int\n    b: int = field(default={k}, compare=False)", "class Lot(NamedTuple):\n    a: int\n    b: int = {k}", "class Lot(NamedTuple):\n    a: int = {k}\n    b: int = base + {k}", "@dataclass(kw_only=True)\nclass Lot:\n    a: int\n    b: int = {k}", "@dataclass\nclass Lot:\n    a: int\n    b: int = field(default={k}, kw_only=True)", "@dataclass\nclass Lot:\n    a: int\n    b: int = field(default_factory=lambda: base)",
    ),
    (
        "@dataclass\nclass Lot:\n    base: int = {k}\n    a: int = base\n    b: int = {k}", "@dataclass(eq=False)\nclass Lot:\n    a: int\n    b: int = {k}", "@dataclass(slots=True)\nclass Lot:\n    a: int\n    b: int = 'no'\n    c: list = field(default_factory=list)", "@dataclass(unsafe_hash=True)\nclass Lot:\n    a: int\n    b: int = {k}", "@dataclass\nclass Lot:\n    a: int\n    b: int = {k}\n    count = 5", "@dataclass(match_args=False)\nclass Lot:\n    a: int\n    b: int = {k}", "@dataclass\nclass Lot:\n    b: int\n    a: int = {k}",
    ),
)  # fmt: skip
_METHODS: tuple[tuple[str, ...], tuple[str, ...]] = (
    (
        "    def more(self, by=1):\n        return self.a + by", "    @property\n    def size(self):\n        return self.a - self.b", "    @classmethod\n    def of(cls, z):\n        return cls(a=z, b=z % 3)", "    @staticmethod\n    def of(z):\n        return Lot(a=z)", "    def __post_init__(self):\n        if self.a < -{k}:\n            raise ValueError('a')", "    def with_b(self, b):\n        return Lot(a=self.a, b=b)",
    ),
    (
        "    def more(self, by=base):\n        return self.a * by", "    def __post_init__(self):\n        self.a += 1", "    def __post_init__(self):\n        object.__setattr__(self, 'a', {k})", "    def __eq__(self, other):\n        return self.a == other.a", "    def __add__(self, other):\n        return self.a + other.a", "    def __lt__(self, other):\n        return self.b < other.b", "    def __bool__(self):\n        return self.a > 0", "    def __len__(self):\n        return {k}", "    def __hash__(self):\n        return 1", "    def name(self):\n        return self.b", "    def with_b(self, b):\n        return replace(self, b=b)", "    __match_args__ = ('b', 'a')", "    @property\n    def base(self):\n        return base + self.a", "    def base(self):\n        return {k}",
    ),
)  # fmt: skip
_KINDS: tuple[tuple[str, ...], tuple[str, ...]] = (
    (
        "class Kind(Enum):\n    ONE = 1\n    TWO = 2\n    TEN = 10", "class Kind(IntEnum):\n    ONE = 1\n    TWO = 2\n    TEN = 10", "class Kind(int, Enum):\n    ONE = 1\n    TWO = 2\n    TEN = 10", "class Kind(Enum):\n    ONE = auto()\n    TWO = auto()\n    TEN = 10", "class Kind(IntEnum):\n    TEN = 10\n    TWO = 2\n    ONE = 1", "class Kind(Enum):\n    ONE = 1\n    TWO = 2\n    TEN = 10\n    @property\n    def more(self):\n        return self.value + {k}", "class Kind(Enum):\n    ONE = 1\n    TWO = 2\n    TEN = 10\n    def more(self, by=0):\n        return 5 if self is Kind.TWO else self.value + by", "class Kind(Enum):\n    ONE = -1\n    TWO = 2\n    TEN = auto()",
    ),
    (
        "@unique\nclass Kind(Enum):\n    ONE = 1\n    TWO = 2\n    TEN = 10", "class Kind(Enum):\n    ONE = 1\n    TWO = 2\n    TEN = 10\n    ALSO = 2", "class Kind(enum.IntFlag):\n    ONE = 1\n    TWO = 2\n    TEN = 10", "class Kind(Enum):\n    ONE = 1\n    TWO = 2\n    TEN = 10\n    @property\n    def value(self):\n        return {k}", "class Kind(Enum):\n    ONE = 1\n    TWO = 2\n    TEN = 10\n    @classmethod\n    def _missing_(cls, value):\n        return cls.ONE", "class Kind(Enum):\n    ONE = 1\n    TWO = 2\n    TEN = 10\n    def __eq__(self, other):\n        return True",
    ),
)  # fmt: skip
_WORDS: tuple[tuple[str, ...], tuple[str, ...]] = (
    (
        "class Word(str, Enum):\n    A = 'a'\n    B = 'bb'", "class Word(StrEnum):\n    A = 'a'\n    B = 'bb'", "class Word(Enum):\n    A = 'a'\n    B = 'bb'",
    ),
    (
        "class Word(StrEnum):\n    A = auto()\n    B = auto()", "class Word(str, Enum):\n    A = 'a'\n    B = 'bb'\n    def __str__(self):\n        return 'no'",
    ),
)  # fmt: skip

_OFTEN = 5
_FORMS: Mapping[str, tuple[str, ...]] = {
    "i": (
        *_OFTEN * ("({i} + {i})", "({i} - {i})", "({i} * 3)", "({i} % 7)", "({i} // 4)", "({i} if {b} else {i})", "{l}.a", "{l}.b", "{l}.a", "{l}.b", "{l}.more()", "{l}.more({i})", "{l}.more(by={i})", "{l}.size", "max({l}, {l}, key=lambda z: z.b).a", "sorted([{l}, {l}], key=lambda z: (z.a, z.b))[1].b", "sum(z.a for z in [{l}, {l}] if z.b > {i})", "min(z.b for z in ({l}, {l}))", "{l}.of({i}).a", "{e}.value", "{e}.value", "sum(z.value for z in Kind)", "len(Kind)", "max(Kind).value", "{{Kind.ONE: 5, Kind.TWO: 6}}.get({e}, {i})", "list(Kind).index({e})", "len({e}.name)", "len({t}.value)", "len({t}.name)", "{{'a': 1, 'bb': 2}}[{t}.value]", "(p or {i})", "q", "(q if isinstance(q, int) else {i})", "{b} + 0",),
        "{l}.name()", "{l}.base", "{l}.count", "{l}[0]", "len({l})", "sum({l})", "max({l})", "max({l}, {l}).a", "sorted([{l}, {l}, {l}])[0].b", "len({{{l}, {l}}})", "[{l}, {l}].index({l})", "Lot.b", "{e}.more", "{e}.more()", "{e}.more({i})", "({e} + {i})", "({i} % {e})", "int({e})", "sum(Kind)", "[3, 4, 5][{e}]", "{{1: 5, 2: 6}}[{e}]", "{{Kind.ONE: 5, 2: 6}}[{i}]", "abs(-{e})", "len(f'{{{e}}}')", "len(str({e}))", "len({t})", "len(f'{{{t}}}')", "len('%s' % {t})", "len('%s %s' % ({t}, {i}))", "len('{{}}'.format({t}))", "len(str({t}))", "len({t} + 'x')", "len('-'.join([{t}, 'q']))", "{{'a': 1, 'bb': 2}}[{t}]", "{{Word.A: 1, Word.B: 2}}[{t}]", "['a', 'bb'].index({t})", "len({t}.upper())", "ord({t}[0])", "len(q)",
    ),
    "b": (
        *_OFTEN * ("({i} < {i})", "({i} == {i})", "({l} == {l})", "({l} != {l})", "({l} in [{l}, {l}])", "isinstance({l}, Lot)", "({e} == {i})", "({e} is {e})", "({e} == {e})", "({e} in (Kind.ONE, {i}))", "({t} == 'a')", "({t} == {t})", "({t} in ('bb', 'c'))", "isinstance({t}, str)", "on", "not {b}", "({b} and {b})",),
        "({l} < {l})", "({l} >= {l})", "({l} == ({i}, {i}))", "isinstance({l}, tuple)", "bool({l})", "({e} < {e})", "({i} in Kind)", "isinstance({e}, int)", "bool({e})", "({t} < 'b')", "({e} == {t})", "(Lot({i}, {i}) is {l})",
    ),
    "l": (
        *_OFTEN * ("Lot({i}, {i})", "Lot({i})", "Lot(a={i})", "Lot(a={i}, b={i})", "Lot(b={i}, a={i})", "Lot.of({i})", "{l}.with_b({i})", "({l} if {b} else {l})", "Lot(*[{i}, {i}])",),
        "replace({l}, b={i})", "{l}._replace(b={i})", "Lot({b}, {i})", "Lot()",
    ),
    "e": (
        *_OFTEN * ("Kind.ONE", "Kind.TWO", "Kind.TEN", "Kind({i})", "Kind(2)", "Kind['TEN']", "Kind['ONE' if {b} else 'TWO']", "({e} if {b} else {e})", "Kind({e})", "Kind({e}.value)", "list(Kind)[1]", "max(Kind, key=lambda z: z.value)", "min(Kind)",),
        "Kind.ONE.TWO",
    ),
    "t": (
        *_OFTEN * ("Word.A", "Word.B", "Word('a')", "Word('bb' if {b} else 'a')", "({t} if {b} else {t})", "Word['B']", "Word({t})",),
        "Word('c')",
    ),
}  # fmt: skip
_LEAVES: Mapping[str, tuple[str, ...]] = {"i": ("x", "n", "0", "1", "2", "p"), "b": ("on", "(x > 0)", "(n < 5)"), "l": ("Lot(a=x)", "Lot(a=n, b=x)"), "e": ("Kind.ONE", "Kind.TWO", "grade"), "t": ("Word.A", "Word.B")}  # fmt: skip
_STATEMENTS: tuple[str, ...] = (
    "{new:i} = {i}", "{new:l} = {l}", "{new:l} = {l}", "{new:e} = {e}", "{new:t} = {t}", "{N:i} += {i}", "if {b}:{B}", "if {b}:{B}else:{B}", "{N:l} = {l}", "{N:l}.a = {i}", "Lot.b = {i}",
    "try:\n    {N:e} = Kind({i})\nexcept ValueError:\n    {N:i} += 1", "try:\n    {N:e} = Kind['NO']\nexcept KeyError:\n    {N:i} += 2", "p, q = {l}", "for z in [{l}, {l}]:\n    {N:i} += z.a{B}", "for z in Kind:\n    {N:i} += z.value", "def g(z):\n    return z.a + {i}\n{N:i} += g({l})",
    "match {i}:\n{cases}", "match {i}:\n{cases}", "match {l}:\n{cases}", "match {l}:\n{cases}", "match {l}:\n{cases}", "match {e}:\n{cases}", "match {e}:\n{cases}", "match {t}:\n{cases}", "match ({i}, {i}):\n{cases}", "match ({b}, {i}):\n{cases}", "match [{i}, {i}, {i}]:\n{cases}", "match ({l}, {i}):\n{cases}", "match ({e}, {l}):\n{cases}",
    "match (None if {b} else {i}):\n{cases}", "match {{'a': {i}, 'b': {i}}}:\n{cases}", "match ({l} if {b} else None):\n{cases}", "match {i} / 2:\n{cases}", "match d:\n{cases}", "match {b}:\n{cases}", "match [({i}, {i}), ({b}, {i})]:\n{cases}", "match (x, (n, {i})):\n{cases}", "match q:\n{cases}",
)  # fmt: skip


class ClassWriter(Filler):
    """Writes one random program over the inputs of ``programs.SPEC``."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, _FORMS, _LEAVES)

    def program(self) -> tuple[str, str]:
        """The source, and the kind of its result."""
        while True:
            source, kind = self._program()
            try:
                exec(compile(source, "program", "exec"), {"__name__": __name__})
            except (SyntaxError, TypeError, ValueError, AttributeError):  # a class, or a pattern, that Python refuses
                continue
            return source, kind

    def _program(self) -> tuple[str, str]:
        rng = self._rng
        methods = "\n".join(_apart(rng.sample(self._of(_METHODS), rng.choice((1, 2, 3)))))
        lot = f"{rng.choice(self._of(_LOTS))}\n{methods}".replace("{k}", str(rng.choice((0, 1, 2, 5))))
        kind = rng.choice(self._of(_KINDS)).replace("{k}", str(rng.choice((0, 1, 7))))
        self._names = {each: [] for each in _FORMS} | {"l": ["lot"], "i": ["t"], "e": ["kind"], "t": ["word"]}
        lines = ["p, q, s, t = n, x, 1, 0", "lot = Lot(a=x)", "kind = Kind.TWO", "word = Word.B"]
        for _ in range(rng.randint(1, 3)):
            lines += self._statement(2).splitlines()
        self._kind = rng.choice("iiib")
        lines.append(f"return {self._result()}")
        body = "\n".join("    " + line for line in lines)
        classes = "\n\n\n".join((lot, kind, rng.choice(self._of(_WORDS))))
        return f"{PRELUDE}{classes}\n\n\ndef f(x, n, d, r, day, on, grade):\n{body}\n", {"i": "int", "b": "bool"}[
            self._kind
        ]

    def _of(self, rows: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[str, ...]:
        """Usual rows, and seldom odd ones."""
        return rows[self._rng.random() < 0.06]

    def _result(self) -> str:
        if self._kind == "i" and self._rng.random() < 0.6:
            return self._rng.choice(("t + p * 10 + s * 100", "p * 10 + s", "t * 100 + s + p"))
        return self.expression(self._kind, 2)

    def _block(self, depth: int, indent: str = "    ", *, loop: bool = False) -> str:
        before = {kind: list(names) for kind, names in self._names.items()}
        lines = [line for _ in range(self._rng.randint(1, 2)) for line in self._statement(depth - 1).splitlines()]
        self._names = before
        return "\n" + "".join(f"{indent}{line}\n" for line in lines)

    def _statement(self, depth: int) -> str:
        form = self._rng.choice(_STATEMENTS)
        while depth <= 0 and ("{B}" in form or "{cases}" in form):
            form = self._rng.choice(_STATEMENTS)
        before, hole, _ = form.partition("{cases}")
        return self._filled(before, depth, 2) + (self._cases(before, depth) if hole else "")

    def _cases(self, subject: str, depth: int) -> str:
        rng, found = self._rng, ""
        for _ in range(rng.randint(1, 4)):
            free = ["p", "q", "s"]
            pattern = self._pattern(subject, 2, free)
            guard = f" if {self._guard()}" if rng.random() < 0.4 else ""
            if guard or not _irrefutable(pattern):
                found += f"    case {pattern}{guard}:{self._block(depth, indent=8 * ' ')}"
        last = f"    case {rng.choice(('_', 'p', 's'))}:{self._block(depth, indent=8 * ' ')}"
        return found + (last if not found or rng.random() < 0.4 else "")

    def _guard(self) -> str:
        return self._rng.choice(("p > 2", "s < 3", "p != s", "t > 0", "p == 1", self.expression("b", 1)))

    def _pattern(self, subject: str, depth: int, free: list[str]) -> str:
        """A pattern that may fit the subject of a ``match``. ``free``: names that it has not bound yet."""
        rng = self._rng
        forms = [
            "0",
            "1",
            "-1",
            "2",
            "True",
            "None",
            "1.0",
            "_",
            "@",
            "int()",
            "int(@)",
            "bool()",
            "0 | 1",
            "1 | 2 as @",
            "(0 | 1) as @",
        ]
        if "{l}" in subject:
            forms = [
                "Lot()",
                "Lot(a=?)",
                "Lot(b=?)",
                "Lot(?)",
                "Lot(?, ?)",
                "Lot(?, b=?)",
                "Lot(a=?, b=?)",
                "Lot(b=?, a=?)",
                "Lot(a=0 | 1)",
                "Lot(a=1) | Lot(b=1)",
                "(?, ?)",
                "Lot() as @",
                "tuple()",
                "None",
                "Lot(size=?)",
                "Lot(?, ?, ?)",
            ]
        elif "{e}" in subject:
            forms = [
                "Kind.ONE",
                "Kind.TWO",
                "Kind.TWO | Kind.TEN",
                "1",
                "2 | 10",
                "int(@)",
                "int()",
                "Kind()",
                "Kind() as @",
                "Kind(value=?)",
                "Grade.LOW",
                "Grade()",
                "True",
            ]
        elif "{t}" in subject:
            forms = ["'a'", "Word.A", "Word.B", "'bb' | 'c'", "str()", "str(@)", "Word()", "Word(value='a')", "[?, ?]"]
        elif "'a'" in subject:
            forms = ["{'a': ?}", "{'a': ?, 'b': ?}", "{'b': ?, **@}", "{'c': ?}", "{}", "{'a': ?, 'c': _}", "dict()"]
        elif " d:" in subject:
            forms = ["0", "1", "0.5", "Decimal()", "Decimal() as @", "int()", "float()"]
        if subject.startswith(("match (", "match [")) and "None" not in subject:
            whole = [
                "(?, ?)",
                "[?, ?]",
                "(?, _)",
                "(0, ?)",
                "(?, 1)",
                "(True, ?)",
                "[?, *_]",
                "[*@, ?]",
                "(?, *@)",
                "[?, ?, ?]",
                "[]",
                "[?, *_, ?]",
                "[_, *@, _]",
                "(?, ?) as @",
                "(0, _) | (_, 1)",
                "((?, ?), ?)",
                "[(?, ?), (?, ?)]",
                "(?, (?, ?))",
                "list()",
                "tuple()",
            ]
            forms = (
                whole
                if depth == 2
                else [
                    "0",
                    "1",
                    "@",
                    "_",
                    "int(@)",
                    "True",
                    "1 | 2",
                    "None",
                    "(1 | 2) as @",
                    "Lot(?)",
                    "Lot(a=?)",
                    "Kind.ONE",
                    "bool()",
                ]
            )
        found = rng.choice(forms)
        while "?" in found:
            found = found.replace("?", self._pattern("i", depth - 1, free) if depth > 0 else "_", 1)
        while "@" in found:
            if free:
                found = found.replace("@", free.pop(rng.randrange(len(free))), 1)
            else:
                found = found.replace(" as @", "", 1) if " as @" in found else found.replace("@", "_", 1)
        return found


def _apart(functions: list[str]) -> list[str]:
    """One function of each name."""
    return list({each.partition("def ")[2].partition("(")[0]: each for each in functions}.values())


def _irrefutable(pattern: str) -> bool:
    return pattern in ("_", "p", "q", "s")
