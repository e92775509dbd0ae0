"""A candidate's calls: in a living jail for speed, in fresh ones where it counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from neurosym_sandbox import Jail, Limits, Loaded, LoadFailed, Outcome, Program, Session


class LoadChanged(Exception):
    """A program that loaded once does not load again: it depends on something outside itself."""

    def __init__(self, failed: LoadFailed) -> None:
        self.failed = failed
        super().__init__(failed.reason)


class Runner:
    """Runs one program. A session that died with a call is replaced for the next one."""

    def __init__(self, jail: Callable[[], Jail], program: Program, limits: Limits) -> None:
        self._jail = jail
        self._program = program
        self._limits = limits
        self._session: Session | None = None
        self.calls = 0
        self.printed = ""

    def load(self) -> Loaded | LoadFailed:
        """Opens the living session."""
        self._session = self._jail().open(self._program, self._limits)
        self._note(self._session.loaded.stdout + self._session.loaded.stderr)
        return self._session.loaded

    def call(self, arguments: tuple[object, ...]) -> Outcome:
        """One call in the living session."""
        if self._session is None or not self._session.alive:
            self.close()
            loaded = self.load()
            if isinstance(loaded, LoadFailed):
                raise LoadChanged(loaded)
        assert self._session is not None
        self.calls += 1
        outcome = self._session.call(arguments)
        self._note(outcome.stdout + outcome.stderr)
        return outcome

    def fresh(self, *sequence: tuple[object, ...], limits: Limits | None = None) -> Outcome:
        """The outcome of the last of a sequence of calls in a session of their own."""
        return self.fresh_all(sequence, limits=limits)[-1]

    def fresh_all(self, sequence: Sequence[tuple[object, ...]], *, limits: Limits | None = None) -> list[Outcome]:
        """The outcomes of a sequence of calls in a session of their own, as far as the session lives."""
        outcomes: list[Outcome] = []
        with self._jail().open(self._program, limits or self._limits) as session:
            if isinstance(session.loaded, LoadFailed):
                raise LoadChanged(session.loaded)
            for arguments in sequence:
                self.calls += 1
                outcomes.append(session.call(arguments))
                if not session.alive:
                    break
        return outcomes

    def close(self) -> None:
        """Ends the living session."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _note(self, output: str) -> None:
        if output and not self.printed:
            self.printed = output[:400]
