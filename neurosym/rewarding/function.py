"""The reward as a function that the common trainers call: a list of completions in, a list of numbers or None out."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from neurosym_specs import load_spec
from neurosym_specs.model import Spec
from neurosym_verifiers.bench import Effort

from neurosym.pipeline import verify
from neurosym.rewarding.score import Reward, Weights, score
from neurosym.rewarding.timing import ratio_to_reference, time_part
from neurosym.source import Source

Completion = str | Sequence[Mapping[str, Any]]
"""A text, or a conversation whose last message is the reply."""


def reward(
    completions: Sequence[Completion],
    spec: str | os.PathLike[str] | Spec | Sequence[str | os.PathLike[str] | Spec],
    *,
    weights: Weights = Weights(),  # noqa: B008  # frozen
    effort: Effort | None = None,
    **_: Any,  # whatever else a trainer hands over: prompts, ids, other columns of its data
) -> list[float | None]:
    """A number for each completion, or None where the tool, and not the program, failed.

    ``spec`` is one for all, or one for each. The inputs are drawn after the completions are there, by a seed that
    nobody could know; that of ``effort`` counts for ``rewards`` only. TRL calls it as it is; for a trainer that scores
    one text at a time there is ``reward([text], spec)[0]``.

    Raises ``SpecError`` and ``EnvironmentFault`` as ``verify`` does, and ``ValueError`` where there are not as many
    specs as completions or a spec contradicts itself: those are faults of the set-up, and no rewards.
    """
    fresh = replace(effort or Effort(), seed=secrets.randbelow(2**31))
    return [each.value for each in rewards(completions, spec, weights=weights, effort=fresh)]


def rewards(
    completions: Sequence[Completion],
    spec: str | os.PathLike[str] | Spec | Sequence[str | os.PathLike[str] | Spec],
    *,
    weights: Weights = Weights(),  # noqa: B008  # frozen
    effort: Effort | None = None,
) -> list[Reward]:
    """As ``reward``, with all parts, and with the seed of ``effort``: to look at what a number is made of."""
    specs = [spec] * len(completions) if isinstance(spec, str | os.PathLike | Spec) else [*spec]
    if len(specs) != len(completions):
        raise ValueError(f"{len(specs)} specs for {len(completions)} completions: give one, or one for each")
    texts = [_text(each) for each in completions]
    found: dict[int, Reward] = {}
    for wanted in dict.fromkeys(map(_key, specs)):
        places = [place for place, each in enumerate(specs) if _key(each) == wanted]
        first = specs[places[0]]
        loaded = first if isinstance(first, Spec) else load_spec(first)
        sources = [Source(texts[place], f"completion {place}", is_reply=True) for place in places]
        result = verify(loaded, *sources, effort=effort, explain=False)
        if result.spec_fault is not None:
            raise ValueError(f"the spec {loaded.name} contradicts itself: {result.spec_fault.message}")
        time_of = partial(_time_part, loaded, (effort or Effort()).seed)
        for place, candidate in zip(places, result.candidates, strict=True):
            found[place] = score(candidate, texts[place], weights, time_of)
    return [found[place] for place in range(len(texts))]


def _time_part(spec: Spec, seed: int, source: str) -> float | None:
    ratio = ratio_to_reference(spec, source, seed=seed)
    return None if ratio is None else time_part(ratio)


def _key(spec: str | os.PathLike[str] | Spec) -> str:
    return str(spec.path or spec.sha256) if isinstance(spec, Spec) else os.fspath(spec)


def _text(completion: Completion) -> str:
    if isinstance(completion, str):
        return completion
    return str(completion[-1].get("content", "")) if completion else ""
