"""One counterexample again: the calls of a refutation, through the gate and into the sandbox, judged by the spec.

Nothing is searched for and nothing is proved: what is said holds of these calls only.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, assert_never

from neurosym_sandbox import Level
from neurosym_specs import load_spec
from neurosym_specs.errors import NeurosymError, Place, SpecError
from neurosym_specs.model import Spec
from neurosym_specs.notation import calls_from_json, calls_from_plain
from neurosym_specs.obligations import obligation_of
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.environment import Confinement
from neurosym_verifiers.replay import Kept, NoFunction, NothingPromised, StillBroken

from neurosym import gate
from neurosym.checking.own import module_of
from neurosym.checking.settings import load_settings
from neurosym.diagnostics import Diagnostic
from neurosym.gate import Types
from neurosym.options import Options, codemods
from neurosym.rewrite.codemod import Group, names_of
from neurosym.rewriting import rewritten
from neurosym.source import Candidate, name_of, sandbox_package

KEPT_EXIT_CODE = 6

REWRITES = (*codemods(mend=True, script=True, deliver=True, contract=True), *names_of(Group.CONTRACTS))
"""The codemods that a candidate can have been rewritten by before it was judged."""


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """The candidate does not pass the gate, so that nothing was run."""

    diagnostics: tuple[Diagnostic, ...]


Outcome: TypeAlias = StillBroken | Kept | NothingPromised | NoFunction | TurnedAway


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayResult:
    """What the calls came to that once broke the ``clause``."""

    spec: Spec
    candidate: str
    clause: str
    outcome: Outcome

    @property
    def exit_code(self) -> int:
        """That of ``neurosym replay``: 1 while anything is broken."""
        match self.outcome:
            case StillBroken() | NoFunction() | TurnedAway():
                return 1
            case Kept():
                return KEPT_EXIT_CODE
            case NothingPromised():
                return SpecError.exit_code
            case _:
                assert_never(self.outcome)

    @property
    def problem(self) -> str:
        """What is wrong, in a line; empty where the calls break nothing."""
        match self.outcome:
            case Kept():
                return ""
            case StillBroken(findings):
                case = findings[0].counterexample
                said = f"{'; then '.join(case.calls)}: expected {case.expected}, actual {case.actual}"
                return f"{findings[0].obligation}: {said}"
            case NothingPromised(why):
                return f"the spec promises nothing of these calls: {why}"
            case NoFunction(why):
                return f"the candidate does not load: {why}"
            case TurnedAway(diagnostics):
                return f"the candidate is turned away: {diagnostics[0].message} ({diagnostics[0].code})"
            case _:
                assert_never(self.outcome)


def replay(
    spec: Spec | str | os.PathLike[str],
    candidate: Candidate,
    clause: str,
    inputs: Any,
    *,
    rewrites: Iterable[str] = (),
    script: str = "",
    sandbox: Level | str = Level.STANDARD,
    layers: Iterable[str] = (),
    config: str | os.PathLike[str] = "",
) -> ReplayResult:
    """Runs the calls of a counterexample to the ``clause`` (its id in the reports) again.

    ``inputs`` are those of one call, a table by name in the notation of the spec format, or a list of tables; or the
    JSON text of either. ``rewrites`` and ``script``: how the candidate was rewritten before it was judged. ``config``:
    the ``pyproject.toml`` of the project that the candidate, a file, is a module of; it may import what that says.

    Raises ``SpecError`` for a spec, a clause or inputs that cannot be, ``SettingsError`` for settings that cannot be
    used or a file that is no module there, ``EnvironmentFault`` where there is no such sandbox, ``NeurosymError`` where
    the tool fails, ``ValueError`` for an unknown rewriting, sandbox or layer.
    """
    loaded = spec if isinstance(spec, Spec) else load_spec(spec)
    wanted = tuple(rewrites)
    if unknown := sorted(set(wanted) - set(REWRITES)):
        raise ValueError(f"nothing rewrites by the name {unknown[0]}; there are {', '.join(REWRITES)}")
    obligation = obligation_of(loaded, clause, Place("clause"))
    read = calls_from_json if isinstance(inputs, str) else calls_from_plain
    calls = read(loaded.inputs, inputs, Place("inputs"))
    if config:
        candidate = module_of(load_settings(Path(config)), candidate)
    options = Options(Types.OFF, tuple(name for name in REWRITES if name in wanted), script)
    entry = gate.enter(candidate, loaded, Types.OFF)
    if options.rewrites:
        entry, _ = rewritten(entry, loaded, options, lambda text: gate.enter(text, loaded, Types.OFF))

    def result(outcome: Outcome) -> ReplayResult:
        return ReplayResult(spec=loaded, candidate=name_of(candidate), clause=clause, outcome=outcome)

    match entry:
        case gate.Stopped(diagnostics):
            return result(TurnedAway(diagnostics))
        case gate.Faulted(why):
            raise NeurosymError(f"the gate failed on {name_of(candidate)}: {why} (NS901)")
        case gate.Passed(source):
            with Bench(loaded, Effort(proof=False), Confinement(Level(sandbox), frozenset(layers))) as bench:
                return result(bench.replay(source.text, obligation, calls, sandbox_package(source.package)))
        case _:
            assert_never(entry)
