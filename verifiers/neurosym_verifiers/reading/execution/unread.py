"""What is read on most paths and not on all: an end of its own kind; it must be shown that no input gets there.

``Decimal(text)`` is read for plain numbers. Whether a text like ``1e5`` gets there depends on what was checked before,
and so is a question for the solver, once the whole program is read.
"""

from __future__ import annotations

from neurosym_verifiers.reading.execution.state import Exit, Raised, State
from neurosym_verifiers.reading.formulas.terms import Condition

UNREAD = "(not read)"
"""No exception is named so, and nothing catches it."""


def is_unread(end: Exit) -> bool:
    """Whether an exit is that of what is not read."""
    return isinstance(end.outcome, Raised) and end.outcome.names[0] == UNREAD


def refuse(state: State, condition: Condition, what: str, line: int) -> None:
    """What happens where the condition holds is not read; goes on elsewhere."""
    state.raise_if(condition, (UNREAD, what), line)
