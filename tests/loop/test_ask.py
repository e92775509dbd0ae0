"""``ask`` on the command line: what counts as an answer, how far programs agree, and what no reply can bring in."""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it comes without types
import pytest
from neurosym_specs.types import DecimalType
from neurosym_verifiers.bench import Bench

from neurosym import CandidateResult, Effort, Source, Spec, load_spec
from neurosym.answering.agreement import Given, difference_of, groups_of
from neurosym.answering.reading import provenance, read
from neurosym.answering.sentence import sentence_of
from neurosym.generators.local_server import Fault, LocalServer, Said, Turn
from neurosym.pipeline import judge
from tests.cli.shared import RIGHT, SPEC, WRONG, Neurosym, Ran

QUESTION = "How much interest do 1,000 EUR earn in 3 years at 5 % a year, compounded yearly?"
QUICK = ("--time-limit", "60", "--repairs", "0")


def program(
    body: str, *, unit: str = "EUR", sentence: str = "The interest is {answer}.", result: str = "Decimal"
) -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    said = f"UNIT = {unit!r}\nSENTENCE = {sentence!r}\n"
    imports = "from datetime import date\nfrom decimal import ROUND_HALF_UP, Decimal\n"
    return f"```python\n{imports}\n{said}\n\ndef answer() -> {result}:\n{lines}\n```\n"


LOOP = "balance = Decimal(1000)\nfor _ in range(3):\n    balance = balance * Decimal('1.05')\nreturn balance - 1000"
POWER = "rate, years = Decimal(5) / 100, 3\nreturn 1000 * (1 + rate) ** years - 1000"
SIMPLE = "return Decimal(1000) * 3 * 5 / 100"
CENT = "exact = 1000 * Decimal('1.05') ** 3 - 1000\nreturn exact.quantize(Decimal('0.01'), rounding=ROUND_HALF_UP)"


def ask(neurosym: Neurosym, script: Sequence[Turn], *arguments: str | Path, question: str = QUESTION) -> Ran:
    texts = [each for each in script if isinstance(each, str) and not isinstance(each, Fault)]

    def reply(body: Mapping[str, Any]) -> str:
        """The reply of the program that is asked for, whichever comes first."""
        said = body["messages"][1]["content"] + body["messages"][-1]["content"]
        place = 1 if "First list," in said or "First name the steps" in said else 0
        return texts[2 if "Do not use a formula" in said or body["temperature"] > 0.5 else place]

    turns: Sequence[Turn] = [reply] * len(texts) if len(texts) == len(script) else script
    with LocalServer(turns) as server:
        return neurosym("ask", question, "--model", "m", "--base-url", server.base_url, *QUICK, *arguments)


def document(ran: Ran) -> Any:
    return json.loads(ran.out)


