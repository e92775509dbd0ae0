"""OpenTelemetry: what the pipeline says while it works, as spans. A listener, and nothing else knows of it.

A run is a span, each candidate's way one below it with its stations as events, and each question to a model one of kind
CLIENT, named and described as the semantic conventions for generative AI say (``chat MODEL``, ``gen_ai.*``). Neither
prompts nor replies nor programs are in any of them; a candidate is known by its SHA-256.

It takes the extra ``telemetry``: ``pip install 'neurosym-verify[telemetry]'``.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import entry_points, version
from types import TracebackType
from typing import TYPE_CHECKING

from neurosym_verifiers.environment import NotInstalled

from neurosym.events import (
    Answered,
    AskFinished,
    AskStarted,
    CandidateFinished,
    Event,
    FeedbackGiven,
    Finished,
    RoundStarted,
    SolveFinished,
    SolveStarted,
    SpecChecked,
    Stage,
    StageEntered,
    Started,
)
from neurosym.generators.request import NoReply, Reply
from neurosym.safe_text import safe_text

if TYPE_CHECKING:
    from neurosym_specs.model import Spec
    from opentelemetry.trace import Span, Tracer

SCOPE = "neurosym"
EXPORTER_VARIABLE = "OTEL_TRACES_EXPORTER"
_GROUP = "opentelemetry_traces_exporter"
_REMEDY = "pip install 'neurosym-verify[telemetry]'"


class Spans:
    """Listens, and makes spans with ``tracer``; a context manager that ends what an interruption leaves open.

    ``now_ns`` is the clock, in nanoseconds since 1970. One run at a time: runs that overlap take a listener each.
    """

    def __init__(self, tracer: Tracer, now_ns: Callable[[], int] = time.time_ns) -> None:
        from opentelemetry import trace  # deferred: it is an extra

        self._trace = trace
        self._tracer = tracer
        self._now_ns = now_ns
        self._run: Span | None = None
        self._generator = ""
        self._asked: dict[str, int] = {}
        self._judged: dict[str, Span] = {}

    def __enter__(self) -> Spans:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for span in (*self._judged.values(), *filter(None, (self._run,))):
            if kind is not None:
                self._fail(span, kind.__name__)
            span.end(self._now_ns())
        self._judged, self._run = {}, None

    def __call__(self, event: Event) -> None:
        match event:
            case Started(spec=spec, candidates=candidates):
                self._begin("verify", spec)
                self._tell("neurosym.candidates", len(candidates))
            case SolveStarted(spec=spec, plan=plan):
                self._generator = plan.generator
                self._begin("solve", spec)
            case AskStarted(spec=spec, plan=plan):
                self._generator = plan.generator
                self._begin("ask", spec)
            case SpecChecked(fault=fault):
                if fault is not None:
                    self._note("neurosym.spec_fault", {"neurosym.clause": safe_text(fault.clause, limit=200)})
            case RoundStarted(number=number, step=step):
                self._note("neurosym.round", {"neurosym.round": number, "neurosym.move": step.move.value})
            case StageEntered(candidate=candidate, stage=stage):
                self._entered(candidate, stage)
            case Answered():
                self._answered(event)
            case CandidateFinished(result=result):
                span = self._judged.pop(result.name, None)
                if span is not None:
                    span.set_attribute("neurosym.verdict", result.standing.value)
                    span.set_attribute("neurosym.sha256", result.sha256)
                    span.end(self._now_ns())
            case FeedbackGiven(candidate=candidate, feedback=feedback):
                said = {"neurosym.candidate": safe_text(candidate, limit=200), "neurosym.code": feedback.code}
                self._note("neurosym.feedback", said)
            case Finished(result=verified):
                self._end(verified.exit_code)
            case SolveFinished(result=solved):
                self._tell("neurosym.stopped", solved.stopped.value)
                self._end(solved.exit_code)
            case AskFinished(result=answered):
                self._tell("neurosym.trust", answered.trust.value)
                self._end(answered.exit_code)
            case _:
                pass

    def _begin(self, command: str, spec: Spec) -> None:
        self._run = self._tracer.start_span(
            f"neurosym {command}",
            start_time=self._now_ns(),
            attributes={"neurosym.spec.name": spec.name, "neurosym.spec.sha256": spec.sha256},
        )

    def _end(self, exit_code: int) -> None:
        if self._run is not None:
            self._run.set_attribute("neurosym.exit_code", exit_code)
            self._run.end(self._now_ns())
        self._run = None

    def _entered(self, candidate: str, stage: Stage) -> None:
        if stage is Stage.GENERATE:
            self._asked[candidate] = self._now_ns()
            return
        if candidate not in self._judged:
            said = {"neurosym.candidate": safe_text(candidate, limit=200)}
            self._judged[candidate] = self._child("judge", self._now_ns(), said)
        self._judged[candidate].add_event(stage.value, timestamp=self._now_ns())

    def _answered(self, event: Answered) -> None:
        request, answer = event.asked.request, event.answer
        begun = self._asked.pop(event.asked.name, self._now_ns())
        span = self._child(
            f"chat {request.model}",
            begun,
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": self._generator,
                "gen_ai.request.model": request.model,
                "gen_ai.request.temperature": request.temperature,
                "gen_ai.request.max_tokens": request.max_tokens,
                "neurosym.attempts": answer.attempts,
            },
            calls=True,
        )
        if not answer.usage.estimated:
            span.set_attribute("gen_ai.usage.input_tokens", answer.usage.prompt_tokens)
            span.set_attribute("gen_ai.usage.output_tokens", answer.usage.completion_tokens)
        match answer:
            case Reply(model=model, cut=cut):
                span.set_attribute("gen_ai.response.model", safe_text(model, limit=200))
                span.set_attribute("gen_ai.response.finish_reasons", ["length" if cut else "stop"])
            case NoReply(kind=kind):
                self._fail(span, kind.value)
        span.end(self._now_ns())

    def _child(
        self, name: str, start_ns: int, attributes: Mapping[str, str | int | float], *, calls: bool = False
    ) -> Span:
        """A span below the run's. ``calls``: it is a call of something outside of this process."""
        kind = self._trace.SpanKind.CLIENT if calls else self._trace.SpanKind.INTERNAL
        context = None if self._run is None else self._trace.set_span_in_context(self._run)
        return self._tracer.start_span(name, context=context, kind=kind, start_time=start_ns, attributes=attributes)

    def _fail(self, span: Span, kind: str) -> None:
        span.set_attribute("error.type", kind)
        span.set_status(self._trace.Status(self._trace.StatusCode.ERROR, kind))

    def _tell(self, name: str, value: str | int) -> None:
        if self._run is not None:
            self._run.set_attribute(name, value)

    def _note(self, name: str, attributes: Mapping[str, str | int]) -> None:
        if self._run is not None:
            self._run.add_event(name, attributes, timestamp=self._now_ns())


