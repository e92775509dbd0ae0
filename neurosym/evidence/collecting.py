"""Makes the pack of a run: listens while it goes on, and writes one file when all candidates have their verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath

from neurosym_specs.model import Spec
from neurosym_verifiers.environment import EnvironmentFault

from neurosym.chain import Chain, utc_now
from neurosym.eventlog import verdict_record
from neurosym.events import CandidateFinished, Event, Finished, SpecChecked, Started
from neurosym.evidence.asked import ASKED, SCHEMA_VERSION, Asked, AskedCandidate, AskedReply, asked_bytes
from neurosym.evidence.container import packed
from neurosym.evidence.environment import ENVIRONMENT, environment_bytes, environment_now
from neurosym.evidence.manifest import MANIFEST, manifest_of
from neurosym.identity import identity
from neurosym.options import Options
from neurosym.reports.json import document_of, dump, plain_waiver, tool
from neurosym.reports.page import html
from neurosym.reports.reading import result_of
from neurosym.reports.smt2 import query_files
from neurosym.result import CandidateResult, Judged, VerifyResult
from neurosym.safe_text import plain_text, safe_text
from neurosym.source import Source, sha256_of
from neurosym.writing import CannotWrite, write_whole

RESULT, REPORT, EVENTS, README = "result.json", "report.html", "events.jsonl", "README.txt"

_README = """\
Evidence for the verdicts on {names} against the spec {spec}.

report.html     the verdicts in words, to be read and printed
result.json     the same as data: neurosym report result.json --csv clauses.csv
spec/           the spec that was judged by, byte for byte
candidates/     each candidate as it came, how it was rewritten, and what was judged
queries/        what the solver was asked, in SMT-LIB 2: any solver can answer again
asked.json      seeds, effort, options: what was asked for
environment.json, events.jsonl    with which tools, and in which order
manifest.json   the SHA-256 of each file, and of the list itself