def test_programs_that_agree_answer_in_80_columns(neurosym: Neurosym, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "They earn {answer:2} of interest in 3 years."
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{QUESTION}\n"))
    ran = ask(neurosym, [program(LOOP, sentence=said), program(POWER), "no code"], question="-")
    assert ran.code == 0, ran.out
    assert ran.out.startswith(f"{QUESTION}\n")
    assert "\nANSWER   They earn 157.63 EUR of interest in 3 years.\n" in ran.out
    assert "157.63 EUR: rounded half_up to 2 decimals to be shown; computed was 157.625\n" in ran.out
    assert "Trust: agreed by 2 of 3 independent programs." in ran.out
    assert "    REJECTED   [NS2" in ran.out
    assert "    12  return = Decimal('157.625000')" in ran.out
    assert "\naccepted: agreed (exit 0)\n3 replies, " in ran.out
    for line in ran.out.splitlines():
        assert len(line) <= 80 or line.startswith("    ")
        assert line == line.rstrip()
    assert ran.err == ""


def test_the_same_text_twice_confirms_nothing(neurosym: Neurosym) -> None:
    script = [program(LOOP), program(LOOP.replace("  balance =", "  balance  =  ") + "  # again")]
    ran = ask(neurosym, script, "--programs", "2")
    assert ran.code == 3
    assert "UNSURE   The interest is 157.625000 EUR." in ran.out
    assert "note NS606: the programs 1 and 2 are the same text, and count once" in ran.out
    assert "Trust: executed once." in ran.out


def test_two_answers_are_none(neurosym: Neurosym) -> None:
    ran = ask(neurosym, [program(LOOP), program(POWER), program(SIMPLE)], "--require", "executed")
    assert ran.code == 3
    assert "DISAGREE the programs came to different answers" in ran.out
    assert "  157.625000 EUR: programs 1, 2\n  150 EUR: program 3\n" in ran.out
    assert "ANSWER " not in ran.out


@pytest.mark.parametrize(
    ("other", "unit", "said"),
    [
        ("157.63", "EUR", "they agree but for rounding: one is the other rounded half_up to 2 decimals"),
        ("157.62", "EUR", "rounded half_down to 2 decimals"),
        ("157.625", "USD", "the numbers are equal, and the units are not the same: EUR and USD"),
        ("1.57625", "EUR", "a factor of a hundred"),
        ("15762.5", "EUR", "a factor of a hundred"),
        ("-157.625", "euros", "differ in their sign"),
        ("157.9", "EUR", ""),
    ],
)
def test_how_two_answers_differ_is_said(other: str, unit: str, said: str) -> None:
    one, two = Given(1, Fraction(1261, 8), "EUR"), Given(2, Fraction(other), unit)
    assert len(groups_of([one, two])) == 2
    found = difference_of(one, two)
    assert said in found
    assert bool(said) == bool(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("157.625", "EUR"), ("15762.5", "euro cents")),
        (("5", "%"), ("0.05", "ratio")),
        (("0.5", "percent"), ("50", "bps")),
        (("36", "hours"), ("1.5", "day")),
        (("90", "km per h"), ("90", "km/hour")),
        (("7", ""), ("7", "EUR")),
        (("1", "month"), ("1", "Months")),
    ],
)
def test_the_same_answer_in_other_units(one: tuple[str, str], other: tuple[str, str]) -> None:
    given = [Given(at, Fraction(value), unit) for at, (value, unit) in enumerate((one, other), start=1)]
    (group,) = groups_of(given)
    assert group.exact
    assert group.lead.unit


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("12", "month"), ("1", "year")),
        (("5", "%"), ("5", "ratio")),
        (("1", "EUR"), ("1", "USD")),
        (("7", ""), ("8", "EUR")),
    ],
)
def test_other_answers_than_the_same(one: tuple[str, str], other: tuple[str, str]) -> None:
    given = [Given(at, Fraction(value), unit) for at, (value, unit) in enumerate((one, other), start=1)]
    assert len(groups_of(given)) == 2


def test_an_answer_of_another_kind_is_another_answer() -> None:
    assert len(groups_of([Given(1, True), Given(2, 1)])) == 2
    assert len(groups_of([Given(1, [1, 2]), Given(2, [1, 2])])) == 1
    assert len(groups_of([Given(1, 1, inputs="a"), Given(2, 1, inputs="b")])) == 2


def test_one_program_is_executed_once_and_no_more(neurosym: Neurosym) -> None:
    ran = ask(neurosym, [program(LOOP)], "--programs", "1")
    assert ran.code == 3
    assert "UNSURE   The interest is 157.625000 EUR." in ran.out
    assert "Trust: executed once." in ran.out
    assert "not accepted: the answer is executed, and --require asks for agreed (exit 3)" in ran.out


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        ([Fault.NO_SUCH_MODEL] * 2, 4, ["no model gave a reply"]),
        (
            [
                program("return Decimal(1) / 0"),
                program("return Decimal(float(1) * 0.15)"),
                program("while True:\n    pass"),
            ],
            1,
            ["DivisionByZero", "[NS440] float() makes a float", "there is no answer"],
        ),
        ([program("return Decimal('157.63')"), program("import os\nreturn os.x")], 3, ["(NS605)", "NS401"]),
    ],
)
def test_what_is_no_answer_and_its_exit_code(
    neurosym: Neurosym, script: list[Turn], code: int, said: list[str]
) -> None:
    ran = ask(neurosym, script, "--programs", str(len(script)))
    assert ran.code == code, ran.out
    assert all(each in ran.out for each in said), ran.out
    assert "ANSWER   The" not in ran.out


