"""Specs as tests: each function that ``[tool.neurosym]`` names is an item, beside a project's ordinary tests.

``*.spec.toml`` files are collected where the nearest settings name them, and left alone elsewhere. An item passes where
``neurosym check`` counts its function as fine, with the same cache, comments and baseline; what is accepted is an
expected failure. What is not decided fails: an item that was skipped would look like one that is fine.

Loads nothing but pytest until a spec of such a project is met. Works under xdist, where items may run in any process.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from neurosym.checking.accepting import Accounted
    from neurosym.checking.plan import Subject
    from neurosym.checking.settings import Settings

SUFFIX = ".spec.toml"
_MARKER = "neurosym: a function against its spec, as [tool.neurosym] in pyproject.toml says"
_PLANS = pytest.StashKey[dict[Path, "tuple[Settings, tuple[Subject, ...]]"]]()


class NotAdmitted(Exception):
    """The function does not count as fine; ``str`` says why, as ``neurosym check`` prints it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option, as that of ``neurosym check``."""
    group = parser.getgroup("neurosym", "functions against their specs")
    group.addoption("--neurosym-no-cache", action="store_true", help="Find all verdicts on functions out anew.")


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known."""
    config.addinivalue_line("markers", _MARKER)
    config.stash[_PLANS] = {}


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A spec of a project with settings."""
    if not file_path.name.endswith(SUFFIX):
        return None
    settings = _settings_of(file_path)
    return None if settings is None else SpecFile.from_parent(parent, path=file_path, settings_file=settings)


class SpecFile(pytest.File):
    """A spec, with an item for each function that keeps it."""

    def __init__(self, *, settings_file: Path, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]  # what pytest's own collectors are given
        self._settings_file = settings_file

    def collect(self) -> Iterator[pytest.Item]:
        """The items; none where the settings do not name this spec."""
        from neurosym_specs.errors import NeurosymError  # deferred: a project without specs pays nothing

        try:
            settings, subjects = self._plan()
        except NeurosymError as error:
            raise self.CollectError(str(error)) from error
        for subject in subjects:
            if subject.spec_file.resolve() == self.path.resolve():
                yield FunctionItem.from_parent(self, name=subject.name, subject=subject, settings=settings)

    def _plan(self) -> tuple[Settings, tuple[Subject, ...]]:
        """What is checked in the project, found once."""
        from neurosym.checking.plan import plan  # deferred like the one above
        from neurosym.checking.settings import load_settings

        plans = self.config.stash[_PLANS]
        if self._settings_file not in plans:
            settings = load_settings(self._settings_file)
            plans[self._settings_file] = settings, plan(settings).subjects
        return plans[self._settings_file]


class FunctionItem(pytest.Item):
    """A function against its spec."""

    def __init__(self, *, subject: Subject, settings: Settings, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]  # what pytest's own items are given
        self._subject, self._settings = subject, settings
        self.add_marker("neurosym")

    def runtest(self) -> None:
        """Checks it. Raises ``NotAdmitted``."""
        from neurosym.admission import Admission  # deferred like the ones above
        from neurosym.reports.project_console import ProjectConsole

        found = self._account()
        candidates = found.section.result.candidates
        self.user_properties.append(("verdict", candidates[0].verdict if candidates else "SPEC FAULT"))
        if found.section.reached is not None:
            self.user_properties.append(("cached", found.section.reached.isoformat(timespec="seconds")))
        self.user_properties += (("assumed", each) for each in found.section.assumed)
        text = io.StringIO()
        ProjectConsole(text).function(found)
        if found.admission is not Admission.ADMITTED:
            raise NotAdmitted(text.getvalue())
        if found.as_known:
            reasons = dict.fromkeys(each.accepted for each in found.section.findings if each.accepted)
            pytest.xfail(f"accepted: {'; '.join(reasons)}")
        if found.by_waiver:
            waivers = dict.fromkeys(each.waiver for each in found.section.findings if each.waiver)
            pytest.xfail("; ".join(waivers))

    def _account(self) -> Accounted:
        from neurosym.cache import Cache  # deferred like the ones above
        from neurosym.checking.accepting import Accepting
        from neurosym.checking.baseline import read_baseline
        from neurosym.checking.run import check
        from neurosym.commands._waivers_option import waivers_for

        known = read_baseline(self._settings.baseline) if self._settings.baseline else ()
        accepting = Accepting(known, self._settings.baseline.name if self._settings.baseline else "")
        waivers = waivers_for(self._settings.waivers, [self._subject.spec] if self._subject.spec else [])
        with Cache() as cache:
            kept = None if self.config.getoption("--neurosym-no-cache") else cache
            (checked,) = check((self._subject,), self._settings, kept, self._shown, waivers=waivers)
        if cache.said:
            self.add_report_section("call", "neurosym", "\n".join(cache.said))
        return accepting.account(checked)

    def _shown(self, file: Path) -> str:
        """A file as it is called from pytest's root."""
        root = self.config.rootpath
        return str(file.relative_to(root)) if file.is_relative_to(root) else str(file)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """What is wrong, and no trace of ours for what is not our fault."""
        from neurosym_specs.errors import NeurosymError  # deferred like the ones above

        if isinstance(excinfo.value, NotAdmitted | NeurosymError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands."""
        return self.path, None, self.name


def _settings_of(file: Path) -> Path | None:
    """The nearest ``pyproject.toml`` that has settings, however they are written, or that cannot be read for them."""
    for folder in file.parents:
        candidate = folder / "pyproject.toml"
        try:
            speaks_of_it = candidate.is_file() and b"neurosym" in candidate.read_bytes()
        except OSError:
            return candidate
        if speaks_of_it and _has_settings(candidate):
            return candidate
    return None


def _has_settings(file: Path) -> bool:
    from neurosym.checking.settings import SettingsError, has_settings  # deferred like the ones above

    try:
        return has_settings(file)
    except SettingsError:
        return True  # what is wrong with it is said where it is loaded
