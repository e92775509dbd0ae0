"""A spec says in the model what it says in the file."""

from __future__ import annotations

import hashlib
import json
import math
import tomllib
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from neurosym_specs import NegativeZero, Record, SpecError, WrittenDecimal, load_spec, spec_from_json, spec_from_toml
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    Interval,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    StrType,
    TupleType,
)

SMALL = 'spec = 1\nname = "f"\n[inputs]\nx = "int"\n[output]\ntype = "int"\n'


def small(more: str, *, inputs: str = "") -> str:
    return SMALL.replace('x = "int"\n', f'x = "int"\n{inputs}\n') + more


def test_the_small_example(late_fee: str) -> None:
    spec = spec_from_toml(late_fee, path="somewhere/late_fee.spec.toml")
    assert (spec.name, spec.title) == ("late_fee", "Late fee on an overdue balance")
    assert spec.problem.startswith("A balance more than ten days overdue")
    assert spec.source == ("Cardholder agreement, clause 4.2",)
    assert spec.inputs == {
        "balance": DecimalType(places=(2, 2), min=Fraction(-1000), max=Fraction(10**6), unit="USD"),
        "days_overdue": IntType(min=Fraction(0), max=Fraction(3650), unit="day"),
    }
    assert list(spec.inputs) == ["balance", "days_overdue"]
    assert spec.output == DecimalType(places=(2, 2), unit="USD")
    assert [reject.raises for reject in spec.rejects] == [("ValueError",)]
    assert spec.reference is not None
    assert spec.reference.value is not None
    assert spec.reference.value.text == "0 if days_overdue <= 10 else clamp(fee, 15, 75)"
    assert [ensure.id for ensure in spec.ensures] == ["grace period", "floor and cap"]
    assert spec.ensures[0].source == ("clause 4.2 (a)",)
    assert spec.relations[0].runs == ("a", "b")
    assert [example.id for example in spec.examples] == ["example 1", "example 2"]
    assert spec.examples[0].inputs == {"balance": 1000, "days_overdue": 11}
    assert spec.examples[0].out == 15
    assert spec.examples[1].raises == ("ValueError",)
    assert not spec.policy.allow_float
    assert spec.sha256 == hashlib.sha256(late_fee.encode()).hexdigest()


