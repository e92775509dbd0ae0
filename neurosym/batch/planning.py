"""From a manifest to the jobs in a store: specs are loaded, candidates read, duplicates found, before anything runs."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from neurosym_specs import load_spec
from neurosym_specs.errors import SpecError
from neurosym_specs.model import Spec
from neurosym_verifiers.environment import check_versions

from neurosym.batch.events import BatchListener, Reading, nobody_listens
from neurosym.batch.faults import StoreError
from neurosym.batch.jobs import Duplicates, Settings, Shard
from neurosym.batch.kinship import code_sha256
from neurosym.batch.manifest import BadLine, Entry, ManifestError, read_manifest
from neurosym.batch.store import RunStore, facts_of, plain_asked, write_facts
from neurosym.gate import LIMIT_BYTES
from neurosym.identity import identity, spec_sha256, tools
from neurosym.source import sha256_of

_SHOWN = 10
_FIRST_KIN = "SELECT number FROM jobs WHERE kinship = ? AND kinship != '' AND twin IS NULL AND kin IS NULL"


def plan(
    store: RunStore,
    manifest: Path,
    settings: Settings,
    shard: Shard,
    *,
    skip_bad: bool,
    duplicates: Duplicates = Duplicates.CODE,
    emit: BatchListener = nobody_listens,
) -> None:
    """Writes all jobs of this shard into the store, in one transaction. ``duplicates``: which of them are one question.
    ``emit`` hears how many jobs were read, of whatever shard.

    Raises ``ManifestError`` where lines are bad, with their numbers, and ``skip_bad`` does not pass over them;
    ``WaiverFault`` for one of a clause that its spec has not; ``EnvironmentFault`` for a spec that is for another
    machine.
    """
    with store.writing() as connection:
        planner = _Planner(connection, manifest.parent, settings, shard, duplicates)
        for line in read_manifest(manifest):
            planner.take(line)
            emit(Reading(planner.all_jobs))
        if planner.bad and not skip_bad:
            raise ManifestError(_bad_lines(manifest, planner.bad))
        settings.waivers.check(planner.specs)
        connection.executemany("INSERT INTO skipped VALUES (?, ?)", [(each.line, each.why) for each in planner.bad])
        facts = {
            "manifest": str(manifest),
            "manifest_sha256": _sha256_of_file(manifest),
            "settings": settings.plain(),
            "waivers": settings.waivers.stored(),
            "tools": dict(tools()),
            "shards": [str(shard)],
            "all_jobs": planner.all_jobs,
            "jobs": planner.jobs,
            "twins": planner.twins,
        }
        write_facts(connection, facts)


def check_same(store: RunStore, manifest: Path, settings: Settings, shard: Shard) -> None:
    """Raises ``StoreError`` unless the jobs in the store are those of this manifest, asked in the same way and answered
    by the same tools: a run is not made of answers to different questions."""
    facts = facts_of(store.connection)
    if facts["manifest_sha256"] != _sha256_of_file(manifest):
        raise StoreError(
            f"{store.path} is the store of another manifest, or {manifest} was changed since: name another"
        )
    if facts["shards"] != [str(shard)]:
        raise StoreError(f"{store.path} holds the shard {', '.join(facts['shards'])}, and not {shard}")
    if changed := differing(facts["settings"], settings.plain()):
        raise StoreError(f"{store.path} was begun with other options: {'; '.join(changed)}; give the same, or --store")
    if changed := differing(facts["tools"], dict(tools())):
        raise StoreError(
            f"{store.path} was begun with other tools, whose answers may differ: {'; '.join(changed)}; "
            "begin anew with another --store"
        )


def specs_of(store: RunStore) -> dict[str, Spec]:
    """The specs by their paths. Raises ``StoreError`` for one that was changed since the jobs were written."""
    specs = {}
    for path, sha256 in store.connection.execute("SELECT path, sha256 FROM specs"):
        specs[path] = load_spec(path)
        check_versions(specs[path])
        if spec_sha256(specs[path]) != sha256:
            raise StoreError(
                f"the spec {path} was changed since {store.path} was begun: begin anew with another --store"
            )
    return specs


class _Unusable(Exception):
    """Why a line gives no job."""


@dataclass
class _Planner:
    connection: sqlite3.Connection
    folder: Path
    settings: Settings
    shard: Shard
    duplicates: Duplicates
    bad: list[BadLine] = field(default_factory=list)
    jobs: int = 0
    all_jobs: int = 0
    twins: int = 0
    _specs: dict[str, Spec | _Unusable] = field(default_factory=dict)
    _codes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.connection.execute("CREATE TEMP TABLE seen (id TEXT PRIMARY KEY, line INTEGER) WITHOUT ROWID")

    @property
    def specs(self) -> list[Spec]:
        """Those that could be loaded."""
        return [each for each in self._specs.values() if isinstance(each, Spec)]

    def take(self, line: Entry | BadLine) -> None:
        try:
            if isinstance(line, BadLine):
                self.bad.append(line)
            else:
                self._add(line)
        except _Unusable as fault:
            self.bad.append(BadLine(line.line, str(fault)))

    def _add(self, entry: Entry) -> None:
        self._see(entry)
        path = str(self.folder / entry.spec)
        spec = self._spec(path)
        given = entry.given
        is_text = given.text is not None
        text = _encoded(given.text) if given.text is not None else _read(self.folder / given.path)
        sha256 = sha256_of(text)
        self.all_jobs += 1
        if not self.shard.holds(spec_sha256(spec), sha256):
            return
        asked = self.settings.asked_for(entry.id, entry.options)
        options = asked.options(is_reply=given.is_reply)
        same = identity(spec, sha256, options, asked.effort, self.settings.confinement)
        run = self.connection.execute
        twin, kin, kinship = None, None, ""
        if self.duplicates is not Duplicates.NONE:
            twin = run("SELECT number FROM jobs WHERE identity = ? AND twin IS NULL", (same,)).fetchone()
        if self.duplicates is Duplicates.CODE and twin is None and (code := self._code(sha256, text)):
            kinship = identity(spec, code, options, asked.effort, self.settings.confinement)
            kin = run(_FIRST_KIN, (kinship,)).fetchone()
        run("INSERT OR IGNORE INTO specs (path, name, sha256) VALUES (?, ?, ?)", (path, spec.name, spec_sha256(spec)))
        run("INSERT OR IGNORE INTO texts VALUES (?, ?)", (sha256, text))
        run("INSERT OR IGNORE INTO asked (plain) VALUES (?)", (plain_asked(asked),))
        run(
            "INSERT INTO jobs (id, line, spec, asked, text, name, is_reply, identity, twin, kinship, kin) "
            "SELECT ?, ?, specs.number, asked.number, ?, ?, ?, ?, ?, ?, ? FROM specs, asked "
            "WHERE specs.path = ? AND asked.plain = ?",
            (entry.id, entry.line, sha256, entry.id if is_text else str(self.folder / given.path), given.is_reply, same,
             twin and twin[0], kinship, kin and kin[0], path, plain_asked(asked)),
        )  # fmt: skip
        self.jobs += 1
        self.twins += twin is not None

    def _code(self, sha256: str, text: bytes) -> str:
        """Of the code of a text, which is read once however often it is a job."""
        if sha256 not in self._codes:
            self._codes.clear()  # duplicates of the same bytes stand beside each other, if anywhere
            self._codes[sha256] = code_sha256(text)
        return self._codes[sha256]

    def _see(self, entry: Entry) -> None:
        try:
            self.connection.execute("INSERT INTO seen VALUES (?, ?)", (entry.id, entry.line))
        except sqlite3.IntegrityError:
            (line,) = self.connection.execute("SELECT line FROM seen WHERE id = ?", (entry.id,)).fetchone()
            raise _Unusable(f"the id {entry.id!r} is that of line {line} as well") from None

    def _spec(self, path: str) -> Spec:
        if path not in self._specs:
            try:
                self._specs[path] = load_spec(path)
            except SpecError as error:
                self._specs[path] = _Unusable(f"the spec cannot be used: {error}")
            else:
                check_versions(load_spec(path))
        found = self._specs[path]
        if isinstance(found, _Unusable):
            raise found
        return found


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise _Unusable("its text holds half of a surrogate pair, which no file can") from None


def _read(path: Path) -> bytes:
    """The candidate, and one byte more than it may have: what is too large is rejected without being read whole."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe would wait for ever
        with open(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise _Unusable(f"the candidate {path} is no file")
            return stream.read(LIMIT_BYTES + 1)
    except OSError as error:
        raise _Unusable(f"the candidate {path} cannot be read: {error.strerror}") from error


def _bad_lines(manifest: Path, bad: list[BadLine]) -> str:
    lines = [f"{manifest}, line {each.line}: {each.why}" for each in bad[:_SHOWN]]
    more = [f"and {len(bad) - _SHOWN:,} more bad lines"] if len(bad) > _SHOWN else []
    end = "nothing was run; mend the manifest, or have neurosym batch leave these lines out (--skip-bad)"
    return "\n".join([*lines, *more, end])


def _sha256_of_file(path: Path) -> str:
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ManifestError(f"the manifest {path} cannot be read: {error.strerror}") from error


def differing(
    before: Mapping[str, object], now: Mapping[str, object], when: tuple[str, str] = ("was", "is"), within: str = ""
) -> list[str]:
    """What differs, by name, with both values."""
    found: list[str] = []
    for name in sorted({*before, *now}):
        one, other = before.get(name), now.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            found += differing(one, other, when, f"{within}{name}.")
        elif one != other:
            found.append(f"{within}{name} {when[0]} {_short(one)} and {when[1]} {_short(other)}")
    return found


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"
