"""Contracts of a module as specs of its functions, and what of them counts as not checked.

A contract that is not read is a promise of the function without a verdict: it stands among the others in every report,
and keeps the function from counting as fine. Where it says which calls are valid, nothing that a run shows can be held
against the function, and none is made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from neurosym_sandbox import Level
from neurosym_specs.errors import NeurosymError
from neurosym_specs.verdicts import FailureClass, Undecided
from neurosym_verifiers.effort import Effort

from neurosym import gate
from neurosym.admission import EXIT_CODES, Admission, Required
from neurosym.contracts.conditions import Unread
from neurosym.contracts.reading import Contracts, ModuleContracts, read_contracts
from neurosym.diagnostics import Diagnostic
from neurosym.reports import document
from neurosym.reports.document import Candidate, Judged, Note, Proved, Refuted, RequiredSandbox, Result, Tool, Unknown
from neurosym.reports.findings import ASSUMED, CONTRACT, NO_CONTRACTS, Finding
from neurosym.reports.findings import Level as FindingLevel
from neurosym.source import sha256_of
from neurosym.trees import tree_of

_MOST_NAMED = 10
_ADMITTED = re.compile(
    r"\b(?:bool\b.* instead of an int|(?:bool|int)\b.* instead of a float|datetime\b.* instead of a date)"
)
_LIMITS = frozenset({FailureClass.TIMEOUT.value, FailureClass.MEMORY.value})


class ContractsError(NeurosymError):
    """A module whose contracts cannot be looked for: it cannot be read, or is no Python. ``str`` says why."""

    exit_code = 2
    code = "NS734"


def contracts_of(file: Path, module: str) -> ModuleContracts:
    """The contracts in a module, which is called ``module``. Nothing is run. Raises ``ContractsError``."""
    source = gate.parsed(file)
    if isinstance(source, gate.Faulted):
        raise ContractsError(f"{file}: {source.why}")
    if isinstance(source, Diagnostic):
        where = f"{file}:{source.line}" if source.line else str(file)
        raise ContractsError(f"{where}: its contracts cannot be read: {source.message} ({source.code})")
    tree = tree_of(source.text)
    if tree is None:
        raise ContractsError(f"{file}: its contracts cannot be read: Python's parser gives up on it")
    return replace(read_contracts(tree, module), sha256=source.sha256)


def without_contracts(module: ModuleContracts, file: str) -> tuple[Finding, ...]:
    """What is said of the functions of a module that have none; nothing where all have some."""
    functions = module.none
    if not module.functions:
        message = "no function of this module has contracts, and nothing of it is checked"
        return (Finding(level=FindingLevel.WARNING, code=NO_CONTRACTS, message=message, file=file, line=1),)
    if not functions:
        return ()
    named = ", ".join(name for name, _ in functions[:_MOST_NAMED])
    more = f" and {len(functions) - _MOST_NAMED} more" if len(functions) > _MOST_NAMED else ""
    have = "function has" if len(functions) == 1 else "functions have"
    message = f"{len(functions)} {have} no contracts, and nothing of them is checked: {named}{more}"
    return (Finding(level=FindingLevel.NOTE, code=NO_CONTRACTS, message=message, file=file, line=functions[0][1]),)


def with_contracts(result: Result, contracts: Contracts) -> Result:
    """The result of a function with its contracts that are not read, and with what was assumed of its inputs."""
    if result.spec_fault is not None:
        return result
    candidates = tuple(_with_contracts(each, contracts) for each in result.candidates)
    code = max((EXIT_CODES[Admission(each.admission)] for each in candidates), default=result.exit_code)
    return replace(result, candidates=candidates, exit_code=code)


def not_judged(contracts: Contracts, text: str, effort: Effort, require: Required, sandbox: Level) -> Result:
    """The result of a function of which no run can be judged: its contracts, none of them checked."""
    from neurosym.reports.json import tool  # heavy, and most projects have none of these

    sha256 = sha256_of(text.encode())
    candidate = Candidate(
        name="", sha256=sha256, verdict="UNKNOWN", admission="undecided", failure=None, diagnostics=(),
        obligations=_unread(contracts.unread), notes=(), objections=(), gate=(), original_sha256=sha256, text=text,
        rewrites=(), explanation=None, fix=None, stopped_after=None, seconds=0.0,
    )  # fmt: skip
    return Result(
        schema_version=1,
        kind="verify",
        tool=Tool(**tool()),
        spec=document.Spec(name=contracts.name, title="", path="", sha256=""),
        effort=document.Effort(seed=effort.seed, examples=effort.examples, time_limit_seconds=effort.time_limit_s),
        require=require.value,
        require_sandbox=RequiredSandbox(level=sandbox.value, layers=()),
        spec_fault=None,
        candidates=(candidate,),
        preparation_seconds=0.0,
        exit_code=EXIT_CODES[Admission.UNDECIDED],
    )


def _with_contracts(candidate: Candidate, contracts: Contracts) -> Candidate:
    notes = [*candidate.notes]
    if contracts.assumed:
        said = f"assumed, since no contract says it: {'; '.join(contracts.assumed)}"
        notes.append(Note(code=ASSUMED, message=said, line=contracts.line))
    notes += [Note(code=ASSUMED, message=text, line=line) for line, text in contracts.remarks]
    if candidate.verdict in ("REJECTED", "ERROR"):
        return replace(candidate, notes=tuple(notes))
    weighed = [_allowed(_assuming(each, contracts.assumed), contracts.allowed) for each in candidate.obligations]
    changed = replace(candidate, notes=tuple(notes), obligations=(*weighed, *_unread(contracts.unread)))
    refuted = sum(isinstance(each, Refuted) for each in weighed)
    if refuted < sum(isinstance(each, Refuted) for each in candidate.obligations):  # what explains is about the first
        changed = replace(changed, explanation=None, slice=None, formula=None, frequency=None)
    elif not contracts.unread:
        return changed
    if refuted:
        return changed
    changed = replace(changed, failure=None)
    return replace(changed, verdict="UNKNOWN", admission="refused" if candidate.objections else "undecided")


def _assuming(obligation: Judged, assumed: tuple[str, ...]) -> Judged:
    """A proof is one over the ranges that were assumed."""
    if not isinstance(obligation, Proved):
        return obligation
    return replace(obligation, assumptions=(*obligation.assumptions, *(f"the input {each}" for each in assumed)))


def _allowed(obligation: Judged, allowed: tuple[str, ...]) -> Judged:
    """What contracts and annotations allow refutes nothing: an exception of which they do not say when, to be slow, an
    int for a float (PEP 484), a value of a subclass."""
    if not isinstance(obligation, Refuted):
        return obligation
    case = obligation.counterexample
    words = case.actual.replace(":", " ").split()
    if case.failure in _LIMITS:
        why = "and no contract says how long it may take or how much memory"
    elif obligation.id == "returns" and _ADMITTED.search(case.actual):
        why = "which the annotation admits and the spec format does not"
    elif words[:1] == ["raised"] and len(words) > 1 and allowed and _may_be_one(words[1], allowed):
        why = "which the contracts allow without a word about when"
    else:
        return obligation
    detail = f"{'; then '.join(case.calls)} {case.actual}, {why}"
    return Unknown(
        id=obligation.id, kind=obligation.kind, text=obligation.text, formal=obligation.formal,
        source=obligation.source, method=obligation.method, verdict="UNKNOWN", reason=Undecided.NOT_READ.value,
        detail=detail, cases=0,
    )  # fmt: skip


def _may_be_one(name: str, allowed: tuple[str, ...]) -> bool:
    """Whether an exception may be one of those that are allowed, or of a class below one."""
    import builtins

    own = getattr(builtins, name, None)
    if name in allowed or not isinstance(own, type):
        return True
    known = [getattr(builtins, each, None) for each in allowed]
    return any(not isinstance(each, type) or issubclass(own, each) for each in known)


def _unread(unread: Sequence[Unread]) -> tuple[Unknown, ...]:
    taken: set[str] = set()
    made = []
    for each in unread:
        id, count = f"contract: {each.text}", 1
        while id in taken:
            count += 1
            id = f"contract: {each.text} ({count})"
        taken.add(id)
        made.append(
            Unknown(
                id=id,
                kind=CONTRACT,
                text="",
                formal=(),
                source=(),
                method="",
                verdict="UNKNOWN",
                reason=Undecided.NOT_READ.value,
                detail=f"{each.why} (line {each.line}{'; the function is not run' if each.blocks else ''})",
                cases=0,
            )
        )
    return tuple(made)
