"""Generators: the endpoint over real HTTP with every fault that the local server knows, commands, recordings."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from neurosym import events
from neurosym.generators import (
    IS_GONE,
    Answer,
    Generator,
    Message,
    ModelFault,
    NoReply,
    NoReplyKind,
    Recording,
    Reply,
    Request,
    Scripted,
    Settings,
    Usage,
    open_generator,
    seam,
)
from neurosym.generators.asking import Asked, ask_all
from neurosym.generators.cassette import answer_of, plain_answer
from neurosym.generators.conformance import REQUEST, breaches
from neurosym.generators.endpoint import Endpoint
from neurosym.generators.local_server import Fault, LocalServer, Said
from neurosym.generators.retrying import Again, Clock, seconds_of, with_retries
from neurosym.generators.seam import BUILT_IN, silent
from tests.cli.shared import RIGHT

PROGRAM = "```python\ndef f() -> int:\n    return 1\n```\n"


class Patience:
    """A clock whose waits take no time but are kept."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.at = 0.0

    def clock(self) -> Clock:
        return Clock(now=lambda: self.at, sleep=self._sleep, draw=lambda low, high: high)

    def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.at += seconds


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*os.environ]:
        if name.startswith("OPENAI_"):
            monkeypatch.delenv(name)


def _ask(server: LocalServer, *, tries: int = 4, timeout_s: float = 20.0, patience: Patience | None = None) -> Answer:
    endpoint = Endpoint(
        Settings(base_url=server.base_url, tries=tries), patience.clock() if patience else Clock(sleep=lambda _: None)
    )
    try:
        return endpoint.generate(REQUEST, timeout_s=timeout_s, on_progress=silent)
    finally:
        endpoint.close()


def test_a_reply_comes_in_pieces_with_its_figures() -> None:
    heard: list[tuple[str, int]] = []
    with LocalServer([Said(PROGRAM, prompt_tokens=11, completion_tokens=7)]) as server:
        endpoint = Endpoint(Settings(base_url=server.base_url))
        answer = endpoint.generate(REQUEST, timeout_s=20.0, on_progress=lambda work, done: heard.append((work, done)))
        endpoint.close()
    assert isinstance(answer, Reply)
    assert answer.text == PROGRAM
    assert (answer.model, answer.usage, answer.attempts, answer.cut) == ("conformance", Usage(11, 7), 1, False)
    assert answer.first_s is not None
    assert 0 < answer.first_s <= answer.seconds
    counted = [done for work, done in heard if work == "characters of the reply"]
    assert counted == sorted(counted)
    assert counted[-1] == len(PROGRAM)
    assert len(counted) > 1
    sent = server.requests[0]
    assert sent["model"] == "conformance"
    assert sent["messages"][1]["content"] == REQUEST.messages[1].text
    assert "sample" not in sent


@pytest.mark.parametrize(
    ("fault", "kind", "asked"),
    [
        (Fault.OVERLOADED, NoReplyKind.UNAVAILABLE, 3),
        (Fault.BUSY, NoReplyKind.UNAVAILABLE, 3),
        (Fault.QUOTA, NoReplyKind.UNAVAILABLE, 1),
        (Fault.NO_SUCH_MODEL, NoReplyKind.UNKNOWN_MODEL, 1),
        (Fault.CUT_OFF, NoReplyKind.CUT_OFF, 3),
        (Fault.ERROR_INSIDE, NoReplyKind.UNAVAILABLE, 3),
        (Fault.MALFORMED, NoReplyKind.MALFORMED, 1),
        (Fault.NO_COMPLETION, NoReplyKind.MALFORMED, 1),
        (Fault.ENDLESS_LINE, NoReplyKind.MALFORMED, 1),
        (Fault.REFUSED, NoReplyKind.REFUSED, 1),
        (Fault.FILTERED, NoReplyKind.REFUSED, 1),
        (Fault.NO_CHOICE, NoReplyKind.EMPTY, 1),
        (Fault.EMPTY_TEXT, NoReplyKind.EMPTY, 1),
    ],
)
def test_each_fault_is_a_value_and_only_what_may_pass_is_tried_again(
    fault: Fault, kind: NoReplyKind, asked: int
) -> None:
    with LocalServer([fault] * 10) as server:
        answer = _ask(server, tries=3)
    assert isinstance(answer, NoReply)
    assert answer.kind is kind, answer
    assert answer.message
    assert len(server.requests) == answer.attempts == asked


