"""How much of a jail holds: its layers, the level they amount to, and the record of it that goes with a verdict."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from neurosym_sandbox._layer_names import NAMES

__all__ = ["LAYER_NAMES", "JailRecord", "Layer", "Level"]

LAYER_NAMES = NAMES
"""The names of all layers, which are also those that can be required."""


class Level(enum.Enum):
    """How much of the jail holds. STRONG: every layer. STANDARD: seccomp, rlimits, no_new_privs. WEAK: less.

    EXTERNAL: STANDARD, below a command that keeps the zygote from the host's network, processes and mounts.
    """

    WEAK = "weak"
    STANDARD = "standard"
    EXTERNAL = "external"
    STRONG = "strong"

    @property
    def rank(self) -> int:
        return list(Level).index(self)


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: whether its canary was refused, what was seen or why it is missing, and what would help then."""

    name: str
    active: bool
    detail: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class JailRecord:
    """What a program was run in. `kernel` is the release, `landlock_abi` 0 where Landlock does not hold."""

    level: Level
    profile: str
    layers: tuple[Layer, ...]
    kernel: str
    machine: str
    landlock_abi: int

    @property
    def missing(self) -> tuple[Layer, ...]:
        """The layers that do not hold."""
        return tuple(layer for layer in self.layers if not layer.active)
