"""The first step: the candidate's bytes, of a bounded size, whatever stands at its path."""

from __future__ import annotations

import difflib
import os
import stat
from pathlib import Path

from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.source import Candidate, Source

LIMIT_BYTES = 256 * 1024


def read(candidate: Candidate) -> bytes | Diagnostic:
    """The bytes of the candidate. A file that is too large is refused from its size and not read."""
    raw = _raw(candidate.code) if isinstance(candidate, Source) else _read_file(os.fspath(candidate))
    if isinstance(raw, Diagnostic):
        return raw
    if len(raw) > LIMIT_BYTES:
        return _too_large(f"more than {LIMIT_BYTES // 1024} KiB")
    if not raw.strip(b" \t\r\n\f\xef\xbb\xbf"):
        return Diagnostic(
            "NS103",
            FailureClass.EXTRACTION,
            "the candidate is empty" if not raw else "the candidate holds nothing but white space",
            hint="a candidate is a Python module that defines the function",
        )
    return raw


def _raw(code: str | bytes) -> bytes:
    # A lone surrogate has no UTF-8: it stays as bytes that the next step refuses.
    return code if isinstance(code, bytes) else code.encode("utf-8", "surrogatepass")


def _read_file(path: str) -> bytes | Diagnostic:
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return Diagnostic("NS101", FailureClass.EXTRACTION, "there is no such file", hint=_nearest_file(path))
    except (OSError, ValueError) as error:
        return _unreadable(error)
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            return Diagnostic(
                "NS102",
                FailureClass.EXTRACTION,
                "this is a folder, not a Python file",
                hint="name the files in it: " + os.path.join(path, "*.py"),
            )
        if not stat.S_ISREG(status.st_mode):
            return Diagnostic(
                "NS102",
                FailureClass.EXTRACTION,
                "this is a device or a pipe, not a file",
                hint="to read a candidate from standard input, name it -",
            )
        if status.st_size > LIMIT_BYTES:
            return _too_large(f"{status.st_size:,} bytes")
        with os.fdopen(os.dup(handle), "rb") as file:
            return file.read(LIMIT_BYTES + 1)
    except OSError as error:
        return _unreadable(error)
    finally:
        os.close(handle)


def _too_large(size: str) -> Diagnostic:
    return Diagnostic(
        "NS104",
        FailureClass.EXTRACTION,
        f"the candidate is too large: {size}, and the limit is {LIMIT_BYTES // 1024} KiB",
        hint="a candidate is one calculation; tables belong into the [data] of the spec",
    )


def _unreadable(error: Exception) -> Diagnostic:
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Diagnostic("NS107", FailureClass.EXTRACTION, f"the file cannot be read: {why}")


def _nearest_file(path: str) -> str:
    wanted = Path(path)
    try:
        names = [entry.name for entry in os.scandir(wanted.parent)]
    except (OSError, ValueError):
        return f"the folder {wanted.parent} does not exist either"
    near = difflib.get_close_matches(wanted.name, names[:10_000], n=1)
    return f"did you mean {wanted.parent / near[0]}?" if near else ""
