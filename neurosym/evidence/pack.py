"""A pack read back: every byte is as it was written, and what its parts say of each other fits together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from neurosym.admission import EXIT_CODES, SPEC_FAULT_EXIT_CODE, Admission, worst
from neurosym.chain import BrokenLog, Record, log_of
from neurosym.evidence.asked import ASKED, Asked, asked_of
from neurosym.evidence.collecting import EVENTS, REPORT, RESULT
from neurosym.evidence.container import LARGEST_BYTES, DamagedPack, unpacked
from neurosym.evidence.environment import ENVIRONMENT, Environment, environment_of
from neurosym.evidence.manifest import check_manifest
from neurosym.evidence.replies import RECORDING, best_of, check_replies
from neurosym.identity import tools
from neurosym.reports.document import Result
from neurosym.reports.page import html
from neurosym.reports.reading import DocumentError, result_of
from neurosym.source import sha256_of

_OVERHEAD_BYTES = 2**24


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """``sha256`` is of the file, ``manifest_sha256`` that of its list of members."""

    path: str
    sha256: str
    manifest_sha256: str
    members: Mapping[str, bytes]
    asked: Asked
    environment: Environment
    result: Result
    events: tuple[Record, ...]

    @property
    def same_code(self) -> bool:
        """Whether it says that just this neurosym wrote it, byte for byte."""
        return self.environment.tools.get("neurosym") == tools()["neurosym"]


def read_pack(path: str) -> Pack:
    """The pack in a file. Raises ``DamagedPack``, which names what is not as it was written."""
    return read_pack_and_bytes(path)[0]


def read_pack_and_bytes(path: str) -> tuple[Pack, bytes]:
    """The same, with the bytes that were read: those and no others are what is said of it."""
    try:
        with Path(path).open("rb") as file:
            raw = file.read(LARGEST_BYTES + _OVERHEAD_BYTES + 1)
    except OSError as error:
        raise DamagedPack(f"{path} cannot be read: {error.strerror}") from error
    if len(raw) > LARGEST_BYTES + _OVERHEAD_BYTES:
        raise DamagedPack(f"{path} is larger than {LARGEST_BYTES // 2**20} MiB, and no pack is")
    try:
        return _pack(path, raw), raw
    except DamagedPack as damage:
        raise DamagedPack(f"{path}: {damage}") from damage.__cause__


def _pack(path: str, raw: bytes) -> Pack:
    members = unpacked(raw)
    manifest_sha256 = check_manifest(members)
    try:
        result = result_of(_member(members, RESULT))
        events = log_of(_member(members, EVENTS), EVENTS)
    except (DocumentError, BrokenLog) as error:
        raise DamagedPack(f"{RESULT if isinstance(error, DocumentError) else ''} {error}".strip()) from error
    pack = Pack(
        path=path,
        sha256=sha256_of(raw),
        manifest_sha256=manifest_sha256,
        members=members,
        asked=asked_of(_member(members, ASKED)),
        environment=environment_of(_member(members, ENVIRONMENT)),
        result=result,
        events=events.records,
    )
    if events.cut or not events.records or events.records[-1]["kind"] != "end":
        raise DamagedPack(f"{EVENTS} does not go on to the end of the run")
    _check_parts(pack)
    return pack


def _check_parts(pack: Pack) -> None:
    """What the members say of each other. A pack of which this does not hold was put together by hand."""
    result, asked = pack.result, pack.asked
    _hold(pack.members, asked.spec, result.spec.sha256, RESULT)
    _check_asked(result, asked)
    if len(result.candidates) != (0 if result.spec_fault else len(asked.candidates)):
        raise DamagedPack(f"{RESULT} and {ASKED} speak of different candidates")
    if asked.replies is None:
        verdicts = [each for each in pack.events if each["kind"] == "verdict"]
    else:
        try:
            verdicts = best_of(pack.events)
            check_replies(asked.replies, pack.members, pack.events)
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise DamagedPack(f"{EVENTS} or {RECORDING} lacks what the record of a run has") from error
    if len(verdicts) != len(result.candidates):
        raise DamagedPack(f"{EVENTS} and {RESULT} hold different numbers of verdicts")
    for number, candidate in enumerate(asked.candidates, start=1):
        _member(pack.members, candidate.member)
        if result.spec_fault:
            continue
        found, record = result.candidates[number - 1], verdicts[number - 1]
        if found.original_sha256:
            _hold(pack.members, candidate.member, found.original_sha256, RESULT)
        if found.rewrites:
            _hold(pack.members, f"candidates/{number}/judged.py", found.sha256, RESULT)
        said = tuple(record.get(key) for key in ("verdict", "judged_sha256", "candidate"))
        if (found.verdict, found.sha256, found.name) != said:
            raise DamagedPack(f"{EVENTS}, record {record['number']}: another verdict than {RESULT} has")
        if found.admission != record.get("admission"):
            raise DamagedPack(f"{EVENTS}, record {record['number']}: another admission than {RESULT} has")
    worst_of_all = EXIT_CODES[worst(Admission(each.admission) for each in result.candidates)]
    if result.exit_code != (SPEC_FAULT_EXIT_CODE if result.spec_fault else worst_of_all):
        raise DamagedPack(f"{RESULT} has an exit code that is not that of its verdicts")
    if asked.replies is None and pack.events[-1].get("exit_code") != result.exit_code:
        raise DamagedPack(f"{EVENTS} ends with another exit code than {RESULT} has")
    if pack.same_code and _member(pack.members, REPORT) != html(result).encode():
        raise DamagedPack(f"the member {REPORT} is not what {RESULT} speaks of")


def _check_asked(result: Result, asked: Asked) -> None:
    """Raises ``DamagedPack`` where the result is one of another question."""
    there = (result.effort.seed, result.effort.examples, result.effort.time_limit_seconds, result.require)
    said = (asked.effort.seed, asked.effort.examples, asked.effort.time_limit_s, asked.require)
    jail = (result.require_sandbox.level, result.require_sandbox.layers)
    if there != said or jail != (asked.sandbox, asked.layers):
        raise DamagedPack(f"{RESULT} and {ASKED} speak of different effort or of another sandbox")


def _hold(members: Mapping[str, bytes], name: str, sha256: str, where: str) -> None:
    if sha256_of(_member(members, name)) != sha256:
        raise DamagedPack(f"the member {name} is not what {where} speaks of")


def _member(members: Mapping[str, bytes], name: str) -> bytes:
    if name not in members:
        raise DamagedPack(f"the member {name} is missing")
    return members[name]
