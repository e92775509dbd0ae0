"""What is asked of a batch: jobs, each one candidate against one spec, and what counts for all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from neurosym_sandbox import Level
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.environment import Confinement

from neurosym.admission import Required
from neurosym.gate import Types
from neurosym.options import Options, codemods
from neurosym.waivers import Waivers


@dataclass(frozen=True, slots=True)
class Asked:
    """How hard is tried, and how a candidate is read: all of a job's question but its spec and its text.

    ``mend`` and ``script`` say which codemods are used; a model's reply is mended in any case.
    """

    effort: Effort = field(default_factory=Effort)
    types: Types = Types.SURE
    mend: bool = False
    script: str = ""
    explain: bool = True

    def options(self, *, is_reply: bool) -> Options:
        """What the pipeline is told."""
        chosen = codemods(mend=self.mend or is_reply, script=bool(self.script))
        return Options(self.types, chosen, self.script, explain=self.explain)

    def plain(self) -> dict[str, Any]:
        """As JSON values; ``asked_of`` reads them back."""
        return asdict(self)


def asked_of(plain: Mapping[str, Any]) -> Asked:
    """What ``Asked.plain`` wrote."""
    return Asked(**{**plain, "effort": Effort(**plain["effort"]), "types": Types(plain["types"])})


@dataclass(frozen=True, slots=True)
class Settings:
    """What counts for all jobs: what a candidate must reach and what is waived of that, how it is confined, and what is
    asked where a job says nothing else. Over ``seeds`` different seeds the jobs are spread by their ids."""

    asked: Asked = field(default_factory=Asked)
    require: Required = Required.TESTED
    confinement: Confinement = field(default_factory=Confinement)
    seeds: int = 1
    waivers: Waivers = field(default_factory=Waivers)

    def plain(self) -> dict[str, Any]:
        """As JSON values, to be stored and compared."""
        return {
            "asked": self.asked.plain(),
            "require": self.require.value,
            "sandbox": [self.confinement.level.value, sorted(self.confinement.layers)],
            "seeds": self.seeds,
            "waivers": self.waivers.plain(),
        }

    def asked_for(self, job_id: str, own: Mapping[str, Any]) -> Asked:
        """What is asked of a job with these ``own`` options (of the manifest, checked before)."""
        effort = self.asked.effort
        own_effort = {"examples": "examples", "seed": "seed", "time_limit": "time_limit_s", "proof": "proof"}
        changed = {field: own[name] for name, field in own_effort.items() if name in own}
        if "seed" not in changed:
            changed["seed"] = effort.seed + place_of(job_id, self.seeds)
        rest = {name: own[name] for name in ("mend", "script", "explain") if name in own}
        types = Types(own["types"]) if "types" in own else self.asked.types
        return replace(self.asked, effort=replace(effort, **changed), types=types, **rest)


def settings_of(plain: Mapping[str, Any]) -> Settings:
    """What ``Settings.plain`` wrote, without the waivers."""
    level, layers = plain["sandbox"]
    confinement = Confinement(Level(level), frozenset(layers))
    return Settings(asked_of(plain["asked"]), Required(plain["require"]), confinement, plain["seeds"])


class Duplicates(StrEnum):
    """Which jobs are one question: none, those of the same bytes, or those of the same code as well."""

    NONE = "none"
    BYTES = "bytes"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Shard:
    """The ``index``-th part of ``count``, from 1."""

    index: int = 1
    count: int = 1

    def holds(self, *content: str) -> bool:
        """Whether what has this content belongs here. The same content is in the same part on every machine."""
        return place_of("\n".join(content), self.count) == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


def place_of(text: str, count: int) -> int:
    """One of ``range(count)``, the same for the same text always, and spread evenly over different ones."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8]) % count


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One candidate against one spec. ``number``: its place in the store; ``line``: of the manifest.

    ``name`` is what reports call the candidate; ``is_reply``: its text is a model's reply. ``losses``: how many
    workers were lost over it. ``kin``: the number of the first job with the same code in another layout, if it has one.
    """

    number: int
    id: str
    line: int
    spec: str
    name: str
    text: bytes
    is_reply: bool
    asked: Asked
    losses: int = 0
    kin: int | None = None
