"""A memory limit for all processes of a jail together, where this process may make cgroups below its own.

Files: Linux, `Documentation/admin-guide/cgroup-v2.rst` and `cgroup-v1/memory.rst`.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
from pathlib import Path

_PREFIX = "neurosym-"
_numbers = itertools.count(1)
_REMOVE_S = 0.5


class MemoryCgroup:
    """One cgroup with a limit. `close` removes it, once its processes are gone."""

    def __init__(self, limit_bytes: int) -> None:
        """Makes one; raises OSError with the reason why there can be none."""
        parent, self._is_v2 = _own_cgroup()
        if self._is_v2:
            _enable_memory(parent)
        _remove_left_behind(parent)
        self.limit_bytes = limit_bytes
        self._folder = parent / f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
        self._folder.mkdir()
        self._deaths = 0
        try:
            if self._is_v2:
                self._write("memory.max", str(limit_bytes))
                with contextlib.suppress(OSError):  # no swap accounting here
                    self._write("memory.swap.max", "0")
            else:
                self._write("memory.limit_in_bytes", str(limit_bytes))
        except OSError:
            self.close()
            raise

    def _write(self, file: str, text: str) -> None:
        with open(self._folder / file, "w", encoding="ascii") as stream:  # never creates: cgroups have no free files
            stream.write(text)

    def add(self, pid: int) -> None:
        """Moves a process here, and with it those that it will fork."""
        self._write("cgroup.procs", str(pid))

    def members(self) -> int:
        """Returns the number of processes here."""
        return len((self._folder / "cgroup.procs").read_text("ascii").split())

    def killed(self) -> bool:
        """Whether the kernel has killed a process here for want of memory since this was last asked."""
        file = "memory.events" if self._is_v2 else "memory.oom_control"
        try:
            text = (self._folder / file).read_text("ascii")
        except OSError:
            return False
        match = re.search(r"^oom_kill (\d+)$", text, re.MULTILINE)
        before, self._deaths = self._deaths, int(match[1]) if match else 0
        return self._deaths > before

    def close(self) -> None:
        """Removes it, if its processes end soon; never raises."""
        _remove(self._folder, time.monotonic() + _REMOVE_S)


def _remove(folder: Path, until: float) -> None:
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:  # EBUSY while a process is still on its way out
            if time.monotonic() >= until:
                return
            time.sleep(0.002)
        else:
            return


def _remove_left_behind(parent: Path) -> None:
    """Removes what a host left that was killed."""
    for folder in parent.glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not os.path.exists(f"/proc/{pid}"):
            _remove(folder, 0)


def _own_cgroup() -> tuple[Path, bool]:
    """Returns the folder of this process's cgroup that accounts memory, and whether it is of version 2."""
    mounts = [line.split()[1:4] for line in Path("/proc/self/mounts").read_text("ascii", "replace").splitlines()]
    for line in Path("/proc/self/cgroup").read_text("ascii", "replace").splitlines():
        _number, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            for place, kind, options in mounts:
                if kind == "cgroup" and "memory" in options.split(","):
                    return _there(Path(place + path)), False
        if not controllers:
            for place, kind, _options in mounts:
                folder = Path(place + path)
                if kind == "cgroup2" and "memory" in _read(folder / "cgroup.controllers").split():
                    return _there(folder), True
    raise OSError("no cgroup of this process accounts memory")


def _there(folder: Path) -> Path:
    if not os.access(folder, os.W_OK):
        raise OSError(f"{folder} is not delegated to this user")
    return folder


def _read(file: Path) -> str:
    try:
        return file.read_text("ascii")
    except OSError:
        return ""


def _enable_memory(parent: Path) -> None:
    if "memory" in _read(parent / "cgroup.subtree_control").split():
        return
    try:
        with open(parent / "cgroup.subtree_control", "w", encoding="ascii") as stream:
            stream.write("+memory")
    except OSError as error:
        raise OSError(f"the memory controller cannot be enabled below {parent}: {error.strerror}") from None