def test_a_program_is_told_once_what_is_wrong(neurosym: Neurosym) -> None:
    script: list[Turn] = ["no code", program(POWER), program(LOOP)]
    with LocalServer(script) as server:
        ran = neurosym("ask", QUESTION, "--model", "m", "--base-url", server.base_url, "--time-limit", "60", "--json",
                       "--programs", "2")  # fmt: skip
        sent = server.requests
    assert ran.code == 0
    found = document(ran)
    assert sorted(len(each["attempts"]) for each in found["programs"]) == [1, 2]
    assert [message["role"] for message in sent[-1]["messages"]] == ["system", "user", "assistant", "user"]
    assert "No program could be taken out" in sent[-1]["messages"][-1]["content"]
    assert QUESTION in sent[0]["messages"][1]["content"]


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("It is {answer}, more than 150 EUR.", "a number that was not computed and is not in the question: 150"),
        ("It is {answer} after twelve months.", "is not in the question: twelve"),
        ("It is {answer}, ½ of it tax.", "is not in the question: ½"),
        ("It is {answer}, a tenfold gain.", "is not in the question: tenfold"),
        ("It is {answer} in the eleventh year.", "is not in the question: eleventh"),
        ("It is {answer}, not fivehundred.", "is not in the question: fivehundred"),
        ("It is {answer}, with fourscore of tax.", "is not in the question: fourscore"),
        ("It is {answer} (\U0001d427\U0001d422\U0001d427\U0001d41e).", "is not in the question: nine"),
        ("It is {answer} or f\u0456ve.", "letters of a script that the question has not"),
        ("It is {answer} thousand.", "words around the number"),
        ("It is {answer} bn.", "words around the number"),
        ("It isn't {answer}.", "words around the number"),
        ("It is -{answer}.", "words around the number"),
        ("It is {answer}5.", "words around the number"),
        ("It is less than {answer}.", "words around the number"),
        ("It is {answer} USD.", "words around the number"),
        ("It is ${answer}.", "words around the number"),
        ("It is {answer} or {answer}.", "does not have {answer} in it once"),
        ("It is {answer} of {balance}.", "a placeholder for what was not computed"),
        ("It is {answer:2 half_round}.", "names a rounding that there is not"),
        ("It is {answer:40}.", "more than 12 decimals"),
        ("It is much.", "does not have {answer} in it once"),
        ("", "gives no sentence"),
    ],
)
def test_a_sentence_brings_no_number_of_its_own(sentence: str, why: str) -> None:
    found = sentence_of(sentence, QUESTION, DecimalType(), Fraction(1261, 8), "EUR")
    assert found.text == "The answer is 157.625 EUR."
    assert why in found.why_not


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("1,000 EUR earn {answer:1 half_even} in 3 years.", "1,000 EUR earn 157.6 EUR in 3 years."),
        ("It is {answer} EUR.", "It is 157.625 EUR."),
        ("It is EUR {answer}.", "It is 157.625 EUR."),
        ("{ answer : 0 } it is.", "158 EUR it is."),
        ("Für den Kredit, often: {answer}.", "Für den Kredit, often: 157.625 EUR."),
    ],
)
def test_what_a_sentence_may_say(sentence: str, shown: str) -> None:
    found = sentence_of(sentence, QUESTION, DecimalType(), Fraction(1261, 8), "EUR")
    assert (found.text, found.why_not) == (shown, "")


@pytest.mark.slow
def test_numbers_without_end_are_rounded_and_may_differ_in_their_last_digits(neurosym: Neurosym) -> None:
    script = [program("return (Decimal(1000) / 7) * 3"), program("return Decimal(3000) / 7")]
    ran = ask(neurosym, script, "--programs", "2", question="What are three sevenths of 1,000 EUR?")
    assert ran.code == 0
    assert "ANSWER   The interest is 428.5714285714 EUR." in ran.out
    assert "rounded half_up to 10 decimals to be shown; computed was" in ran.out
    assert "the programs agree to 15 digits" in ran.out


