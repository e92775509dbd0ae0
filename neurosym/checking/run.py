"""Checking subjects one after the other: what is known from before is taken from the cache, the rest is found out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from neurosym_verifiers.environment import Confinement

from neurosym.cache import Cache
from neurosym.checking.keeping import may_be_kept
from neurosym.checking.own import Own, read_module, sha256_with
from neurosym.checking.plan import Subject
from neurosym.checking.settings import Settings
from neurosym.events import Listener, nobody_listens
from neurosym.identity import identity
from neurosym.options import Options
from neurosym.reports.document import Candidate as CandidateDocument
from neurosym.reports.document import Judged, Refuted, Result
from neurosym.reports.reading import DocumentError, result_of
from neurosym.reproducing import Recipe
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

    Raises ``EnvironmentFault`` where the sandbox that is asked for cannot be had.
    """
    own = Own(settings)
    for subject in subjects:
        raw = read_module(subject.file)
        package = None if raw is None else own.around(subject.module, subject.file, raw)
        names = _Names(
            Recipe(
                spec=name_of(subject.spec_file),
                function=subject.spec.name,
                candidate=name_of(subject.file),
                confinement=Confinement(settings.sandbox),
                project=name_of(settings.file) if package is not None else "",
            )
        )
        key = (
            _key(subject, raw, package, settings, waivers.of(subject.spec))
            if cache is not None and raw is not None
            else ""
        )
        kept = cache.get(key) if cache is not None and key else None
        if kept is not None and (result := _readable(kept.document)) is not None:
            yield Checked(subject=subject, result=names.given_to(result), reached=kept.reached)
            continue
        candidate = subject.file if raw is None else Source(raw, names.recipe.candidate, package=package)
        document = _found_out(subject, candidate, settings, waivers, listener)
        result = result_of(document)
        if cache is not None and key and may_be_kept(result):
            cache.put(key, document)
        yield Checked(subject=subject, result=names.given_to(result))


@dataclass(frozen=True, slots=True)
class _Names:
    """What files are called in this run, also in the commands that run a refutation again: that is no part of what a
    verdict depends on, nor of what is kept."""

    recipe: Recipe

    def given_to(self, result: Result) -> Result:
        spec = replace(result.spec, path=self.recipe.spec)
        return replace(result, spec=spec, candidates=tuple(map(self._named, result.candidates)))

    def _named(self, candidate: CandidateDocument) -> CandidateDocument:
        obligations = tuple(map(self._with_replay, candidate.obligations))
        return replace(candidate, name=self.recipe.candidate, obligations=obligations)

    def _with_replay(self, obligation: Judged) -> Judged:
        if not isinstance(obligation, Refuted):
            return obligation
        return replace(obligation, replay=self.recipe.command(obligation.id, obligation.counterexample.inputs))


def _key(subject: Subject, raw: bytes, package: OwnPackage | None, settings: Settings, waivers: Waivers) -> str:
    """The hash of all that the stored result depends on, but for names of files."""
    options, confinement = Options(types=settings.types), Confinement(settings.sandbox)
    same = identity(subject.spec, sha256_with(raw, package), options, settings.effort, confinement)
    waived = "\0".join(f"{name}\0{end}" for name, end in waivers.plain().items())
    return sha256_of(f"check-1\0{same}\0{subject.require.value}\0{waived}".encode())


def _found_out(subject: Subject, candidate: Candidate, settings: Settings, waivers: Waivers, listener: Listener) -> str:
    """The document of a run."""
    # Heavy, and a project in which nothing has changed needs none of it.
    from neurosym.pipeline import verify
    from neurosym.reports.json import document_of, dump

    result = verify(
        subject.spec,
        candidate,
        effort=settings.effort,
        require=subject.require,
        sandbox=settings.sandbox,
        types=settings.types,
        waivers=waivers,
        listener=listener,
    )
    return dump(document_of(result))


def _readable(document: str) -> Result | None:
    """A result that was kept; None where it cannot be read, so that it is found out anew."""
    try:
        return result_of(document)
    except DocumentError:
        return None
