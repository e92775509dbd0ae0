"""A command that puts the zygote into somebody else's jail, and the way to speak with it in there.

The control socket is inherited where the command passes descriptors through (bubblewrap does). Where a word of the
command contains `{folder}`, it is a socket in a folder of that name, which the command has to make visible inside
(`docker run -v {folder}:{folder} -v {package}:{package}:ro ... python:3.12`).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import tempfile
from pathlib import Path

from neurosym_sandbox.errors import SandboxUnavailable

PACKAGE = str(Path(__file__).resolve().parent)


class External:
    """One start of such a command: where its zygote finds the host, and what it must not reach. `close` forgets it."""

    def __init__(self, command: tuple[str, ...], python: str) -> None:
        """Raises `SandboxUnavailable` if there is no such command."""
        if shutil.which(command[0]) is None:
            raise SandboxUnavailable(f"the command {command[0]!r} of the external jail is not installed")
        self._folder = ""
        self._door: socket.socket | None = None
        if any("{folder}" in word for word in command):
            self._folder = tempfile.mkdtemp(prefix="neurosym-")
            self._door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._door.bind(self.address)
            self._door.listen(1)
        words = [word.replace("{folder}", self._folder).replace("{package}", PACKAGE) for word in command]
        self.command = [*words, python]
        self.bait = socket.socket(socket.AF_UNIX)
        self.bait.bind(b"")  # the kernel picks an abstract name
        self.bait.listen(1)

    @property
    def address(self) -> str:
        """Where the zygote finds the control socket, or nothing if it inherits it."""
        return f"{self._folder}/control" if self._folder else ""

    def seen(self) -> dict[str, object]:
        """Returns what the zygote compares its own surroundings with."""
        kinds = ("user", "mnt", "net", "ipc", "uts", "pid", "cgroup")
        return {
            "namespaces": {kind: os.readlink(f"/proc/self/ns/{kind}") for kind in kinds},
            "pid": os.getpid(),
            "abstract": self.bait.getsockname().decode("latin-1"),
        }

    def accept(self, timeout_s: float) -> socket.socket:
        """Returns the control socket once the zygote has come to the door; raises OSError."""
        assert self._door is not None
        self._door.settimeout(timeout_s)
        return self._door.accept()[0]

    def close(self) -> None:
        self.bait.close()
        if self._door is not None:
            self._door.close()
        if self._folder:
            with contextlib.suppress(OSError):
                os.unlink(self.address)
            with contextlib.suppress(OSError):
                os.rmdir(self._folder)