def test_every_table_and_key(everything: Path) -> None:
    spec = load_spec(everything)
    kinds = [
        RecordType, RecordType, ListType, DecimalType, DecimalType, FractionType, EnumType, OptionalType, TupleType,
        ListType, SetType, DictType, ListType, RecordType, IntType,
    ]  # fmt: skip
    assert [type(each) for each in spec.inputs.values()] == kinds
    assert spec.inputs["money"] == DecimalType(
        places=(2, 2),
        min=Fraction(-5),
        max=Fraction(10),
        also=(WrittenDecimal(Fraction("99.99"), 2), Interval(Fraction(20), Fraction(21))),
    )
    assert spec.types["Any"] == DecimalType(places=(0, 3), nan=True, infinity=True, negative_zero=True)
    assert spec.types["Size"] == FloatType(
        places=1, min=Fraction(0), max=Fraction(9.9), nan=True, infinity=True, negative_zero=True
    )
    assert spec.types["Code"] == StrType(min_len=1, max_len=40, check_len=4, pattern="[A-Z]+")
    day = spec.types["Day"]
    assert isinstance(day, DateType)
    assert day.also == (date(2030, 1, 1), Interval(date(2031, 1, 1), date(2031, 1, 31)))
    assert spec.types["Maybe"] == OptionalType(of=day)
    grade = spec.inputs["grade"]
    assert isinstance(grade, OptionalType)
    assert grade.of == EnumType(
        class_name="Grade", choices=("A", "B"), members=(("A", 1), ("B", 2)), ordered=True, text="if any"
    )
    row = spec.types["Row"]
    assert isinstance(row, RecordType)
    assert (row.form, row.fields[1]) == ("dict", ("on", BoolType()))
    assert spec.inputs["item"] == RecordType(name="Item", fields=(("n", spec.types["Cents"]),))
    assert spec.inputs["many"] == ListType(item=spec.types["Side"], form="tuple", max_len=3)
    assert spec.inputs["step"] == IntType(choices=(5, 10), also=(0, Interval(Fraction(20), Fraction(30))))
    assert spec.output == ListType(item=DecimalType(exact_exponent=True))
    assert spec.data == {
        "limit": Fraction("0.015"),
        "codes": ["A", 1, True, date(2024, 2, 29)],
        "holidays": [date(2024, 12, 25)],
        "rates": {"low": "0.1", "high": Fraction(1, 4)},
    }
    assert type(spec.data["limit"]) is Fraction
    assert list(spec.lets) == ["half", "total"]
    assert {each.name: each.parameters for each in spec.definitions.values()} == {"twice": ("x",), "one": ()}
    assert [(each.id, each.accepted_only) for each in spec.requires] == [("small", False), ("require 2", True)]
    assert spec.rejects[0].raises == ("ValueError", "InvalidOperation")
    assert spec.reference is not None
    assert (spec.reference.abs_tol, spec.reference.rel_tol) == (Fraction("0.01"), Fraction("0.001"))
    assert spec.reference.raises == ("ArithmeticError",)
    assert spec.ensures[0].slack == Fraction("0.000001")
    assert spec.relations[0].runs == ("a", "b", "c")
    assert (spec.relations[1].short_form, spec.relations[1].varied) == ("vary", ("money", "step"))
    first, second = (example.inputs for example in spec.examples)
    assert first["line"] == Record("Line", {"cents": 5, "day": date(2024, 2, 29)})
    assert (first["money"], first["money"].places) == (Fraction(3, 2), 2)
    assert first["amount"].places == 2
    assert first["box"].fields["size"] == Fraction(0.1)
    assert first["grade"] is None
    assert second["line"].fields["day"] is None
    assert math.isnan(second["box"].fields["size"])
    assert isinstance(second["amount"], NegativeZero)
    assert second["grade"] is None
    assert spec.samples[0].inputs == {"money": 2}
    assert [each.loop for each in spec.invariants] == [1, "i"]
    assert spec.holes[0].type == DecimalType(places=(2, 2), min=Fraction(0), max=Fraction(100))
    assert spec.policy.allow_float
    assert spec.policy.imports == {"decimal", "math"}
    assert spec.policy.packages == {"numpy": ">=2"}
    assert (spec.policy.time_limit_s, spec.policy.memory_limit_bytes) == (0.25, 64 * 2**20)
    assert spec.policy.waive_vacuous


def test_json_says_the_same(late_fee: str) -> None:
    from_toml = spec_from_toml(late_fee)
    value = tomllib.loads(late_fee)
    value["inputs"] = [{"name": name, **table} for name, table in value["inputs"].items()]
    value["let"] = [{"name": name, "value": text} for name, text in value["let"].items()]
    value["title"] = value["title"]
    for from_json in (spec_from_json(value), spec_from_json(json.dumps(value))):
        assert from_json.inputs == from_toml.inputs
        assert list(from_json.lets) == list(from_toml.lets)
        assert [example.inputs for example in from_json.examples] == [e.inputs for e in from_toml.examples]
    assert spec_from_json(value).sha256 == spec_from_json(json.dumps(value, indent=3)).sha256


def test_json_null_is_an_absent_key_and_the_value_none() -> None:
    value = {
        "spec": 1, "name": "f", "title": None, "inputs": {"x": {"type": "int | none", "min": None}},
        "output": {"type": "int | none"}, "reference": None, "ensure": None,
        "example": [{"in": {"x": None}, "out": None}],
    }  # fmt: skip
    spec = spec_from_json(value)
    assert spec.examples[0].inputs == {"x": None}
    assert spec.examples[0].out is None
    assert not spec.examples[0].raises


def test_json_floats_count_as_written() -> None:
    base = {"spec": 1, "name": "f", "inputs": {}, "output": {"type": "int"}, "data": {"rate": 0.1}}
    assert spec_from_json(base).data["rate"] == Fraction(1, 10)
    assert spec_from_json(json.dumps(base)).data["rate"] == Fraction(1, 10)


