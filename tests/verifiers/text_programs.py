"""Random programs on texts in the subset that the prover reads, and texts that see Python's character tables."""

from __future__ import annotations

import random
from typing import Any

SPEC = """
spec = 1
name = "f"
[inputs]
s = {{ type = "str", max_len = 5 }}
t = {{ type = "str", max_len = 4, alphabet = "aAbZ019 -.,_+" }}
m = {{ type = "str", choices = [".", ",", "", "ab"] }}
n = {{ type = "int", min = -3, max = 130 }}
[output]
type = "{output}"
[policy]
imports = ["re", "decimal"]
[[ensure]]
that = "n == n"
"""

ALPHABET = "aAbZ019 -.,_+"
ODD = (
    "0123456789"
    "aAzZßıİŉǅσςΣ\u00aa\u00b2\u0663\u06f5\u2082\uff12\U0001d7d8\u0966"
    " \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u2028\u200b\ufeff\x00\u0301\U0010ffff\U00030000_+-.,\\u{41}"
)
"""Digits of several scripts, what only ``isdigit`` takes for one, letters that change their number when their case
changes, spaces of all kinds, and characters above those of other string theories."""

PRELUDE = """\
import re
from decimal import Decimal, InvalidOperation

DIGITS = "0123456789"
CODE = re.compile(r"[A-Za-z]{1,2}([0-9]{0,3})")


"""

OF_CHARACTER = (
    "c.isdigit()",
    "c.isalnum()",
    "c in DIGITS",
    "c != ' '",
    "not c.isspace()",
    "'a' <= c <= 'z'",
    "c.isupper()",
    "c in (' ', '-')",
    "c.isdecimal()",
    "ord(c) < 128",
    "c in {'a': 1, '0': 2}",
)
PATTERNS = (
    r"[0-9]+",
    r"\d{1,3}",
    r"\w*",
    r"\s*\d+\s*",
    r"[A-Za-z][0-9]?",
    r"(?:[0-9]{1,2}(?:,[0-9]{2})*|[0-9]+)",
    r"[^0-9]*",
    r"(?a:\w+)",
    r".*",
    r"a|ab|b*",
    r"-?[0-9]+(?:\.[0-9]{1,2})?",
    r"[\s-]*",
)
GROUPED = (
    r"([0-9]*)(?:\.([0-9]{1,2}))?",
    r"([A-Za-z]*)([0-9]*)",
    r"(a)?(b)?",
    r"(?P<sign>-)?([0-9]+)",
    r"(\s*)([^\s]+)",
    r"((?:[0-9],)?[0-9]+)(?:\.([0-9]))?",
)


MARKS = ("w = '.' if n > 7 else 'a'", "w = ',' if m == '.' else '.'", "w = '1' if s[:1] == ' ' else ' '")
"""One character of a few."""


