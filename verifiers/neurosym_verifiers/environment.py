"""Where candidates of a spec are run: what the spec asks of this machine, and the jail that it takes.

A machine that does not fit is an error of the environment, never of a candidate: it is found before any is judged.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from neurosym_sandbox import (
    DATA_IMPORTS,
    DEFAULT_IMPORTS,
    LAYER_NAMES,
    Jail,
    Level,
    Program,
    Returned,
    SandboxUnavailable,
)
from neurosym_specs.errors import NeurosymError, Place
from neurosym_specs.model import Spec
from neurosym_specs.versions import fits

STDLIB, DATA = "stdlib", "data"

_PROBE = """
def missing(names):
    found = []
    for name in names:
        try:
            __import__(name)
        except ImportError:
            found.append(name)
    return found
"""


class EnvironmentFault(NeurosymError):
    """The sandbox, or something else that the work needs, is not available here."""

    exit_code = 4


class NotInstalled(EnvironmentFault):
    """A package or a program is missing that an option needs; ``str`` says which, and what brings it."""

    code = "NS804"


@dataclass(frozen=True, slots=True)
class Confinement:
    """How well a candidate must be confined: the least level, and layers that must hold whatever the level.

    ``without`` leaves layers out, for tests that show what becomes of a verdict then. Raises ``ValueError`` for a layer
    that does not exist.
    """

    level: Level = Level.STANDARD
    layers: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        unknown = sorted(self.layers - LAYER_NAMES)
        if unknown:
            raise ValueError(f"the sandbox has no layer {unknown[0]}; there are: {', '.join(sorted(LAYER_NAMES))}")


def profile_of(spec: Spec) -> str:
    """What the jail must have loaded for what the spec's policy lets a candidate import."""
    roots = {name.partition(".")[0] for name in spec.policy.imports}
    return DATA if roots & (DATA_IMPORTS - DEFAULT_IMPORTS) else STDLIB


def start_jail(spec: Spec, confinement: Confinement, hash_seed: int) -> Jail:
    """Starts a jail for the spec's candidates. Raises ``EnvironmentFault`` where it cannot be had."""
    try:
        return Jail(
            profile=profile_of(spec),
            hash_seed=hash_seed,
            level=confinement.level,
            require=confinement.layers,
            without=confinement.without,
        )
    except SandboxUnavailable as unavailable:
        raise EnvironmentFault(f"no sandbox: {unavailable}") from unavailable


def check_versions(spec: Spec) -> None:
    """Raises ``EnvironmentFault`` unless this Python and its packages are ones that the spec's policy is for."""
    policy, python = spec.policy, platform.python_version()
    if policy.python and not fits(python, policy.python):
        raise _unfit(
            spec, "python", f"the code is for Python {policy.python}, and this is Python {python}; run it with another"
        )
    for name, wanted in policy.packages.items():
        install = f"pip install '{name}{wanted if wanted[:1] in ('=', '<', '>', '!', '~') else ''}'"
        try:
            found = version(name)
        except (PackageNotFoundError, ValueError):  # ValueError: a name that no package can have
            raise _unfit(spec, "packages", f"it needs {name}, which is not installed here; {install}") from None
        if wanted and not fits(found, wanted):
            raise _unfit(spec, "packages", f"the code is for {name} {wanted}, and {found} is installed; {install}")


def check_imports(spec: Spec, jail: Jail) -> None:
    """Raises ``EnvironmentFault`` if the policy allows a module that no candidate could import in there.

    So is a jail that does not answer: what it cannot run would be held against candidates.
    """
    unusual = sorted(spec.policy.imports - DEFAULT_IMPORTS)
    if not unusual:
        return
    with jail.open(Program(_PROBE, "missing", imports=spec.policy.imports)) as session:
        outcome = session.call((unusual,)) if session.alive else None
    if not isinstance(outcome, Returned) or not isinstance(outcome.value, list):
        raise EnvironmentFault("no sandbox: it cannot say which of the modules that the spec allows it has")
    if outcome.value:
        names = ", ".join(map(str, outcome.value))
        raise _unfit(
            spec,
            "imports",
            f"it allows {names}, which the sandbox does not have, so that a right candidate could fail by it; "
            "allow only what a calculation needs: pure modules of the standard library, numpy and pandas",
        )


def _unfit(spec: Spec, key: str, problem: str) -> EnvironmentFault:
    return EnvironmentFault(f"{Place(spec.path, '[policy]', key)}: {problem}")
