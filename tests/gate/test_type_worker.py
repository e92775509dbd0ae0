"""A type checker that dies, hangs or is starved is a fault of the tool for this candidate, and is replaced."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from neurosym_specs.model import Spec

from neurosym import Source, Standing, ToolFault, gate, load_spec, verify
from neurosym.gate import TypeWorker
from neurosym.gate._types.worker import Broken, Limits, Said
from tests.cli.shared import RIGHT

WRONG_TYPE = "x: int = 'a'\n"


@pytest.fixture(scope="module")
def shared() -> Iterator[TypeWorker]:
    worker = TypeWorker()
    yield worker
    worker.close()


@pytest.fixture
def worker(shared: TypeWorker) -> Iterator[TypeWorker]:
    yield shared
    shared.limits = Limits()


def _answers(worker: TypeWorker) -> bool:
    said = worker.check(WRONG_TYPE)
    return isinstance(said, Said) and len(said.messages) == 1 and "[assignment]" in said.messages[0]


def _heavy() -> str:
    """A module on which mypy works for minutes, and takes memory: each class is below all that came before."""
    return "class C0: pass\n" + "\n".join(f"class C{n}(C{n - 1}): pass" for n in range(1, 2_000))


def test_a_worker_that_is_killed_is_replaced(worker: TypeWorker) -> None:
    assert _answers(worker)
    first = worker.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    time.sleep(0.05)
    assert _answers(worker) or _answers(worker)
    assert worker.pid != first


def test_a_worker_that_hangs_is_replaced(worker: TypeWorker, fee: Spec) -> None:
    assert _answers(worker)
    first = worker.pid
    assert first is not None
    worker.limits = replace(Limits(), wall_s=-4.8)  # the host's own patience is five seconds more
    os.kill(first, signal.SIGSTOP)
    entry = gate.enter(Source(RIGHT), fee, worker=worker)
    assert isinstance(entry, gate.Faulted)
    worker.limits = Limits()
    assert _answers(worker)
    assert worker.pid != first


def test_a_check_that_takes_too_long_is_stopped(worker: TypeWorker) -> None:
    assert _answers(worker)
    worker.limits = replace(Limits(), wall_s=0.5)
    said = worker.check(_heavy())
    assert isinstance(said, Broken)
    assert "stopped" in said.why
    worker.limits = Limits()
    assert _answers(worker)


def test_a_fault_of_the_checker_is_no_pass(spec_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neurosym.gate.TypeWorker.check", lambda self, text: Broken("it fell over"))
    (found,) = verify(spec_path, Source(RIGHT)).candidates
    assert found.standing is Standing.ERROR
    assert found.outcome == ToolFault("it fell over", "")


def test_what_one_candidate_does_leaves_nothing_for_the_next(worker: TypeWorker) -> None:
    said = [worker.check(text) for text in ("class A:\n    x: int\n", "A().x\n", "import json\njson.foo\n", "json\n")]
    texts = [each.messages for each in said if isinstance(each, Said)]
    assert texts[0] == ()
    assert 'Name "A" is not defined' in texts[1][0]
    assert 'Name "json" is not defined' in texts[3][0]


def test_nothing_beside_a_candidate_is_read(
    worker: TypeWorker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_errors = True\n")
    (tmp_path / "decimal.pyi").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MYPYPATH", str(tmp_path))
    worker.close()
    assert _answers(worker)
    said = worker.check("from decimal import Decimal\nprint(Decimal(1))\n")
    assert isinstance(said, Said)
    assert said.messages == ()


def test_only_the_candidates_own_values_may_be_anything(worker: TypeWorker) -> None:
    """A module whose stubs are not held warm is read beside the candidate."""
    said = worker.check("import hashlib\nimport email\nx = 1\n")
    assert isinstance(said, Said)
    assert (said.messages, said.anything) == ((), ())
    said = worker.check("import json\nx = json.loads('1')\n")
    assert isinstance(said, Said)
    assert said.anything is not None
    assert (2, 5, 2, 20) in said.anything


def test_modules_that_import_much_are_read_beside_the_candidate(worker: TypeWorker) -> None:
    """Their submodules are seen as in a cold build: asyncio's by doctest's unittest, for one."""
    for modules in ("doctest", "multiprocessing, xml.dom.minidom, concurrent.futures"):
        said = worker.check(f"import {modules}\nx = 1\n")
        assert isinstance(said, Said), said
        assert said.messages == ()


def test_a_block_under_main_that_runs_doctests_is_no_fault_of_the_tool(spec_path: Path, worker: TypeWorker) -> None:
    text = f'{RIGHT}\n\nif __name__ == "__main__":\n    import doctest\n\n    doctest.testmod()\n'
    entry = gate.enter(Source(text), load_spec(spec_path), worker=worker)
    assert isinstance(entry, gate.Passed)
