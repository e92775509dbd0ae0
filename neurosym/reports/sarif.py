"""SARIF 2.1.0: what is said of places in files, for code scanning.

What must not be used is an error, what is not decided a warning, what is accepted or waived is suppressed. A fault of
this tool is a notification of a run that did not succeed. A result is known again by what it says and by the text of
its line, never by the line's number.
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
from neurosym.reports.findings import FAULT, AcceptedBy, Finding
from neurosym.reports.sections import Report, Section, report_of
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_json, safe_text

Plain: TypeAlias = dict[str, Any]  # what json.dumps takes

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_FINGERPRINT = "neurosym/v1"


def sarif(result: Result) -> str:
    """The document."""
    return sarif_of(report_of(result))


def sarif_of(report: Report) -> str:
    """The document about several results, as one run."""
    found = [(each, section.result.spec.name) for section in report.sections for each in section.findings]
    found += [(each, report.name) for each in report.remarks]
    faults = [each for each, _ in found if each.code == FAULT]
    codes = sorted({each.code for each, _ in found})
    files = _artifacts(report)
    places = {name: place for place, name in enumerate(files)}
    tool = report.sections[0].result.tool
    run: Plain = {
        "tool": {
            "driver": {
                "name": safe_text(tool.name),
                "version": safe_text(tool.version),
                "rules": [_rule(code) for code in codes],
            }
        },
        "automationDetails": {"id": f"neurosym/{safe_text(report.name)}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not faults,
                "exitCode": report.exit_code,
                "toolExecutionNotifications": [_notification(each, places) for each in faults],
            }
        ],
        "artifacts": [*files.values()],
        "results": [_result(each, spec, codes, places) for each, spec in found if each.code != FAULT],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return safe_json(json.dumps(document, indent=2, ensure_ascii=True)) + "\n"


def _rule(code: str) -> Plain:
    return {
        "id": code,
        "shortDescription": {"text": title(code)},
        "help": {"text": page(code), "markdown": page(code)},
    }


def _artifacts(report: Report) -> dict[str, Plain]:
    """The specs and the candidates, each once, with the hashes of their bytes."""
    files: dict[str, Plain] = {}
    named = [each for section in report.sections for each in _named(section)]
    named += [(each.file, "", "analysisTarget") for each in report.remarks]
    for name, sha256, role in named:
        hashes = {"hashes": {"sha-256": sha256}} if sha256 else {}
        files.setdefault(name, {"location": {"uri": uri_of(name)}, "roles": [role], **hashes})
    return files


def _named(section: Section) -> list[tuple[str, str, str]]:
    spec = section.result.spec
    candidates = section.result.candidates
    named = [(spec.path or spec.name, spec.sha256, "referencedOnCommandLine")]
    return named + [(each.name, each.original_sha256, "analysisTarget") for each in candidates]


def _result(finding: Finding, spec: str, codes: Sequence[str], places: dict[str, int]) -> Plain:
    kind = "inSource" if finding.accepted_by is AcceptedBy.COMMENT else "external"
    why = safe_text(finding.accepted or finding.waiver)
    suppressed = [{"kind": kind, "status": "accepted", "justification": why}]
    return {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.level.value,
        "message": {"text": _message(finding.message)},
        "locations": [_location(finding, places)],
        "partialFingerprints": {_FINGERPRINT: fingerprint(finding, spec)},
        "suppressions": suppressed if why else [],
        **({"properties": _properties(finding)} if finding.clause else {}),
    }


def _properties(finding: Finding) -> Plain:
    """The clause, and the command that runs a refutation again."""
    replay = {"replay": safe_text(finding.replay, limit=MAX_COMMAND_CHARS)} if finding.replay else {}
    return {"clause": safe_text(finding.clause), **replay}


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
