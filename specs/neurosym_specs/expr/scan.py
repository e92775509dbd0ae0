"""The text of an expression before it is parsed: its size, its nesting, and the slips that deserve their own message.

The scan reads tokens with one regular expression and never recurses, so that ten thousand brackets are counted
rather than parsed. It also reads the rounding mode ``05up``, which is not a name of Python.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from neurosym_specs.errors import Place, SpecError

MAX_TEXT = 20_000
MAX_TOKENS = 6_000
MAX_NESTING = 60
MAX_DIGITS = 1_000

_TOKEN = re.compile(
    r"""
      (?P<continuation> \\ [ \t]* (?:\n|\Z) )
    | (?P<space>  [ \t\f\n\r\ufeff]+ )
    | (?P<comment> \# [^\n]* )
    | (?P<string> [A-Za-z]{0,2} (?: \"\"\" (?: [^\\] | \\. )*? \"\"\" | ''' (?: [^\\] | \\. )*? '''
                                  | " (?: [^"\\\n] | \\. )* "           | ' (?: [^'\\\n] | \\. )* ' ) )
    | (?P<mode>   05up \b )
    | (?P<number> 0[xX][0-9a-fA-F_]+ | 0[oO][0-7_]+ | 0[bB][01_]+
                | (?: [0-9][0-9_]* \.? [0-9_]* | \. [0-9][0-9_]* ) (?: [eE][+-]?[0-9][0-9_]* )? [jJ]? )
    | (?P<name>   [^\W\d]\w* )
    | (?P<foreign> && | \|\| | <> | === | !== | => | \+\+ | := | ->  )
    | (?P<operator> \*\* | // | == | != | <= | >= | << | >> | [-+*/%<>()\[\]{},.:&|^~@=] )
    """,
    re.VERBOSE | re.DOTALL,
)

_SUGGESTIONS = {
    "&&": "write `and`",
    "||": "write `or`",
    "!": "write `not`",
    "<>": "write `!=`",
    "===": "write `==`",
    "!==": "write `!=`",
    "=>": "`>=` is greater or equal; a consequence is `not p or q`",
    "->": "a consequence is `not p or q`",
    "++": "write `+`",
    ":=": "name the value in [let]",
    "?": "write `x if condition else y`",
    ";": "name the parts in [let]",
    "$": "name amounts without a currency sign",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `/`",
    "−": "write `-`",
    "–": "write `-`",
    "“": 'write plain quotes: "',
    "”": 'write plain quotes: "',
    "‘": "write plain quotes: '",
    "’": "write plain quotes: '",
    "\\": "a line break needs no backslash",
    '"': "a text ends with the quote it began with, on the same line",
    "'": "a text ends with the quote it began with, on the same line",
}

_PREFIXES = frozenset({"not", "-", "+", "~", "lambda", "await"})
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Scanned:
    """The text to hand to Python's parser (same columns), and where in it (line, byte column) a ``05up`` stood."""

    text: str
    modes: frozenset[tuple[int, int]]


def one_line(text: str, limit: int = 80) -> str:
    """A piece of an expression for a message: on one line, shortened, without control characters."""
    line = " ".join("".join(c if c.isprintable() or c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def position(line: int, column: int, text: str) -> str:
    return f"line {line}, column {column}" if "\n" in text.strip("\n") or line > 1 else f"column {column}"


def scan(text: str, place: Place) -> Scanned:
    """Bound a text's size and nesting, find its foreign signs; raises a ``SpecError`` for the first."""
    if len(text) > MAX_TEXT:
        raise SpecError(
            f"the expression has {len(text):,} characters; at most {MAX_TEXT:,} are read",
            place,
            hint="name its parts in [let] or [define]",
        )
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise SpecError("the expression contains a NUL or a surrogate character", place)
    if not text.strip():
        raise SpecError("the expression is empty", place)
    return _Scan(text, place).run()


class _Scan:
    def __init__(self, text: str, place: Place) -> None:
        self.text = text
        self.place = place
        self.pieces: list[str] = []
        self.modes: list[tuple[int, int]] = []
        self.open: list[tuple[str, int]] = []
        self.prefixes = 0

    def fault(self, at: int, fragment: str, message: str, hint: str = "") -> SpecError:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        where = position(line, column, self.text)
        return SpecError(f"`{one_line(fragment)}` ({where}): {message}", self.place, hint=hint)

    def run(self) -> Scanned:
        at, count = 0, 0
        while at < len(self.text):
            found = _TOKEN.match(self.text, at)
            if found is None:
                sign = self.text[at]
                hint = _SUGGESTIONS.get(sign, "")
                raise self.fault(at, sign, f"the character {sign!r} does not belong here", hint)
            count += 1
            if count > MAX_TOKENS:
                raise SpecError(
                    f"the expression has more than {MAX_TOKENS:,} words and signs",
                    self.place,
                    hint="name its parts in [let] or [define]",
                )
            self.token(found.lastgroup or "", found[0], at)
            at = found.end()
        if self.open:
            bracket, start = self.open[-1]
            raise self.fault(start, bracket, "this bracket is never closed")
        return Scanned("".join(self.pieces), frozenset(self.modes))

    def token(self, kind: str, token: str, at: int) -> None:
        if kind == "continuation":
            token = " " * (len(token) - 1) + "\n" if token.endswith("\n") else " " * len(token)
        elif kind == "space":
            token = token.replace("\ufeff", " ").replace("\f", " ")
        elif kind == "string":
            self.string(token, at)
        elif kind == "number":
            self.number(token, at)
        elif kind == "mode":
            line_start = self.text.rfind("\n", 0, at) + 1
            self.modes.append((self.text.count("\n", 0, at) + 1, len(self.text[line_start:at].encode())))
            token = "O5up"
        elif kind == "foreign":
            raise self.fault(at, token, f"`{token}` is not in the language", _SUGGESTIONS[token])
        elif kind == "operator":
            self.bracket(token, at)
        if kind not in {"space", "comment", "continuation"}:
            self.prefixes = self.prefixes + 1 if token in _PREFIXES else 0
            if self.prefixes > MAX_NESTING:
                raise self.fault(at, token, f"more than {MAX_NESTING} of these in a row")
        self.pieces.append(token)

    def string(self, token: str, at: int) -> None:
        prefix = token[: re.search(r"[\"']", token).start()].lower()  # type: ignore[union-attr]  # a quote is there
        if "f" in prefix or "t" in prefix:
            raise self.fault(at, token, "an f-string is not in the language", "join texts with +, numbers with str(n)")
        if "b" in prefix:
            raise self.fault(at, token, "bytes are not in the language", "write a text without the b")

    def number(self, token: str, at: int) -> None:
        following = self.text[at + len(token) : at + len(token) + 1]
        if following.isalnum() or following == "_":
            raise self.fault(at, token + following, "a number runs into a name", "put an operator between them")
        if token[-1] in "jJ" and not token.lower().startswith("0x"):
            raise self.fault(at, token, "a complex number is not in the language")
        mantissa, _, exponent = token.lower().partition("e") if not token.lower().startswith("0x") else (token, "", "")
        size = abs(int(exponent.replace("_", ""))) if exponent and len(exponent) < 9 else len(exponent) ** 9
        if len(mantissa) + size > MAX_DIGITS:
            raise self.fault(at, token, f"a number of more than {MAX_DIGITS:,} digits", "write it as a power")

    def bracket(self, token: str, at: int) -> None:
        if token in "([{":
            self.open.append((token, at))
            if len(self.open) > MAX_NESTING:
                raise self.fault(
                    at, token, f"brackets nested more than {MAX_NESTING} deep", "name the parts in [let] or [define]"
                )
        elif token in _PAIRS:
            if not self.open:
                raise self.fault(at, token, "this bracket was never opened")
            opened, _ = self.open.pop()
            if opened != _PAIRS[token]:
                raise self.fault(at, token, f"this bracket closes a `{opened}`")


def syntax_fault(text: str, error: SyntaxError, place: Place) -> SpecError:
    """Python's complaint about a text, with the place in it and Python's words."""
    lines = text.split("\n")
    line = min(max((error.lineno or 2) - 1, 1), len(lines))
    column = max(error.offset or 1, 1)
    if (error.lineno or 2) - 1 > len(lines):  # the added closing bracket
        column = len(lines[-1]) + 1
        return SpecError(
            f"`{one_line(lines[-1])}` ({position(line, column, text)}): the expression is not complete", place
        )
    message = (error.msg or "invalid syntax").replace(" or ':=' instead of '='?", " instead of '='?")
    if message.startswith("invalid syntax. Perhaps you forgot a comma"):
        message = "invalid syntax; is an operator or a comma missing?"
    fragment = lines[line - 1][column - 1 :] or lines[line - 1]
    return SpecError(f"`{one_line(fragment, 40)}` ({position(line, column, text)}): {message}", place)
