"""The result of a run as it is stored, versioned: what ``neurosym verify --json`` writes, as frozen dataclasses.

Every report but the console is a view of this document, whether the run has just ended or its file was kept for years.
The published schema (``docs/schema``) is made from these classes. Texts in here are a stranger's: whoever shows them
escapes them. Fields that came after the first release of a version have a default, so that older files can be read;
fields that are not known here are passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from neurosym.reports.regions_document import Regions
from neurosym.reports.run_document import Query, Run, Sandbox

SCHEMA_VERSION = 1

Failure: TypeAlias = Annotated[str, Field(alias="class")]
"""A class of failures; ``class`` in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """What wrote the document, and the Python that the verdicts hold for."""

    name: str
    version: str
    python: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """An input or the result in words."""

    name: str
    type: str
    values: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One promise in words; ``formal``: its text in the spec's language, part by part, with what the
    named parts in it stand for."""

    id: str
    kind: str
    text: str
    formal: tuple[str, ...]
    source: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """What was promised. ``given``: what callers guarantee; ``clauses``: what was to be checked; ``waive_vacuous``:
    whether a clause with nothing to check is fine."""

    name: str
    title: str
    path: str
    sha256: str
    version: str = ""
    owner: str = ""
    source: tuple[str, ...] = ()
    problem: str = ""
    inputs: tuple[Value, ...] = ()
    output: Value | None = None
    given: tuple[Clause, ...] = ()
    clauses: tuple[Clause, ...] = ()
    policy: tuple[str, ...] = ()
    waive_vacuous: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How hard was tried."""

    seed: int
    examples: int
    time_limit_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredSandbox:
    """What of the sandbox had to hold."""

    level: str
    layers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """A call that broke a promise, or several. ``inputs`` in the notation of the spec format, ``calls`` as Python."""

    failure: Failure
    inputs: tuple[dict[str, Any], ...]
    calls: tuple[str, ...]
    expected: str
    actual: str
    difference: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecFault:
    """Why no candidate could be judged by this spec."""

    code: str
    clause: str
    message: str
    counterexample: Counterexample | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """Something wrong with a candidate; lines and columns from 1."""

    code: str
    failure: Failure
    message: str
    line: int | None
    column: int | None
    source_line: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something worth knowing that is not wrong."""

    code: str
    message: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of the gate."""

    step: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """One change that was made before anything was judged."""

    codemod: str
    says: str
    diff: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A step of a refuted call."""

    line: int
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """The first value on the way of a refuted call that is not as it should be."""

    line: int
    name: str
    actual: str
    expected: str
    where: str
    nth: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What the first refuted call did."""

    steps: tuple[Assignment, ...]
    departure: Departure | None
    endless_line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaDifference:
    """How the formula of a refuted candidate differs from that of the reference; each may be empty."""

    slip: str
    ratio: str
    difference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """On how many of the ``inputs`` that were run with a value from ``low`` to ``high`` a candidate is wrong."""

    low: str
    high: str
    inputs: int
    wrong: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Where along ``input`` a candidate is wrong, whatever the others are: the whole range in equal bands."""

    input: str
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstWrong:
    """The first ``value`` of ``input`` that is wrong, going up from ``start`` through every value, all others fixed.

    ``from_minimum``: the range begins at ``start``, else it is zero. ``right``: on so many valid values before it the
    candidate was run and is right. ``call``: the call with the value.
    """

    input: str
    start: str
    from_minimum: bool
    value: str
    right: int
    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequency:
    """On how many of some inputs a candidate is wrong; ``all_there_are``: these are all valid ones.

    Else they were drawn evenly, with ``seed``, from ``population`` inputs, valid or not; ``steps``: of an input with
    more values, from which. ``interval``: where the share among all valid ones lies with a confidence of 95 % (Wilson's
    score interval); null where all were run.
    """

    wrong: int
    inputs: int
    all_there_are: bool
    population: int | None = None
    seed: str = ""
    steps: tuple[str, ...] = ()
    interval: tuple[float, float] | None = None
    strip: Strip | None = None
    first: FirstWrong | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A value of one input, and the number that is right there and the one that came out; null where there is none.

    ``right``: no promise about one call is broken there.
    """

    x: str
    expected: str | None
    actual: str | None
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The results around the first refutation along one ``input``, all others as they are there; ``at``: its value."""

    input: str
    at: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A number of each entry of a list that came of the first refuted call, by the entry's place from 1.

    ``name``: which number, empty where an entry is one. ``departing`` of all ``entries`` are not as they should be;
    of very many not all are among the ``points``, but the first that departs is.
    """

    name: str
    entries: int
    departing: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Obligation(Clause):
    """A clause with the verdict on it; the verdicts are its subclasses."""

    method: str
    queries: tuple[Query, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved(Obligation):
    """It holds for every input, under the ``assumptions``."""

    verdict: Literal["PROVED"]
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuted(Obligation):
    """It is broken by the counterexample, which failed again in a fresh sandbox; ``run`` is how that ended.

    ``replay``: the command that runs it again; empty where spec or candidate came from no file.
    """

    verdict: Literal["REFUTED"]
    code: str
    counterexample: Counterexample
    run: Run | None = None
    replay: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested(Obligation):
    """No input of ``cases`` breaks it. ``lacks``: what a proof would need."""

    verdict: Literal["TESTED"]
    cases: int
    exhaustive: bool
    lacks: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown(Obligation):
    """It could not be decided."""

    verdict: Literal["UNKNOWN"]
    reason: str
    detail: str
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacuous(Obligation):
    """There is nothing to check."""

    verdict: Literal["VACUOUS"]
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(Obligation):
    """The tool failed on it."""

    verdict: Literal["ERROR"]
    error: str


Judged: TypeAlias = Annotated[Proved | Refuted | Tested | Unknown | Vacuous | Failed, Field(discriminator="verdict")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """Somebody answers for a clause until a day. ``effect``: what it does for the candidate; ``why`` it does nothing,
    where it does not. ``candidate``: the SHA-256 of the one text that it is for, empty for any."""

    clause: str
    owner: str
    reason: str
    expires: str
    candidate: str
    effect: Literal["waived", "expired", "not needed", "not waivable"]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What is known of one candidate. ``text`` is as it came in: what all lines and columns are those of.

    ``verdict`` is what is known, ``admission`` what may be used. ``calls``, ``jail`` and ``printed`` are of one that
    ran, ``sandbox`` of one that was loaded, ``run`` of one that did not load, ``error`` of a fault of the tool.
    ``regions``: what it does where, null where nobody asked. ``cut_short``: the clock left something open, or less
    tried, that another run may come to. ``solver_units``: what Z3 spent on its answers, in its own units.
    """

    name: str
    sha256: str
    verdict: Literal["REJECTED", "REFUTED", "ERROR", "UNKNOWN", "TESTED", "PROVED"]
    admission: Literal["refused", "failed", "undecided", "nothing to check", "admitted"]
    failure: Annotated[str | None, Field(alias="class")]
    diagnostics: tuple[Diagnostic, ...]
    obligations: tuple[Judged, ...]
    notes: tuple[Note, ...]
    objections: tuple[Diagnostic, ...]
    gate: tuple[Step, ...]
    original_sha256: str
    text: str = ""
    rewrites: tuple[Rewrite, ...]
    explanation: Explanation | None
    slice: Slice | None = None
    series: tuple[Series, ...] = ()
    regions: Regions | None = None
    fix: Candidate | None
    stopped_after: str | None
    seconds: float
    waivers: tuple[Waiver, ...] = ()
    formula: FormulaDifference | None = None
    frequency: Frequency | None = None
    cut_short: bool = False
    solver_units: int = 0
    calls: int | None = None
    jail: str | None = None
    printed: str | None = None
    sandbox: Sandbox | None = None
    run: Run | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One run of ``neurosym verify``."""

    schema_version: Literal[1]
    kind: Literal["verify"]
    tool: Tool
    spec: Spec
    effort: Effort
    require: Literal["tested", "proved"]
    require_sandbox: RequiredSandbox
    spec_fault: SpecFault | None
    candidates: tuple[Candidate, ...]
    preparation_seconds: float
    exit_code: int