@pytest.mark.parametrize(
    ("question", "body", "unused", "brought"),
    [
        (QUESTION, LOOP, [], []),
        (QUESTION, LOOP.replace("1000", "1100"), [], ["1100"]),
        (QUESTION, "return Decimal(1000) * 5 / 100", ["3"], []),
        ("What is 20 % off 2 million?", "return 2_000_000 * Decimal('0.8')", [], []),
        ("What is 1.234,50 in 12 months?", "return Decimal('1234.5') * 12", [], []),
        ("What is 250 at 4 % for three years?", "return 250 * Decimal('1.04') ** 3 * 365 / 360", [], ["365", "360"]),
        ("A year at 75 a month?", "return Decimal(75) * 12", [], []),
        ("What is half of 50?", "return (Decimal(50) / 2).quantize(Decimal('0.01'))", [], []),
    ],
)
def test_where_the_numbers_of_a_program_come_from(
    question: str, body: str, unused: list[str], brought: list[str]
) -> None:
    tree = ast.parse(program(body).removeprefix("```python").removesuffix("```\n"))
    notes = [*provenance(1, question, tree)]
    found = {each.code: each.message.rpartition(": ")[2] for each in notes}
    assert found.get("NS603", "") == ", ".join(unused)
    assert [each.split()[0] for each in found.get("NS604", "").split(", ") if each] == brought


def test_the_unit_that_is_asked_for(neurosym: Neurosym) -> None:
    cents = program("return (1000 * Decimal('1.05') ** 3 - 1000) * 100", unit="EUR cents")
    ran = ask(neurosym, [program(LOOP, unit="€"), cents, program(POWER, unit="")], "--unit", "EUR")
    assert ran.code == 0, ran.out
    assert "157.625000 EUR" in ran.out
    assert 'its answer is in "EUR cents", and EUR is asked for (NS602)' in " ".join(ran.out.split())
    assert "program 3 names no unit" in ran.out


@pytest.mark.slow
def test_other_types_than_numbers(neurosym: Neurosym) -> None:
    day = "from datetime import timedelta\nreturn date(2024, 2, 27) + timedelta(days=3)"
    one = program(day, result="date", sentence="It is due on {answer}.", unit="")
    script = [one, one.replace("days=3", "days=2 + 1")]
    asked = "When are 3 days after 2024-02-27 over?"
    ran = ask(neurosym, script, "--programs", "2", "--type", "date", question=asked)
    assert ran.code == 0, ran.out
    assert "ANSWER   It is due on 2024-03-01." in ran.out


SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["total", "currency", "lines"],
    "additionalProperties": False,
    "properties": {
        "total": {"type": "number", "multipleOf": 0.01, "minimum": 0, "description": "what is paid"},
        "currency": {"type": "string", "enum": ["EUR", "USD"]},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}, "minItems": 1, "maxItems": 5},
        "note": {"type": "string", "maxLength": 40, "pattern": "^[a-z]*$"},
        "due": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
    },
    "$defs": {
        "line": {
            "type": "object",
            "properties": {"pieces": {"type": "integer", "exclusiveMinimum": 0}, "paid": {"type": "boolean"}},
            "required": ["pieces", "paid"],
        }
    },
}
INVOICE = """```python
from datetime import date
from decimal import Decimal
from typing import Literal, TypedDict


class Item(TypedDict):
    pieces: int
    paid: bool


class Result(TypedDict):
    total: Decimal
    currency: Literal["EUR", "USD"]
    lines: list[Item]
    note: str | None
    due: date | None


def answer() -> Result:
    pieces = 3
    total = pieces * Decimal("33.35")
    return {"total": total, "currency": "EUR", "lines": [{"pieces": pieces, "paid": False}], "note": None,
            "due": date(2024, 3, 1)}
```"""


