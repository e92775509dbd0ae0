"""What a checked module may import of its project, read before anything is run: texts, by the names of modules.

What is found is more than what is imported: every module whose name stands as a word in the text of one that is found,
wherever it stands. An import statement spells the names, so nothing that can be imported is missing; and no parser is
needed to know that nothing has changed. The gate says which of them are really imported.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from neurosym.checking.settings import Settings, SettingsError
from neurosym.gate import LIMIT_BYTES
from neurosym.source import NOT_OWN, Candidate, OwnModule, OwnPackage, Source, name_of, path_of, sha256_of

_WORD = re.compile(r"[A-Za-z0-9_\u0080-\U0010ffff]+")
"""At least what Python takes for a name."""

_RELATIVE = re.compile(r"from[\s\\]*\.")
_MOST_MODULES = 2_000
_MOST_BYTES = 16 * 1024 * 1024
"""Of all texts that are found for one module."""


class Own:
    """The modules of a project that checked modules may import; each file is read once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._files = _files(settings)
        self._read: dict[str, OwnModule] = {}

    def around(self, module: str, file: Path, raw: bytes) -> OwnPackage | None:
        """What the module may import of its project; None where its text names nothing of it.

        Raises ``SettingsError`` for texts that cannot be read, or are too many.
        """
        text = _plain(raw.decode("utf-8", "replace"))
        words = frozenset(_WORD.findall(text))
        roots = {name.partition(".")[0] for name in self._files}
        if not self._files or not (words & roots or _RELATIVE.search(text)):
            return None
        if module.partition(".")[0] in NOT_OWN:
            raise SettingsError(
                f"{self._settings.file}, [tool.neurosym], packages: {module} is called like a module that is not of "
                "the project, and so cannot import what is; rename it"
            )
        found: dict[str, OwnModule] = {}
        todo = [*_packages(module), *self._named(words)]
        while todo:
            name = todo.pop()
            if name in found or name == module:
                continue
            each = found[name] = self._module(name)
            todo += [*_packages(name), *self._named(frozenset(_WORD.findall(_plain(each.text))))]
        if sum(len(each.text) for each in found.values()) > _MOST_BYTES:
            raise SettingsError(
                f"{self._settings.file}, [tool.neurosym], packages: what {module} may import of its own is larger than "
                f"{_MOST_BYTES // 2**20} MiB; name the packages more narrowly"
            )
        modules = tuple(found[name] for name in sorted(found))
        return OwnPackage(module, modules, is_package=file.name == "__init__.py")

    def _named(self, words: frozenset[str]) -> list[str]:
        return [name for name in self._files if name.rpartition(".")[2] in words]

    def _module(self, name: str) -> OwnModule:
        """A module's text; that of a package without a file is empty."""
        if name not in self._read:
            file = self._files.get(name) or _file_of(self._settings.source, name)
            is_package = file is None or file.name == "__init__.py"
            shown = str(file.relative_to(self._settings.folder)) if file else name
            self._read[name] = OwnModule(name, shown, _text(file) if file else "", is_package)
        return self._read[name]


def module_of(settings: Settings, candidate: Candidate) -> Candidate:
    """A file as the module of the project that it is, with what it may import of its own; one that cannot be read as it
    is. Raises ``SettingsError`` for what is no module of the project."""
    path = path_of(candidate)
    file = Path(os.path.abspath(path))
    source = Path(os.path.abspath(settings.source))
    parts = file.relative_to(source).with_suffix("").parts if path and file.is_relative_to(source) else ()
    name = ".".join(parts[:-1] if parts[-1:] == ("__init__",) else parts)
    if not name or isinstance(candidate, Source) or not all(part.isidentifier() for part in parts):
        raise SettingsError(
            f"{settings.file}: {name_of(candidate)} is no file of a module in {settings.source}; without the settings "
            "it is run alone"
        )
    raw = read_module(file)
    if raw is None:
        return candidate
    return Source(raw, name_of(candidate), package=Own(settings).around(name, file, raw), path=path)


def read_module(file: Path) -> bytes | None:
    """The bytes that are judged; None where the gate has to say why it cannot read them."""
    try:
        with open(file, "rb") as stream:
            raw = stream.read(LIMIT_BYTES + 1)
    except OSError:
        return None
    return raw if len(raw) <= LIMIT_BYTES else None


def sha256_with(raw: bytes, package: OwnPackage | None) -> str:
    """The hash of a module's bytes, and of all that it may import of its own."""
    if package is None:
        return sha256_of(raw)
    parts = [f"{package.module}\0{package.is_package}", sha256_of(raw)]
    for each in package.modules:
        parts.append(f"{each.name}\0{each.file}\0{each.is_package}\0{sha256_of(each.text.encode())}")
    return sha256_of("\0\0".join(parts).encode())


def _files(settings: Settings) -> Mapping[str, Path]:
    """The modules in the packages that are named, by their dotted names."""
    files: dict[str, Path] = {}
    for package in settings.packages:
        where = f"{settings.file}, [tool.neurosym], packages"
        if package.partition(".")[0] in NOT_OWN:
            raise SettingsError(f"{where}: {package} is called like a module that is not of the project")
        base = settings.source.joinpath(*package.split("."))
        single = base.with_name(f"{base.name}.py")
        if not base.is_dir() and not single.is_file():
            raise SettingsError(f"{where}: there is no package {package} in {settings.source}")
        for file in [*([single] if single.is_file() else []), *sorted(base.rglob("*.py"))]:
            parts = file.relative_to(settings.source).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            if all(part.isidentifier() for part in parts):
                files[".".join(parts)] = file
        if len(files) > _MOST_MODULES:
            raise SettingsError(f"{where}: {package} has more than {_MOST_MODULES:,} modules; name it more narrowly")
    return files


def _file_of(source: Path, name: str) -> Path | None:
    file = source.joinpath(*name.split("."), "__init__.py")
    return file if file.is_file() else None


def _text(file: Path) -> str:
    try:
        raw = file.read_bytes()
        return raw.removeprefix(b"\xef\xbb\xbf").decode()
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file}: this is not UTF-8") from error


def _packages(name: str) -> list[str]:
    """The packages that a module is in."""
    parts = name.split(".")
    return [".".join(parts[:size]) for size in range(1, len(parts))]


def _plain(text: str) -> str:
    """A text as Python reads the names in it."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)
