"""Worked examples for a prompt: specs with their right implementations, of the library or one's own, nearest first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from neurosym_specs import library, load_spec
from neurosym_specs.model import Spec
from neurosym_specs.types import inner_types


@dataclass(frozen=True, slots=True)
class Shot:
    """A spec, and the whole module that is right for it."""

    spec: Spec
    code: str


def nearest(spec: Spec, count: int, own: Sequence[Shot] = ()) -> tuple[Shot, ...]:
    """So many examples, the nearest of one's own first, then the nearest of the library."""
    chosen = nearest_of(spec, own, count)
    return (*chosen, *nearest_of(spec, _library(), count - len(chosen)))


def nearest_of(spec: Spec, shots: Sequence[Shot], count: int) -> tuple[Shot, ...]:
    """So many of the examples that are most like this spec in types and words, but never the spec itself."""
    own = _features(spec)

    def likeness(shot: Shot) -> float:
        other = _features(shot.spec)
        return len(own & other) / len(own | other)

    others = [shot for shot in shots if shot.spec.name != spec.name and shot.spec.sha256 != spec.sha256]
    return tuple(sorted(others, key=lambda shot: (-likeness(shot), shot.spec.name))[:count])


@cache
def _library() -> tuple[Shot, ...]:
    return tuple(
        Shot(load_spec(library.spec_path(name)), library.implementation_path(name).read_text(encoding="utf-8"))
        for name in library.names()
    )


def _features(spec: Spec) -> frozenset[str]:
    """The types of the signature, and the words of title and problem."""
    types = [*spec.inputs.values(), spec.output]
    for each in types:
        types.extend(inner_types(each))
    words = re.findall(r"[a-z]{4,}", f"{spec.title} {spec.problem}".lower())
    return frozenset(words) | {type(each).__name__ for each in types}
