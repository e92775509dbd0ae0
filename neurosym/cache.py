"""Verdicts that were reached before, kept by the hash of what they depend on (``neurosym.identity``).

One SQLite file in the user's own cache folder, not in the project: what lies in a project can come with a change that
somebody proposes, and a verdict that comes with the code which it is about is worth nothing. What goes in is a stored
result (``neurosym.reports.document``) as it was written; the same bytes come out, or nothing.

Several processes may use it at once. It is never in the way: where it cannot be read or written, the work is done anew,
and ``said`` tells why. A file that is damaged is set aside under another name, and nothing in it is believed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import stat
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TypeVar

MOST_BYTES = 128 * 1024 * 1024
"""So much of compressed results is kept; what was not used for longest goes first."""

_LARGEST = 4 * 1024 * 1024
"""A larger result is not kept."""

_LARGEST_TEXT = 64 * 1024 * 1024
"""What a result may come to when it is unpacked; it is bounded, since a damaged one may claim anything."""

_WAIT_S = 5.0
_FILE = "verdicts-1.sqlite"
_TABLE = """
CREATE TABLE IF NOT EXISTS verdicts (
    key TEXT PRIMARY KEY, reached REAL NOT NULL, used REAL NOT NULL, sha256 TEXT NOT NULL, document BLOB NOT NULL
) WITHOUT ROWID
"""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored result, and when it was reached."""

    document: str
    reached: datetime


class Damaged(Exception):
    """The file is no cache, or not what was written into it."""


def cache_folder() -> Path:
    """``NEUROSYM_CACHE_DIR``, else the folder ``neurosym`` in ``XDG_CACHE_HOME`` or ``~/.cache``."""
    if given := os.environ.get("NEUROSYM_CACHE_DIR"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME", "")
    return Path(base if os.path.isabs(base) else os.path.expanduser("~/.cache")) / "neurosym"


class Cache:
    """A context manager. ``folder`` is made when it is needed; what it may hold is ``most_bytes``.

    ``said`` are sentences about what is wrong with the cache, for whoever shows them; verdicts do not depend on them.
    """

    def __init__(self, folder: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._connection: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None
        self._used: set[str] = set()
        self._off = False
        self.said: list[str] = []

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, key: str) -> Kept | None:
        """What was kept under a key."""

        def read(connection: sqlite3.Connection) -> Kept | None:
            found = connection.execute("SELECT reached, sha256, document FROM verdicts WHERE key = ?", (key,))
            row = found.fetchone()
            return None if row is None else _unpacked(key, *row)

        kept = self._try(read)
        if kept is not None:
            self._used.add(key)
        return kept

    def put(self, key: str, document: str) -> None:
        """Keeps a result, and drops those that were not used for longest where there is no room."""
        packed, now = zlib.compress(document.encode()), time.time()
        if len(packed) > _LARGEST:
            return

        def write(connection: sqlite3.Connection) -> None:
            row = (key, now, now, _digest(key, now, packed), packed)
            connection.execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?)", row)
            _make_room(connection, self._most_bytes)

        self._try(write)

    def close(self) -> None:
        """Notes what was used, and lets go of the file."""
        used, self._used = self._used, set()
        if used and self._connection is not None:
            now = time.time()
            rows = [(now, key) for key in used]
            self._try(lambda opened: opened.executemany("UPDATE verdicts SET used = ? WHERE key = ?", rows))
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _try(self, work: Callable[[sqlite3.Connection], _T]) -> _T | None:
        """Does one thing in a transaction; None where it cannot be done. A damaged file is set aside, once."""
        for _ in range(2):
            if self._off:
                return None
            try:
                connection = self._opened()
                with connection:
                    return work(connection)
            except (Damaged, sqlite3.DatabaseError, OSError) as error:
                if not _is_damage(error):
                    self._give_up(f"the cache is not used: {_cause(error)} ({self._path})")
                    return None
                self._set_aside(_cause(error))
        return None

    @property
    def _path(self) -> Path:
        return (self._folder or cache_folder()) / _FILE

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            path = self._path
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _check_owner(path.parent)
            if path.exists():
                _check_owner(path)
            else:
                os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
            status = path.stat()
            self._inode = (status.st_dev, status.st_ino)
            self._connection = sqlite3.connect(path, timeout=_WAIT_S)
            self._connection.execute("PRAGMA synchronous = OFF")  # what a lost page does is seen, and costs a run
            self._connection.execute(_TABLE)
        return self._connection

    def _set_aside(self, why: str) -> None:
        """Renames the damaged file, unless another process has done so and begun a new one."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        path, aside = self._path, self._path.with_suffix(f".damaged-{int(time.time())}-{os.getpid()}")
        try:
            status = path.stat()
            if (status.st_dev, status.st_ino) == self._inode:
                path.rename(aside)
                path.with_name(path.name + "-journal").unlink(missing_ok=True)
                said = f"the cache is damaged ({why}); it was set aside as {aside}"
                self.said.append(f"{said}, and what it held is found out anew")
        except OSError as error:
            self._give_up(f"the cache is damaged ({why}), and cannot be set aside: {error.strerror} ({path})")

    def _give_up(self, why: str) -> None:
        self._off = True
        self.said.append(why)


def _make_room(connection: sqlite3.Connection, most_bytes: int) -> None:
    """Drops the results that were not used for longest until those that stay need no more than the bound."""
    (total,) = connection.execute("SELECT coalesce(sum(length(document)), 0) FROM verdicts").fetchone()
    if total <= most_bytes:
        return
    rows = connection.execute("SELECT key, length(document) FROM verdicts ORDER BY used, key").fetchall()
    for key, size in rows:
        if total <= most_bytes * 3 // 4:  # with some room for the next ones, so that this is seldom
            return
        connection.execute("DELETE FROM verdicts WHERE key = ?", (key,))
        total -= size


def _unpacked(key: str, reached: object, sha256: object, packed: object) -> Kept:
    if not isinstance(reached, float) or not isinstance(packed, bytes) or sha256 != _digest(key, reached, packed):
        raise Damaged("a verdict in it is not as it was written")
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(packed, _LARGEST_TEXT)
        if not unpacking.eof:
            raise Damaged("a verdict in it is too large")
        return Kept(text.decode(), datetime.fromtimestamp(reached, UTC))
    except (zlib.error, UnicodeDecodeError, ValueError, OverflowError, OSError) as error:
        raise Damaged("a verdict in it cannot be unpacked") from error


def _digest(key: str, reached: float, packed: bytes) -> str:
    return hashlib.sha256(f"{key}\0{reached!r}\0".encode() + packed).hexdigest()


def _check_owner(path: Path) -> None:
    """Raises ``PermissionError`` where somebody else could have written what would be believed."""
    status = path.stat()
    if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(0, f"others than you can write {path}")


def _is_damage(error: Exception) -> bool:
    """Whether the file's content is at fault, not the way to it; of our own fixed questions an error is the table's."""
    if isinstance(error, Damaged):
        return True
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def _cause(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
