"""Results as no small run gives them: a run's document with every verdict, and with texts of a hostile stranger."""

from __future__ import annotations

import json
from typing import Any

from neurosym.reports.document import Result
from neurosym.reports.reading import result_of

HOSTILE = (
    "\x1b[31m<script>alert(1)</script> \u202e]]>&amp;\x00\ufffe ::error file=x::no ##vso[task.setvariable]x "
    "[a](http://x) |`~~ ```\n=1+1\r{{7*7}}{% raw %}"
)


def result_from(document: dict[str, Any]) -> Result:
    """The result that a document holds."""
    return result_of(json.dumps(document))


def with_every_verdict(document: dict[str, Any]) -> dict[str, Any]:
    """The right candidate's clauses with each verdict once, and the rest proved."""
    candidate = document["candidates"][0]
    document["candidates"] = [candidate]
    made: list[dict[str, Any]] = [
        {"verdict": "UNKNOWN", "reason": "budget", "detail": "the loop", "cases": 3},
        {"verdict": "UNKNOWN", "reason": "stopped early", "detail": "", "cases": 0},
        {"verdict": "VACUOUS", "detail": "no input meets it"},
        {"verdict": "ERROR", "error": "the solver died"},
        {"verdict": "TESTED", "cases": 300, "exhaustive": False, "lacks": "a proof for every input"},
    ]
    assert len(candidate["obligations"]) > len(made)
    for obligation, changes in zip(candidate["obligations"], made, strict=False):
        for name in ("assumptions", "verdict"):
            del obligation[name]
        obligation |= changes
    candidate |= {"verdict": "ERROR", "admission": "failed"}
    return document


def with_hostile_texts(value: Any, name: str = "") -> Any:
    """The document with every text that a stranger may have written replaced by one that would do harm."""
    closed = {
        "verdict",
        "admission",
        "kind",
        "require",
        "code",
        "reason",
        "sha256",
        "original_sha256",
        "schema_version",
    }
    match value:
        case str() if name not in closed:
            return HOSTILE
        case dict():
            return {key: with_hostile_texts(each, key) for key, each in value.items()}
        case list():
            return [with_hostile_texts(each, name) for each in value]
        case _:
            return value
