"""The one printer for text that a stranger wrote: a candidate, a spec, a model's reply, a file's name.

Shown text must not move the cursor, reorder what is read, hide a character, or command the CI that runs us. What could
is written as a Python escape, which keeps a call that is shown equal to the call that was made.
"""

from __future__ import annotations

import re
import unicodedata

MAX_CHARS = 2_000

MAX_COMMAND_CHARS = 90_000
"""Of a command that can be pasted: Linux takes no more than 128 KiB as one argument."""

_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_GITHUB = re.compile(
    r"::(?=(?:error|warning|notice|debug|group|endgroup|add-mask|add-path|add-matcher|remove-matcher|set-output|"
    r"set-env|save-state|stop-commands|echo)\b)",
    re.IGNORECASE,
)
_AZURE = re.compile(r"##(?=\w*\[)")
_MANY_MARKS = 4


def safe_text(text: str, *, limit: int = MAX_CHARS, multiline: bool = False) -> str:
    """``text`` for a terminal, a log or a page: one line unless ``multiline``, at most about ``limit`` characters.

    Control and format characters, text direction marks, lone surrogates, unassigned characters and commands for a CI
    system come out escaped; a heap of combining marks is cut.
    """
    shown = text[:limit]
    shown = "".join(_escape(char, multiline) for char in _thinned(shown))
    shown = _AZURE.sub(r"#\\x23", _GITHUB.sub(r":\\x3a", shown))
    if len(text) > limit:
        shown += f" … ({len(text) - limit:,} more characters)"
    return shown


def says_something(text: str) -> bool:
    """Whether a reader sees a letter or a digit in it: blanks, marks and characters of no width are no reason."""
    return any(char.isalnum() for char in text)


def safe_json(document: str) -> str:
    """A JSON document, escaped so that no CI system reads a command in it; equal as JSON.

    Neither ``##`` nor ``::`` stands outside of a JSON string, and inside one an escape means the same character.
    """
    return document.replace("##", "#\\u0023").replace("::", ":\\u003a")


def plain_text(text: str, *, limit: int = 100_000) -> str:
    """``text`` as a JSON string can hold it: lone surrogates escaped, a bounded length, nothing else changed."""
    held = text[:limit].encode("utf-8", "backslashreplace").decode("utf-8")
    return held if len(text) <= limit else f"{held} … ({len(text) - limit:,} more characters)"


def _escape(char: str, multiline: bool) -> str:
    if " " <= char <= "~" or (multiline and char in "\n\t"):
        return char
    if char in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[char]
    if unicodedata.category(char) not in _UNSAFE_CATEGORIES:
        return char
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _thinned(text: str) -> str:
    """``text`` without the combining marks beyond the fourth on one character, which paint over other lines."""
    if text.isascii():
        return text
    kept: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MANY_MARKS:
            kept.append(char)
    return "".join(kept)
