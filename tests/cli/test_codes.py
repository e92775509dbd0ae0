"""Every code has a page, every page has its parts, and the examples on them are really reported under their code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from neurosym import Source, gate, load_spec
from neurosym.cli import CODES, FAULT
from neurosym.codes import all_codes, page, title
from neurosym.reports.wording import REFUTATION_CODES
from tests.cli.shared import Neurosym

ROOT = Path(__file__).parents[2]
PACKAGES = ("neurosym", "verifiers", "specs", "sandbox")
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
    for path in (each for folder in PACKAGES for each in (ROOT / folder).rglob("*.py")):
        used |= set(re.findall(r"\bNS\d{3}\b", path.read_text(encoding="utf-8")))
    assert used == set(all_codes())


def test_every_error_of_ours_has_a_code() -> None:
    """One that ends a command names the page about it: its own, or that of its exit code."""
    without = []
    for path in (each for folder in PACKAGES for each in (ROOT / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for name, body in re.findall(r"^class (\w+)\(NeurosymError\):\n((?:    .*\n|\n)*)", text, re.MULTILINE):
            exit_code = re.search(r"exit_code = (\d+)", body)
            if (
                "code = " not in body.replace("exit_code = ", "")
                and exit_code
                and int(exit_code[1]) not in {*CODES, FAULT}
            ):
                without.append(name)
    assert without == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["replay", "SPEC", "FILE", "--clause", "nix", "--inputs", "{}"], '--clause: unknown clause "nix"'),
        (["regions", "--spec", "SPEC", "FILE"], "the program does not load: loading it raised ZeroDivisionError: "
         "division by zero (NS501)"),
        (["solve", "SPEC", "--model", "m", "--log", "/proc/none/x", "--base-url", "http://localhost:1"], "(NS803)"),
        (["replay", "SPEC", "FILE", "--clause", "reference", "--inputs", '{"balance": "1.00", "days_overdue": 1}',
          "--config", "FILE"], "this is not TOML"),
    ],
)  # fmt: skip
def test_a_message_blames_what_is_at_fault(neurosym: Neurosym, spec: Path, words: list[str], said: str) -> None:
    file = spec.with_name("late_fee.py")
    file.write_text("RATE = 1 / 0\n\n\ndef late_fee(balance, days_overdue):\n    return 0\n")
    ran = neurosym(*({"SPEC": spec, "FILE": file}.get(word, word) for word in words))
    text = " ".join(ran.err.split())
    assert said in text
    assert "NS702" not in text


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
