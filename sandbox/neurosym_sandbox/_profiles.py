"""What a jail has loaded: the standard library, or numpy and pandas too."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from neurosym_sandbox.errors import SandboxUnavailable

STDLIB, DATA = "stdlib", "data"
_PACKAGES: dict[str, tuple[str, ...]] = {STDLIB: (), DATA: ("numpy", "pandas")}


def folders(profile: str) -> list[str]:
    """Returns the folders that hold the profile's packages.

    Raises ValueError for an unknown profile and `SandboxUnavailable` if a package is missing.
    """
    if profile not in _PACKAGES:
        raise ValueError(f"no profile {profile!r}; there are: {', '.join(_PACKAGES)}")
    found: dict[str, None] = {}
    for name in _PACKAGES[profile]:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise SandboxUnavailable(
                f"the profile {profile!r} needs {' and '.join(_PACKAGES[profile])}, and {name} is not installed; "
                f"remedy: pip install {' '.join(_PACKAGES[profile])}"
            )
        found[str(Path(spec.submodule_search_locations[0]).parent)] = None
    return list(found)