@pytest.mark.parametrize("fault", [Fault.OVERLOADED, Fault.BUSY, Fault.CUT_OFF, Fault.ERROR_INSIDE])
def test_after_a_fault_that_passes_the_reply_comes(fault: Fault) -> None:
    with LocalServer([fault, fault, PROGRAM]) as server:
        answer = _ask(server)
    assert isinstance(answer, Reply)
    assert (answer.text, answer.attempts) == (PROGRAM, 3)


@pytest.mark.parametrize("fault", [Fault.SLOW, Fault.ONLY_COMMENTS])
def test_a_slow_drip_does_not_outlast_the_time_limit(fault: Fault) -> None:
    with LocalServer([fault]) as server:
        answer = _ask(server, timeout_s=0.5)
    assert isinstance(answer, NoReply)
    assert answer.kind is NoReplyKind.TIMEOUT
    assert answer.seconds < 10


def test_who_answers_instead_of_the_model_that_was_asked_is_kept() -> None:
    with LocalServer([Said(PROGRAM, model="another-model")]) as server:
        answer = _ask(server)
    assert isinstance(answer, Reply)
    assert answer.model == "another-model"


def test_a_reply_that_ends_at_its_limit_says_so() -> None:
    with LocalServer([Said("```python\ndef f(", finish="length")]) as server:
        answer = _ask(server)
    assert isinstance(answer, Reply)
    assert answer.cut


def test_what_an_endpoint_does_not_take_is_sent_otherwise_and_learnt() -> None:
    with LocalServer([Fault.NO_MAX_TOKENS, PROGRAM, PROGRAM]) as server:
        endpoint = Endpoint(Settings(base_url=server.base_url))
        for _ in range(2):
            assert isinstance(endpoint.generate(REQUEST, timeout_s=20.0, on_progress=silent), Reply)
        endpoint.close()
    first, second, third = server.requests
    assert first["max_tokens"] == second["max_completion_tokens"] == third["max_completion_tokens"] == 200
    assert "max_tokens" not in second
    assert "max_tokens" not in third


def test_a_missing_key_is_the_environments_fault_and_says_the_remedy() -> None:
    with pytest.raises(ModelFault, match=r"OPENAI_API_KEY is not set") as raised:
        Endpoint(Settings())
    assert (raised.value.exit_code, raised.value.code) == (4, "NS802")
    with pytest.raises(ModelFault, match=r"no key for example.org: .* MY_KEY is not set"):
        Endpoint(Settings(base_url="https://example.org/v1", key_variable="MY_KEY"))


