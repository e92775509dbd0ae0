"""Checking subjects one after the other: what is known from before is taken from the cache, the rest is found out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from neurosym_verifiers.environment import Confinement

from neurosym.cache import Cache
from neurosym.checking.contracts import not_judged, with_contracts
from neurosym.checking.keeping import may_be_kept
from neurosym.checking.own import Own, sha256_with
from neurosym.checking.plan import Subject
from neurosym.checking.settings import Settings
from neurosym.contracts.reading import Contracts
from neurosym.events import Listener, nobody_listens
from neurosym.gate import LIMIT_BYTES
from neurosym.identity import identity
from neurosym.options import Options
from neurosym.reports.document import Result
from neurosym.reports.reading import DocumentError, result_of
from neurosym.rewrite.codemod import Group, names_of
from neurosym.source import Candidate, OwnPackage, Source, sha256_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What is known of one subject. ``reached``: when, where that was in an earlier run."""

    subject: Subject
    result: Result
    reached: datetime | None = None


def check(
    subjects: Sequence[Subject],
    settings: Settings,
    cache: Cache | None = None,
    name_of: Callable[[Path], str] = str,
    listener: Listener = nobody_listens,
) -> Iterator[Checked]:
    """Checks each subject in order. ``name_of`` gives the name that reports have for a file; no verdict depends on it.

    Raises ``EnvironmentFault`` where the sandbox that is asked for cannot be had.
    """
    own = Own(settings)
    for subject in subjects:
        names = _Names(name_of(subject.spec_file), name_of(subject.file))
        raw = _read(subject.file)
        package = None if raw is None else own.around(subject.module, subject.file, raw)
        key = _key(subject, raw, package, settings) if cache is not None and raw is not None else ""
        kept = cache.get(key) if cache is not None and key else None
        if kept is not None and (result := _readable(kept.document)) is not None:
            yield Checked(subject=subject, result=_finished(subject, names.given_to(result)), reached=kept.reached)
            continue
        if subject.contracts is not None and subject.spec is None:
            yield Checked(subject=subject, result=names.given_to(_unread(subject, subject.contracts, raw, settings)))
            continue
        candidate = subject.file if raw is None else Source(raw, names.module, package=package)
        document = _found_out(subject, candidate, settings, listener)
        result = result_of(document)
        if cache is not None and key and may_be_kept(result):
            cache.put(key, document)
        yield Checked(subject=subject, result=_finished(subject, names.given_to(result)))


def _finished(subject: Subject, result: Result) -> Result:
    """The result with what is to be said of contracts; that is no part of what is kept."""
    return result if subject.contracts is None else with_contracts(result, subject.contracts)


def _unread(subject: Subject, contracts: Contracts, raw: bytes | None, settings: Settings) -> Result:
    text = (raw or b"").removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return not_judged(contracts, text, settings.effort, subject.require, settings.sandbox)


@dataclass(frozen=True, slots=True)
class _Names:
    """What files are called in this run: that is no part of what a verdict depends on, nor of what is kept."""

    spec: str
    module: str

    def given_to(self, result: Result) -> Result:
        candidates = tuple(replace(each, name=self.module) for each in result.candidates)
        return replace(result, spec=replace(result.spec, path=self.spec), candidates=candidates)


def _read(file: Path) -> bytes | None:
    """The bytes that are judged; None where the gate has to say why it cannot read them."""
    try:
        with open(file, "rb") as stream:
            raw = stream.read(LIMIT_BYTES + 1)
    except OSError:
        return None
    return raw if len(raw) <= LIMIT_BYTES else None


def _key(subject: Subject, raw: bytes, package: OwnPackage | None, settings: Settings) -> str:
    """The hash of all that the stored result depends on, but for names of files; empty where nothing is judged."""
    if subject.spec is None:
        return ""
    confinement = Confinement(settings.sandbox)
    same = identity(subject.spec, sha256_with(raw, package), _options(subject, settings), settings.effort, confinement)
    return sha256_of(f"check-1\0{same}\0{subject.require.value}".encode())


def _found_out(subject: Subject, candidate: Candidate, settings: Settings, listener: Listener) -> str:
    """The document of a run."""
    # Heavy, and a project in which nothing has changed needs none of it.
    from neurosym.pipeline import judge_all
    from neurosym.reports.json import document_of, dump

    assert subject.spec is not None
    asked = [(candidate, _options(subject, settings))]
    confinement = Confinement(settings.sandbox)
    result = judge_all(subject.spec, asked, settings.effort, subject.require, confinement, listener=listener)
    return dump(document_of(result))


def _options(subject: Subject, settings: Settings) -> Options:
    return Options(types=settings.types, rewrites=names_of(Group.CONTRACTS) if subject.strips else ())


def _readable(document: str) -> Result | None:
    """A result that was kept; None where it cannot be read, so that it is found out anew."""
    try:
        return result_of(document)
    except DocumentError:
        return None
