"""The document of a whole project, versioned: what ``neurosym check --json`` writes, as frozen dataclasses.

Each function has the result of its own run as ``neurosym verify`` stores it, and beside it what a project adds: that it
was reached earlier, what of it is accepted, and whether it counts as fine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter

from neurosym.checking.accepting import Accounted
from neurosym.reports.document import Result, Tool
from neurosym.reports.findings import Finding
from neurosym.reports.json import dump, tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What was found and does not count. ``by``: a comment in the code, the baseline, or the policy of the spec."""

    code: str
    clause: str
    message: str
    reason: str
    by: Literal["comment", "baseline", "policy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function of the project, as ``module:name``. ``cached``: when its verdict was reached, in an earlier run.

    ``admission`` counts what is accepted, where that of the candidate in ``result`` does not.
    """

    function: str
    cached: str | None
    admission: Literal["refused", "failed", "undecided", "nothing to check", "admitted", "spec fault"]
    accepted: tuple[Accepted, ...]
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """On a comment or an entry of the baseline that accepts nothing."""

    code: str
    message: str
    file: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One run of ``neurosym check``."""

    schema_version: Literal[1]
    kind: Literal["check"]
    tool: Tool
    functions: tuple[Function, ...]
    remarks: tuple[Remark, ...]
    exit_code: int


def project_document(accounted: Sequence[Accounted], remarks: Sequence[Finding], exit_code: int) -> str:
    """The document."""
    functions = tuple(_function(each) for each in accounted)
    said = tuple(Remark(code=each.code, message=each.message, file=each.file, line=each.line) for each in remarks)
    project = Project(
        schema_version=1,
        kind="check",
        tool=Tool(**tool()),
        functions=functions,
        remarks=said,
        exit_code=exit_code,
    )
    return dump(_adapter().dump_python(project, by_alias=True))


def project_schema_text() -> str:
    """The JSON Schema (draft 2020-12) of the document, as it is published."""
    made: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:neurosym:schema:check:1",
        **_adapter().json_schema(),
        "title": "The result of neurosym check, version 1",
    }
    return json.dumps(made, indent=2, ensure_ascii=True) + "\n"


@cache
def _adapter() -> TypeAdapter[Project]:
    return TypeAdapter(Project)


def _function(accounted: Accounted) -> Function:
    section = accounted.section
    accepted = tuple(
        Accepted(code=each.code, clause=each.clause, message=each.message, reason=each.accepted,
                 by=each.accepted_by.value)
        for each in section.findings
        if each.accepted
    )  # fmt: skip
    return Function(
        function=accounted.subject.name,
        cached=section.reached.isoformat(timespec="seconds") if section.reached else None,
        admission=accounted.admission.value if accounted.admission else "spec fault",
        accepted=accepted,
        result=section.result,
    )
