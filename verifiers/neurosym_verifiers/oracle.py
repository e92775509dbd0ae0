"""A reference written in Python, run in its own jail: its text comes with the spec and is not trusted either."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from neurosym_sandbox import Jail, Limits, LoadFailed, Program, Raised, Returned, Session
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations

from neurosym_verifiers.calls import OutsideType, WrongType, arguments, read_result
from neurosym_verifiers.wording import say_outcome


@dataclass(frozen=True, slots=True)
class Answered:
    """The right value."""

    value: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """The reference raised what its ``raises`` says stands for a rejected input."""

    exception: str


@dataclass(frozen=True, slots=True)
class Broken:
    """The reference itself failed on this input: a fault of the spec."""

    reason: str


Answer = Answered | Refused | Broken


class Oracle:
    """Asks the Python reference of a spec. Its limits are ten times the candidate's: it may be slow, not endless."""

    def __init__(self, spec: Spec, jail: Callable[[], Jail]) -> None:
        assert spec.reference is not None
        assert spec.reference.python is not None
        self._spec = spec
        self._raises = spec.reference.raises
        self._jail = jail
        self._session: Session | None = None
        self._program = Program(spec.reference.python, spec.name, declarations(spec), spec.policy.imports)
        self._limits = Limits(time_s=10 * spec.policy.time_limit_s, memory_bytes=4 * spec.policy.memory_limit_bytes)

    def ask(self, inputs: Mapping[str, Any]) -> Answer:
        """The reference's answer for inputs inside the spec's requires."""
        if self._session is None or not self._session.alive:
            self.close()
            self._session = self._jail().open(self._program, self._limits)
        loaded = self._session.loaded
        if isinstance(loaded, LoadFailed):
            return Broken(f"the Python reference does not load: {loaded.reason}")
        outcome = self._session.call(arguments(self._spec, inputs))
        if isinstance(outcome, Raised):
            exception = outcome.exception
            if any(name in self._raises for name in (exception.name, *exception.bases)):
                return Refused(exception.name)
            return Broken(f"the Python reference raises {exception.name}: {exception.message}")
        if not isinstance(outcome, Returned):
            return Broken(f"the Python reference {say_outcome(self._spec.output, outcome)}")
        value = read_result(self._spec.output, outcome.value)
        if isinstance(value, WrongType):
            return Broken(f"the Python reference returns {value.reason}")
        if isinstance(value, OutsideType):
            return Broken(f"the Python reference returns a value outside the output's type: {value.reason}")
        return Answered(value)

    def close(self) -> None:
        """Ends the reference's process."""
        if self._session is not None:
            self._session.close()
            self._session = None