neurosym recheck FILE.zip says whether a byte was altered, runs all of it again,
and says which verdict comes out otherwise. The hashes say what was judged, and
not who says so: for that the file is signed (neurosym sign).
"""


class EvidenceReport:
    """Listens, and writes the pack of the candidates that are ``given``, as bytes. ``owner`` answers for the run.

    A file that is there already goes before the work begins. Raises ``EnvironmentFault`` where the pack cannot be
    written, or the spec is no longer what was judged by. ``sha256`` is that of the file, empty until it is written.
    """

    def __init__(
        self, path: Path, given: Sequence[Source], owner: str = "", now: Callable[[], datetime] = utc_now
    ) -> None:
        self.sha256 = ""
        self._path = path
        self._given = given
        self._owner = owner
        self._now = now
        self._chain = Chain(now)
        self._events: list[bytes] = []
        self._started: Started | None = None
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise unwritable(path, error) from error

    def __call__(self, event: Event) -> None:
        match event:
            case Started():
                self._started = event
                self._keep("verify", _run(event, self._owner))
            case SpecChecked(fault):
                said = None if fault is None else {"clause": fault.clause, "message": fault.message}
                self._keep("spec", {"fault": said})
            case CandidateFinished(result) if self._started is not None:
                self._keep("verdict", verdict_record(result, self._started.require))
                for applied in result.waivers:
                    self._keep("waiver", {"candidate": result.name, **plain_waiver(applied)})
            case Finished(result):
                self._keep("end", {"exit_code": result.exit_code})
                self._write(result)
            case _:
                pass

    def _keep(self, kind: str, fields: dict[str, object]) -> None:
        self._events.append(self._chain.record(kind, fields))

    def _write(self, result: VerifyResult) -> None:
        names = [safe_text(each.name, limit=200) for each in self._given]
        members = judged_members(result, self._given, self._owner, self._now()) | {
            EVENTS: b"".join(self._events),
            README: _README.format(names=", ".join(names), spec=result.spec.name).encode(),
        }
        self.sha256 = write_pack(self._path, members)


def write_pack(path: Path, members: Mapping[str, bytes]) -> str:
    """Writes the pack of these members, with their manifest; returns its SHA-256. Raises ``EnvironmentFault``."""
    try:
        raw = packed({**members, MANIFEST: manifest_of(members)})
        write_whole(str(path), raw)
    except OSError as error:
        raise unwritable(path, error) from error
    except ValueError as error:
        raise CannotWrite(f"{path} cannot be written: {error}") from error
    return sha256_of(raw)


def judged_members(
    result: VerifyResult,
    given: Sequence[Source],
    owner: str,
    now: datetime,
    replies: tuple[AskedReply, ...] | None = None,
) -> dict[str, bytes]:
    """What a pack has of the verdicts on the candidates that were ``given``: all that judging them again takes.

    Raises ``EnvironmentFault`` where one of them, or the spec, is not what was judged.
    """
    members = spec_members(result.spec)
    candidates: list[AskedCandidate] = []
    for number, source in enumerate(given, start=1):
        found = result.candidates[number - 1] if result.candidates else None
        member, raw = f"candidates/{number}/original.py", _bytes(source)
        if found is not None and found.original is not None and found.original.sha256 != sha256_of(raw):
            raise EnvironmentFault(f"{source.name}: what was judged is not what was handed in")
        members[member] = raw
        options = Options() if found is None or found.options is None else found.options
        which = identity(result.spec, sha256_of(raw), options, result.effort, result.confinement)
        candidates.append(
            AskedCandidate(
                name=plain_text(source.name),
                path=plain_text(source.path),
                member=member,
                options=options,
                identity=which,
            )
        )
        if found is not None:
            members |= {f"candidates/{number}/{name}": data for name, data in _rewritten(found)}
            members |= {f"queries/{number}/{name}": data for name, data in _queries(result.spec, found)}
    text = dump(document_of(result)) + "\n"
    asked = Asked(
        schema_version=SCHEMA_VERSION,
        spec=f"spec/{Path(result.spec.path).name}",
        spec_path=plain_text(result.spec.path),
        effort=result.effort,
        require=result.require.value,
        sandbox=result.confinement.level.value,
        layers=tuple(sorted(result.confinement.layers)),
        candidates=tuple(candidates),
        owner=plain_text(owner),
        replies=replies,
    )
    return members | {
        ASKED: asked_bytes(asked),
        ENVIRONMENT: environment_bytes(environment_now(now)),
        RESULT: text.encode("ascii"),
        REPORT: html(result_of(text)).encode(),
    }


def spec_members(spec: Spec) -> dict[str, bytes]:
    """The spec's file, and that of its Python reference if it has one, by the names that they have in a pack.

    Raises ``EnvironmentFault`` where they are no longer what the spec was loaded from.
    """
    path = Path(spec.path)
    try:
        members = {f"spec/{path.name}": path.read_bytes()}
        if sha256_of(members[f"spec/{path.name}"]) != spec.sha256:
            raise EnvironmentFault(f"{path} was changed while it was judged by: run it again")
        if spec.reference is not None and spec.reference.file:
            beside = (path.parent / spec.reference.file).resolve()
            inside = PurePosixPath(beside.relative_to(path.parent.resolve()))
            members[f"spec/{inside}"] = raw = beside.read_bytes()
            if raw.decode().removeprefix("\ufeff") != spec.reference.python:
                raise EnvironmentFault(f"{beside} was changed while it was judged by: run it again")
    except (OSError, ValueError) as error:
        raise EnvironmentFault(f"{path} cannot be put into the evidence: {error}") from error
    return members


def _bytes(source: Source) -> bytes:
    return source.code if isinstance(source.code, bytes) else source.code.encode("utf-8", "surrogatepass")


def _rewritten(found: CandidateResult) -> Iterator[tuple[str, bytes]]:
    if found.rewriting is None or found.source is None:
        return
    yield "judged.py", found.source.text.encode()
    for number, rewrite in enumerate(found.rewriting.rewrites, start=1):
        yield f"rewrites/{number:02}-{rewrite.name}.diff", (rewrite.diff + "\n").encode("utf-8", "surrogatepass")


def _queries(spec: Spec, found: CandidateResult) -> Iterator[tuple[str, bytes]]:
    if isinstance(found.outcome, Judged):
        for name, text in query_files(spec, found, set()):
            yield name, text.encode("ascii", "backslashreplace")


def _run(event: Started, owner: str) -> dict[str, object]:
    effort = event.effort
    return {
        "tool": tool(),
        "spec": {"name": event.spec.name, "path": event.spec.path, "sha256": event.spec.sha256},
        "require": event.require.value,
        "effort": {"seed": effort.seed, "examples": effort.examples, "proof": effort.proof},
        "candidates": list(event.candidates),
        "owner": owner,
    }


def unwritable(path: Path, error: OSError) -> CannotWrite:
    """What is said of a pack that the system does not let be written."""
    return CannotWrite(f"{path} cannot be written: {error.strerror}")
