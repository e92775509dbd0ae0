"""In what a run was made: the tools and their versions, the machine, the time; and where two of them differ."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache

from pydantic import TypeAdapter, ValidationError

from neurosym.evidence.container import DamagedPack
from neurosym.identity import tools
from neurosym.reports.json import tool

ENVIRONMENT = "environment.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """``tools`` are what a verdict can depend on, by name; ``version`` is this tool's, ``at`` in UTC."""

    at: str
    version: str
    platform: str
    tools: Mapping[str, str]


def environment_now(now: datetime) -> Environment:
    """That of this process."""
    said = str(tool()["version"])
    return Environment(at=now.isoformat(timespec="seconds"), version=said, platform=platform.platform(), tools=tools())


def environment_bytes(environment: Environment) -> bytes:
    """As a member of a pack."""
    plain = asdict(environment) | {"tools": dict(environment.tools)}
    return (json.dumps(plain, indent=1, sort_keys=True) + "\n").encode()


def environment_of(raw: bytes) -> Environment:
    """Read back. Raises ``DamagedPack``."""
    try:
        return _adapter().validate_json(raw, strict=True)
    except ValidationError as error:
        raise DamagedPack(f"{ENVIRONMENT} is not as the format says") from error


@dataclass(frozen=True, slots=True)
class Differs:
    """A tool that was another ``there`` than it is ``here``; empty where it is not installed."""

    name: str
    there: str
    here: str


def differences(there: Environment, here: Environment) -> tuple[Differs, ...]:
    """The tools that are not the same, this one first."""
    names = sorted({*there.tools, *here.tools}, key=lambda name: (name != "neurosym", name))
    pairs = ((name, there.tools.get(name, ""), here.tools.get(name, "")) for name in names)
    return tuple(Differs(name, one, other) for name, one, other in pairs if one != other)


@cache
def _adapter() -> TypeAdapter[Environment]:
    return TypeAdapter(Environment)
