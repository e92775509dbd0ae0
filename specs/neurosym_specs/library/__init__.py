"""Reviewed specs of finance and compliance calculations, as data, each with one right implementation beside it."""

from __future__ import annotations

from pathlib import Path

from neurosym_specs.errors import Place, SpecError

_FOLDER = Path(__file__).parent


def names() -> tuple[str, ...]:
    """The names of the library's specs, in alphabetical order."""
    return tuple(sorted(path.parent.name for path in _FOLDER.glob("*/*.spec.toml")))


def spec_path(name: str) -> Path:
    """The file of one spec of the library. Raises ``SpecError`` if there is none of this name."""
    return _member(name, f"{name}.spec.toml")


def implementation_path(name: str) -> Path:
    """The right implementation beside the spec."""
    return _member(name, f"{name}.py")


def _member(name: str, file: str) -> Path:
    known = names()
    if name not in known:
        raise SpecError(f"the library has no spec {name!r}", Place(), hint="it has " + ", ".join(known))
    return _FOLDER / name / file
