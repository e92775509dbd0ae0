"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from neurosym_verifiers.environment import EnvironmentFault


class CannotWrite(EnvironmentFault):
    """A file that is asked for cannot be written: ``str`` names it, and says why."""

    code = "NS803"


def write_whole(path: str, content: str | bytes) -> None:
    """Writes a file as a whole or not at all. Raises ``OSError``."""
    write_parts(path, [content])


def write_parts(path: str, parts: Iterable[str | bytes]) -> None:
    """Writes a file, part after part, as a whole or not at all. Raises ``OSError``."""
    handle, temporary = tempfile.mkstemp(dir=Path(path).resolve().parent, prefix=".neurosym-")
    try:
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part.encode() if isinstance(part, str) else part)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
