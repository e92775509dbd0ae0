"""All groups of the map, in its order."""

from __future__ import annotations

from tests.verifiers.reading_map.groups import (
    clauses,
    containers,
    dates,
    decimals,
    expressions,
    library,
    numbers,
    statements,
    texts,
)

GROUPS = (
    *statements.GROUPS,
    *numbers.GROUPS,
    *decimals.GROUPS,
    *dates.GROUPS,
    *texts.GROUPS,
    *containers.GROUPS,
    *library.GROUPS,
    *expressions.GROUPS,
    *clauses.GROUPS,
)
