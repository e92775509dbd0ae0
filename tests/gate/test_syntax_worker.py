"""Python's parser works in a process that may die: a candidate's syntax is known, or the tool says that it failed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from neurosym_specs.model import Spec

from neurosym import Source, gate, load_spec
from neurosym.diagnostics import Diagnostic
from neurosym.gate import Types
from neurosym.gate._parsing import ParserFault, parse
from neurosym.source import Delivered
from neurosym.workers import Limits, Worker
from tests.cli.shared import RIGHT

SERVICE = Path(gate.__file__).with_name("_syntax_service.py")


@pytest.fixture
def parser() -> Iterator[Worker]:
    worker = Worker(SERVICE, called="the parser")
    yield worker
    worker.close()


def _source(text: str) -> Delivered:
    return Delivered("candidate", text, "")


def test_a_parser_that_is_killed_is_replaced(parser: Worker) -> None:
    assert not isinstance(parse(_source("x = 1"), parser), ParserFault)
    first = parser.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert not isinstance(parse(_source("x = 1"), parser), ParserFault)
    assert parser.pid != first


def test_a_parser_that_hangs_is_no_pass_and_is_replaced(
    parser: Worker, fee: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("neurosym.gate._parsing.shared_parser", lambda: parser)
    assert isinstance(gate.enter(Source(RIGHT), fee, Types.OFF), gate.Passed)
    first = parser.pid
    assert first is not None
    parser.limits = replace(Limits(), wall_s=-4.8)  # the host's own patience is five seconds more
    os.kill(first, signal.SIGSTOP)
    assert isinstance(gate.enter(Source(RIGHT), fee, Types.OFF), gate.Faulted)
    parser.limits = Limits()
    assert isinstance(gate.enter(Source(RIGHT), fee, Types.OFF), gate.Passed)
    assert parser.pid != first


def test_a_text_that_needs_too_much_memory_is_no_pass(parser: Worker) -> None:
    parser.limits = replace(Limits(), memory_bytes=1)
    found = parse(_source("x = [" + "1, " * 60_000 + "]\n"), parser)
    assert isinstance(found, Diagnostic | ParserFault)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("def f(:\n", "NS210", 1),
        ("def f():\n\tif x:\n        y\n", "NS210", 3),
        ("def f():\nreturn 1\n", "NS211", 2),
        ("x = (1,\n", "NS211", 1),
        ("x = 1\0", "NS105", None),
    ],
)
def test_an_error_keeps_its_place(spec_path: Path, text: str, code: str, line: int | None) -> None:
    entry = gate.enter(Source(text), load_spec(spec_path))
    assert isinstance(entry, gate.Stopped)
    assert (entry.diagnostics[0].code, entry.diagnostics[0].line) == (code, line)


def test_two_blocks_are_named_with_their_lines(fee: Spec) -> None:
    text = "First:\n```python\nX = 1\n```\nthen:\n```py\ndef late_fee(a, b):\n    return X\n```\n"
    entry = gate.enter(Source(text), fee)
    assert isinstance(entry, gate.Stopped)
    assert entry.diagnostics[0].code == "NS214"
    assert entry.diagnostics[0].message == "2 blocks of code stand in the file, from the lines 3, 7"
    assert entry.diagnostics[0].line == 7


def test_a_block_of_another_language_is_none_of_them(fee: Spec) -> None:
    text = "```python\nx = 1\n```\nOutput:\n```text\n1\n```\n"
    entry = gate.enter(Source(text), fee)
    assert isinstance(entry, gate.Stopped)
    assert entry.diagnostics[0].code == "NS213"
