"""What is tried before any job is handed out: whether candidates of these specs can be run here at all."""

from __future__ import annotations

from neurosym_verifiers.environment import check_imports, check_versions, profile_of, start_jail

from neurosym.batch.serving import Kit


def preflight(kit: Kit) -> None:
    """Opens a jail of each kind that the specs take. Raises ``EnvironmentFault`` where one cannot be had."""
    tried = set()
    for spec in kit.specs.values():
        check_versions(spec)
        asked = profile_of(spec), tuple(sorted(spec.policy.imports))
        if asked not in tried:
            tried.add(asked)
            with start_jail(spec, kit.confinement, 0) as jail:
                check_imports(spec, jail)
