"""The seam behind which candidates are written: a protocol, a registry of import strings, an entry-point group.

A package that brings a generator of its own names it in the group ``neurosym.generators``; ``conformance.breaches``
says whether it keeps the contract. The built-in ones are registered the same way.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import entry_points
from typing import Protocol, cast

from neurosym_verifiers.environment import EnvironmentFault

from neurosym.generators.request import Answer, OnProgress, Request

GROUP = "neurosym.generators"

BUILT_IN: Mapping[str, str] = {
    "openai": "neurosym.generators.endpoint:Endpoint",
    "command": "neurosym.generators.command:Command",
    "cassette": "neurosym.generators.cassette:Replay",
    "scripted": "neurosym.generators.scripted:from_folder",
    "holes": "neurosym.generators.holes:from_settings",
}


class ModelFault(EnvironmentFault):
    """No model can be asked: nothing is wrong with the spec, and no candidate was judged by it."""

    code = "NS802"


@dataclass(frozen=True, slots=True)
class Settings:
    """What generators are made of; each reads what concerns it.

    ``base_url``: of an endpoint, else the environment's. ``key_variable``: which variable of the environment holds the
    key; the key itself is in no setting, so that it gets into no log. ``command``: a program and its arguments.
    ``tries``: how often one request is sent at most. ``sketch``, and the ``spec`` it is for: paths, of the generator
    ``holes``. ``options``: for generators that other packages bring.
    """

    base_url: str = ""
    key_variable: str = "OPENAI_API_KEY"
    command: tuple[str, ...] = ()
    cassette: str = ""
    tries: int = 4
    sketch: str = ""
    spec: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


class Generator(Protocol):
    """Answers requests. Several threads may ask at once.

    ``generate`` returns within about ``timeout_s`` seconds, and gives a ``NoReply`` for whatever goes wrong with this
    one request. It raises ``ModelFault`` only for what no other request would escape, such as a key that is refused.
    """

    @property
    def name(self) -> str:
        """The word in the registry."""
        ...

    def generate(self, request: Request, *, timeout_s: float, on_progress: OnProgress) -> Answer:
        """The answer to one request."""
        ...

    def close(self) -> None:
        """Lets go of what is held; may be called twice."""
        ...


Factory = Callable[[Settings], Generator]


def names() -> list[str]:
    """Every generator that there is, the built-in ones first."""
    return [*BUILT_IN, *sorted(set(_others()) - set(BUILT_IN))]


def open_generator(name: str, settings: Settings) -> Generator:
    """The generator of that name. Raises ``ModelFault`` where it cannot be had, ``ValueError`` for an unknown name."""
    place = BUILT_IN.get(name) or _others().get(name)
    if place is None:
        near = difflib.get_close_matches(name, names(), n=1, cutoff=0.5)
        meant = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names())}"
        raise ValueError(f"there is no generator {name!r}; {meant}")
    module, _, attribute = place.partition(":")
    try:
        found = import_module(module)
    except ImportError as error:
        raise ModelFault(f"the generator {name} cannot be loaded: {error}") from error
    return cast(Factory, getattr(found, attribute))(settings)  # an import string has no static type


def _others() -> dict[str, str]:
    return {each.name: each.value for each in entry_points(group=GROUP)}


def silent(work: str, done: int) -> None:
    """The progress that nobody wants to hear of."""
