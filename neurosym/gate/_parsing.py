"""The fourth step: the text becomes a tree, or one of five kinds of syntax error with its own advice.

It is parsed in a killable process first, and here only if it came through there.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.fences import code_blocks
from neurosym.source import Delivered
from neurosym.workers import Broken, Limits, Worker

_LIMITS = Limits(wall_s=20.0, cpu_s=5.0, memory_bytes=2**30)
_FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)
_CODE_LINE = re.compile(r"^(?:def |async def |import |from \w+(?:\.\w+)* import |class |@\w)", re.MULTILINE)
_STATEMENT = re.compile(
    r"^\s*(?:def|class|return|if|elif|else|for|while|try|except|finally|with|import|from|raise|assert|pass|async)\b"
    r"|^\S.*[^=!<>]=[^=]"
)
_NEVER_CLOSED = ("was never closed",)
_MISMATCH = ("unmatched", "does not match opening")
_CUT_OFF = (
    "unexpected EOF",
    "expected an indented block",
    "unterminated string literal",
    "unterminated f-string",
    "expected 'except' or 'finally' block",
)


@dataclass(frozen=True, slots=True)
class ParserFault:
    """The process that parses failed on this candidate: its syntax is not known, which is not the same as right."""

    why: str


@cache
def shared_parser() -> Worker:
    """The one process that parses for this one."""
    return Worker(Path(__file__).with_name("_syntax_service.py"), called="the parser", limits=_LIMITS)


def parse(source: Delivered, worker: Worker | None = None) -> ast.Module | Diagnostic | ParserFault:
    """The tree of ``source``. Runs nothing of it; a text that breaks the parser is a syntax error like any other."""
    said = (worker or shared_parser()).ask({"text": source.text})
    if isinstance(said, Broken):
        return ParserFault(said.why)
    match said.get("error"):
        case None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(source.text)
        case "RecursionError" | "MemoryError":
            return Diagnostic(
                "NS201",
                FailureClass.SYNTAX,
                "Python's own parser gives up on this code: it is nested too deeply",
                hint="split the expression into named parts",
            )
        case "ValueError":
            return Diagnostic("NS210", FailureClass.SYNTAX, f"Python cannot read this: {said['message']}")
        case name:
            return _explain(_error(str(name), str(said["message"]), said["place"]), source)


def _error(name: str, message: str, place: tuple[int | None, int | None, int | None]) -> SyntaxError:
    kind = {"IndentationError": IndentationError, "TabError": TabError}.get(name, SyntaxError)
    line, column, last_line = place
    return kind(message, ("<candidate>", line, column, None, last_line, None))


def _explain(error: SyntaxError, source: Delivered) -> Diagnostic:
    line = error.lineno or 1
    column = error.offset if error.offset and error.offset > 0 else None
    said = error.msg or "invalid syntax"

    def diagnostic(code: str, message: str, hint: str) -> Diagnostic:
        return Diagnostic(code, FailureClass.SYNTAX, message, line, column, source.line(line), hint)

    blocks = code_blocks(source.text)
    if len(blocks) > 1:
        lines = ", ".join(str(each.line) for each in blocks[:5])
        return Diagnostic(
            "NS214",
            FailureClass.EXTRACTION,
            f"{len(blocks)} blocks of code stand in the file, from the lines {lines}",
            blocks[1].line,
            None,
            source.line(blocks[1].line),
            "keep one: the whole module, with its imports and everything that it calls",
        )
    if _FENCE.search(source.text):
        fence = source.text.count("\n", 0, _first(_FENCE, source.text)) + 1
        return Diagnostic(
            "NS213",
            FailureClass.EXTRACTION,
            f"a markdown fence stands in the file, on line {fence}",
            fence,
            None,
            source.line(fence),
            "keep only what stands between the fences",
        )
    if _is_prose(source, line):
        return Diagnostic(
            "NS213",
            FailureClass.EXTRACTION,
            f"line {line} is a sentence, not code",
            line,
            None,
            source.line(line),
            "keep the code only; a remark needs a # before it",
        )
    if "unterminated triple-quoted" in said:
        return diagnostic("NS211", f"the code ends too early: {said}", "close the text, or ask for the whole function")
    if any(words in said for words in _CUT_OFF) and _nothing_follows(source, line, error.end_lineno):
        return diagnostic("NS211", f"the code ends too early: {said}", "it looks cut off: ask for the whole function")
    if any(words in said for words in _NEVER_CLOSED):
        if _nothing_follows(source, line, None):
            return diagnostic("NS211", f"the code ends too early: {said}", "it looks cut off: ask for the whole text")
        return diagnostic("NS212", f"a bracket is open: {said}", "close it where the expression ends")
    if any(words in said for words in _MISMATCH):
        return diagnostic("NS212", f"a bracket does not match: {said}", "remove it, or open it where it should begin")
    advice = _advice(error)
    if source.name.endswith((".toml", ".json")):
        advice = "one spec comes first, then the candidates, which are Python files"
    return diagnostic("NS210", f"this is not Python: {said}", advice)


def _first(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return found.start() + len(found.group()) - len(found.group().lstrip()) if found else 0


def _is_prose(source: Delivered, line: int) -> bool:
    """Whether a line that Python cannot read is a sentence beside code: plain words, and code elsewhere."""
    text = source.line(line).strip()
    words = re.findall(r"[A-Za-z][A-Za-z'’-]*", text)
    code_like = re.search(r"[=\[\]{}\\@#]|\w\(|^\W*(?:def|return|if|for|while|class|import|from|elif|else)\b", text)
    return len(words) >= 3 and not code_like and _CODE_LINE.search(source.text) is not None


def _nothing_follows(source: Delivered, line: int, end_line: int | None) -> bool:
    """Whether no line after the place of the error looks like a new statement."""
    lines = source.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return not any(_STATEMENT.match(rest) for rest in lines[max(line, end_line or 0) :])


def _advice(error: SyntaxError) -> str:
    said = error.msg or ""
    if isinstance(error, TabError):
        return "indent with spaces only"
    if isinstance(error, IndentationError):
        return "align the line with the lines of its block"
    if "invalid character" in said or "non-printable" in said:
        return "replace it with its plain ASCII form: quotes, minus signs and spaces are often typographic"
    return ""
