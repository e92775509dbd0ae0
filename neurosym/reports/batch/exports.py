"""All results of a batch as files for other programs, a row or a line for each job. Nothing is decided anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from neurosym_verifiers.environment import NotInstalled

from neurosym.batch.tally import Row
from neurosym.reports.batch.stored import Stored, replay_of, waivers_in
from neurosym.reports.spreadsheet import table_text
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_json, safe_text
from neurosym.writing import CannotWrite, write_parts

NOT_JUDGED = "NOT JUDGED"
SCHEMA_VERSION = 1
_AT_ONCE = 1_000
_FIELDS = ("id", "line", "spec", "candidate", "verdict", "class", "code", "admission", "exit_code", "seconds", "why",
           "same_as", "same_code_as", "lost_workers", "candidate_sha256", "spec_sha256", "replay",
           "waivers")  # fmt: skip


def json_lines(stored: Stored) -> Iterator[str]:
    """A JSON object on each line, with the stored result as ``neurosym verify --json`` writes it."""
    for row, result in stored.rows():
        document = {"schema_version": SCHEMA_VERSION, "kind": "batch job", **_plain(row, result), "result": result}
        yield safe_json(json.dumps(document, ensure_ascii=True)) + "\n"


def csv(stored: Stored) -> Iterator[str]:
    """A row for each job, which no spreadsheet takes for formulas."""
    yield table_text([[name.replace("_", " ") for name in _FIELDS]])
    for row, result in stored.rows():
        cells = ["" if value is None else str(value) for value in _plain(row, result).values()]
        yield table_text([cells])


def junit(stored: Stored) -> Iterator[str]:
    """A suite for each spec, a case for each job.

    Refused is a failure, a fault of the tool or the spec an error; what is not decided, was not judged, or is accepted
    by waiver only, is skipped and never passes.
    """
    top = ElementTree.Element("testsuites", name="neurosym batch")
    suites: dict[str, ElementTree.Element] = {}
    for row, result in stored.rows():
        if row.spec not in suites:
            zero = dict.fromkeys(("tests", "failures", "errors", "skipped"), "0")
            suites[row.spec] = ElementTree.SubElement(top, "testsuite", {"name": _safe(row.spec), **zero})
        suite = suites[row.spec]
        seconds = f"{row.outline.seconds:.3f}" if row.outline else "0"
        case = ElementTree.SubElement(
            suite, "testcase", classname=_safe(row.spec_name), name=_safe(row.id), time=seconds
        )
        tag, kind = _junit_tag(row)
        waived = stored.is_by_waiver(row)
        if waived:
            tag, kind = "skipped", f"{kind} {' '.join(waivers_in(result))}"
        _count(suite, "tests")
        if tag:
            says = "" if waived else row.outline.says if row.outline else "the run ended before"
            attributes = {"message": _safe(f"{kind}: {says}" if says else kind)}
            said = attributes if tag == "skipped" else {"type": _safe(kind), **attributes}
            element = ElementTree.SubElement(case, tag, said)
            if replay := replay_of(result):
                element.text = f"run it again: {safe_text(replay, limit=MAX_COMMAND_CHARS)}"
            _count(suite, {"failure": "failures", "error": "errors", "skipped": "skipped"}[tag])
    for name in ("tests", "failures", "errors"):  # Jenkins' schema has no more of the whole
        top.set(name, str(sum(int(suite.get(name, "0")) for suite in suites.values())))
    ElementTree.indent(top)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(top, encoding="unicode") + "\n"


def html(stored: Stored) -> Iterator[str]:
    """One page for a person: counts, and the jobs that are not accepted as far as one reads them."""
    from neurosym.reports.batch.page import batch_html  # deferred with jinja2

    return batch_html(stored)


def parquet(stored: Stored, path: Path) -> None:
    """A column for each field, and the stored result as JSON text. Raises ``EnvironmentFault`` without pyarrow."""
    pa, writer_class = _pyarrow()
    schema = pa.schema([(name, _PARQUET_TYPES.get(name, "string")) for name in (*_FIELDS, "result")])
    temporary = path.with_name(f".{path.name}.new")
    try:
        with writer_class(temporary, schema, compression="zstd") as writer:
            batch: list[dict[str, Any]] = []
            for row, result in stored.rows():
                batch.append(_plain(row, result) | {"result": result and json.dumps(result, ensure_ascii=True)})
                if len(batch) >= _AT_ONCE:
                    writer.write_batch(pa.RecordBatch.from_pylist(batch, schema=schema))
                    batch = []
            if batch:
                writer.write_batch(pa.RecordBatch.from_pylist(batch, schema=schema))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


TEXTS: dict[str, tuple[Callable[[Stored], Iterator[str]], str]] = {
    "jsonl": (json_lines, "JSON lines, with the whole result of each job"),
    "csv": (csv, "CSV, a row for each job"),
    "junit": (junit, "JUnit XML, a case for each job"),
    "html": (html, "one HTML page, the counts and what is not accepted"),
}
FORMS = {name: about for name, (_, about) in TEXTS.items()} | {"parquet": "Parquet, with the results (extra: parquet)"}
_PARQUET_TYPES = {"line": "int64", "exit_code": "int64", "seconds": "float64", "lost_workers": "int64"}


def write(form: str, stored: Stored, path: Path) -> None:
    """Writes one of ``FORMS``, as a whole or not at all. Raises ``EnvironmentFault``."""
    try:
        if form == "parquet":
            parquet(stored, path)
        else:
            write_parts(str(path), TEXTS[form][0](stored))
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from error


def check_can_write(form: str) -> None:
    """Raises ``EnvironmentFault`` where a package is missing for a form: before the work, not after it."""
    if form == "parquet":
        _pyarrow()


def _pyarrow() -> tuple[Any, Any]:
    try:
        pa = import_module("pyarrow")  # deferred: heavy, and an extra; it brings no types
        return pa, import_module("pyarrow.parquet").ParquetWriter
    except ImportError as error:
        raise NotInstalled(
            "no Parquet without pyarrow; pip install 'neurosym-verify[parquet]' (or pyarrow) brings it"
        ) from error


def _plain(row: Row, result: dict[str, Any] | None) -> dict[str, Any]:
    outline = row.outline
    said: tuple[Any, ...] = (NOT_JUDGED, *[None] * 6)
    if outline is not None:
        said = (outline.verdict, outline.failure or None, outline.code or None, outline.admission or None,
                outline.exit_code, outline.seconds, outline.says or None)  # fmt: skip
    values = (
        row.id,
        row.line,
        row.spec,
        row.candidate,
        *said,
        row.twin or None,
        row.sibling or None,
        row.losses,
        row.sha256,
        row.spec_sha256,
        replay_of(result) or None,
        " ".join(waivers_in(result)) or None,
    )
    return dict(zip(_FIELDS, values, strict=True))


def _junit_tag(row: Row) -> tuple[str, str]:
    outline = row.outline
    if outline is None:
        return "skipped", NOT_JUDGED
    kind = f"{outline.verdict} {outline.code}".strip()
    match outline.exit_code:
        case 0:
            return "", outline.verdict
        case 1:
            return "failure", kind
        case 3 | 5:
            return "skipped", kind
        case _:
            return "error", kind


def _count(suite: ElementTree.Element, name: str) -> None:
    suite.set(name, str(int(suite.get(name, "0")) + 1))


def _safe(text: str) -> str:
    return safe_text(text, limit=1_000)
