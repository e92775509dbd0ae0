"""Stored results, read back: from a file that may be broken or of another version, and the schema it must meet."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from neurosym_specs.errors import NeurosymError
from pydantic import TypeAdapter, ValidationError

from neurosym.reports.document import SCHEMA_VERSION, Result

_LARGEST_BYTES = 256 * 1024 * 1024


class DocumentError(NeurosymError):
    """A file that is no result of ``neurosym verify --json``, or one of another version. ``str`` says what is wrong."""

    exit_code = 2
    code = "NS706"


def load_result(path: str | Path) -> Result:
    """The result that a file holds. Raises ``DocumentError``."""
    try:
        with open(path, "rb") as stream:
            raw = stream.read(_LARGEST_BYTES + 1)
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read: {error.strerror}") from error
    if len(raw) > _LARGEST_BYTES:
        raise DocumentError(f"{path}: larger than {_LARGEST_BYTES // 2**20} MiB, and no result is")
    try:
        return result_of(raw)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error.__cause__


def result_of(raw: str | bytes) -> Result:
    """The result in a JSON document. Raises ``DocumentError``."""
    _check_kind(_parsed(raw))
    try:
        return _adapter().validate_json(raw, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = _place(first["loc"])
        raise DocumentError(f"not as the schema says, at {place}: {first['msg']}") from error


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the document."""
    made = _adapter().json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:neurosym:schema:verify:{SCHEMA_VERSION}",
        **made,
        "title": f"The result of neurosym verify, version {SCHEMA_VERSION}",
    }


def schema_text() -> str:
    """The schema as it is published."""
    return json.dumps(schema(), indent=2, ensure_ascii=True) + "\n"


@cache
def _adapter() -> TypeAdapter[Result]:
    return TypeAdapter(Result)


def _parsed(raw: str | bytes) -> Any:
    try:
        return json.loads(raw)
    except UnicodeDecodeError as error:
        raise DocumentError("not a JSON document: it is not UTF-8") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise DocumentError(f"not a whole JSON document: {error.msg} at {where}") from error
    except (RecursionError, ValueError) as error:
        raise DocumentError(
            "not a JSON document of a result: it is nested too deeply, or a number is too long"
        ) from error


def _check_kind(document: Any) -> None:
    kind = document.get("kind") if isinstance(document, dict) else None
    if kind != "verify":
        is_what = f"a document of the kind {kind!r}" if isinstance(kind, str) else "no document of neurosym's"
        raise DocumentError(f"{is_what}, and a report is made of what neurosym verify --json writes")
    version = document.get("schema_version")
    if version != SCHEMA_VERSION or isinstance(version, bool):
        tool = document.get("tool")
        wrote = f", written by neurosym {tool.get('version')}" if isinstance(tool, dict) else ""
        raise DocumentError(f"schema_version {version!r}{wrote}, and this neurosym reads version {SCHEMA_VERSION}")


def _place(loc: tuple[int | str, ...]) -> str:
    """``candidates[0].verdict``."""
    place = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in loc)
    return place.lstrip(".") or "the top"
