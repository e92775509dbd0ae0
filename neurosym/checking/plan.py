"""What is checked: each function with its spec and the file that it is in, found before anything is run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from neurosym_specs import load_spec
from neurosym_specs.model import Spec
from neurosym_verifiers.environment import check_versions

from neurosym.admission import Required
from neurosym.checking.settings import Check, Settings, SettingsError


@dataclass(frozen=True, slots=True)
class Subject:
    """A function that keeps a spec: ``module`` in dotted form, ``file`` where it is, ``require`` what is asked."""

    spec: Spec
    spec_file: Path
    module: str
    file: Path
    require: Required

    @property
    def name(self) -> str:
        """As an entry point names a function."""
        return f"{self.module}:{self.spec.name}"


@dataclass(frozen=True, slots=True)
class _Found:
    spec_file: Path
    module: str
    file: Path
    check: Check


def plan(settings: Settings, paths: Collection[Path] = ()) -> tuple[Subject, ...]:
    """The subjects in the order of the settings; with ``paths`` those whose spec or module lies at or below one.

    Raises ``SettingsError`` for a pattern that no file has, a module that is not there, and a function that is named
    twice; ``SpecError`` for a spec that cannot be read; ``EnvironmentFault`` for one that is for another machine.
    """
    found = [each for check in settings.checks for each in _of(check, settings)]
    seen: dict[tuple[Path, str], Check] = {}
    for each in found:
        before = seen.setdefault((each.spec_file, each.module), each.check)
        if before is not each.check:
            raise SettingsError(
                f"{each.check.place}: {each.spec_file.name} in {each.module} is named before, in {before.place.table}"
            )
    chosen = [each for each in found if not paths or _is_among(each, paths)]
    subjects = tuple(
        Subject(_loaded(each.spec_file), each.spec_file, each.module, each.file, each.check.require) for each in chosen
    )
    for subject in subjects:
        check_versions(subject.spec)
    return subjects


def _of(check: Check, settings: Settings) -> Iterator[_Found]:
    file = module_file(settings.source, check.module)
    if file is None:
        raise SettingsError(
            f"{check.place.at('module')}: there is no module {check.module} in {settings.source}; "
            'the key "source" of [tool.neurosym] says where modules are looked for'
        )
    for spec_file in _matching(check, settings.folder):
        yield _Found(spec_file, check.module, file, check)


def _matching(check: Check, folder: Path) -> Sequence[Path]:
    files: dict[Path, None] = {}
    for pattern in check.specs:
        matching = sorted(each for each in folder.glob(pattern) if each.is_file())
        if not matching:
            raise SettingsError(f'{check.place.at("specs")}: no file has the pattern "{pattern}" in {folder}')
        files.update(dict.fromkeys(matching))
    return [*files]


def module_file(source: Path, module: str) -> Path | None:
    """The file of a module of the project: ``shop/fees.py`` or ``shop/fees/__init__.py``."""
    base = source.joinpath(*module.split("."))
    for file in (base / "__init__.py", base.with_name(base.name + ".py")):
        if file.is_file():
            return file
    return None


def _is_among(found: _Found, paths: Collection[Path]) -> bool:
    files = (found.spec_file.resolve(), found.file.resolve())
    return any(file.is_relative_to(path.resolve()) for path in paths for file in files)


def _loaded(file: Path) -> Spec:
    try:
        return load_spec(file)
    except OSError as error:  # it went since it was found
        raise SettingsError(f"{file}: cannot be read: {error.strerror}") from error
