"""What was asked of a run, as it is kept in its pack: enough to ask the same again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from neurosym_verifiers.bench import Effort
from pydantic import TypeAdapter, ValidationError

from neurosym.evidence.container import DamagedPack
from neurosym.options import Options

ASKED = "asked.json"
SCHEMA_VERSION = 1

_MOST_EXAMPLES, _LONGEST_S = 1_000_000, 86_400
"""The limits of the command line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCandidate:
    """A candidate as it came: its name, the member that holds its bytes, what was asked for, and what its verdict
    depends on (``neurosym.identity``)."""

    name: str
    path: str
    member: str
    options: Options
    identity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedReply:
    """A reply that a model gave, and the ``folder`` of the pack that holds it, with what it was asked."""

    name: str
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """``spec`` is the member that holds it, ``spec_path`` how it was named. ``owner`` answers for the run. ``replies``:
    those of a run of ``solve``, of which the best is the candidate; None of a run of ``verify``."""

    schema_version: int
    spec: str
    spec_path: str
    effort: Effort
    require: str
    sandbox: str
    layers: tuple[str, ...]
    candidates: tuple[AskedCandidate, ...]
    owner: str = ""
    replies: tuple[AskedReply, ...] | None = None


def asked_bytes(asked: Asked) -> bytes:
    """As a member of a pack."""
    return _adapter().dump_json(asked, indent=1) + b"\n"


def asked_of(raw: bytes) -> Asked:
    """Read back. Raises ``DamagedPack``."""
    try:
        asked = _adapter().validate_json(raw, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise DamagedPack(f"{ASKED} is not as the format says, at {place or 'the top'}: {first['msg']}") from error
    if asked.schema_version != SCHEMA_VERSION:
        raise DamagedPack(f"{ASKED} is of version {asked.schema_version}, and this neurosym reads {SCHEMA_VERSION}")
    if not (1 <= asked.effort.examples <= _MOST_EXAMPLES and 0 < asked.effort.time_limit_s <= _LONGEST_S):
        raise DamagedPack(f"{ASKED} asks for more effort than any command can")
    return asked


@cache
def _adapter() -> TypeAdapter[Asked]:
    return TypeAdapter(Asked)