def test_a_structured_answer_is_valid_by_its_schema(neurosym: Neurosym, tmp_path: Path) -> None:
    path = tmp_path / "invoice.json"
    path.write_text(json.dumps(SCHEMA))
    asked = "What do 3 pieces at 33.35 EUR cost?"
    arguments = ("--programs", "2", "--schema", path)
    other = INVOICE.replace("pieces = 3", "pieces = 1 + 2")
    ran = ask(neurosym, [INVOICE, other], *arguments, "--json", question=asked)
    assert ran.code == 0, ran.out
    text = document(ran)["answer"]["document"]
    assert text == '{"total": 100.05, "currency": "EUR", "lines": [{"pieces": 3, "paid": false}], "due": "2024-03-01"}'
    jsonschema.validate(json.loads(text), SCHEMA, format_checker=jsonschema.FormatChecker())
    script = [INVOICE.replace('"33.35"', change) for change in ('"33.351"', '"-33.35"')]
    ran = ask(neurosym, script, *arguments, "--json", question=asked)
    assert (ran.code, document(ran)["answer"]) == (1, None)
    assert [each["attempts"][0]["feedback"]["class"] for each in document(ran)["programs"]] == ["format", "format"]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("{", "is no JSON"),
        ("[]", "it is no object with a type"),
        ('{"type": "number", "format": "float"}', "#: format is not read for the type number"),
        ('{"type": ["number", "string"]}', "one of object, array"),
        ('{"type": "object"}', "needs properties"),
        ('{"type": "object", "properties": {"a b": {"type": "number"}}}', "is no name"),
        ('{"type": "array", "items": {"$ref": "other.json#/x"}}', "leads out of the file"),
        ('{"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}', "refers to itself"),
        ('{"type": "string", "pattern": "^a|b$"}', "for the whole text"),
        ('{"type": "number", "minimum": 1e999999}', "too large"),
        ('{"type": "number", "exclusiveMinimum": 0}', "with a multipleOf"),
        ('{"type": "array", "items": {"type": "integer"}, "minItems": -1}', "min_len"),
    ],
)
def test_a_schema_that_is_not_read_is_refused_by_its_place(
    neurosym: Neurosym, tmp_path: Path, schema: str, said: str
) -> None:
    path = tmp_path / "schema.json"
    path.write_text(schema)
    ran = ask(neurosym, [], "--schema", path)
    assert ran.code == 2, ran.err
    assert said in ran.err
    assert ran.out == ""


INPUTS = 'INPUTS = {"balance": "1003.00", "days_overdue": 11}\nSENTENCE = "The late fee is {answer}."\n'
ABOUT = "What is the late fee on a balance of 1,003.00 USD that is 11 days overdue?"


def function(code: str, inputs: str = INPUTS) -> str:
    return f"```python\n{code.strip()}\n\n\n{inputs}```\n"


def test_an_answer_that_is_checked_against_a_spec(neurosym: Neurosym, spec_path: Path) -> None:
    script: list[Turn] = [function(RIGHT), function(RIGHT.replace("fee", "charge").replace("late_charge", "late_fee")),
                          function(WRONG)]  # fmt: skip
    ran = ask(neurosym, script, "--spec", spec_path, "--no-proof", "--examples", "50", question=ABOUT)
    assert ran.code == 0, ran.out
    assert "ANSWER   The late fee is 15.05 USD." in ran.out
    said = " ".join(ran.out.split())
    assert "Trust: checked against the spec late_fee (program TESTED, right for these inputs)" in said
    assert "the inputs were read alike by 2 of 3 independent programs" in said
    assert "INPUTS balance = 1003.00, days_overdue = 11" in said
    assert "REFUTED" in ran.out


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Spec, Bench, CandidateResult]]:
    """The right function of the small spec, judged once, on its bench."""
    path = tmp_path_factory.mktemp("spec") / "late_fee.spec.toml"
    path.write_text(SPEC)
    spec = load_spec(path)
    with Bench(spec, Effort(examples=20, proof=False, time_limit_s=60.0)) as bench:
        yield spec, bench, judge(spec, bench, Source(RIGHT))


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ("", "INPUTS is missing"),
        ("INPUTS = open('x')", "INPUTS is missing"),
        (INPUTS.replace('"balance": "1003.00", ', ""), "leaves an input open, it says: balance"),
        (INPUTS.replace('"1003.00"', '"much"'), "its inputs are not what the spec takes"),
        (INPUTS.replace('"1003.00"', "[[1]]"), "its inputs are not what the spec takes"),
        (INPUTS.replace("1003.00", "999999.00"), "outside of its ranges"),
        (INPUTS.replace("1003.00", "-1.00"), "the spec refuses these inputs: reject: negative balance (ValueError)"),
    ],
)
def test_inputs_that_the_function_cannot_be_called_with(
    judged: tuple[Spec, Bench, CandidateResult], inputs: str, said: str
) -> None:
    spec, bench, result = judged
    assert result.source is not None
    changed = replace(result, source=replace(result.source, text=f"{RIGHT}\n\n{inputs}"))
    found = read(1, ABOUT, spec, bench, changed, checked=True)
    assert found.given is None
    assert said in found.why_not


