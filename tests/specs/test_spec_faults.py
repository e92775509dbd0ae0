"""Each fault of a spec gives one message: where it is, what is wrong, what would be right."""

# ruff: noqa: E501  (a table of cases reads best with one case on one line)
from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from neurosym_specs import SpecError, load_spec, spec_from_json, spec_from_toml

WHERE = "late_fee.spec.toml"

# (what is replaced in the small example, by what, the message)
CHANGES = [
    ("spec    = 1", "spec = 2", f"{WHERE}, spec: format version 2 is not known (legal: 1)"),
    ("spec    = 1", 'spec = "1"', f'{WHERE}, spec: format version "1" is not known (legal: 1)'),
    ("spec    = 1", "", f'{WHERE}: the key "spec" is missing (write spec = 1, the format\'s version)'),
    ('name    = "late_fee"', "", f'{WHERE}: the key "name" is missing (it is required here)'),
    ('name    = "late_fee"', 'name = "fee"', f'{WHERE}, name: the name "fee" is not that of the file (rename the file'),
    ('name    = "late_fee"', 'name = "class"', f'{WHERE}, name: "class" is a keyword of Python and no name for a function'),
    ('name    = "late_fee"', 'name = "a b"', f'{WHERE}, name: "a b" is no name for a function'),
    ("title   =", "titel =", f'{WHERE}: unknown key "titel" (did you mean "title"? legal: spec, name, title,'),
    ("[reference]", "[refrence]", f'{WHERE}: unknown key "refrence" (did you mean "reference"?'),
    ("[reference]", "[[reference]]", f"{WHERE}, [reference]: expected one table (write [reference] with one bracket)"),
    ("[[reject]]", "[reject]", f"{WHERE}, [reject]: expected an array of tables (write [[reject]] with two brackets)"),
    ('source  = ["Card', 'source  = [1, "Card', f"{WHERE}, source: expected a string or an array of strings, found [1,"),
    ("places = 2, min", "plcaes = 2, min", f'{WHERE}, [inputs], balance: unknown key "plcaes" (did you mean "places"? legal: type'),
    ('"decimal", places = 2, min', '"decmal", places = 2, min', f'{WHERE}, [inputs], balance.type: unknown type "decmal" (did you mean "decimal"?'),
    ('type = "int", min', "min", f'{WHERE}, [inputs], days_overdue: the key "type" is missing (types: int, decimal'),
    ("min = 0, max = 3650", "min = 10, max = 5", f"{WHERE}, [inputs], days_overdue.min: min 10 is above max 5"),
    ("min = 0, max = 3650", "min = 0.5", f"{WHERE}, [inputs], days_overdue.min: expected a whole number, found 0.5"),
    ('min = "-1000.00"', 'min = "lots"', f'{WHERE}, [inputs], balance.min: expected a number as a string, like "1000.00", found "lots"'),
    ("min = 0, max = 3650", "max = 3650, choices = [1, 5000]", f"{WHERE}, [inputs], days_overdue.choices: a choice outside the type: 5000 is above the maximum 3650"),
    ("min = 0, max = 3650", "choices = []", f"{WHERE}, [inputs], days_overdue.choices: expected an array of values, found []"),
    ("min = 0, max = 3650", "choices = [1, 1]", f"{WHERE}, [inputs], days_overdue.choices: the choice 1 is repeated"),
    ("places = 2, min", 'places = "4..2", min', f"{WHERE}, [inputs], balance.places: expected a whole number from 0 to 100, or a range like"),
    ('places = 2, min = "-1000.00", max = "1000000.00"', 'places = 0, min = "0.1", max = "0.9"', f"{WHERE}, [inputs], balance.min: no number with 0 decimals lies from 0.1 to 0.9"),
    ('type = "int", min = 0, max = 3650', 'type = "str", pattern = "(a"', f'{WHERE}, [inputs], days_overdue.pattern: "(a" is no pattern'),
    ('type = "int", min = 0, max = 3650', 'type = "str", alphabet = ""', f"{WHERE}, [inputs], days_overdue.alphabet: the alphabet is empty"),
    ('type = "int", min = 0, max = 3650', 'type = "list[int]", min_len = 3, max_len = 2', f"{WHERE}, [inputs], days_overdue.min_len: min_len 3 is above max_len 2"),
    ('type = "int", min = 0, max = 3650', 'type = "str", pattern = "a{10}", max_len = 6', f'{WHERE}, [inputs], days_overdue.pattern: no text of 0 to 6 characters matches "a{{10}}"'),
    ('type = "int", min = 0, max = 3650', 'type = "str", pattern = "a{0,3}", min_len = 5', f'{WHERE}, [inputs], days_overdue.pattern: no text of 5 characters or more matches'),
    ('type = "int", min = 0, max = 3650', 'type = "set[bool]", min_len = 3', f"{WHERE}, [inputs], days_overdue.min_len: min_len 3, but only 2 values differ from each other"),
    ('type = "int", min = 0, max = 3650', 'type = "list", of = { type = "int", min = 0, max = 2 }, unique = true, min_len = 5', f"{WHERE}, [inputs], days_overdue.min_len: min_len 5, but only 3 values"),
    ('type = "int", min = 0, max = 3650', 'type = "dict", of = [{ type = "decimal", places = 1, min = "0.0", max = "0.1" }, "int"], min_len = 9', f"{WHERE}, [inputs], days_overdue.min_len: min_len 9, but only 6 values"),
    ('type = "int", min = 0, max = 3650', 'type = "set", of = { type = "enum | none", choices = ["A"] }, min_len = 3', f"{WHERE}, [inputs], days_overdue.min_len: min_len 3, but only 2 values"),
    ('type = "int", min = 0, max = 3650', 'type = "list[int"', f'{WHERE}, [inputs], days_overdue.type: "list[int" is no type'),
    ('type = "int", min = 0, max = 3650', 'type = "list"', f"{WHERE}, [inputs], days_overdue.type: a list of what?"),
    ('type = "int", min = 0, max = 3650', 'type = "int | str"', f'{WHERE}, [inputs], days_overdue.type: "int | str" is no type (the only union is "T | none")'),
    ('type = "int", min = 0, max = 3650', 'type = "set[list[int]]"', f"{WHERE}, [inputs], days_overdue.type: an element of a set cannot be a list, set or dict"),
    ('type = "int", min = 0, max = 3650', 'type = "dict[int]"', f"{WHERE}, [inputs], days_overdue.type: dict takes 2 types, found 1"),
    ('type = "int", min = 0, max = 3650', 'type = "date", min = 2024-02-01, max = "2024-01-01"', f"{WHERE}, [inputs], days_overdue.min: min 2024-02-01 is after max 2024-01-01"),
    ('type = "int", min = 0, max = 3650', 'type = "date", min = 2024-02-01T00:00:00', f"{WHERE}, [inputs], days_overdue.min: expected a date like 2024-02-29"),
    ('type = "int", min = 0, max = 3650', 'type = "date", min = "2023-02-29"', f"{WHERE}, [inputs], days_overdue.min: there is no date 2023-02-29"),
    ('type = "int", min = 0, max = 3650', 'type = "enum", choices = ["a-b"], class = "K"', f'{WHERE}, [inputs], days_overdue.choices: "a-b" is no name for a member'),
    ('type = "int", min = 0, max = 3650', 'type = "enum", choices = ["A"], class = "Decimal"', f'{WHERE}, [inputs], days_overdue.class: "Decimal" would hide Python\'s own Decimal'),
    ('type = "int", min = 0, max = 3650', 'type = "enum", choices = ["A", "B"], class = "K", values = { A = 1, B = 1 }', f"{WHERE}, [inputs], days_overdue.values: 1 is the value of two choices"),
    ('type = "int", min = 0, max = 3650', 'type = "record", fields = {}', f"{WHERE}, [inputs], days_overdue.fields: a record without fields"),
    ('unit = "day"', "unit = 3", f"{WHERE}, [inputs], days_overdue.unit: expected a string, found 3"),
    ("days_overdue = {", "floor = {", f'{WHERE}, [inputs], floor: "floor" is a function of the expression language and no name for an input'),
    ("days_overdue = {", "half_up = {", f'{WHERE}, [inputs], half_up: "half_up" is a rounding mode of the expression language'),
    ("days_overdue = {", "result = {", f'{WHERE}, [inputs], result: "result" is a value of the expression language'),
    ("days_overdue = {", "lambda = {", f'{WHERE}, [inputs], lambda: "lambda" is a keyword of Python'),
    ("[let]", '[let]\nbalance = "1"', f'{WHERE}, [let], balance: "balance" is already the name of an input'),
    ("[let]", "[let]\nx = 1.5", f"{WHERE}, [let], x: expected an expression, in quotes, found 1.5"),
    ("[let]", '[define]\n"f" = "1"\n[let]', f'{WHERE}, [define], "f": "f" is no function\'s head (write'),
    ("[let]", '[define]\n"f(x, x)" = "1"\n[let]', f'{WHERE}, [define], "f(x, x)": "f(x, x)" repeats a parameter'),
    ("[let]", '[define]\n"round(x)" = "1"\n[let]', f'{WHERE}, [define], "round(x)": "round" is a function of the expression language'),
    ("[let]", "[data]\nx = 12:30:00\n[let]", f"{WHERE}, [data], x: expected a date without a time, found 12:30:00"),
    ('when = "days_overdue <= 10"\nthat', 'whne = "True"\nthat', f'{WHERE}, [[ensure]] 1 "grace period": unknown key "whne" (did you mean "when"? legal: id, text, source, that, when, slack)'),
    ('that = "result == 0"\n', "", f'{WHERE}, [[ensure]] 1 "grace period": the key "that" is missing (it is required here)'),
    ('that = "result == 0"', 'that = ""', f'{WHERE}, [[ensure]] 1 "grace period", that: the expression is empty'),
    ('id = "floor and cap"', 'id = "grace period"', f'{WHERE}, [[ensure]] 2 "grace period", id: the id "grace period" is already that of [[ensure]] 1'),
    ('id = "floor and cap"', 'id = ""', f'{WHERE}, [[ensure]] 2 "", id: "" is no id'),
    ('raises = "ValueError"', 'raises = "ValuError"', f'{WHERE}, [[reject]] 1 "negative balance", raises: unknown exception "ValuError" (did you mean "ValueError"?'),
    ('raises = "ValueError"', "raises = []", f'{WHERE}, [[reject]] 1 "negative balance", raises: expected an exception\'s name or an array of them'),
    ('value = "0 if', 'where = "result == 0"\nvalue = "0 if', f"{WHERE}, [reference]: exactly one of value, where, python, file is needed, found value and where"),
    ("[reference]\n", '[reference]\nraises = "ValueError"\n', f"{WHERE}, [reference], raises: raises goes with a Python reference"),
    ("[reference]\n", '[reference]\nabs_tol = "-1"\n', f"{WHERE}, [reference], abs_tol: expected a number from 0 as a string"),
    ('value = "0 if days_overdue <= 10 else clamp(fee, 15, 75)"', 'python = "def f(): pass"', f"{WHERE}, [reference], python: the module does not define late_fee"),
    ('out = "15.00"', 'out = "15.00"\nraises = "ValueError"', f"{WHERE}, [[example]] 1, raises: both out and raises"),
    ('out = "15.00"\n', "", f"{WHERE}, [[example]] 1: neither out nor raises"),
    ('out = "15.00"', "out = [1]", f"{WHERE}, [[example]] 1, out: expected a number, found [1]"),
    ('out = "15.00"', 'out = "15.005"', f"{WHERE}, [[example]] 1, out: not of the output's type: 15.005 has more than 2 decimals"),
    ('balance = "1000.00", days_overdue = 11', 'balance = "1000.005", days_overdue = 11', f"{WHERE}, [[example]] 1, in.balance: outside the universe: 1000.005 has 3 decimals instead of 2"),
    ('balance = "1000.00", days_overdue = 11', 'balance = "1000", days_overdue = -1', f"{WHERE}, [[example]] 1, in.days_overdue: outside the universe: -1 is below the minimum 0"),
    ('balance = "1000.00", days_overdue = 11', 'balance = "1000", day_overdue = 1', f'{WHERE}, [[example]] 1, in: unknown input "day_overdue" (did you mean "days_overdue"? legal: balance, days_overdue)'),
    ('balance = "1000.00", days_overdue = 11', 'balance = "1000"', f'{WHERE}, [[example]] 1, in: the input "days_overdue" is missing'),
    ('balance = "1000.00", days_overdue = 11', "balance = true, days_overdue = 1", f"{WHERE}, [[example]] 1, in.balance: expected a number, found true"),
    ("[let]", "[policy]\nfloat = 'never'\n[let]", f'{WHERE}, [policy], float: unknown value for float "never" (legal: forbid, allow)'),
    ("[let]", "[policy]\ntime_limit = 5\n[let]", f"{WHERE}, [policy], time_limit: expected an amount with a unit (ms, s, min), like \"1s\", found 5"),
    ("[let]", "[policy]\nmemory_limit = '5XB'\n[let]", f"{WHERE}, [policy], memory_limit: expected an amount with a unit"),
    ("[let]", "[policy]\ntime_limit = '100000min'\n[let]", f"{WHERE}, [policy], time_limit: one call may take 5 minutes at most"),
    ("[let]", "[policy]\nmemory_limit = '1B'\n[let]", f"{WHERE}, [policy], memory_limit: the memory for a call is from 1MB to 1024GiB"),
    ("[let]", "[policy]\nmemory_limit = '999999999GB'\n[let]", f"{WHERE}, [policy], memory_limit: the memory for a call is from 1MB to 1024GiB"),
    ("max = 3650", "max = 1" + "0" * 1000, f"{WHERE}: a number of more than 1,000 digits"),
    ("[let]", "[policy]\nimports = ['a b']\n[let]", f'{WHERE}, [policy], imports: "a b" is no module\'s name'),
    ("[let]", "[policy]\npython = 'three'\n[let]", f'{WHERE}, [policy], python: "three" is no version (for example "3.12" or ">=3.11,<3.14")'),
    ("[let]", "[policy]\npython = '>=3.x'\n[let]", f'{WHERE}, [policy], python: ">=3.x" is no version'),
    ("[let]", "[policy]\npackages = {{ 'numpy; rm' = '2' }}\n[let]".replace("{{", "{").replace("}}", "}"), f'{WHERE}, [policy], packages: "numpy; rm" is no package\'s name'),
    ("[let]", "[[hole]]\nname = 'c'\n[let]", f'{WHERE}, [[hole]] 1: the key "type" is missing'),
    ("[let]", "[[invariant]]\nthat = 'x > 0'\nloop = 0\n[let]", f"{WHERE}, [[invariant]] 1, loop: expected the loop's number in the source, from 1"),
    ("[let]", "[types.int]\ntype = 'str'\n[let]", f'{WHERE}, [types.int]: "int" is a type of the format'),
    ("[let]", "[types]\nA = 'list[B]'\nB = { type = 'record', fields = { a = 'A' } }\n[let]", f"{WHERE}, [types.B.fields], a: the type A contains itself: A -> B -> A (types have no cycles)"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), CHANGES)
