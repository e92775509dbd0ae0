"""What a call has room for: how large a long loop may let numbers and lists become on any input."""

from __future__ import annotations

from neurosym_verifiers.reading.data.values import NotRead, Value
from neurosym_verifiers.reading.formulas.growth import bits_of
from neurosym_verifiers.reading.formulas.iterated import Iterated
from neurosym_verifiers.reading.loop_lists.leaves import leaves_of

_MOST_BITS = 14_000
"""So large may numbers become: an int of more than 4,300 digits is no text any more."""

_MOST_WORK = 50_000_000
"""Bits of the largest number times rounds: more may take longer than a call may."""

_MOST_BYTES = 3_000_000
_BYTES_EACH = 10
"""What a list may take when it is returned, and each item and number in it beside its digits."""


def check_numbers(loop: Iterated, line: int) -> None:
    """Raises ``NotRead`` where its numbers may become too large."""
    bits, most = bits_of(loop), loop.rounds.high or 0
    if bits is None or bits > _MOST_BITS or bits * most > _MOST_WORK:
        raise NotRead("a loop of many rounds whose numbers may grow too large", line)


def check_list(loop: Iterated, item: Value, last: Value, line: int) -> None:
    """Raises ``NotRead`` where a list of such items, one from each round, may be more than a call may return."""
    numbers = leaves_of(item)
    bits, most = bits_of(loop, [*numbers, *leaves_of(last)]), loop.rounds.high or 0
    if bits is None or most * (_BYTES_EACH + len(numbers) * (_BYTES_EACH + bits / 3)) > _MOST_BYTES:
        raise NotRead("a list of many rounds that may be more data than a call may return", line)
