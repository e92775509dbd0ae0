"""What a verdict depends on, as one hash: where it is the same twice, the second answer is the first one.

It covers the spec with the files it took in, the text that is judged, what is asked for, and the tools that answer:
this one by the bytes of its own modules (a version number stays while it is worked on), the others by their versions.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from neurosym_specs.model import Spec
from neurosym_verifiers.effort import Effort
from neurosym_verifiers.environment import Confinement

from neurosym.generators.request import canonical
from neurosym.options import Options

_PACKAGES = ("neurosym", "neurosym_verifiers", "neurosym_specs", "neurosym_sandbox")
_JUDGES = ("z3-solver", "sympy", "mpmath", "hypothesis", "mypy", "libcst", "python-flint", "cvc5", "numpy", "pandas")
"""Distributions that a verdict can depend on."""


@cache
def tools() -> Mapping[str, str]:
    """By name what answers: the Python, the machine's kind, the judging packages (empty where one is not installed),
    and the SHA-256 of this tool's modules as ``neurosym``. Read once per process."""
    return {
        "neurosym": _own_sha256(),
        "python": f"{platform.python_implementation()} {sys.version}",
        "platform": f"{platform.system()} {platform.machine()}",
        **{name: _version(name) for name in _JUDGES},
    }


def spec_sha256(spec: Spec) -> str:
    """The SHA-256 of all that a spec says, with the program that it took from another file; not of where it lies.

    Raises ``ValueError`` for a spec that was made of no text.
    """
    if not spec.sha256:
        raise ValueError(f"the spec {spec.name} was made of no text, so nothing says when it is the same")
    return _sha256([spec.sha256, (spec.reference and spec.reference.python) or ""])


def identity(spec: Spec, candidate_sha256: str, options: Options, effort: Effort, confinement: Confinement) -> str:
    """The SHA-256 of what a verdict depends on; ``candidate_sha256`` is of its bytes as they came in."""
    return _sha256(
        {
            "spec": spec_sha256(spec),
            "candidate": candidate_sha256,
            "options": asdict(options),
            "effort": asdict(effort),
            "sandbox": [confinement.level.value, sorted(confinement.layers), sorted(confinement.without)],
            "tools": dict(tools()),
        }
    )


def _sha256(value: object) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _own_sha256() -> str:
    """Of the names and bytes of all modules and data files of the four packages, in order."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        found = find_spec(package)
        for folder in sorted(found.submodule_search_locations or ()) if found else ():
            for file in sorted(Path(folder).rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    digest.update(f"{package}/{file.relative_to(folder)}\0".encode())
                    digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
