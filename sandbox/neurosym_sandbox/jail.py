"""The jail: one zygote, from which each session is forked."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import threading
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

from neurosym_sandbox import _layer_names, _profiles
from neurosym_sandbox._host import NamespacesRefused, Order, ZygoteLost, ZygoteProcess
from neurosym_sandbox._link import Link
from neurosym_sandbox.errors import SandboxError, SandboxUnavailable
from neurosym_sandbox.levels import JailRecord, Layer, Level
from neurosym_sandbox.limits import Limits, Program
from neurosym_sandbox.session import Session

__all__ = ["Jail"]


_EXTERNAL = frozenset(_layer_names.NAMESPACE_BY_KIND[kind] for kind in ("net", "pid", "mnt"))


class Jail:
    """Runs untrusted Python; a context manager.

    Keep one for a whole batch: starting it costs some 100 ms, a session about 2. Sessions of one jail may be open at
    the same time, also in several threads, but each session in one. A jail belongs to the process that made it.
    """

    def __init__(
        self,
        *,
        profile: str = _profiles.STDLIB,
        hash_seed: int = 0,
        level: Level | None = None,
        require: Iterable[str] = (),
        without: Iterable[str] = (),
        external: Sequence[str] = (),
        python: str = sys.executable,
        max_sessions: int = 64,
        wait_s: float = 60.0,
        total_memory_bytes: int | None = None,
    ) -> None:
        """Starts the zygote.

        `profile` is what it has loaded: "stdlib", or "data" for numpy and pandas too, with one thread and 40 MB more.
        `level` is the least that is accepted, STANDARD unless given; WEAK has to be asked for. `require` names layers
        that must hold whatever the level. `without` names layers to leave out (`namespaces` for all of them), for
        tests that show what the others hold. Raises `SandboxUnavailable`, naming what is missing and what would help.

        `external` is a command, such as `bwrap ...` or `docker run ...` up to the image, that runs `python` in a jail
        of its own; all layers but the namespaces are still imposed inside (the README says what the command must do).

        At most `max_sessions` are open at a time; opening another waits up to `wait_s` for one of them to be closed.
        `total_memory_bytes` bounds what all of them use together, where this machine lets us make cgroups
        (the layer `memory_cgroup`); unless given, it is three quarters of the machine's memory.
        """
        if not 0 <= hash_seed < 2**32:
            raise ValueError(f"hash_seed must be between 0 and 2**32 - 1, not {hash_seed}")
        if sys.platform != "linux":
            raise SandboxUnavailable(f"the jail is made of Linux's system calls; this is {sys.platform}")
        left_out = frozenset(without)
        _known(left_out, _layer_names.SWITCHES, "left out")
        self._required = frozenset(require)
        _known(self._required, _layer_names.NAMES, "required")
        if max_sessions < 1:
            raise ValueError(f"max_sessions must be positive, not {max_sessions}")
        self._max_sessions = max_sessions
        self._room = threading.BoundedSemaphore(max_sessions)
        self._wait_s = wait_s
        self._total_memory_bytes = total_memory_bytes or _machine_memory_bytes() * 3 // 4
        self._profile = profile
        self._folders = tuple(_profiles.folders(profile))
        self._owner = os.getpid()
        self._hash_seed = hash_seed
        self._external, self._python = tuple(external), python
        self._without = left_out | ({_layer_names.NAMESPACES} if external else set())
        self._least = level or Level.STANDARD
        self._lock = threading.RLock()
        self._refused = ""
        self._sessions = 0
        self._closed = False
        self._zygote: ZygoteProcess | None = None
        self._spare: Link | None = None
        self._start()

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Every layer, whether it holds or not, in the order in which they are imposed."""
        return self._layers

    @property
    def level(self) -> Level:
        """What the layers that hold amount to."""
        missing = {layer.name for layer in self._layers if not layer.active} - _layer_names.OPTIONAL
        if not missing:
            return Level.STRONG
        if missing & _layer_names.MANDATORY:
            return Level.WEAK
        return Level.EXTERNAL if self._external and not missing & _EXTERNAL else Level.STANDARD

    @property
    def record(self) -> JailRecord:
        """What programs are run in here, to be kept with what is found out about them."""
        return JailRecord(
            self.level, self._profile, self._layers, platform.release(), platform.machine(), self._landlock_abi
        )

    def describe(self) -> str:
        """Returns level and layers as lines of text."""
        lines = [f"{'yes' if layer.active else 'NO '}  {layer.name}: {layer.detail}" for layer in self._layers]
        return "\n".join([f"level: {self.level.value}", *lines])

    def open(self, program: Program, limits: Limits = Limits()) -> Session:  # noqa: B008  # frozen
        """Returns a session in a fresh child that has loaded `program`, or tells in `loaded` why it could not.

        Raises `SandboxUnavailable` or `JailLost`, never for anything that the program does.
        """
        return Session(self, program, limits)

    def new_link(self, limits: Limits) -> Link:
        """Returns a locked-in child; a zygote that turns out to be lost is replaced on the next attempt."""
        if not self._room.acquire(timeout=self._wait_s):
            raise SandboxUnavailable(
                f"{self._max_sessions} sessions of this jail are open, and none was closed in {self._wait_s:g} s; "
                "close some, or give the jail a larger max_sessions"
            )
        try:
            link = self._next_link(limits)
        except BaseException:
            self._room.release()
            raise
        link.on_close = self._room.release
        return link

    def _next_link(self, limits: Limits) -> Link:
        if self._closed or os.getpid() != self._owner:
            raise SandboxError("this jail is closed, or belongs to the process that this one was forked from")
        with self._lock:
            if self._zygote is None or not self._zygote.alive:
                self._start()
            assert self._zygote is not None
            link, self._spare = self._spare, None
            try:
                if link is not None and link.limits.memory_bytes != limits.memory_bytes:
                    link.close()
                    link = None
                link = link or self._ask(self._zygote, limits)
                link.limits = limits
                link.settle()
            except ZygoteLost:
                self._drop_zygote()
                raise
            return link

    def prepare(self, limits: Limits) -> None:
        """Has the next session's child forked and locked in while the host goes on."""
        with self._lock, contextlib.suppress(ZygoteLost, SandboxUnavailable):  # the next session will notice
            if self._spare is None and self._zygote is not None:
                self._spare = self._ask(self._zygote, limits)

    def _ask(self, zygote: ZygoteProcess, limits: Limits) -> Link:
        self._sessions += 1
        return Link(zygote, self._sessions, limits)

    def _drop_zygote(self) -> None:
        zygote, self._zygote = self._zygote, None
        spare, self._spare = self._spare, None
        if spare is not None:
            spare.close()
        if zygote is not None:
            zygote.close()

    def close(self) -> None:
        """Ends the zygote and all sessions; may be called again."""
        with self._lock:
            self._closed = True
            self._drop_zygote()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _start(self) -> None:
        self._drop_zygote()
        try:
            self._zygote = ZygoteProcess(self._order())
        except NamespacesRefused as error:
            self._refused = str(error)
            self._without |= {_layer_names.NAMESPACES}
            self._zygote = ZygoteProcess(self._order())
        self._landlock_abi = self._zygote.landlock_abi
        names = _layer_names.NAMESPACE_LAYERS
        self._layers = tuple(
            Layer(
                name,
                active,
                self._refused if self._refused and name in names else detail,
                "" if active else _layer_names.REMEDIES[name],
            )
            for name, active, detail in self._zygote.layers
        )
        if self.level.rank < self._least.rank:
            self._drop_zygote()
            said = f"the jail would be {self.level.value} here, and {self._least.value} is required"
            raise SandboxUnavailable(f"{said}; missing: {self._missing(_layer_names.NAMES - _layer_names.OPTIONAL)}")
        missing = self._missing(self._required)
        if missing:
            self._drop_zygote()
            raise SandboxUnavailable(f"the jail lacks what is required of it; missing: {missing}")

    def _order(self) -> Order:
        return Order(
            self._hash_seed, self._without, self._folders, self._total_memory_bytes, self._external, self._python
        )

    def _missing(self, names: frozenset[str]) -> str:
        """Says why layers of these names are missing, and what would help; each remedy once."""
        missing = [layer for layer in self._layers if layer.name in names and not layer.active]
        said = [f"{layer.name}: {layer.detail}" for layer in missing]
        return "; ".join([*said, *dict.fromkeys(f"remedy: {layer.remedy}" for layer in missing)])


def _known(names: frozenset[str], legal: frozenset[str], what: str) -> None:
    unknown = names - legal
    if unknown:
        raise ValueError(f"no layer {', '.join(sorted(unknown))} can be {what}; these can: {', '.join(sorted(legal))}")


def _machine_memory_bytes() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
