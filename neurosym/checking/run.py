"""Checking subjects one after the other: what is known from before is taken from the cache, the rest is found out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from neurosym_verifiers.environment import Confinement

from neurosym.cache import Cache
from neurosym.checking.contracts import ContractsError, not_judged, with_contracts
from neurosym.checking.keeping import may_be_kept
from neurosym.checking.own import Own, read_module, sha256_with
from neurosym.checking.plan import Subject
from neurosym.checking.settings import Settings
from neurosym.contracts.reading import Contracts
from neurosym.events import Listener, nobody_listens
from neurosym.identity import identity
from neurosym.options import Options
from neurosym.reports.document import Candidate as CandidateDocument
from neurosym.reports.document import Judged, Refuted, Result
from neurosym.reports.reading import DocumentError, result_of
from neurosym.reproducing import Recipe
from neurosym.rewrite.codemod import Group, names_of
from neurosym.source import Candidate, OwnPackage, Source, sha256_of
from neurosym.waivers import Waivers


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
    waivers: Waivers = Waivers(),  # noqa: B008  # frozen
) -> Iterator[Checked]:
    """Checks each subject in order. ``name_of`` gives the name that reports have for a file; no verdict depends on it.
    ``waivers`` change what is admitted.

    Raises ``EnvironmentFault`` where the sandbox that is asked for cannot be had, ``ContractsError`` where a module is
    another one than its contracts were read from.
    """
    own = Own(settings)
    for subject in subjects:
        raw = read_module(subject.file)
        if subject.sha256 and subject.sha256 != sha256_of(raw or b""):
            why = "it was changed after its contracts were read; check it again"
            raise ContractsError(f"{name_of(subject.file)}: {why}")
        package = None if raw is None else own.around(subject.module, subject.file, raw)
        names = _names(subject, settings, name_of, in_project=package is not None)
        key = _key(subject, raw, package, settings, waivers) if cache is not None and raw is not None else ""
        kept = cache.get(key) if cache is not None and key else None
        if kept is not None and (result := _readable(kept.document)) is not None:
            yield Checked(subject=subject, result=_finished(subject, names.given_to(result)), reached=kept.reached)
            continue
        if subject.contracts is not None and subject.spec is None:
            yield Checked(subject=subject, result=names.given_to(_unread(subject, subject.contracts, raw, settings)))
            continue
        candidate = subject.file if raw is None else Source(raw, names.module, package=package)
        document = _found_out(subject, candidate, settings, waivers, listener)
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
    """What files are called in this run, also in the commands that run a refutation again: that is no part of what a
    verdict depends on, nor of what is kept."""

    spec: str
    module: str
    recipe: Recipe

    def given_to(self, result: Result) -> Result:
        spec = replace(result.spec, path=self.spec)
        return replace(result, spec=spec, candidates=tuple(map(self._named, result.candidates)))

    def _named(self, candidate: CandidateDocument) -> CandidateDocument:
        obligations = tuple(map(self._with_replay, candidate.obligations))
        return replace(candidate, name=self.module, obligations=obligations)

    def _with_replay(self, obligation: Judged) -> Judged:
        if not isinstance(obligation, Refuted):
            return obligation
        return replace(obligation, replay=self.recipe.command(obligation.id, obligation.counterexample.inputs))


def _names(subject: Subject, settings: Settings, name_of: Callable[[Path], str], *, in_project: bool) -> _Names:
    """A spec that was read from contracts stands in no file, so that nothing runs a refutation of it again."""
    spec, module = name_of(subject.spec_file), name_of(subject.file)
    recipe = Recipe(
        spec="" if subject.contracts is not None else spec,
        function=subject.function,
        candidate=module,
        rewrites=names_of(Group.CONTRACTS) if subject.strips else (),
        confinement=Confinement(settings.sandbox),
        project=name_of(settings.file) if in_project else "",
    )
    return _Names(spec, module, recipe)


def _key(subject: Subject, raw: bytes, package: OwnPackage | None, settings: Settings, waivers: Waivers) -> str:
    """The hash of all that the stored result depends on, but for names of files; empty where nothing is judged."""
    if subject.spec is None:
        return ""
    confinement = Confinement(settings.sandbox)
    same = identity(subject.spec, sha256_with(raw, package), _options(subject, settings), settings.effort, confinement)
    waived = "\0".join(f"{name}\0{end}" for name, end in waivers.of(subject.spec).plain().items())
    return sha256_of(f"check-1\0{same}\0{subject.require.value}\0{waived}".encode())


def _found_out(subject: Subject, candidate: Candidate, settings: Settings, waivers: Waivers, listener: Listener) -> str:
    """The document of a run."""
    # Heavy, and a project in which nothing has changed needs none of it.
    from neurosym.pipeline import judge_all
    from neurosym.reports.json import document_of, dump

    assert subject.spec is not None
    asked = [(candidate, _options(subject, settings))]
    confinement = Confinement(settings.sandbox)
    result = judge_all(
        subject.spec, asked, settings.effort, subject.require, confinement, waivers=waivers, listener=listener
    )
    return dump(document_of(result))


def _options(subject: Subject, settings: Settings) -> Options:
    return Options(types=settings.types, rewrites=names_of(Group.CONTRACTS) if subject.strips else ())


def _readable(document: str) -> Result | None:
    """A result that was kept; None where it cannot be read, so that it is found out anew."""
    try:
        return result_of(document)
    except DocumentError:
        return None
