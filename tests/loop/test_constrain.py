"""Replies that are held to a form: what is asked for, what an endpoint offers, and what is said where it does not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from neurosym.generators import Message, Reply, Request, Settings, Usage
from neurosym.generators.cassette import answer_of, plain_answer
from neurosym.generators.constraint import Constraint, Form, Held
from neurosym.generators.endpoint import Endpoint
from neurosym.generators.local_server import Fault, LocalServer, Said
from neurosym.generators.seam import silent
from tests.cli.shared import Neurosym
from tests.loop.test_solve import GOOD

SIGNATURE = "def f(a: int) -> int:"
CODE = f"{SIGNATURE}\n    return a\n"
HELD = Constraint(SIGNATURE)
TALK = f"Here it is:\n\n```python\n{CODE}```\nIt returns a."


def _request(sample: int = 0, *, constraint: Constraint | None = HELD) -> Request:
    return Request(model="m", messages=(Message("user", "Write f."),), temperature=0.0, max_tokens=200, sample=sample,
                   constraint=constraint)  # fmt: skip


def _ask(server: LocalServer, times: int = 1) -> list[Reply]:
    endpoint = Endpoint(Settings(base_url=server.base_url, tries=1))
    try:
        answers = [endpoint.generate(_request(at), timeout_s=20.0, on_progress=silent) for at in range(times)]
    finally:
        endpoint.close()
    assert all(isinstance(each, Reply) for each in answers), answers
    return [each for each in answers if isinstance(each, Reply)]


def _asked(body: dict[str, Any]) -> str:
    return "grammar" if "grammar" in body else "json_schema" if "response_format" in body else ""


@pytest.mark.parametrize(
    ("offers", "held", "asked"),
    [
        (["grammar", "json_schema"], Held.GRAMMAR, ["grammar", "grammar"]),
        (["json_schema"], Held.SCHEMA, ["grammar", "json_schema", "json_schema"]),
        ([], Held.NOT_OFFERED, ["grammar", "json_schema", "", ""]),
    ],
)
def test_what_an_endpoint_offers_is_found_out_once(offers: list[str], held: Held, asked: list[str]) -> None:
    with LocalServer([TALK, TALK], offers=offers) as server:
        replies = _ask(server, 2)
        assert [_asked(body) for body in server.requests] == asked
    assert [reply.held for reply in replies] == [held, held]
    for reply in replies:
        assert f"```python\n{CODE}" in reply.text
        assert reply.text.startswith("```python") == (held is not Held.NOT_OFFERED)


def test_a_field_that_is_taken_and_passed_over_is_no_form() -> None:
    with LocalServer([TALK, TALK, TALK]) as server:
        replies = _ask(server, 3)
        assert [_asked(body) for body in server.requests] == ["grammar", "json_schema", ""]
    assert [reply.held for reply in replies] == [Held.IGNORED] * 3
    assert [reply.text for reply in replies] == [TALK] * 3


def test_a_request_that_is_refused_for_another_reason_teaches_nothing() -> None:
    with LocalServer([Fault.NO_MAX_TOKENS, TALK, TALK], offers=["grammar"]) as server:
        replies = _ask(server, 2)
        assert [_asked(body) for body in server.requests] == ["grammar"] * 3
    assert [reply.held for reply in replies] == [Held.GRAMMAR] * 2


def test_a_filter_is_no_form_that_is_missing() -> None:
    with LocalServer([Fault.FILTERED], offers=["grammar"]) as server:
        endpoint = Endpoint(Settings(base_url=server.base_url, tries=1))
        answer = endpoint.generate(_request(), timeout_s=20.0, on_progress=silent)
        endpoint.close()
        assert len(server.requests) == 1
    assert not isinstance(answer, Reply)


def test_a_reply_that_was_cut_off_has_no_end_to_be_held_to() -> None:
    with LocalServer([Said("```python\ndef f(", finish="length")], offers=["grammar"]) as server:
        (reply,) = _ask(server)
    assert (reply.held, reply.cut) == (Held.GRAMMAR, True)


@pytest.mark.parametrize(
    ("form", "text", "found"),
    [
        (Form.GRAMMAR, f"```python\n{CODE}```", True),
        (Form.GRAMMAR, f"Sure:\n```python\n{CODE}```", False),
        (Form.GRAMMAR, "```python\ndef g() -> int:\n    return 1\n```", False),
        (Form.SCHEMA, json.dumps({"module": CODE}), True),
        (Form.SCHEMA, json.dumps({"module": f"```python\n{CODE}```"}), True),
        (Form.SCHEMA, json.dumps({"module": CODE, "note": ""}), False),
        (Form.SCHEMA, json.dumps([CODE]), False),
        (Form.SCHEMA, '{"module": 1}', False),
        (Form.SCHEMA, "[" * 100_000, False),
        (Form.SCHEMA, CODE, False),
    ],
)
def test_whether_a_reply_has_the_form(form: Form, text: str, found: bool) -> None:
    block = Constraint(SIGNATURE).text_of(form, text, cut=False)
    assert (block is not None) == found
    if block is not None:
        assert block.strip() == f"```python\n{CODE}```"


def test_the_grammar_spells_the_signature_out() -> None:
    two_lines = 'def f(\n    a: Literal["x\\\\y"],\n) -> int:'
    grammar = Constraint(two_lines).grammar
    assert grammar.splitlines()[1] == r'line ::= "\n" | [^`\n] [^\n]* "\n"'
    literal = re.fullmatch(r'root ::= "```python\\n" line\* (".*") line\+ "```"', grammar.splitlines()[0])
    assert literal is not None
    assert json.loads(literal[1]) == f"{two_lines}\n"


def test_a_recording_of_what_asks_for_no_form_is_the_same_as_ever() -> None:
    plain = _request(constraint=None)
    assert "constraint" not in plain.plain
    assert plain.sha256 != _request().sha256
    reply = Reply(text=TALK, model="m", usage=Usage(1, 2), held=Held.SCHEMA)
    assert answer_of(plain_answer(reply)) == reply
    assert "held" not in plain_answer(Reply(text=TALK, model="m", usage=Usage(1, 2)))


def test_it_is_said_what_the_endpoint_did(neurosym: Neurosym, spec_path: Path) -> None:
    quick = ("--no-proof", "--examples", "20", "--time-limit", "60", "--constrain")
    with LocalServer([GOOD], offers=["json_schema"]) as server:
        ran = neurosym("solve", spec_path, "--model", "m", "--base-url", server.base_url, *quick)
    assert ran.code == 0, ran.out
    assert "           held to a JSON schema by the endpoint\n" in ran.out


@pytest.mark.slow
def test_ask_says_it_too_and_so_where_the_generator_has_no_form(neurosym: Neurosym) -> None:
    replies = Path(__file__).parents[2] / "examples" / "savings_question" / "replies"
    ran = neurosym("ask", "How much is 2,500 at 3.2 % in 3 years?", "--generator", "scripted", "--option",
                   f"replies={replies}", "--constrain", "--programs", "1", "--time-limit", "60", "--json")  # fmt: skip
    assert ran.code == 3
    assert json.loads(ran.out)["programs"][0]["attempts"][0]["reply"]["held"] == "not offered"
