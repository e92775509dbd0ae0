"""The result of one candidate as that of its kin, in the lines of the latter, or nothing where that is not sure.

The gate is asked of each candidate; what is taken over is what was found by running and proving the first one. A line
that is named in it is carried to the other text. What names a line that has no one counterpart, what holds words that
may name a line, and what is not decided is not taken over: then the other candidate is judged like any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from neurosym_specs.verdicts import Standing

from neurosym.batch.kinship import line_map
from neurosym.positions import AT_LINE

_LINE_IN_WORDS = re.compile(r"\blines?\W{1,3}\d", re.IGNORECASE)
_DECIDED = frozenset({Standing.PROVED.value, Standing.REFUTED.value, Standing.TESTED.value})
_OWN = (
    "name",
    "sha256",
    "original_sha256",
    "text",
    "gate",
    "rewrites",
    "objections",
    "diagnostics",
    "waivers",
    "seconds",
)
_FOUND_BY_RUNNING = ("NS550", "NS551")
_NO_LINES = frozenset({"queries", "sandbox", "text", "formal", "source", "inputs", "calls"})
"""Fields of a spec's words and values, of inputs, and of what was used."""
_OURS = frozenset({"lacks", "detail", "assumptions"})
"""Fields with words of this tool's own, which name lines in one way."""


class _NotSure(Exception):
    """It cannot be told what this would be of another text."""


def can_be_shared(document: Mapping[str, Any]) -> bool:
    """Whether all of a stored result came from running and proving code, and nothing was left open by a clock."""
    if len(document["candidates"]) != 1:
        return False
    (given,) = document["candidates"]
    return (
        given["verdict"] in _DECIDED
        and not given["cut_short"]
        and not given.get("printed")
        and given["fix"] is None
        and given["slice"] is None
        and _has_no_own(given)
    )


def taken_over(sibling: Mapping[str, Any], gate_document: Mapping[str, Any]) -> dict[str, Any] | None:
    """The result of ``sibling``, which ``can_be_shared``, as the document of a candidate that passed the gate as
    ``gate_document`` says; None where it must be judged itself."""
    (given,), (own,) = sibling["candidates"], gate_document["candidates"]
    if not _has_no_own(own):
        return None
    try:
        lines = line_map(given["text"], own["text"])
        found = _Carrying(lines).carried({name: each for name, each in given.items() if name not in _OWN})
    except (_NotSure, ValueError):
        return None
    seen = [each for each in found["notes"] if each["code"] in _FOUND_BY_RUNNING]
    candidate = {**found, **{name: own[name] for name in _OWN}, "notes": [*own["notes"], *seen]}
    return {**gate_document, "candidates": [candidate], "exit_code": sibling["exit_code"]}


def _has_no_own(candidate: Mapping[str, Any]) -> bool:
    """Whether nothing in a result is about its text alone."""
    return not any(candidate[name] for name in ("rewrites", "objections", "diagnostics", "waivers"))


@dataclass(frozen=True, slots=True)
class _Carrying:
    """Carries lines to another text, wherever they stand in a document."""

    lines: Mapping[int, int]

    def carried(self, value: Any, name: str = "") -> Any:
        """Raises ``_NotSure``."""
        match value:
            case dict():
                return {key: each if key in _NO_LINES else self.carried(each, key) for key, each in value.items()}
            case list():
                return [self.carried(each, name) for each in value]
            case int() if name == "line" or name.endswith("_line"):
                return self._line(value)
            case str() if name in _OURS:
                return self._words(value)
            case str() if _LINE_IN_WORDS.search(value) or (name in ("stdout", "stderr") and value):
                raise _NotSure
            case _ if name == "column" and value is not None:
                raise _NotSure
            case _:
                return value

    def _line(self, line: int) -> int:
        if line not in self.lines:
            raise _NotSure
        return self.lines[line]

    def _words(self, text: str) -> str:
        if len(_LINE_IN_WORDS.findall(text)) != len(AT_LINE.findall(text)):
            raise _NotSure
        return AT_LINE.sub(lambda found: f"at line {self._line(int(found[1]))}", text)
