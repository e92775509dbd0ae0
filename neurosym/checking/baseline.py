"""The baseline: a file of findings that a project knows of, so that only new ones count.

An entry is known by its fingerprint, of function, code, clause and the text of the line, and of what happened where a
promise is broken: code that moves keeps it, and another fault in the same function has another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neurosym.checking.settings import SettingsError
from neurosym.reports.findings import Finding
from neurosym.reports.sarif import fingerprint
from neurosym.reports.wording import REFUTATION_CODES
from neurosym.safe_text import safe_json, safe_text
from neurosym.source import sha256_of
from neurosym.writing import write_whole

_VERSION = 1
_KEYS = ("fingerprint", "function", "code", "clause", "message")
_LARGEST_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Known:
    """One entry; all but the fingerprint is for whoever reads the file."""

    fingerprint: str
    function: str
    code: str
    clause: str
    message: str


def known_as(finding: Finding, function: str) -> Known:
    """The entry for a finding about a function, named ``module:function``."""
    what = finding.message if finding.code in REFUTATION_CODES.values() else ""
    parts = (function, fingerprint(finding, function), what)
    key = sha256_of("\0".join(parts).encode("utf-8", "backslashreplace"))
    return Known(key, function, finding.code, safe_text(finding.clause), safe_text(finding.message, limit=300))


def read_baseline(file: Path) -> tuple[Known, ...]:
    """The entries of a file; none where there is no file. Raises ``SettingsError`` for one that cannot be read."""
    try:
        with open(file, "rb") as stream:
            raw = stream.read(_LARGEST_BYTES + 1)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise SettingsError(f"{file}: the baseline cannot be read: {error.strerror}") from error
    try:
        document = json.loads(raw) if len(raw) <= _LARGEST_BYTES else None
    except (ValueError, RecursionError) as error:
        raise _no_baseline(file) from error
    if not isinstance(document, dict) or document.get("kind") != "baseline":
        raise _no_baseline(file)
    if document.get("schema_version") != _VERSION:
        raise SettingsError(
            f"{file}: a baseline of version {document.get('schema_version')!r}, and this reads {_VERSION}"
        )
    findings = document.get("findings")
    if not isinstance(findings, list) or not all(_is_entry(each) for each in findings):
        raise _no_baseline(file)
    return tuple(Known(**{key: each[key] for key in _KEYS}) for each in findings)


def write_baseline(file: Path, known: Iterable[Known]) -> int:
    """Writes the entries in a fixed order, one a line, so that a change of it can be read; returns how many.

    Raises ``OSError``.
    """
    entries = sorted(set(known), key=lambda each: (each.function, each.code, each.clause, each.fingerprint))
    lines = [json.dumps({key: getattr(each, key) for key in _KEYS}, ensure_ascii=True) for each in entries]
    inner = ",\n    ".join(lines)
    listed = f"[\n    {inner}\n  ]" if lines else "[]"
    text = f'{{\n  "schema_version": {_VERSION},\n  "kind": "baseline",\n  "findings": {listed}\n}}\n'
    write_whole(str(file), safe_json(text))
    return len(entries)


def _is_entry(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in _KEYS)


def _no_baseline(file: Path) -> SettingsError:
    return SettingsError(f"{file}: this is no baseline; neurosym check --write-baseline writes one")
