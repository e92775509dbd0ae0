"""Every code has a page, every page has its parts, and the examples on them are really reported under their code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from neurosym import Source, gate, load_spec
from neurosym.codes import all_codes, page, title
from neurosym.reports.wording import REFUTATION_CODES
from tests.cli.shared import Neurosym

ROOT = Path(__file__).parents[2]
PARTS = ["What it checks", "Why", "Example", "Fix", "Limits"]


def _example(code: str) -> str | None:
    found = re.search(r"## Example\n\n```python\n(.*?)```", page(code), re.DOTALL)
    return found[1] if found else None


@pytest.mark.parametrize("code", all_codes())
def test_a_page_has_all_its_parts(code: str) -> None:
    assert page(code).startswith(f"# {code} · {title(code)}\n")
    assert re.findall(r"^## (.*)$", page(code), re.MULTILINE) == PARTS
    assert all(part.strip() for part in re.split(r"^## .*$", page(code), flags=re.MULTILINE))


def test_every_code_in_the_source_has_a_page_and_every_page_is_used() -> None:
    used = set[str]()
    for path in (ROOT / "neurosym").rglob("*.py"):
        used |= set(re.findall(r"\bNS\d{3}\b", path.read_text(encoding="utf-8")))
    assert used == set(all_codes())


@pytest.mark.parametrize("code", [code for code in all_codes() if code < "NS5" and _example(code) is not None])
def test_the_example_of_a_page_is_reported_under_its_code(spec: Path, code: str) -> None:
    entry = gate.enter(Source(_example(code) or ""), load_spec(spec))
    codes = {each.code for each in entry.notes} | {each.code for each in entry.objections}
    if isinstance(entry, gate.Stopped):
        codes.add(entry.diagnostics[0].code)
    assert code in codes


def test_every_way_to_be_refuted_has_a_code() -> None:
    assert set(REFUTATION_CODES.values()) == {code for code in all_codes() if "NS510" <= code <= "NS519"}


def test_explain_prints_the_page(neurosym: Neurosym) -> None:
    ran = neurosym("explain", "ns101")
    assert (ran.code, ran.out) == (0, page("NS101"))


def test_explain_alone_lists_all(neurosym: Neurosym) -> None:
    assert [line.split()[0] for line in neurosym("explain").out.splitlines()] == all_codes()
