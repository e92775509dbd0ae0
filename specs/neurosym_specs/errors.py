"""The one root of everything neurosym raises, with the exit code each kind means."""

from __future__ import annotations

from dataclasses import dataclass


class NeurosymError(Exception):
    """Something stopped the work. Says what happened, where, and what to do next.

    ``code``: of the page about it, where it has one of its own; else the exit code says which.
    """

    exit_code = 70
    code = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a spec something stands: file, table, key.

    ``table`` is written as in the file: ``[inputs]``, ``[[ensure]] 2 "grace period"``.
    """

    file: str = ""
    table: str = ""
    key: str = ""

    def at(self, key: str) -> Place:
        """The same table, at another key."""
        return Place(self.file, self.table, key)

    def __str__(self) -> str:
        return ", ".join(part for part in (self.file, self.table, self.key) if part)


class SpecError(NeurosymError):
    """A spec that cannot be used: unreadable, malformed, or saying something that the format does not know.

    ``str(error)`` is the whole message for a person: the place, what is wrong, the legal values and the
    closest one.
    """

    exit_code = 2

    def __init__(self, message: str, place: Place | None = None, *, hint: str = "") -> None:
        self.message = message
        self.place = place or Place()
        self.hint = hint
        where = str(self.place)
        super().__init__(f"{where}: {message}" if where else message)

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text} ({self.hint})" if self.hint else text
