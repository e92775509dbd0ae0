"""``docs/reading.md``: the map as a page, and what of it a test can hold to what is measured."""

# ruff: noqa: E501
from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence

from tests.verifiers.reading_map.measuring import INPUTS_EACH
from tests.verifiers.reading_map.rows import EXACTLY, NOT_READ, UNDER_A_CONDITION, Cell, Group, Language

_SPACE = "\N{NO-BREAK SPACE}"
"""Keeps the indentation of code in a table's cell."""

MEASURED_WITH = f"measured with Python {sys.version_info.major}.{sys.version_info.minor}"
INTRODUCTION = f"""\
# What the prover reads

Every construct, type and operation, and whether the prover reads it. `make outputs` writes this page from what it
measures, and a test measures it again: `make test ARGS="-k reading_map"`. This one was {MEASURED_WITH}.

| read | means |
| --- | --- |
| exactly | on every input that was run, the reading came to what the real code did: the same result of the same type, or the same exception |
| where … | exactly so under this condition; the remark has a case without it, and what of that is not read |
| not read | the remark has the reader's own words; obligations that depend on it stay TESTED |

Python is held against calls in the jail, an expression of a spec against the spec's evaluator, what is claimed of a
clause against what the judge says of runs that keep it and runs that break it. Each row is run on {INPUTS_EACH}
inputs (on all, where there are fewer; on five for each length of each list at the least): first the ends of ranges,
zeros and the row's constants with their neighbours, then values at random, the same on every machine. A difference
fails the test, and no page is written. How many shapes, rounds and terms there may be at all says
[proof.md](proof.md).
"""


def page(groups: Sequence[tuple[Group, Sequence[Cell]]], inputs: Mapping[str, str]) -> str:
    """The whole document. ``inputs``: the inputs' types, as a spec writes them."""
    sections = [section(group, cells) for group, cells in groups]
    return "\n".join([INTRODUCTION, summary("\n".join(sections)), legend(inputs), *sections])


def legend(inputs: Mapping[str, str]) -> str:
    """The table of the inputs."""
    lines = [f"| `{name}` | `{_escaped(type_)}` |" for name, type_ in inputs.items()]
    return "\n".join(["## The inputs of the rows", "", "| name | type |", "| --- | --- |", *lines, ""])


def section(group: Group, cells: Sequence[Cell]) -> str:
    """The table of a group. Raises ``AssertionError`` where a reading differs from what is real."""
    wrong = [cell.difference for cell in cells if cell.difference]
    assert not wrong, f"{group.title}: read as something else than it is:\n" + "\n".join(wrong)
    head = {"python": "Python", "spec": "expression", "clause": "clause"}[group.language]
    lines = [f"## {group.title}", "", *([group.about, ""] if group.about else [])]
    lines += [f"| {head} | read | remark |", "| --- | --- | --- |", *(_line(cell, group.language) for cell in cells)]
    return "\n".join(lines) + "\n"


def _line(cell: Cell, language: Language) -> str:
    row = cell.row
    read = row.where if cell.read == UNDER_A_CONDITION else cell.read
    remarks = [row.note] if row.note else []
    if language == "clause":
        remarks.append(f"measured on {_code(row.module)}")
    if cell.read == UNDER_A_CONDITION:
        remarks.append(f"not {_code(row.elsewhere)}: {cell.words}")
    elif row.where and cell.read == EXACTLY:
        remarks.append(f"also {_code(row.elsewhere)}")
    elif cell.words:
        remarks.append(cell.words)
    code = _code(f"{row.module}\n{row.code}" if row.module and language != "clause" else row.code)
    return f"| {code} | {read} | {_escaped('; '.join(remarks))} |"


def _code(text: str) -> str:
    lines = (line for line in text.splitlines() if line.strip())
    return "<br>".join(f"`{_escaped(_indented(line))}`" for line in lines)


def _indented(line: str) -> str:
    bare = line.lstrip(" ")
    return _SPACE * (len(line) - len(bare)) + bare


def _escaped(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def summary(text: str) -> str:
    """How many rows there are of each kind, counted in the tables themselves."""
    found: dict[str, Counter[str]] = {}
    title = ""
    for line in text.splitlines():
        if line.startswith("## "):
            title = line[3:]
        elif line.startswith("| `") and (kind := _kind(line)):
            found.setdefault(title, Counter())[kind] += 1
    lines = [
        "## Summary",
        "",
        "| | rows | exactly | under a condition | not read |",
        "| --- | --- | --- | --- | --- |",
        *(_counted(f"[{title}](#{_anchor(title)})", kinds) for title, kinds in found.items()),
        _counted("**all**", sum(found.values(), Counter())),
        "",
    ]
    return "\n".join(lines)


def _kind(line: str) -> str:
    read = re.split(r"(?<!\\) \| ", line)[1]
    return read if read in (EXACTLY, NOT_READ) else UNDER_A_CONDITION if read.startswith("where ") else ""


def _counted(name: str, kinds: Counter[str]) -> str:
    counts = [kinds[kind] for kind in (EXACTLY, UNDER_A_CONDITION, NOT_READ)]
    return f"| {name} | {sum(counts)} | {' | '.join(map(str, counts))} |"


def _anchor(title: str) -> str:
    """As the usual renderers name a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def exact_rows(text: str) -> int:
    """How many rows of the document are read exactly, or under their condition."""
    total = re.search(r"^\| \*\*all\*\* \| \d+ \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    assert total is not None, "the document has no summary"
    return int(total[1]) + int(total[2])