def test_one_message_says_it_all(late_fee: str, old: str, new: str, message: str) -> None:
    assert old in late_fee
    with pytest.raises(SpecError) as caught:
        spec_from_toml(late_fee.replace(old, new, 1), path=f"folder/{WHERE}")
    assert str(caught.value).startswith(message), str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_hostile_value_is_shown_harmlessly(late_fee: str) -> None:
    text = late_fee.replace('title   = "Late', '"\\u001b[31m\\u202e' + "x" * 500 + '" = 1\ntitle = "Late')
    with pytest.raises(SpecError) as caught:
        spec_from_toml(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


BYTES = [
    (b"a = 1\0", "the file is binary"),
    (b"a = 1\n# \xff\xfe", "the file is not UTF-8 (line 2, byte 8)"),
    (b"# " + b"x" * 10_000_000, "the file is larger than 1,000,000 bytes"),
    (b"a = = 1", "not valid TOML: Invalid value (at line 1, column 5)"),
    (b"a = 1\na = 2\nb = 3", "not valid TOML: Cannot overwrite a value (at line 2, column 6)"),
    (b"a = " + b"[" * 10_000 + b"]" * 10_000, "nested more than 100 deep"),
    (b"a = " + b"{x=" * 10_000, "nested more than 100 deep"),
    (b"a" + b".a" * 300_000 + b" = 1", "nested more than 100 deep"),
    (b"[" + b"a." * 60 + b"a]\nx = 1", "nested more than 100 deep"),
    (b"a = " + b"1" * 5000, "not valid TOML"),
    (b"a = 1." + b"1" * 5000, "a number of more than 1000 digits"),
    (b"a = 1e999999999", "a number of more than 1000 digits"),
    (b"", 'the key "spec" is missing'),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), BYTES, ids=range(len(BYTES)))
