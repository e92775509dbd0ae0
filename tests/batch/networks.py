"""Networks of processes on one machine: each has its own network namespace, and a link that can be taken down.

All of it lies in a user namespace, so that no rights are needed. In the middle is the namespace of a scheduler, with a
pair of virtual Ethernet devices to each of the others.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

MIDDLE = "10.99.0.1"
"""The address of the namespace in the middle, as all others reach it."""


class NotPossible(Exception):
    """What this machine lacks."""


class Networks:
    """The namespaces of one test. ``run`` starts a program in one of them; ``close`` ends all of it."""

    def __init__(self) -> None:
        missing = [each for each in ("unshare", "nsenter", "ip") if shutil.which(each) is None]
        if missing:
            raise NotPossible(f"there is no {missing[0]}")
        self._running: list[subprocess.Popen[bytes]] = []
        self._others: list[int] = []
        self._middle = self._held(["unshare", "--user", "--map-root-user", "--net"])
        try:
            self._ip(self._middle, "link set lo up")
            self._ip(self._middle, f"address add {MIDDLE}/32 dev lo")
        except NotPossible:
            self.close()
            raise

    def add(self) -> int:
        """One more namespace, linked to the middle; returns its number."""
        number = len(self._others) + 1
        holder = self._held([*_inside(self._middle), "unshare", "--net"])
        self._ip(self._middle, f"link add to{number} type veth peer name middle netns {holder}")
        self._ip(self._middle, f"address add 10.99.{number}.1/24 dev to{number}")
        self._ip(self._middle, f"link set to{number} up")
        for what in ("link set lo up", f"address add {self.address(number)}/24 dev middle", "link set middle up",
                     f"route add default via 10.99.{number}.1"):  # fmt: skip
            self._ip(holder, what)
        self._others.append(holder)
        return number

    @staticmethod
    def address(number: int) -> str:
        """Where a namespace is reached."""
        return f"10.99.{number}.2"

    def cut(self, number: int) -> None:
        """Takes the link of a namespace down, at the side of the middle: nobody there is told."""
        self._ip(self._middle, f"link set to{number} down")

    def command(self, words: Sequence[str], number: int = 0) -> list[str]:
        """A command that runs in a namespace; 0 is the middle."""
        return [*_inside(self._others[number - 1] if number else self._middle), *words]

    def run(self, words: Sequence[str], log: Path, number: int = 0) -> subprocess.Popen[bytes]:
        """Starts a program in a namespace."""
        with log.open("wb") as file:
            process = subprocess.Popen(self.command(words, number), stdout=file, stderr=file)
        self._running.append(process)
        return process

    def close(self) -> None:
        """Ends what was started, the last one first; the namespaces end with it."""
        for process in reversed(self._running):
            process.kill()
            process.communicate()  # and closes its pipes

    def _held(self, words: Sequence[str]) -> int:
        """A process that does nothing in a new namespace, so that it is there."""
        process = subprocess.Popen([*words, "sh", "-c", "echo; exec sleep 3600"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)  # fmt: skip
        self._running.append(process)
        assert process.stdout is not None
        assert process.stderr is not None
        if not process.stdout.readline():
            raise NotPossible(process.stderr.read().decode().strip() or "no namespace can be made")
        return process.pid

    def _ip(self, pid: int, what: str) -> None:
        done = subprocess.run([*_inside(pid), "ip", *what.split()], capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotPossible(f"ip {what}: {done.stderr.strip()}")


def _inside(pid: int) -> list[str]:
    return ["nsenter", "--target", str(pid), "--user", "--net", "--preserve-credentials"]