class Writer:
    """Writes one random program."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._own: tuple[str, ...] = ()

    def program(self) -> tuple[str, str]:
        """The source, and the spec's type of its result."""
        rng = self._rng
        kind = rng.choice(("str", "int", "bool", "str", "int", "bool", "decimal"))
        self._own = ()
        lines = [rng.choice(MARKS), f"u = {self.text(2)}"]
        self._own = ("u", "u")
        if rng.random() < 0.4:
            lines += [f"if {self.truth(2)}:", f"    u = {self.text(2)}"]
        if rng.random() < 0.3:
            lines += ["k = 0", f"for c in {self.text(1)}:"]
            lines += rng.choice(
                (
                    ["    k = k * 2 + ord(c) % 3"],
                    ["    if c.isdigit():", "        k += 1"],
                    ["    if c in DIGITS:", "        k = (k * 10 + int(c)) % 97"],
                    ["    if c == u[:1]:", "        break", "    k += 1"],
                )
            )
        else:
            lines.append("k = n")
        if rng.random() < 0.3:
            lines += [f"if {self.truth(2)}:", rng.choice(("    raise ValueError(u)", f"    return {self.of(kind)}"))]
        if rng.random() < 0.25:
            lines.append(f"g = re.fullmatch({rng.choice(GROUPED)!r}, {self.text(1)})")
            lines += ["if g:", "    u = g.group(1) or 'x'"]
        if rng.random() < 0.3:
            lines += ["try:", f"    k = int({self.text(1)})", "except ValueError:", "    k = -7"]
        lines.append(f"return {self.of(kind)}")
        body = "\n".join("    " + line for line in lines)
        return f"{PRELUDE}def f(s, t, m, n):\n{body}\n", kind

    def of(self, kind: str) -> str:
        if kind == "decimal":
            return f"Decimal({self.text(1)})"
        return {"str": self.text, "int": self.number, "bool": self.truth}[kind](3)

    def text(self, depth: int) -> str:
        rng = self._rng
        if depth == 0:
            return rng.choice(("s", "t", "s", "m", "'a1'", "' '", "'.'", "t[0:1]", *self._own))
        inner = self.text(depth - 1)
        match rng.randrange(19):
            case 0:
                return f"{inner}.strip({rng.choice(('', repr(' .'), repr('a')))})"
            case 1:
                return f"{inner}.{rng.choice(('lstrip', 'rstrip'))}()"
            case 2:
                return f"t.{rng.choice(('upper', 'lower'))}()"
            case 3:
                old, new = rng.choice(("m", "'a'", "'1'", "w")), rng.choice(("m", "''", "'xy'", "w"))
                return f"{inner}.replace({old}, {new})"
            case 4:
                return f"({inner} + {self.text(depth - 1)})"
            case 5:
                return f"{inner}[{rng.choice(('1:', ':2', ':-1', '-2:', '1:3', '::-1'))}]"
            case 6:
                return f"({inner} if {self.truth(depth - 1)} else {self.text(depth - 1)})"
            case 7:
                return f"''.join(c for c in {inner} if {self.of_character()})"
            case 8:
                return "str(n)"
            case 9:
                return (
                    f"f'{{n:03d}}' + f'{{n}}{{{rng.choice('stm')}}}'"
                    if rng.random() < 0.1
                    else f"f'{{n}}{{{rng.choice('stm')}}}'"
                )
            case 10:
                return f"{inner}.{rng.choice(('ljust', 'rjust', 'zfill'))}(4)"
            case 11:
                return f"({inner} * 2)"
            case 12:
                return f"re.sub({rng.choice((repr('[^0-9]'), repr('[ .-]+')))}, '', {inner})"
            case 13:
                return "chr(n)"
            case 14:
                method, affix = rng.choice(("removeprefix", "removesuffix")), rng.choice(("'a'", "w", "m"))
                return f"{inner}.{method}({affix})"
            case 15:
                at = rng.choice((0, 0, 1, -1))
                return f"{self.text(1)}.split({rng.choice((repr(' '), repr('1'), 'w'))})[{at}]"
            case 16:
                return f"{inner}.partition({rng.choice((repr('.'), 'w'))})[{rng.choice((0, 1, 2))}]"
            case _:
                return inner

    def of_character(self) -> str:
        return self._rng.choice(OF_CHARACTER)

    def number(self, depth: int) -> str:
        rng = self._rng
        match rng.randrange(10):
            case 8:
                return f"len({self.text(depth - 1)}.split({rng.choice((repr('a'), 'w'))}))"
            case 0:
                return f"len({self.text(depth - 1)})"
            case 1:
                return f"int({self.text(1)})"
            case 2:
                method, part = rng.choice(("find", "count", "rfind")), rng.choice(("'a'", "w", "'.'"))
                return f"{self.text(depth - 1)}.{method}({part})"
            case 3:
                return f"ord({rng.choice(('s[0]', 't[1]', 's', 't[-1]'))})"
            case 4:
                return f"sum(1 for c in {self.text(depth - 1)} if {self.of_character()})"
            case 5:
                return f"DIGITS.{rng.choice(('index', 'find'))}(t[:1])"
            case 6:
                return f"{self.text(1)}.index('1')"
            case 7:
                return "{'a': 1, 'Z': 5}.get(t[:1], k)"
            case _:
                return "k"

    def truth(self, depth: int) -> str:
        rng = self._rng
        a = self.text(max(depth - 1, 0))
        match rng.randrange(12):
            case 0:
                method = ("isdigit", "isdecimal", "isalpha", "isalnum", "isspace", "isupper", "islower", "isascii")
                return f"{a}.{rng.choice((*method, 'isnumeric'))}()"
            case 1:
                return f"{a} == {self.text(0)}"
            case 2:
                method, affix = rng.choice(("startswith", "endswith")), rng.choice(("'a'", "'01'", "w", "(m, t[:1])"))
                return f"{a}.{method}({affix})"
            case 3:
                return f"{rng.choice((repr('a'), 'w', 'm', 't[:1]'))} in {a}"
            case 4:
                return f"re.fullmatch({rng.choice(PATTERNS)!r}, {a}) is not None"
            case 5:
                begin, end = rng.choice((("^", "$"), ("", ""), ("^", ""), ("", "$")))
                name, written = rng.choice(("match", "search")), f"{begin}(?:{rng.choice(PATTERNS)}){end}"
                return f"bool(re.{name}({written!r}, {rng.choice(('s', 't'))}))"
            case 6:
                return f"all({self.of_character()} for c in {a})"
            case 7:
                return f"any({self.of_character()} for c in {a})"
            case 8:
                return f"s {rng.choice(('<', '<=', '>'))} t"
            case 9:
                return f"bool({a})"
            case 10:
                return f"(not {self.truth(0)})"
            case _:
                return f"CODE.fullmatch({a}) is not None"


def random_text(rng: random.Random, length: int) -> str:
    """Any characters, mostly those that the tables treat differently than one thinks."""
    kind = rng.randrange(4)
    alphabet = (ODD, ODD, ALPHABET, "0123456789 ")[kind]
    return "".join(rng.choice(alphabet) for _ in range(length))


def random_inputs(rng: random.Random, shape: dict[str, int]) -> dict[str, Any]:
    return {
        "s": random_text(rng, shape["s"]),
        "t": "".join(rng.choice(ALPHABET) for _ in range(shape["t"])),
        "m": rng.choice((".", ",", "", "ab")),
        "n": rng.choice((-3, 0, 7, 9, 10, 65, 99, 100, 130, rng.randint(-3, 130))),
    }
