"""SARIF 2.1.0: what is said of places in files, for code scanning.

What must not be used is an error, what is not decided a warning, what the spec waives is suppressed. A fault of this
tool is a notification of a run that did not succeed. A result is known again by what it says and by the text of its
line, never by the line's number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from neurosym.codes import page, title
from neurosym.reports.document import Result
from neurosym.reports.findings import FAULT, Finding, findings
from neurosym.safe_text import safe_json, safe_text

Plain: TypeAlias = dict[str, Any]  # what json.dumps takes

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_FINGERPRINT = "neurosym/v1"


def sarif(result: Result) -> str:
    """The document."""
    found = [*findings(result)]
    said, faults = [each for each in found if each.code != FAULT], [each for each in found if each.code == FAULT]
    codes = sorted({each.code for each in found})
    files = _artifacts(result)
    places = {name: place for place, name in enumerate(files)}
    run: Plain = {
        "tool": {
            "driver": {
                "name": safe_text(result.tool.name),
                "version": safe_text(result.tool.version),
                "rules": [_rule(code) for code in codes],
            }
        },
        "automationDetails": {"id": f"neurosym/{safe_text(result.spec.name)}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not faults,
                "exitCode": result.exit_code,
                "toolExecutionNotifications": [_notification(each, places) for each in faults],
            }
        ],
        "artifacts": [*files.values()],
        "results": [_result(each, result, codes, places) for each in said],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return safe_json(json.dumps(document, indent=2, ensure_ascii=True)) + "\n"


def _rule(code: str) -> Plain:
    return {
        "id": code,
        "shortDescription": {"text": title(code)},
        "help": {"text": page(code), "markdown": page(code)},
    }


def _artifacts(result: Result) -> dict[str, Plain]:
    """The spec and the candidates, each once, with the hashes of their bytes."""
    files: dict[str, Plain] = {}
    spec = result.spec
    named = [(spec.path or spec.name, spec.sha256, "referencedOnCommandLine")]
    named += [(each.name, each.original_sha256, "analysisTarget") for each in result.candidates]
    for name, sha256, role in named:
        hashes = {"hashes": {"sha-256": sha256}} if sha256 else {}
        files.setdefault(name, {"location": {"uri": uri_of(name)}, "roles": [role], **hashes})
    return files


def _result(finding: Finding, result: Result, codes: Sequence[str], places: dict[str, int]) -> Plain:
    waived = [{"kind": "external", "status": "accepted", "justification": finding.waived}]
    return {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.level.value,
        "message": {"text": _message(finding.message)},
        "locations": [_location(finding, places)],
        "partialFingerprints": {_FINGERPRINT: fingerprint(finding, result.spec.name)},
        "suppressions": waived if finding.waived else [],
        **({"properties": {"clause": safe_text(finding.clause)}} if finding.clause else {}),
    }


def _notification(finding: Finding, places: dict[str, int]) -> Plain:
    return {
        "level": "error",
        "descriptor": {"id": finding.code},
        "message": {"text": _message(finding.message)},
        "locations": [_location(finding, places)],
    }


def _message(text: str) -> str:
    """In SARIF's plain text too, ``[text](target)`` would be a link."""
    return safe_text(text, limit=8_000).replace("](", "] (")


def _location(finding: Finding, places: dict[str, int]) -> Plain:
    artifact = {"uri": uri_of(finding.file), "index": places[finding.file]}
    if finding.line is None:
        return {"physicalLocation": {"artifactLocation": artifact}}
    column = {} if finding.column is None else {"startColumn": finding.column}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": finding.line, **column}}}


def fingerprint(finding: Finding, spec: str) -> str:
    """What stays the same when lines are moved: the spec, the code, the clause, the text of the line."""
    parts = (spec, finding.code, finding.clause, " ".join(finding.content.split()))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()


def uri_of(name: str) -> str:
    """A file's name as a URI reference: a relative one stays relative."""
    path = Path(name)
    quoted = quote(path.as_posix().encode("utf-8", "surrogateescape"))
    return f"file://{quoted}" if path.is_absolute() else quoted
