"""The jail: one zygote, from which each session is forked."""

from __future__ import annotations

import contextlib
import enum
import os
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from neurosym_sandbox import _layer_names
from neurosym_sandbox._host import NamespacesRefused, ZygoteLost, ZygoteProcess
from neurosym_sandbox._link import Link
from neurosym_sandbox.errors import SandboxError, SandboxUnavailable
from neurosym_sandbox.limits import Limits, Program
from neurosym_sandbox.session import Session

__all__ = ["Jail", "Layer", "Level"]


class Level(enum.Enum):
    """How much of the jail holds. STRONG: every layer. STANDARD: seccomp, rlimits, no_new_privs. WEAK: less."""

    WEAK = "weak"
    STANDARD = "standard"
    STRONG = "strong"

    @property
    def rank(self) -> int:
        return list(Level).index(self)


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: whether its canary was refused, and what was seen or why it is missing."""

    name: str
    active: bool
    detail: str


class Jail:
    """Runs untrusted Python; a context manager.

    Keep one for a whole batch: starting it costs some 100 ms, a session about 2. Sessions of one jail may be open at
    the same time, also in several threads, but each session in one. A jail belongs to the process that made it.
    """

    def __init__(self, *, hash_seed: int = 0, level: Level | None = None, without: Iterable[str] = ()) -> None:
        """Starts the zygote.

        `level` is the least that is accepted, STANDARD unless given; WEAK has to be asked for. `without` names layers
        to leave out (`namespaces` for all of them), for tests that show what the others hold. Raises
        `SandboxUnavailable`, naming what is missing.
        """
        if not 0 <= hash_seed < 2**32:
            raise ValueError(f"hash_seed must be between 0 and 2**32 - 1, not {hash_seed}")
        if sys.platform != "linux":
            raise SandboxUnavailable(f"the jail is made of Linux's system calls; this is {sys.platform}")
        left_out = frozenset(without)
        unknown = left_out - _layer_names.SWITCHES
        if unknown:
            legal = ", ".join(sorted(_layer_names.SWITCHES))
            raise ValueError(f"no layer {', '.join(sorted(unknown))} can be left out; these can: {legal}")
        self._owner = os.getpid()
        self._hash_seed = hash_seed
        self._without = left_out
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
        active = {layer.name for layer in self._layers if layer.active}
        if len(active) == len(self._layers):
            return Level.STRONG
        return Level.STANDARD if active >= _layer_names.MANDATORY else Level.WEAK

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
            self._zygote = ZygoteProcess(self._hash_seed, self._without)
        except NamespacesRefused as error:
            self._refused = str(error)
            self._without |= {_layer_names.NAMESPACES}
            self._zygote = ZygoteProcess(self._hash_seed, self._without)
        names = _layer_names.NAMESPACE_LAYERS
        self._layers = tuple(
            Layer(name, active, self._refused if self._refused and name in names else detail)
            for name, active, detail in self._zygote.layers
        )
        if self.level.rank < self._least.rank:
            self._drop_zygote()
            missing = "; ".join(f"{layer.name}: {layer.detail}" for layer in self._layers if not layer.active)
            raise SandboxUnavailable(
                f"the jail would be {self.level.value} here, and {self._least.value} is required; missing: {missing}"
            )
