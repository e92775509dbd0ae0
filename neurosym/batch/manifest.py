"""The manifest: a job on each line, as JSON lines or as CSV. What is wrong with a line is said with its number."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

from neurosym_specs.errors import NeurosymError

from neurosym.cli import nearest
from neurosym.gate import Types

LONGEST_LINE = 4 * 2**20
_TEXTS = ("candidate", "text", "reply")
_KEYS = ("id", "spec", *_TEXTS, "candidates", "options")
_PART_KEYS = ("name", *_TEXTS)


class ManifestError(NeurosymError):
    """A manifest that cannot be read at all, or that has bad lines where none may be passed over."""

    exit_code = 2
    code = "NS720"


@dataclass(frozen=True, slots=True)
class Given:
    """A candidate as the manifest has it: the path of a file, or a ``text``, which may be a model's reply."""

    path: str = ""
    text: str | None = None
    is_reply: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A job: its id, the spec's path, the candidate, and what it asks otherwise than the other jobs."""

    line: int
    id: str
    spec: str
    given: Given
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no job, and ``why``."""

    line: int
    why: str


Line: TypeAlias = "Entry | BadLine"


class _Bad(Exception):
    """What is wrong with a line."""


def read_manifest(path: Path) -> Iterator[Line]:
    """The jobs of a manifest and its bad lines, in order. Raises ``ManifestError``.

    A line with several ``candidates`` gives a job for each, whose ids are its own with ``/1``, ``/2`` and so on.
    """
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
            rows = _csv_rows(stream, path) if path.suffix.lower() == ".csv" else _json_rows(stream)
            for number, row in rows:
                try:
                    if isinstance(row, _Bad):
                        raise row
                    yield from _entries(number, row)
                except _Bad as bad:
                    yield BadLine(number, str(bad))
    except OSError as error:
        raise ManifestError(f"the manifest {path} cannot be read: {error.strerror}") from error
    except csv.Error as error:
        raise ManifestError(f"the manifest {path} is no CSV: {error}") from error


def _json_rows(stream: IO[str]) -> Iterator[tuple[int, dict[str, Any] | _Bad]]:
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            yield number, _Bad(f"longer than {LONGEST_LINE // 2**20} MiB")
            while line and not line.endswith("\n"):
                line = stream.readline(LONGEST_LINE)
        elif line.strip():
            yield number, _parsed(line)


def _parsed(line: str) -> dict[str, Any] | _Bad:
    if not _is_utf8(line):
        return _Bad("not UTF-8")
    try:
        row = json.loads(line, object_pairs_hook=_without_repetition)
    except json.JSONDecodeError as error:
        return _Bad(f"no JSON: {error.msg} at column {error.colno}")
    except (RecursionError, ValueError):
        return _Bad("no JSON that is read here: nested too deeply, or a number is too long")
    except _Bad as bad:
        return bad
    return row if isinstance(row, dict) else _Bad(f"no JSON object but {_kind(row)}")


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Bad(f"the key {next(each for each in names if names.count(each) > 1)!r} is there twice")
    return found


def _csv_rows(stream: IO[str], path: Path) -> Iterator[tuple[int, dict[str, Any] | _Bad]]:
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(stream, strict=True)
    heads = [head.strip() for head in next(reader, [])]
    legal = ["id", "spec", *_TEXTS, *OPTIONS]
    if len(heads) == 1 and (other := [each for each in ";\t|" if each in heads[0]]):
        raise ManifestError(f"{path}, line 1: the columns stand between {other[0]!r}; save it with commas between them")
    for head in heads:
        if head not in legal or heads.count(head) > 1:
            fault = "is there twice" if head in legal else f"is unknown; {nearest(head, legal)}"
            raise ManifestError(f"{path}, line 1: the column {head!r} {fault}")
    if not heads:
        raise ManifestError(f"{path} is empty: its first line names the columns ({', '.join(legal)})")
    line = reader.line_num + 1
    for cells in reader:
        if len(cells) > len(heads):
            yield line, _Bad(f"{len(cells)} cells in {len(heads)} columns")
        elif any(cells) and not _is_utf8("".join(cells)):
            yield line, _Bad("not UTF-8")
        elif any(cells):
            row: dict[str, Any] = {head: cell for head, cell in zip(heads, cells, strict=False) if cell}
            own = {name: _of_cell(row.pop(name)) for name in OPTIONS if name in row}
            yield line, row | ({"options": own} if own else {})
        line = reader.line_num + 1


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _of_cell(cell: str) -> Any:
    """What a cell means where an option is expected: a number, a truth value, else its text."""
    try:
        return {"true": True, "false": False}.get(cell.lower(), cell) if not _is_number(cell) else json.loads(cell)
    except ValueError:
        return cell


def _is_number(cell: str) -> bool:
    return cell.lstrip("-").replace(".", "", 1).isdecimal()


def _entries(number: int, row: Mapping[str, Any]) -> Iterator[Entry]:
    _check_keys(row, _KEYS)
    job_id, spec = _text(row, "id"), _text(row, "spec")
    options = row.get("options", {})
    if not isinstance(options, dict):
        raise _Bad(f"options is an object, not {_kind(options)}")
    for name, value in options.items():
        if name not in OPTIONS:
            raise _Bad(f"the option {name!r} is unknown; {nearest(name, list(OPTIONS))}")
        OPTIONS[name](name, value)
    if "candidates" not in row:
        yield Entry(number, job_id, spec, _given(row), options)
        return
    several = row["candidates"]
    if not isinstance(several, list) or not several:
        raise _Bad(f"candidates is a list of at least one, not {_kind(several)}")
    if any(key in row for key in _TEXTS):
        raise _Bad("it has candidates, and beside them another")
    for place, each in enumerate(several, 1):
        part = {"candidate": each} if isinstance(each, str) else each
        if not isinstance(part, dict):
            raise _Bad(f"candidate {place} is a path or an object, not {_kind(each)}")
        _check_keys(part, _PART_KEYS)
        own = _text(part, "name") if "name" in part else str(place)
        yield Entry(number, f"{job_id}/{own}", spec, _given(part), options)


def _check_keys(row: Mapping[str, Any], legal: tuple[str, ...]) -> None:
    for key in row:
        if key not in legal:
            raise _Bad(f"the key {key!r} is unknown; {nearest(key, list(legal))}")


def _given(row: Mapping[str, Any]) -> Given:
    found = [key for key in _TEXTS if key in row]
    if len(found) != 1:
        what = f"it has {' and '.join(found)}" if found else "it has no candidate"
        raise _Bad(f"{what}: give one of candidate (a path), text (a program), reply (a model's reply)")
    (key,) = found
    if key == "candidate":
        return Given(path=_text(row, key))
    if not isinstance(row[key], str):
        raise _Bad(f"{key} is a text, not {_kind(row[key])}")
    return Given(text=row[key], is_reply=key == "reply")


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise _Bad(f"{key} is missing" if value in (None, "") else f"{key} is a text, not {_kind(value)}")
    if "\0" in value or len(value) > 1_000:
        raise _Bad(f"{key} is longer than 1,000 characters, or holds NUL")
    return value


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


Check: TypeAlias = Callable[[str, Any], None]


def _whole(least: int, most: int) -> Check:
    def check(name: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise _Bad(f"the option {name} is a whole number from {least:,} to {most:,}")

    return check


def _seconds(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.1 <= value <= 86_400:
        raise _Bad(f"the option {name} is a number of seconds from 0.1 to 86,400")
    assert math.isfinite(value)


def _truth(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise _Bad(f"the option {name} is true or false")


def _types(name: str, value: Any) -> None:
    legal = [each.value for each in Types]
    if value not in legal:
        raise _Bad(f"the option {name} is one of {', '.join(legal)}")


def _identifier(name: str, value: Any) -> None:
    if not isinstance(value, str) or not value.isidentifier():
        raise _Bad(f"the option {name} is the name of the variable that holds the result")


OPTIONS: Mapping[str, Check] = {
    "examples": _whole(1, 1_000_000),
    "seed": _whole(-(2**62), 2**62),
    "time_limit": _seconds,
    "proof": _truth,
    "types": _types,
    "mend": _truth,
    "script": _identifier,
    "explain": _truth,
}
"""What a job may ask otherwise than the others, and what checks it."""