@pytest.mark.slow
def test_other_inputs_are_another_answer(neurosym: Neurosym, spec_path: Path) -> None:
    script: list[Turn] = [function(RIGHT), function(RIGHT, INPUTS.replace("1003.00", "1030.00").replace("11", "12"))]
    ran = ask(
        neurosym, script, "--spec", spec_path, "--no-proof", "--examples", "20", "--programs", "2", question=ABOUT
    )
    said = " ".join(ran.out.split())
    assert ran.code == 3
    assert "they read other inputs out of the question" in said
    assert "the input balance has numbers that are not in the question: 1030.00" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["  "], "the question is empty"),
        (["x" * 10_001], "more than 10,000 characters"),
        (["q", "--type", "decimals"], "decimals"),
        (["q", "--require", "agree"], "did you mean agreed?"),
        (["q", "--require", "checked"], "needs a spec"),
        (["q", "--schema", "s.json", "--unit", "EUR"], "does not go with --schema"),
        (["q", "--spec", "s.toml", "--type", "int"], "does not go with --spec"),
        (["q", "--template", "direct"], "did you mean direct-1?"),
        (["q", "--schema", "missing.json"], "cannot be read"),
        (["q", "--spec", "missing.toml"], "there is no such file"),
        (["q", "--price", "n=1/2"], "it is not asked"),
        (["q", "--base-url", "localhost"], "localhost is no address of an endpoint"),
    ],
)
def test_usage(neurosym: Neurosym, arguments: list[str], said: str) -> None:
    ran = neurosym("ask", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.slow
def test_a_command_answers_and_a_recording_is_replayed(neurosym: Neurosym, tmp_path: Path) -> None:
    reply, tape = tmp_path / "reply.txt", tmp_path / "tape.jsonl"
    reply.write_text(program(LOOP).replace("balance", "BALANCE"))
    told = f"print(open('{reply}').read().replace('BALANCE', 'b' + os.environ['NEUROSYM_SAMPLE']))"
    line = f'{sys.executable} -c "import os; {told}"'
    common = (*QUICK, "--programs", "2", "--json")
    first = neurosym("ask", QUESTION, "--generator", "command", "--command", line, "--record", tape, *common)
    assert first.code == 0, first.out + first.err
    again = neurosym("ask", QUESTION, "--generator", "cassette", "--cassette", tape, "--model", "command", *common)
    assert again.code == 0
    assert document(again)["answer"] == document(first)["answer"]
    other = neurosym("ask", "Another?", "--generator", "cassette", "--cassette", tape, "--model", "command", *common)
    assert other.code == 4


def test_a_missing_key_is_exit_4(neurosym: Neurosym) -> None:
    ran = neurosym("ask", QUESTION, "--model", "m")
    assert (ran.code, ran.out) == (4, "")
    assert "OPENAI_API_KEY is not set" in ran.err


def test_no_text_of_a_reply_or_a_question_does_more_than_be_read(neurosym: Neurosym) -> None:
    nasty = "\x1b[2J::error::owned\u202e"
    script: list[Turn] = [
        program(LOOP + f"  # {nasty}", unit=f"EUR{nasty}", sentence=f"{nasty}It is {{answer}}."),
        Said(program(POWER, sentence=f"{nasty} {{answer}}"), model=f"x{nasty}"),
        f"{nasty} no code",
    ]
    for arguments in ([], ["--json"]):
        ran = ask(neurosym, script, *arguments, question=f"{QUESTION} {nasty}")
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out
        assert "::error::" not in ran.out
