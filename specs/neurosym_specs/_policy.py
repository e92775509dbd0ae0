"""The ``[policy]`` table: what a candidate may use, and its limits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from neurosym_specs._faults import show, wrong_kind
from neurosym_specs._tables import Table
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.model import DEFAULT_IMPORTS, Policy
from neurosym_specs.types import DecimalType, Type, inner_types
from neurosym_specs.versions import is_constraint

_KEYS = ("float", "imports", "python", "packages", "time_limit", "memory_limit", "waive_vacuous")
_SECONDS = {"ms": Fraction(1, 1000), "s": Fraction(1), "min": Fraction(60)}
_BYTES = {
    "B": Fraction(1),
    "kB": Fraction(10**3),
    "KB": Fraction(10**3),
    "MB": Fraction(10**6),
    "GB": Fraction(10**9),
    "KiB": Fraction(2**10),
    "MiB": Fraction(2**20),
    "GiB": Fraction(2**30),
}
MAX_TIME_S = Fraction(300)
MEMORY_BYTES = (Fraction(10**6), Fraction(2**40))

_MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*", re.ASCII)
_PACKAGE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?", re.ASCII)
_VERSION = re.compile(r"\s*(?:(?:==|!=|<=|>=|<|>|~=)?\s*[0-9][0-9A-Za-z.*+!_-]*\s*(?:,\s*|$))+", re.ASCII)


def read_policy(raw: Any, place: Place, types: Iterable[Type]) -> Policy:
    """The policy; ``types`` are those of the inputs and the output, which decide whether float is allowed."""
    table = Table(raw, place, _KEYS)
    float_default = "forbid" if any(_has_decimal(type) for type in types) else "allow"
    return Policy(
        allow_float=table.word("float", ("forbid", "allow"), float_default) == "allow",
        imports=_imports(table),
        python=_version(table.text("python"), table.at("python")),
        packages=_packages(table),
        time_limit_s=float(_time_limit(table)),
        memory_limit_bytes=int(_memory_limit(table)),
        waive_vacuous=table.flag("waive_vacuous"),
    )


def _has_decimal(type: Type) -> bool:
    return isinstance(type, DecimalType) or any(_has_decimal(inner) for inner in inner_types(type))


def _imports(table: Table) -> frozenset[str]:
    if "imports" not in table:
        return DEFAULT_IMPORTS
    modules = table.texts("imports")
    for module in modules:
        if not _MODULE.fullmatch(module):
            raise SpecError(f"{show(module)} is no module's name", table.at("imports"))
    return frozenset(modules)


def _version(text: str, place: Place) -> str:
    if text and not (_VERSION.fullmatch(text) and is_constraint(text)):
        raise SpecError(f"{show(text)} is no version", place, hint='for example "3.12" or ">=3.11,<3.14"')
    return text


def _packages(table: Table) -> dict[str, str]:
    raw = table.raw.get("packages", {})
    if isinstance(raw, list):
        raw = dict.fromkeys(raw, "") if all(isinstance(name, str) for name in raw) else raw
    if not isinstance(raw, dict):
        raise wrong_kind('a table of versions, like { numpy = ">=2" }', raw, table.at("packages"))
    for name, version in raw.items():
        if not _PACKAGE.fullmatch(name):
            raise SpecError(f"{show(name)} is no package's name", table.at("packages"))
        if not isinstance(version, str):
            raise wrong_kind('a version, like ">=2"', version, table.at(f"packages.{name}"))
        _version(version, table.at(f"packages.{name}"))
    return dict(raw)


def _time_limit(table: Table) -> Fraction:
    seconds = _with_unit(table, "time_limit", _SECONDS, "1s")
    if seconds > MAX_TIME_S:
        raise SpecError("one call may take 5 minutes at most", table.at("time_limit"))
    return seconds


def _memory_limit(table: Table) -> Fraction:
    size = _with_unit(table, "memory_limit", _BYTES, "256MB")
    if not MEMORY_BYTES[0] <= size <= MEMORY_BYTES[1]:
        raise SpecError("the memory for a call is from 1MB to 1024GiB", table.at("memory_limit"))
    return size


def _with_unit(table: Table, key: str, units: dict[str, Fraction], default: str) -> Fraction:
    """A positive amount with its unit, like ``250ms``."""
    text = table.raw.get(key, default)
    example = f'an amount with a unit ({", ".join(units)}), like "{default}"'
    parts = (
        re.fullmatch(r"\s*([0-9]{1,12}(?:\.[0-9]{1,12})?)\s*([A-Za-z]+)\s*", text, re.ASCII)
        if isinstance(text, str)
        else None
    )
    if parts is None or parts[2] not in units:
        raise wrong_kind(example, text, table.at(key))
    amount = Fraction(parts[1]) * units[parts[2]]
    if amount <= 0:
        raise SpecError(f"{show(text)} is not positive", table.at(key))
    return amount
