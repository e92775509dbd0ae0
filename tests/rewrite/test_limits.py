"""What kills or starves libcst is kept from it, or dies with the worker: the text stays as it is, and that is said."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from neurosym_specs.model import Spec

import neurosym.rewrite as rewriting
from neurosym import Source, gate
from neurosym.gate import Types
from neurosym.options import Options, codemods
from neurosym.rewrite import Group, RewriteFault, Rewriting, names_of, rewrite
from neurosym.rewriting import rewritten
from neurosym.workers import Limits, Worker
from tests.cli.shared import RIGHT
from tests.rewrite.conftest import delivered

EVERYTHING = [name for group in Group for name in names_of(group)]

LARGE = {
    "1,500 nested parentheses": "x = " + "(" * 1500 + "1" + ")" * 1500,
    "20,000 minus signs": "x = " + "-" * 20_000 + "1",
    "a sum of 3,000 terms": "x = " + " + ".join("1" * 3000),
    "a number of a million digits": "x = " + "1" * 10**6,
    "lambdas in lambdas": "x = " + "lambda: " * 2000 + "1",
    "deep blocks": "".join(" " * n + "if x:\n" for n in range(95)) + " " * 95 + "pass\n",
    "a sum of 250 terms": "x = " + " + ".join("1" * 250),
    "50 nested parentheses": "x = " + "(" * 50 + "1" + ")" * 50,
    "3,000 prints": "def f(a):\n" + "    print(a)\n" * 3000 + "    return a\n",
    "10,000 fences": "```\n" * 10_000,
    "10,000 sentences": "This is a sentence and no code.\n" * 10_000,
    "surrogates are no UTF-8, but this is": "x = '𝔘é\u202e'\n" * 500,
}


@pytest.mark.parametrize("name", LARGE)
def test_no_text_ends_the_rewriting(fee: Spec, name: str) -> None:
    found = rewrite(delivered(LARGE[name]), fee, EVERYTHING, options={"result": "x", "values": {}})
    assert isinstance(found, Rewriting), found
    assert not found.failed


@pytest.fixture
def worker() -> Iterator[Worker]:
    service = rewriting.shared_rewriter()._service
    worker = Worker(service, called="the rewriting")
    yield worker
    worker.close()


def test_a_rewriting_that_takes_too_long_leaves_the_text(fee: Spec, worker: Worker) -> None:
    assert isinstance(rewrite(delivered(RIGHT), fee, EVERYTHING, worker=worker), Rewriting)
    worker.limits = replace(Limits(), wall_s=0.001)
    found = rewrite(delivered(RIGHT), fee, EVERYTHING, worker=worker)
    assert isinstance(found, RewriteFault)
    assert "stopped" in found.why
    worker.limits = Limits()
    assert isinstance(rewrite(delivered(RIGHT), fee, EVERYTHING, worker=worker), Rewriting)


def test_a_rewriting_that_fails_is_noted_and_the_text_is_judged_as_it_is(
    fee: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("neurosym.rewriting.rewrite", lambda *a, **k: RewriteFault("the rewriting ran out of memory"))
    entry = gate.enter(Source(RIGHT), fee, Types.OFF)
    after, found = rewritten(entry, fee, Options(rewrites=codemods(mend=True)), lambda source: entry)
    assert found is None
    assert isinstance(after, gate.Passed)
    assert after.source == entry.source
    assert any("ran out of memory" in note.message for note in after.notes)


def test_libcst_is_loaded_by_the_worker_only(fee: Spec) -> None:
    rewrite(delivered(RIGHT), fee, EVERYTHING)
    assert "libcst" not in sys.modules