@contextmanager
def exported() -> Iterator[Spans]:
    """A listener whose spans go where OpenTelemetry's environment variables say, all of them before the block is left.

    The exporter is the installed one that ``OTEL_TRACES_EXPORTER`` names, ``otlp`` unless it is set; ``console`` writes
    to standard error. Raises ``EnvironmentFault`` where the extra or the exporter is not installed.
    """
    try:
        from opentelemetry.sdk.resources import Resource  # deferred: it is an extra
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter
    except ImportError as error:
        raise NotInstalled(f"--telemetry needs OpenTelemetry: {_REMEDY}") from error
    name = os.environ.get(EXPORTER_VARIABLE, "").strip() or "otlp"
    if name == "console":
        exporter = ConsoleSpanExporter(out=sys.stderr)
    else:
        found = [each for each in entry_points(group=_GROUP) if each.name == name]
        if not found:
            raise NotInstalled(
                f"--telemetry finds no exporter {name}: pip install opentelemetry-exporter-otlp-proto-http, or name "
                f"another with {EXPORTER_VARIABLE} (console writes to standard error)"
            )
        exporter = found[0].load()()
    named = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": SCOPE}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        with Spans(provider.get_tracer(SCOPE, version("neurosym-verify"))) as spans:
            yield spans
    finally:
        provider.shutdown()
