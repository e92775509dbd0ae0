"""What is checked: each function with its spec and the file that it is in, found before anything is run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from neurosym_specs import load_spec
from neurosym_specs.model import Spec
from neurosym_verifiers.environment import check_versions

from neurosym.admission import Required
from neurosym.checking.contracts import contracts_of, without_contracts
from neurosym.checking.settings import Check, Settings, SettingsError
from neurosym.contracts.reading import Contracts
from neurosym.reports.findings import Finding


@dataclass(frozen=True, slots=True)
class Subject:
    """A function that keeps a spec: ``module`` in dotted form, ``file`` where it is, ``require`` what is asked.

    ``contracts``: what its spec was read from, where that is the module itself, whose bytes had the hash ``sha256``;
    there is no ``spec`` where they cannot be read. ``strips``: contracts are taken away before it is judged.
    """

    function: str
    spec: Spec | None
    spec_file: Path
    module: str
    file: Path
    require: Required
    contracts: Contracts | None = None
    sha256: str = ""
    strips: bool = False

    @property
    def name(self) -> str:
        """As an entry point names a function."""
        return f"{self.module}:{self.function}"


@dataclass(frozen=True, slots=True)
class Plan:
    """The subjects, and what is said of functions that are none. ``lacks``: contracts of a module were asked for, and
    no function in it has any."""

    subjects: tuple[Subject, ...]
    remarks: tuple[Finding, ...] = ()
    lacks: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    spec_file: Path
    module: str
    file: Path
    check: Check


def plan(settings: Settings, paths: Collection[Path] = (), shown: Callable[[Path], str] = str) -> Plan:
    """What is checked, in the order of the settings; with ``paths`` what has its spec or module at or below one.

    Raises ``SettingsError`` for a pattern that no file has, a module that is not there, and a function that is named
    twice; ``SpecError`` for a spec that cannot be read; ``EnvironmentFault`` for one that is for another machine;
    ``ContractsError`` for a module whose contracts cannot be looked for. ``shown``: the name of a file in remarks.
    """
    found = [each for check in settings.checks for each in _of(check, settings)]
    seen: dict[tuple[Path, str], Check] = {}
    for each in found:
        before = seen.setdefault((each.spec_file, each.module), each.check)
        if before is not each.check:
            raise SettingsError(
                f"{each.check.place}: {each.spec_file.name} in {each.module} is named before, in {before.place.table}"
            )
    subjects: list[Subject] = []
    remarks: list[Finding] = []
    lacks = False
    for each in found:
        if paths and not _is_among(each, paths):
            continue
        if each.check.specs:
            spec = _loaded(each.spec_file)
            check_versions(spec)
            strips = each.check.contracts
            subjects.append(
                Subject(spec.name, spec, each.spec_file, each.module, each.file, each.check.require, strips=strips)
            )
        else:
            in_module = plan_contracts(each.file, each.module, each.check.require, shown)
            subjects += in_module.subjects
            remarks += in_module.remarks
            lacks = lacks or in_module.lacks
    return Plan(tuple(subjects), tuple(remarks), lacks)


def plan_contracts(file: Path, module: str, require: Required, shown: Callable[[Path], str] = str) -> Plan:
    """The functions of a module that have contracts. Raises ``ContractsError``."""
    read = contracts_of(file, module)
    subjects = tuple(
        Subject(each.name, each.spec, file, module, file, require, contracts=each, sha256=read.sha256, strips=True)
        for each in read.functions
    )
    return Plan(subjects, without_contracts(read, shown(file)), lacks=not subjects)


def plan_modules(files: Sequence[Path], settings: Settings, shown: Callable[[Path], str]) -> Plan:
    """The functions of modules that have contracts, each module called as it is from the folder of the sources."""
    named = {each: _dotted(each, settings) for each in files}
    plans = [plan_contracts(file, module, settings.require, shown) for file, module in named.items()]
    subjects = tuple(subject for each in plans for subject in each.subjects)
    remarks = tuple(remark for each in plans for remark in each.remarks)
    return Plan(subjects, remarks, lacks=any(each.lacks for each in plans))


def _dotted(file: Path, settings: Settings) -> str:
    """A name that no other module has: what is known of one in the baseline is not known of another."""
    path = file.resolve()
    bases = [each.resolve() for each in (settings.source, settings.folder) if path.is_relative_to(each.resolve())]
    parts = path.relative_to(bases[0]).with_suffix("").parts if bases else (path.stem,)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _of(check: Check, settings: Settings) -> Iterator[_Found]:
    file = module_file(settings.source, check.module)
    if file is None:
        raise SettingsError(
            f"{check.place.at('module')}: there is no module {check.module} in {settings.source}; "
            'the key "source" of [tool.neurosym] says where modules are looked for'
        )
    for spec_file in _matching(check, settings.folder) if check.specs else [file]:
        yield _Found(spec_file, check.module, file, check)


def _matching(check: Check, folder: Path) -> Sequence[Path]:
    files: dict[Path, None] = {}
    for pattern in check.specs:
        try:
            # A link that leads nowhere stays: that it cannot be read is said, and not that it is not there.
            matching = sorted(each for each in folder.glob(pattern) if not each.is_dir())
        except (OSError, ValueError) as error:
            raise SettingsError(
                f'{check.place.at("specs")}: the pattern "{pattern}" cannot be used: {error}'
            ) from error
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
