"""A candidate's calls: in a living jail for speed, in fresh ones where it counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from neurosym_sandbox import Jail, Limits, Loaded, LoadFailed, Outcome, Program, Session

from neurosym_verifiers.noticed import Noticed


class LoadChanged(Exception):
    """A program that loaded once does not load again: it depends on something outside itself."""

    def __init__(self, failed: LoadFailed) -> None:
        self.failed = failed
        super().__init__(failed.reason)


class Runner:
    """Runs one program. A session that died with a call is replaced for the next one.

    ``noticed`` is where it leaves what it sees beside the results.
    """

    def __init__(self, jail: Callable[[], Jail], program: Program, limits: Limits, noticed: Noticed) -> None:
        self._jail = jail
        self._program = program
        self._limits = limits
        self._session: Session | None = None
        self._noticed = noticed

    def load(self) -> Loaded | LoadFailed:
        """Opens the living session."""
        self._session = self._jail().open(self._program, self._limits)
        self._noticed.take(self._session.loaded)
        return self._session.loaded

    def call(self, arguments: tuple[object, ...]) -> Outcome:
        """One call in the living session."""
        if self._session is None or not self._session.alive:
            self.close()
            loaded = self.load()
            if isinstance(loaded, LoadFailed):
                raise LoadChanged(loaded)
        assert self._session is not None
        return self._called(self._session, arguments)

    def _called(self, session: Session, arguments: tuple[object, ...]) -> Outcome:
        outcome = session.call(arguments)
        self._noticed.calls += 1
        self._noticed.take(outcome)
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
                outcomes.append(self._called(session, arguments))
                if not session.alive:
                    break
        return outcomes

    def close(self) -> None:
        """Ends the living session."""
        if self._session is not None:
            self._session.close()
            self._session = None