def test_the_file_name_is_the_name(tmp_path: Path, late_fee: str) -> None:
    path = tmp_path / "late_fee.spec.toml"
    path.write_text(late_fee, "utf-8")
    assert load_spec(path).path == str(path)
    assert load_spec(str(path)).name == "late_fee"
    json_path = tmp_path / "late_fee.spec.json"
    json_path.write_text(json.dumps(tomllib.loads(late_fee)), "utf-8")
    assert load_spec(json_path).inputs == load_spec(path).inputs
    other = tmp_path / "other.spec.toml"
    other.write_text(late_fee, "utf-8")
    with pytest.raises(SpecError, match="is not that of the file"):
        load_spec(other)
    anything = tmp_path / "draft.toml"
    anything.write_bytes(b"\xef\xbb\xbf" + late_fee.encode().replace(b"\n", b"\r\n"))
    assert load_spec(anything).name == "late_fee"


def test_a_reference_beside_the_spec(tmp_path: Path) -> None:
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "f_reference.py").write_text("def f(x):\n    return x\n", "utf-8")
    (tmp_path / "outside.py").write_text("def f(x):\n    return x\n", "utf-8")
    (folder / "link.py").symlink_to(tmp_path / "outside.py")
    path = folder / "f.spec.toml"
    path.write_text(SMALL + '[reference]\nfile = "f_reference.py"\n', "utf-8")
    spec = load_spec(path)
    assert spec.reference is not None
    assert spec.reference.python == "def f(x):\n    return x\n"
    for file, fault in (
        ("../outside.py", "leads out of the spec's folder"),
        ("link.py", "leads out of the spec's folder"),
        (str(tmp_path / "outside.py"), "is no path beside the spec"),
        ("none.py", "there is no file"),
        (".", "there is no file"),
    ):
        path.write_text(SMALL + f"[reference]\nfile = {json.dumps(file)}\n", "utf-8")
        with pytest.raises(SpecError, match=fault):
            load_spec(path)
    with pytest.raises(SpecError, match="the spec is no file itself"):
        spec_from_toml(SMALL + '[reference]\nfile = "f_reference.py"\n')


def test_loading_runs_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    text = f"import pathlib\npathlib.Path({str(mark)!r}).touch()\ndef f(x):\n    return x\n"
    spec = spec_from_toml(SMALL + f"[reference]\npython = {json.dumps(text)}\n")
    assert spec.reference is not None
    assert spec.reference.python == text
    assert not mark.exists()


@pytest.mark.parametrize(
    ("inputs", "forbidden"),
    [
        ('y = "decimal"', True),
        ('y = "list[decimal | none]"', True),
        ('y = { type = "record", fields = { z = "decimal" } }', True),
        ('y = "float"', False),
        ("", False),
    ],
)
def test_float_is_forbidden_where_decimals_are(inputs: str, forbidden: bool) -> None:
    assert spec_from_toml(small("", inputs=inputs)).policy.allow_float is not forbidden


def test_a_type_may_be_changed_where_it_is_used() -> None:
    text = small(
        "[types]\nMoney = { type = 'decimal', places = 2, min = '0', max = '9', text = 'money' }\n",
        inputs="y = { type = 'Money | none', max = '5' }\nz = { type = 'Money', unit = 'EUR' }",
    )
    spec = spec_from_toml(text)
    assert spec.inputs["y"] == OptionalType(
        of=DecimalType(places=(2, 2), min=Fraction(0), max=Fraction(5), text="money")
    )
    assert spec.inputs["z"] == DecimalType(places=(2, 2), min=Fraction(0), max=Fraction(9), text="money", unit="EUR")


def test_bounds_of_a_float_are_the_nearest_floats() -> None:
    spec = spec_from_toml(small("", inputs="y = { type = 'float', min = '0.1', max = 0.3 }"))
    assert spec.inputs["y"] == FloatType(min=Fraction(0.1), max=Fraction(0.3))
