"""``[tool.neurosym]`` in ``pyproject.toml``: which function of the project keeps which spec, and what is asked."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn, TypeVar

from neurosym_sandbox import Level
from neurosym_specs.errors import NeurosymError, Place
from neurosym_verifiers.effort import Effort

from neurosym.admission import Required
from neurosym.gate import Types

FILE = "pyproject.toml"
_TABLE = "[tool.neurosym]"
_CHECK = "[[tool.neurosym.check]]"
_LARGEST_BYTES = 4 * 1024 * 1024
_LONGEST_MODULE = 240
"""Bytes of a module's name; no file is called by much more."""

_KEYS = (
    "check", "source", "packages", "require", "types", "baseline", "waivers", "seed", "examples", "time_limit", "proof",
    "sandbox",
)  # fmt: skip
_CHECK_KEYS = ("specs", "module", "require", "contracts")

_T = TypeVar("_T")


class SettingsError(NeurosymError):
    """What a project says of its checks cannot be used: the message says where, what is wrong and what is legal."""

    exit_code = 2
    code = "NS731"


@dataclass(frozen=True, slots=True)
class Check:
    """Functions of one ``module``, a dotted name; each is called as its spec is. ``specs`` are patterns of files.

    With ``contracts`` and no specs, the contracts in the module are its specs; with both, specs decide, and contracts
    are only taken away.
    """

    specs: tuple[str, ...]
    module: str
    require: Required
    place: Place
    contracts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is checked in a project, and how.

    Modules lie below ``source``, and patterns of specs count from ``folder``, where ``file`` is. ``packages``: what of
    the project a checked module may import. ``baseline``: the file of findings that are known; ``waivers``: that of the
    clauses for which somebody answers. ``require``: what is asked where a check asks for nothing else.
    """

    file: Path
    folder: Path
    source: Path
    packages: tuple[str, ...]
    types: Types
    sandbox: Level
    effort: Effort
    baseline: Path | None
    waivers: Path | None
    checks: tuple[Check, ...]
    require: Required = Required.TESTED


def find_settings(start: Path) -> Path:
    """The nearest ``pyproject.toml`` with the table, from a folder upwards. Raises ``SettingsError``."""
    for folder in _above(start):
        file = folder / FILE
        if file.is_file() and has_settings(file):
            return file
    raise SettingsError(
        f"no {FILE} with a table {_TABLE} in {start} or a folder above it; "
        "neurosym explain NS731 shows one, and neurosym verify judges a file without any"
    )


def has_settings(file: Path) -> bool:
    """Whether a file has the table. Raises ``SettingsError``."""
    return _table(_read(file)) is not None


def load_settings(file: Path) -> Settings:
    """The settings in a file. Raises ``SettingsError``."""
    table = _table(_read(file))
    if table is None:
        raise SettingsError(f"{file}: there is no table {_TABLE}")
    return _Reader(file, table).settings()


def settings_of_modules(files: Sequence[Path], given: Path | None) -> Settings:
    """The settings for checking modules by their own contracts: those of ``given``, or of the nearest file that has
    some above the first module, or else what is the default; what these check is left out. Raises ``SettingsError``."""
    folder = files[0].absolute().parent
    try:
        return replace(load_settings(given or find_settings(folder)), checks=())
    except SettingsError:
        if given is not None or any((each / FILE).is_file() and has_settings(each / FILE) for each in _above(folder)):
            raise
    return Settings(file=folder / FILE, folder=folder, source=folder, packages=(), types=Types.SURE,
                    sandbox=Level.STANDARD, effort=Effort(), baseline=None, waivers=None, checks=())  # fmt: skip


def _above(folder: Path) -> tuple[Path, ...]:
    return (folder, *folder.parents)


def _read(file: Path) -> Mapping[str, Any]:
    try:
        with open(file, "rb") as stream:
            raw = stream.read(_LARGEST_BYTES + 1)
        if len(raw) > _LARGEST_BYTES:
            raise SettingsError(f"{file}: larger than {_LARGEST_BYTES // 2**20} MiB")
        return tomllib.loads(raw.decode())
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file}: this is not UTF-8") from error
    except (ValueError, RecursionError) as error:  # no TOML, or a number with more digits than Python reads
        raise SettingsError(f"{file}: this is not TOML: {error}") from error


def _table(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    tool = document.get("tool")
    table = tool.get("neurosym") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


class _Reader:
    """Reads the table, key by key; the first thing that is wrong ends it."""

    def __init__(self, file: Path, table: Mapping[str, Any]) -> None:
        self._file, self._table = file, table
        self._folder = file.absolute().parent
        self._place = Place(str(file), _TABLE)

    def settings(self) -> Settings:
        self._known(self._table, _KEYS, self._place)
        source = self._source()
        require = self._word("require", Required, Required.TESTED)
        return Settings(
            file=self._file,
            folder=self._folder,
            source=source,
            packages=tuple(self._module(each, self._place.at("packages")) for each in self._texts("packages")),
            types=self._word("types", Types, Types.SURE),
            sandbox=self._sandbox(),
            effort=self._effort(),
            baseline=self._inside("baseline"),
            waivers=self._inside("waivers"),
            checks=tuple(self._checks(require)),
            require=require,
        )

    def _checks(self, require: Required) -> list[Check]:
        tables = self._table.get("check", [])
        if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables) or not tables:
            self._wrong(self._place, f"there is no {_CHECK}: each names specs, and the module that has their functions")
        checks = []
        for number, table in enumerate(tables, 1):
            place = Place(self._place.file, f"{_CHECK} {number}")
            self._known(table, _CHECK_KEYS, place)
            contracts = self._flag_in(table, "contracts", False, place)
            patterns = table.get("specs", ["*"] if contracts else None)
            patterns = [patterns] if isinstance(patterns, str) else patterns
            if not isinstance(patterns, list) or not patterns or not all(isinstance(each, str) for each in patterns):
                self._wrong(place.at("specs"), 'a pattern of files such as "specs/*.spec.toml", or several')
            for each in patterns:
                self._pattern(each, place.at("specs"))
            module = self._module(table.get("module"), place.at("module"))
            asked = self._word_in(table, "require", Required, require, place)
            named = tuple(patterns) if "specs" in table else ()
            checks.append(Check(named, module, asked, place, contracts))
        return checks

    def _source(self) -> Path:
        given = self._inside("source")
        if given is None:
            beside = self._folder / "src"
            return beside if beside.is_dir() else self._folder
        if not given.is_dir():
            self._wrong(self._place.at("source"), f"there is no folder {given}")
        return given

    def _effort(self) -> Effort:
        default = Effort()
        limit = self._number("time_limit", default.time_limit_s, 0.1, 86_400)
        return Effort(
            seed=self._whole("seed", default.seed, -(2**63), 2**63 - 1),
            examples=self._whole("examples", default.examples, 1, 1_000_000),
            time_limit_s=limit,
            proof=self._flag("proof", default.proof),
        )

    def _sandbox(self) -> Level:
        level = self._word("sandbox", Level, Level.STANDARD)
        if level is Level.EXTERNAL:
            self._wrong(self._place.at("sandbox"), "an external sandbox cannot be asked for here")
        return level

    def _word(self, key: str, words: type[_T], default: _T) -> _T:
        return self._word_in(self._table, key, words, default, self._place)

    def _word_in(self, table: Mapping[str, Any], key: str, words: Any, default: _T, place: Place) -> _T:
        """``words`` is an enum of strings: a type of types that the checker cannot name."""
        value = table.get(key)
        if value is None:
            return default
        legal = [each.value for each in words]
        if not isinstance(value, str) or value not in legal:
            self._wrong(place.at(key), f"{_said(value)} is unknown{_nearest(str(value), legal)}")
        found: _T = words(value)
        return found

    def _number(self, key: str, default: float, least: float, most: float) -> float:
        value = self._table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._wrong(self._place.at(key), f"{_said(value)} is no number")
        if not least <= value <= most:
            self._wrong(self._place.at(key), f"{value} is outside of {least:g} to {most:g}")
        return float(value)

    def _whole(self, key: str, default: int, least: int, most: int) -> int:
        value = self._table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            self._wrong(self._place.at(key), f"{_said(value)} is no whole number")
        if not least <= value <= most:
            self._wrong(self._place.at(key), f"{value} is outside of {least:,} to {most:,}")
        return value

    def _flag(self, key: str, default: bool) -> bool:
        return self._flag_in(self._table, key, default, self._place)

    def _flag_in(self, table: Mapping[str, Any], key: str, default: bool, place: Place) -> bool:
        value = table.get(key, default)
        if not isinstance(value, bool):
            self._wrong(place.at(key), f"{_said(value)} is neither true nor false")
        return value

    def _texts(self, key: str) -> list[Any]:
        value = self._table.get(key, [])
        if not isinstance(value, list):
            self._wrong(self._place.at(key), f"{_said(value)} is no list")
        return value

    def _module(self, value: Any, place: Place) -> str:
        is_name = isinstance(value, str) and all(part.isidentifier() for part in value.split("."))
        if not isinstance(value, str) or not is_name or len(value.encode()) > _LONGEST_MODULE:
            self._wrong(place, f'{_said(value)} is no name of a module, such as "shop.fees"')
        return value

    def _inside(self, key: str) -> Path | None:
        """A path inside of the project."""
        value = self._table.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value:
            self._wrong(self._place.at(key), f"{_said(value)} is no path")
        try:
            path = (self._folder / value).resolve()
            path.exists()
        except (OSError, ValueError):
            self._wrong(self._place.at(key), f"{_said(value)} is no path that this system can have")
        if not path.is_relative_to(self._folder.resolve()):
            self._wrong(self._place.at(key), f"{value} is outside of the project's folder")
        return self._folder / value

    def _pattern(self, value: str, place: Place) -> None:
        path = PurePosixPath(value)
        if not path.parts or path.is_absolute() or ".." in path.parts:
            self._wrong(place, f"{_said(value)}: patterns count from the folder of {FILE}, and do not leave it")

    def _known(self, table: Mapping[str, Any], keys: Collection[str], place: Place) -> None:
        for key in table:
            if key not in keys:
                self._wrong(place, f"there is no key {_said(key)}{_nearest(key, list(keys))}")

    def _wrong(self, place: Place, what: str) -> NoReturn:
        raise SettingsError(f"{place}: {what}")


def _said(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else "nothing" if value is None else repr(value)


def _nearest(word: str, legal: list[str]) -> str:
    near = difflib.get_close_matches(word, legal, n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else f"; there are: {', '.join(legal)}"
