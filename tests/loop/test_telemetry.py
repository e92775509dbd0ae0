"""Spans: what a run looks like to OpenTelemetry, and that nothing of a prompt, a reply or a program is in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from neurosym import Effort, Spec, solve, telemetry, verify
from neurosym.generators import NoReply, NoReplyKind, Reply, Scripted, Usage
from neurosym.generators.scripted import Line
from neurosym.telemetry import Spans
from tests.cli.shared import RIGHT, Neurosym
from tests.loop.test_solve import EARLY, GOOD

QUICK = Effort(examples=20, proof=False, time_limit_s=60.0)


@pytest.fixture
def memory() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def spans(memory: InMemorySpanExporter) -> Spans:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    return Spans(provider.get_tracer("test"))


def _named(finished: Sequence[ReadableSpan], name: str) -> list[ReadableSpan]:
    return [each for each in finished if each.name == name]


def test_a_run_is_one_trace(spec: Spec, spans: Spans, memory: InMemorySpanExporter) -> None:
    script: list[Line] = [
        NoReply(kind=NoReplyKind.REFUSED, message="declined"),
        Reply(text=EARLY, model="m-2026", usage=Usage(120, 80), cut=True),
        Reply(text=GOOD, model="m-2026", usage=Usage(12, 8, estimated=True)),
    ]
    result = solve(spec, Scripted(script), "m", effort=QUICK, listener=spans)
    assert result.exit_code == 0
    finished = memory.get_finished_spans()
    (root,) = _named(finished, "neurosym solve")
    assert root.attributes is not None
    assert root.attributes["neurosym.spec.sha256"] == spec.sha256
    assert (root.attributes["neurosym.stopped"], root.attributes["neurosym.exit_code"]) == ("accepted", 0)
    assert [each.name for each in root.events].count("neurosym.round") == 3
    assert [each.name for each in root.events].count("neurosym.feedback") == 1

    refused, early, good = _named(finished, "chat m")
    for each in (refused, early, good):
        assert each.kind is SpanKind.CLIENT
        assert each.parent is not None
        assert root.context is not None
        assert each.parent.span_id == root.context.span_id
        assert each.attributes is not None
        assert each.attributes["gen_ai.operation.name"] == "chat"
        assert each.attributes["gen_ai.provider.name"] == "scripted"
        assert each.attributes["gen_ai.request.model"] == "m"
        assert each.attributes["gen_ai.request.max_tokens"] == 8_000
    assert refused.attributes is not None
    assert early.attributes is not None
    assert good.attributes is not None
    assert (refused.status.status_code, refused.attributes["error.type"]) == (StatusCode.ERROR, "refused")
    assert early.attributes["gen_ai.usage.input_tokens"] == 120
    assert early.attributes["gen_ai.usage.output_tokens"] == 80
    assert early.attributes["gen_ai.response.model"] == "m-2026"
    assert early.attributes["gen_ai.response.finish_reasons"] == ("length",)
    assert "gen_ai.usage.input_tokens" not in good.attributes  # it was guessed

    judged = _named(finished, "judge")
    assert [each.attributes and each.attributes["neurosym.verdict"] for each in judged] == ["REFUTED", "TESTED"]
    assert [each.name for each in judged[0].events] == ["gate", "rewrite", "run"]
    text = "".join(each.to_json() for each in finished)
    assert "late_fee(" not in text
    assert "declined" not in text


def test_what_is_interrupted_is_ended_and_says_so(spec: Spec, spans: Spans, memory: InMemorySpanExporter) -> None:
    def interrupt(request: object) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), spans:
        solve(spec, Scripted([interrupt]), "m", effort=QUICK, listener=spans)
    (root,) = memory.get_finished_spans()
    assert root.attributes is not None
    assert (root.status.status_code, root.attributes["error.type"]) == (StatusCode.ERROR, "KeyboardInterrupt")


def test_verify_has_spans_too(spec: Spec, spans: Spans, memory: InMemorySpanExporter, tmp_path: Path) -> None:
    path = tmp_path / "right.py"
    path.write_text(RIGHT)
    verify(spec, path, effort=QUICK, stop_after="gate", listener=spans)
    assert [each.name for each in memory.get_finished_spans()] == ["judge", "neurosym verify"]


def test_the_command_line_takes_the_exporter_that_the_environment_names(
    neurosym: Neurosym, spec_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "right.py"
    path.write_text(RIGHT)
    arguments = ("verify", spec_path, path, "--stop-after", "gate", "--telemetry", "--json")

    monkeypatch.setenv(telemetry.EXPORTER_VARIABLE, "kept")
    memory = InMemorySpanExporter()
    monkeypatch.setattr(
        telemetry, "entry_points", lambda group: [SimpleNamespace(name="kept", load=lambda: lambda: memory)]
    )
    ran = neurosym(*arguments)
    assert (ran.code, json.loads(ran.out)["kind"]) == (3, "verify")
    assert [each.name for each in memory.get_finished_spans()] == ["judge", "neurosym verify"]

    monkeypatch.setenv(telemetry.EXPORTER_VARIABLE, "console")
    ran = neurosym(*arguments)
    assert json.loads(ran.out)["kind"] == "verify"
    assert '"neurosym verify"' in ran.err

    monkeypatch.setenv(telemetry.EXPORTER_VARIABLE, "nowhere")
    ran = neurosym(*arguments)
    assert (ran.code, ran.out) == (4, "")
    assert "finds no exporter nowhere" in ran.err
