"""What can be wrong with the file of a run store, in words for whoever has it."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from neurosym_specs.errors import NeurosymError
from neurosym_verifiers.environment import EnvironmentFault

_LOWEST_BYTE = 0xFF  # sqlite's extended codes have what is wrong in it, and more about it above


class StoreError(NeurosymError):
    """A file that is no run store, a damaged one, one of another run, or one that another run writes to."""

    exit_code = 2
    code = "NS721"


class DamagedRecord(Exception):
    """What stands in a store is not what was written there."""


@contextmanager
def said(path: Path) -> Iterator[None]:
    """Says what is wrong with a store in words of ours, as ``StoreError``, or as ``EnvironmentFault`` where its machine
    is to blame."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise  # of what is written, not of the file
    except sqlite3.OperationalError as error:
        match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _LOWEST_BYTE:
            case sqlite3.SQLITE_CANTOPEN:
                raise StoreError(f"the run store {path} cannot be opened") from error
            case sqlite3.SQLITE_ERROR:  # a table that is not there; sqlite3 itself has no code for a text that is none
                raise StoreError(_damaged(path, str(error))) from error
            case _:
                raise EnvironmentFault(
                    f"the run store {path}: {error}; what is in it is kept, and --resume goes on"
                ) from error
    except sqlite3.DatabaseError as error:
        is_none = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB
        raise StoreError(f"{path} is no run store{'' if is_none else ', or a damaged one'}: {error}") from error
    except DamagedRecord as error:
        raise StoreError(_damaged(path, str(error))) from error


def loaded(text: str | bytes, what: str) -> Any:
    """What stands in a record as JSON. Raises ``DamagedRecord`` for ``what`` that cannot be read."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise DamagedRecord(f"{what} in it cannot be read") from error


def packed(text: str) -> bytes:
    """A document as it is stored."""
    return zlib.compress(text.encode("ascii"))


def unpacked(document: bytes) -> dict[str, Any]:
    """The document that ``packed`` packed. Raises ``DamagedRecord``."""
    try:
        text = zlib.decompress(document)
    except zlib.error as error:
        raise DamagedRecord("a result in it cannot be unpacked") from error
    found: dict[str, Any] = loaded(text, "a result")
    return found


def _damaged(path: Path, what: str) -> str:
    return f"the run store {path} is damaged: {what}; take a copy that is whole, or begin anew with another --store"