@pytest.mark.parametrize("address", ["nonsense", "localhost:8080", "ftp://localhost", "http://", "http://[::1"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(ModelFault, match="is no address"):
        Endpoint(Settings(base_url=address))


def test_a_key_that_is_refused_ends_the_work_and_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with LocalServer([Fault.BAD_KEY]) as server, pytest.raises(ModelFault, match="refuses the key") as raised:
        _ask(server)
    assert server.keys == ["sk-very-secret"]
    assert "sk-very-secret" not in str(raised.value)


def test_a_key_that_is_said_again_is_in_no_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-and-long")
    with LocalServer(["your key is sk-very-secret-and-long", "sk-very-secret"]) as server:
        first, second = _ask(server), _ask(server)
    assert isinstance(first, Reply)
    assert first.text == "your key is (the key)"
    assert isinstance(second, Reply)
    assert second.text == "sk-very-secret"


@pytest.mark.parametrize(
    ("header", "seconds"), [(None, 0), ("3", 3), ("-1", 0), ("nan", 0), ("inf", 60), ("Fri, 31 Dec 1999", 0)]
)
def test_how_long_an_endpoint_asks_to_wait(header: str | None, seconds: float) -> None:
    assert seconds_of(header) == seconds


def test_an_endpoint_that_is_not_there() -> None:
    with LocalServer([]) as server:
        gone = server.base_url
    endpoint = Endpoint(Settings(base_url=gone, tries=2), Clock(sleep=lambda _: None))
    answer = endpoint.generate(REQUEST, timeout_s=20.0, on_progress=silent)
    endpoint.close()
    assert isinstance(answer, NoReply)
    assert answer.kind is NoReplyKind.UNAVAILABLE
    assert answer.kind in IS_GONE
    assert "cannot be reached" in answer.message


def test_waits_double_and_keep_what_the_other_side_asks_for() -> None:
    patience = Patience()
    busy = NoReply(kind=NoReplyKind.UNAVAILABLE, message="busy")
    turns: Iterator[Answer | Again] = iter([Again(busy), Again(busy), Again(busy, wait_s=20.0), Again(busy)])
    heard: list[tuple[str, int]] = []
    answer = with_retries(
        lambda left_s: next(turns),
        tries=4,
        timeout_s=600.0,
        on_progress=lambda work, done: heard.append((work, done)),
        clock=patience.clock(),
    )
    assert patience.waits == [0.5, 1.0, 20.0]
    assert (answer.attempts, answer.seconds) == (4, 21.5)
    assert heard[0] == ("busy; waiting for attempt", 2)


def test_no_wait_outlasts_the_time_limit() -> None:
    patience = Patience()
    busy = NoReply(kind=NoReplyKind.UNAVAILABLE, message="busy")
    answer = with_retries(
        lambda left_s: Again(busy, wait_s=50.0), tries=9, timeout_s=60.0, on_progress=silent, clock=patience.clock()
    )
    assert patience.waits == [50.0]
    assert answer.attempts == 2


def _command(code: str) -> Generator:
    return open_generator("command", Settings(command=(sys.executable, "-c", code)))


def test_a_command_reads_the_prompt_and_writes_the_reply() -> None:
    answer = _command("import os, sys; print(os.environ['NEUROSYM_MODEL'], sys.stdin.read())").generate(
        REQUEST, timeout_s=20.0, on_progress=silent
    )
    assert isinstance(answer, Reply)
    assert answer.text.startswith("conformance [system]\nYou write Python.\n\n[user]\nWrite a function")
    assert answer.usage.estimated


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        ("import sys; sys.exit('no such model')", NoReplyKind.UNAVAILABLE, "ended with 1: no such model"),
        ("pass", NoReplyKind.EMPTY, "wrote nothing"),
        ("import time; time.sleep(60)", NoReplyKind.TIMEOUT, "did not end"),
        ("import sys\nwhile True: sys.stdout.write('x' * 100_000)", NoReplyKind.MALFORMED, "more than 1,000,000"),
    ],
)
def test_what_a_command_can_do_wrong(code: str, kind: NoReplyKind, said: str) -> None:
    timeout_s = 1.0 if kind is NoReplyKind.TIMEOUT else 30.0
    answer = _command(code).generate(REQUEST, timeout_s=timeout_s, on_progress=silent)
    assert isinstance(answer, NoReply)
    assert answer.kind is kind
    assert said in answer.message


def test_a_command_that_is_not_there() -> None:
    generator = open_generator("command", Settings(command=("/no/such/program",)))
    with pytest.raises(ModelFault, match="cannot be started"):
        generator.generate(REQUEST, timeout_s=5.0, on_progress=silent)
    with pytest.raises(ModelFault, match="--command"):
        open_generator("command", Settings())


