"""Length-prefixed frames between host and child: four bytes of length, the eight-byte id of the call, the body.

The id is random and fresh for each call, and one call is in flight at a time, so a frame sent early, twice, or for
another call is recognised.
"""

from __future__ import annotations

import builtins
import struct

__builtins__ = {**vars(builtins)}  # type: ignore[assignment]  # ours alone, as in _wire

HEADER = struct.Struct("<I8s")
READY = b"\x06"
"""Sent by trusted code after the last step of locking the child in; what fails before it is not the candidate's."""

LISTENER = b"\x05"
"""Comes before it, with the descriptor on which refused system calls are seen, where the kernel has that."""

OVERHEAD_BYTES = 16 * 1024
"""Room in a reply beyond the encoded result: kind, exception text, names of parameters."""


def pack(call_id: bytes, body: bytes) -> bytes:
    """Returns the frame that carries `body`."""
    return HEADER.pack(len(body), call_id) + body
