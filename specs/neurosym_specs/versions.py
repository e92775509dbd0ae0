"""Which versions a spec's code is for: ``3.12`` with all its releases, or bounds as in ``>=3.11,<3.14`` (PEP 440)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

_OPERATORS = ("=", "<", ">", "!", "~")


def is_constraint(text: str) -> bool:
    """Whether this says a range of versions."""
    from packaging.specifiers import InvalidSpecifier  # deferred: few specs name versions

    try:
        _constraint(text)
    except InvalidSpecifier:
        return False
    return True


def fits(version: str, text: str) -> bool:
    """Whether ``version`` is one that ``text`` says; a text that says no range fits nothing."""
    from packaging.version import InvalidVersion  # deferred, as above

    try:
        return is_constraint(text) and _constraint(text).contains(version, prereleases=True)
    except InvalidVersion:
        return False


def _constraint(text: str) -> SpecifierSet:
    from packaging.specifiers import SpecifierSet  # deferred, as above

    parts = [part.strip() for part in text.split(",") if part.strip()]
    bounds = [part if part.startswith(_OPERATORS) else f"=={part.removesuffix('.*')}.*" for part in parts]
    return SpecifierSet(",".join(bounds))
