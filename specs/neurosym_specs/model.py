"""The model of a spec: what the file says, checked and typed, in the order in which it says it.

Expressions are held as ``Expression``s: parsed and checked against the names in reach, not yet evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from neurosym_specs.expr.syntax import Expression
from neurosym_specs.types import Type

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Definition:
    """A named function of ``[define]``: ``"days_in(y)" = "366 if leap(y) else 365"``."""

    name: str
    parameters: tuple[str, ...]
    body: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """What every clause carries: its ``id`` (its own, or its table and number), for the reader, where from."""

    id: str
    text: str = ""
    source: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Require(Clause):
    """``that`` is guaranteed by the caller; ``accepted_only``: asked only of inputs that no reject refuses."""

    that: Expression
    accepted_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject(Clause):
    """Where ``when`` holds (and no earlier reject did) the function must raise one of ``raises``."""

    when: Expression
    raises: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference(Clause):
    """The right value: exactly one of ``value``, ``where``, ``python`` (a module's text) is given.

    ``file``: as the spec names the file beside it that the module's text was taken from, if it was.
    Right within ``abs_tol + rel_tol * abs(expected)``; beside ``where``, which holds as it is written, that is how far
    from an example's result another right one may be. ``raises``: with a Python reference, the exceptions that stand
    for a rejected input.
    """

    value: Expression | None = None
    where: Expression | None = None
    python: str | None = None
    file: str = ""
    raises: tuple[str, ...] = ()
    abs_tol: Fraction = Fraction(0)
    rel_tol: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ensure(Clause):
    """``that`` holds of the result wherever ``when`` does.

    ``slack``: relative closeness of a comparison's sides at which either answer is right.
    """

    that: Expression
    when: Expression | None = None
    slack: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation(Clause):
    """Several ``runs`` of the function; where ``given`` holds of them, so does ``that``.

    The short forms are spelled out by the loader into ``given`` and ``that`` (as expression text, parsed like any
    other), so that a relation has one shape; ``short_form`` keeps what was written, for display and for the search
    (``vary``: the inputs that differ; ``order_free``: the list whose order is free).
    """

    runs: tuple[str, ...]
    given: Expression | None
    that: Expression
    slack: Fraction = Fraction(0)
    short_form: Literal["", "vary", "monotone", "order_free"] = ""
    varied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Example(Clause):
    """One worked case: ``inputs`` are spec values; either ``out`` (a spec value) or ``raises`` is the answer."""

    inputs: Mapping[str, Any]
    out: Any = None
    raises: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Clause):
    """Values of some or all inputs worth trying; no logical force."""

    inputs: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invariant(Clause):
    """A relation between a candidate's own loop variables, offered to the prover."""

    that: Expression
    loop: int | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole(Clause):
    """What a sketch may leave open as ``hole("name")``."""

    name: str
    type: Type


DEFAULT_IMPORTS = frozenset(
    [
        "decimal",
        "fractions",
        "math",
        "datetime",
        "calendar",
        "statistics",
        "itertools",
        "functools",
        "collections",
        "graphlib",
        "dataclasses",
        "enum",
        "typing",
        "re",
        "string",
        "bisect",
        "heapq",
        "operator",
        "json",
        "numbers",
        "abc",
    ]
)


@dataclass(frozen=True, slots=True)
class Policy:
    """What a candidate may use, and within which limits one call must stay."""

    allow_float: bool = True
    imports: frozenset[str] = DEFAULT_IMPORTS
    python: str = ""
    packages: Mapping[str, str] = field(default_factory=dict)
    time_limit_s: float = 1.0
    memory_limit_bytes: int = 256 * 10**6
    waive_vacuous: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A whole spec. ``sha256`` is of the file's bytes (of the canonical JSON where there was no file)."""

    name: str
    title: str = ""
    problem: str = ""
    source: tuple[str, ...] = ()
    version: str = ""
    owner: str = ""
    path: str = ""
    sha256: str = ""
    types: Mapping[str, Type] = field(default_factory=dict)
    inputs: Mapping[str, Type]
    output: Type
    data: Mapping[str, Any] = field(default_factory=dict)
    lets: Mapping[str, Expression] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    requires: tuple[Require, ...] = ()
    rejects: tuple[Reject, ...] = ()
    reference: Reference | None = None
    ensures: tuple[Ensure, ...] = ()
    relations: tuple[Relation, ...] = ()
    examples: tuple[Example, ...] = ()
    samples: tuple[Sample, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    holes: tuple[Hole, ...] = ()
    policy: Policy = field(default_factory=Policy)
