"""What the package offers, what loading it costs, and what follows from a spec in Python and in words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import neurosym_specs
from neurosym_specs import load_spec, spec_from_toml
from neurosym_specs.describe import describe, render
from neurosym_specs.obligations import obligations
from neurosym_specs.signature import declarations, python_annotation, signature


def test_the_public_surface() -> None:
    assert neurosym_specs.__all__ == [
        "NegativeZero", "NeurosymError", "Obligation", "Place", "Record", "Spec", "SpecDescription", "SpecError",
        "WrittenDecimal", "call_source", "declarations", "from_plain", "inputs_strategy", "inputs_to_plain",
        "load_spec", "member_fault", "python_annotation", "render", "spec_from_json", "spec_from_toml", "to_plain",
        "to_source", "type_strategy",
    ]  # fmt: skip
    for name in neurosym_specs.__all__:
        assert getattr(neurosym_specs, name).__name__ == name


def test_loading_a_spec_loads_nothing_heavy(root: Path) -> None:
    program = (
        "import sys; from neurosym_specs import load_spec; from neurosym_specs import strategies, describe\n"
        f"load_spec({str(root / 'examples/late_fee/late_fee.spec.toml')!r})\n"
        "print([name for name in ('hypothesis', 'flint', 'z3', 'sympy', 'libcst', 'mypy') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert shown.stdout.strip() == "[]"


def test_signature_and_declarations(everything: Path) -> None:
    spec = load_spec(everything)
    assert signature(spec) == (
        "def everything(\n"
        "    line: tuple[int, date | None],\n"
        "    box: Box,\n"
        "    rows: list[Row],\n"
        "    money: Decimal,\n"
        "    amount: Decimal,\n"
        "    rate: Fraction,\n"
        "    side: Literal['buy', 'sell'],\n"
        "    grade: Grade | None,\n"
        "    pair: tuple[int, Literal['buy', 'sell']],\n"
        "    many: tuple[Literal['buy', 'sell'], ...],\n"
        "    tags: set[str],\n"
        "    table: dict[Literal['buy', 'sell'], list[int]],\n"
        "    sorts: list[int],\n"
        "    item: Item,\n"
        "    step: int,\n"
        ") -> list[Decimal]:"
    )
    assert (
        declarations(spec)
        == """\
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Literal, NamedTuple, TypedDict


class Point(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True)
class Box:
    size: float
    point: Point


class Row(TypedDict):
    code: str
    on: bool


class Grade(Enum):
    A = 1
    B = 2


@dataclass(frozen=True)
class Item:
    n: int
"""
    )
    assert python_annotation(spec.inputs["line"]) == "tuple[int, date | None]"


def test_a_signature_that_needs_nothing() -> None:
    spec = spec_from_toml('spec = 1\nname = "f"\n[inputs]\nx = "int"\n[output]\ntype = "bool"\n')
    assert signature(spec) == "def f(x: int) -> bool:"
    assert declarations(spec) == ""


def test_obligations(late_fee: str) -> None:
    spec = spec_from_toml(late_fee)
    found = obligations(spec)
    assert [(each.id, each.kind) for each in found] == [
        ("example 1", "example"),
        ("example 2", "example"),
        ("reference", "reference"),
        ("reject: negative balance", "reject"),
        ("ensure: grace period", "ensure"),
        ("ensure: floor and cap", "ensure"),
        ("relation: a larger balance never pays less", "relation"),
        ("returns", "returns"),
        ("no crash", "no crash"),
        ("terminates", "terminates"),
        ("deterministic", "deterministic"),
        ("pure", "pure"),
    ]
    assert found[3].clause is spec.rejects[0]
    assert all(each.clause is None for each in found[-5:])


def test_obligations_have_one_id_each(everything: Path) -> None:
    found = obligations(load_spec(everything))
    assert len({each.id for each in found}) == len(found)
    assert {"example: plain", "example 2", "ensure 1", "relation 2"} <= {each.id for each in found}


def test_the_description(everything: Path, late_fee: str) -> None:
    described = describe(spec_from_toml(late_fee))
    assert [value.values for value in described.inputs] == [
        "-1000.00 to 1000000.00, 2 decimals, unit USD",
        "0 to 3650, unit day",
    ]
    assert described.obligations[0].words == 'late_fee(Decimal("1000.00"), 11) == Decimal("15.00")'
    assert described.obligations[1].words == 'late_fee(Decimal("-1.00"), 11) raises ValueError'
    assert described.obligations[4].formal == ("when days_overdue <= 10", "result == 0")
    for description in (described, describe(load_spec(everything))):
        text = render(description)
        assert max(map(len, text.splitlines())) <= 80
        assert text == "".join(f"{line.rstrip()}\n" for line in text.splitlines())
        for obligation in description.obligations:
            assert obligation.id in " ".join(text.split())
    assert "source: clause 4.2 (a)" in render(described)
