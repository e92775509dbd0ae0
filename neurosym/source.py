"""Where a candidate comes from, and the bytes that bind everything which is found out about it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Source:
    """A candidate held in memory: what a model answered, what came through a pipe. ``name`` is for the reports.

    ``is_reply``: it is a model's reply as it came, which is mended before it is judged.
    """

    code: str | bytes
    name: str = "<text>"
    is_reply: bool = False


Candidate: TypeAlias = "Source | str | os.PathLike[str]"
"""A ``Source``, or the path of a file. A plain string is a path, never code."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """The text that is judged, exactly as it came in but for a byte order mark, and the SHA-256 of its bytes.

    Gate, runs and evidence name the same hash, so nothing can be verified but what is delivered.
    """

    name: str
    text: str
    sha256: str

    def line(self, number: int | None) -> str:
        """The text of a line, counted from 1 as Python counts; empty if there is none."""
        if number is None or number < 1:
            return ""
        lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return lines[number - 1] if number <= len(lines) else ""


def name_of(candidate: Candidate) -> str:
    """The name under which reports speak of a candidate."""
    return candidate.name if isinstance(candidate, Source) else os.fspath(candidate)


def sha256_of(raw: bytes) -> str:
    """The SHA-256 of ``raw`` in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()