def test_what_was_recorded_is_replayed(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    other = Request(model="m", messages=(Message("user", "another"),), temperature=0.5, max_tokens=10)
    refused = NoReply(kind=NoReplyKind.REFUSED, message="no", usage=Usage(3, 0, Decimal("0.001")))
    recording = Recording(Scripted([PROGRAM, refused]), str(path))
    asked = [recording.generate(each, timeout_s=1.0, on_progress=silent) for each in (REQUEST, other)]
    recording.close()
    replay = open_generator("cassette", Settings(cassette=str(path)))
    for _ in range(2):
        assert [replay.generate(each, timeout_s=1.0, on_progress=silent) for each in (REQUEST, other)] == asked
    unknown = Request(model="m2", messages=(), temperature=0.5, max_tokens=10)
    with pytest.raises(ModelFault, match="--record"):
        replay.generate(unknown, timeout_s=1.0, on_progress=silent)


def test_a_recording_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    for text in ("nonsense\n", '{"schema_version": 2}\n', '{"schema_version": 1}\n', "[" * 100_000 + "\n"):
        path.write_text(text)
        with pytest.raises(ModelFault, match="line 1 is no recorded answer"):
            open_generator("cassette", Settings(cassette=str(path)))
    with pytest.raises(ModelFault, match="cannot be read"):
        open_generator("cassette", Settings(cassette=str(tmp_path / "missing")))


def test_answers_keep_every_field_on_their_way_through_json() -> None:
    for answer in (
        Reply(text="x", model="m", usage=Usage(1, 2, Decimal("0.5"), True), cut=True, seconds=1.5, first_s=0.25),
        NoReply(kind=NoReplyKind.EMPTY, message="nothing", usage=Usage(4), seconds=2.0, attempts=3),
    ):
        assert answer_of(json.loads(json.dumps(plain_answer(answer)))) == answer


def test_every_field_of_a_request_counts_for_its_hash() -> None:
    base = {"model": "m", "messages": (Message("user", "x"),), "temperature": 0.0, "max_tokens": 1, "sample": 0}
    others: list[dict[str, object]] = [
        {"model": "n"}, {"messages": (Message("system", "x"),)}, {"temperature": 0.1}, {"max_tokens": 2}, {"sample": 1}
    ]  # fmt: skip
    hashes = {Request(**(base | other)).sha256 for other in [{}, *others]}  # type: ignore[arg-type]  # as above
    assert len(hashes) == 6


def test_the_built_in_generators_keep_the_contract(tmp_path: Path, spec_path: Path) -> None:
    sketch = tmp_path / "sketch.py"
    sketch.write_text(RIGHT.replace("<= 10", '<= hole("days", "int", (10, 10))'))
    replies = tmp_path / "replies"
    replies.mkdir()
    for number in range(3):
        (replies / f"{number}.txt").write_text(PROGRAM)
    tape = tmp_path / "tape.jsonl"
    recording = Recording(Scripted([PROGRAM]), str(tape))
    recording.generate(REQUEST, timeout_s=1.0, on_progress=silent)
    recording.close()
    with LocalServer([PROGRAM] * 10) as server:
        settings = Settings(
            base_url=server.base_url,
            command=(sys.executable, "-c", "print('x = 1')"),
            cassette=str(tape),
            sketch=str(sketch),
            spec=str(spec_path),
            options={"replies": str(replies)},
        )
        for name in BUILT_IN:
            assert breaches(partial(open_generator, name, settings)) == (), name


def test_the_contract_finds_what_breaks_it() -> None:
    class Bad(Scripted):
        name = ""

        def generate(self, request: Request, **_: object) -> Answer:
            return Reply(text="  ", model="", usage=Usage(-1, 0, Decimal("NaN")), attempts=0)

    found = breaches(lambda: Bad([]))
    assert len(set(found)) == 6, found


def test_an_unknown_generator_is_named_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean openai"):
        open_generator("opnai", Settings())


def test_who_interrupts_does_not_wait_for_other_answers() -> None:
    generator = _command("import time; time.sleep(300)")
    questions = [Asked(f"sample {number}", REQUEST, 200.0) for number in range(3)]
    begun = threading.Event()

    def emit(event: events.Event) -> None:
        if isinstance(event, events.StageEntered) and event.candidate == "sample 2":
            begun.set()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask_all(generator, questions, emit)
    assert begun.is_set()


def test_a_generator_of_another_package_is_found_by_its_entry_point(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = [
        EntryPoint("mine", "neurosym.generators.scripted:from_folder", seam.GROUP),
        EntryPoint("broken", "no_such_package.here:Generator", seam.GROUP),
        EntryPoint("openai", "no_such_package.here:Hijacked", seam.GROUP),
    ]
    monkeypatch.setattr(seam, "entry_points", lambda group: [each for each in found if each.group == group])
    assert seam.names() == [*BUILT_IN, "broken", "mine"]
    (tmp_path / "1.txt").write_text(PROGRAM)
    generator = open_generator("mine", Settings(options={"replies": str(tmp_path)}))
    assert isinstance(generator.generate(REQUEST, timeout_s=1.0, on_progress=silent), Reply)
    with pytest.raises(ModelFault, match="broken cannot be loaded"):
        open_generator("broken", Settings())
    with pytest.raises(ModelFault, match="no key"):  # a built-in name stays built in
        open_generator("openai", Settings())