def test_bytes_that_are_no_spec(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x.spec.toml"
    path.write_bytes(data)
    with pytest.raises(SpecError) as caught:
        load_spec(path)
    assert str(caught.value).startswith("x.spec.toml: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 10_000, "nested more than 100 deep"),
        ("{" + '"a":{' * 10_000, "nested more than 100 deep"),
        ('{"a": 1, "a": 2}', 'the key "a" stands twice in one object'),
        ("{\n'a'}", "not valid JSON: Expecting property name enclosed in double quotes (at line 2, column 1)"),
        ("[1]", "expected a table, found [1]"),
        ("1e99999", "a number of more than 1000 digits"),
        ('{"spec": 1, "name": "f", "inputs": [{"type": "int"}], "output": "int"}', "expected an object with a name"),
        ('{"spec": 1, "name": "f", "inputs": {}, "output": "int", "let": [{"name": "x", "vlaue": "1"}]}',
         'expected an object with "name" and "value" (did you mean "value"?'),
    ],
)  # fmt: skip
def test_json_that_is_no_spec(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        spec_from_json(text, path="x.json")
    assert message in str(caught.value)


def test_a_value_nested_too_deep() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(SpecError, match="nested more than 100 deep"):
        spec_from_json({"spec": 1, "data": {"x": value}})


def test_paths_that_are_no_file(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="there is no such file"):
        load_spec(tmp_path / "none.spec.toml")
    with pytest.raises(SpecError, match="a folder, not a spec"):
        load_spec(tmp_path)
    with pytest.raises(SpecError, match=r"there is no such file|cannot be read"):
        load_spec("a\0b.spec.toml")
    os.mkfifo(tmp_path / "pipe.spec.toml")
    with pytest.raises(SpecError, match="a device or a pipe, not a file"):
        load_spec(tmp_path / "pipe.spec.toml")


def test_examples_that_cannot_all_be_right(late_fee: str) -> None:
    same = '\n[[example]]\nin = { balance = "1000", days_overdue = 11 }\n'
    for answer in ('out = "16.00"', 'raises = "ValueError"'):
        with pytest.raises(SpecError, match=r"\[\[example\]\] 3: another answer than that of \[\[example\]\] 1"):
            spec_from_toml(late_fee + same + answer)
    assert len(spec_from_toml(late_fee + same + 'out = "15"').examples) == 3
    tolerant = late_fee.replace("[reference]", '[reference]\nabs_tol = "1.00"')
    assert len(spec_from_toml(tolerant + same + 'out = "15.50"').examples) == 3


def spec_with(types: Mapping[str, object], use: str) -> str:
    return json.dumps({"spec": 1, "name": "f", "types": types, "inputs": {"x": use}, "output": "int"})


def test_types_that_grow_without_end() -> None:
    doubling: dict[str, object] = {"T0": "int"}
    doubling |= {f"T{n}": f"tuple[T{n - 1}, T{n - 1}]" for n in range(1, 25)}
    with pytest.raises(SpecError, match="more than 20,000 parts"):
        spec_from_json(spec_with(doubling, "T24"))
    changed: dict[str, object] = {"T0": {"type": "int", "min": 0}}
    for n in range(1, 14):
        field = {"type": f"T{n - 1}", "as": "tuple"} if n > 1 else {"type": "T0", "max": 1}
        changed[f"T{n}"] = {"type": "record", "fields": {"a": field, "b": field, "c": field}}
    with pytest.raises(SpecError, match=r"more than 5,000 types|more than 20,000 parts"):
        spec_from_json(spec_with(changed, "T13"))
    chain = {"T0": "int"} | {f"T{n}": f"list[T{n - 1}]" for n in range(1, 60)}
    with pytest.raises(SpecError, match="nested more than 30 deep"):
        spec_from_json(spec_with(chain, "T59"))
    with pytest.raises(SpecError, match="is no type"):
        spec_from_json(spec_with({}, "list[" * 3000 + "int" + "]" * 3000))


def test_two_classes_of_one_name() -> None:
    types = {
        "A": {"type": "enum", "class": "K", "choices": ["X"]},
        "B": {"type": "enum", "class": "K", "choices": ["X", "Y"]},
    }
    with pytest.raises(SpecError, match='another type is declared as class "K"'):
        spec_from_json(spec_with(types, "int"))
    same = {**types, "B": {**types["A"], "text": "the same"}}
    assert list(spec_from_json(spec_with(same, "int")).types) == ["A", "B"]


def test_exceptions_have_bare_names(late_fee: str) -> None:
    for name, bare in (("decimal.InvalidOperation", "InvalidOperation"), ("builtins.KeyError", "KeyError")):
        spec = spec_from_toml(late_fee.replace('raises = "ValueError"', f'raises = "{name}"', 1))
        assert spec.rejects[0].raises == (bare,)
    for name in ("os.ValueError", "Warning", "BaseException", "SystemExit", "MemoryError", "int"):
        with pytest.raises(SpecError, match="unknown exception"):
            spec_from_toml(late_fee.replace('raises = "ValueError"', f'raises = "{name}"', 1))


def test_a_damaged_spec_gives_a_message_and_never_a_traceback(everything: Path, late_fee: str) -> None:
    chance = random.Random(7)
    texts = [everything.read_text("utf-8"), late_fee]
    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text)})
    faults: list[str] = []
    for _ in range(300):
        tokens = re.findall(r"\w+|\s+|[^\w\s]", chance.choice(texts))
        for _ in range(chance.choice([1, 1, 2, 5])):
            at = chance.randrange(len(tokens))
            tokens[at : at + chance.choice([0, 1, 1])] = chance.choice([[], [chance.choice(words)]])
        try:
            spec_from_toml("".join(tokens))
        except SpecError as error:
            faults.append(str(error))
    assert len(faults) > 100
    assert all(fault.isprintable() for fault in faults)
