"""Short cards about functions of the installed modules: their real signature, and what they do in their own words.

Which functions a problem is likely to need follows from the types of its spec and from words in its text, by two short
tables. (Tried and dropped: retrieval by the words that a description shares with the problem. On eighty problems it
offered ``math.erf`` and ``heapq.heappushpop`` more often than anything of use.) What a card says is made from what is
installed, so that it cannot be wrong about this Python.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from neurosym_specs.model import DEFAULT_IMPORTS, Spec
from neurosym_specs.types import DateType, DecimalType, FloatType, FractionType, Type, inner_types

_BY_TYPE: Mapping[type[Type], tuple[str, ...]] = {
    DecimalType: ("decimal.Decimal.quantize",),
    DateType: ("datetime.date.replace", "datetime.timedelta", "calendar.monthrange", "calendar.isleap"),
    FractionType: ("fractions.Fraction",),
    FloatType: ("math.isclose", "math.fsum"),
}
_BY_WORDS: Mapping[str, tuple[str, ...]] = {
    r"median": ("statistics.median",),
    r"\bmean\b|average": ("statistics.mean",),
    r"standard deviation|variance": ("statistics.pstdev", "statistics.stdev"),
    r"square root": ("math.isqrt", "decimal.Decimal.sqrt"),
    r"months?\b.*\bend|end of (?:the|each|a) month|last day": ("calendar.monthrange",),
    r"weekday|weekend|business day|working day": ("datetime.date.weekday",),
    r"leap": ("calendar.isleap",),
    r"running|cumulative|balance after": ("itertools.accumulate",),
    r"greatest common|lowest terms": ("math.gcd",),
    r"combinations|ways to choose": ("math.comb",),
    r"bracket|tier|band|threshold": ("bisect.bisect_right",),
    r"largest|smallest|top \w+": ("heapq.nlargest",),
    r"pattern|digits|letters": ("re.fullmatch",),
}
MOST = 8
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Card:
    """A function, class or constant: its full ``name``, its ``signature`` or value, and the first sentence about it."""

    name: str
    signature: str
    says: str

    def __str__(self) -> str:
        return f"{self.name}{self.signature}" + (f": {self.says}" if self.says else "")


def cards_for(spec: Spec, *, most: int = MOST) -> tuple[Card, ...]:
    """The cards that the problem is likely to need, of modules that the spec's policy allows."""
    kinds = set(map(type, _types(spec)))
    text = f"{spec.title} {spec.problem}".lower()
    wanted = [name for kind, names in _BY_TYPE.items() if kind in kinds for name in names]
    wanted += [name for pattern, names in _BY_WORDS.items() if re.search(pattern, text) for name in names]
    found = (card(name) for name in dict.fromkeys(wanted) if name.split(".", 1)[0] in spec.policy.imports)
    return tuple(each for each in found if each is not None)[:most]


@cache
def card(name: str) -> Card | None:
    """The card about ``decimal.Decimal.quantize`` and the like; None where there is nothing of this name.

    Only modules of the standard library that do nothing when they are imported are looked into.
    """
    found = _object(name)
    if found is None:
        return None
    if isinstance(found, str | int | float):
        return Card(name, f" = {found!r}", "")
    if not callable(found):
        return None
    return Card(name, _signature(found), _first_sentence(found))


def _object(name: str) -> object | None:
    module, *path = name.split(".")
    if module not in DEFAULT_IMPORTS:
        return None
    found: object = importlib.import_module(module)
    for part in path:
        found = getattr(found, part, None)
    return found


def _signature(found: object) -> str:
    try:
        signature = str(inspect.signature(found))  # type: ignore[arg-type]  # it is callable
    except (ValueError, TypeError):
        return "(...)"
    shown = re.sub(r"\(self(?:, /)?(?:, )?", "(", signature)
    return shown if len(shown) <= _LONGEST else "(...)"


def _first_sentence(found: object) -> str:
    text = " ".join((inspect.getdoc(found) or "").split("\n\n", 1)[0].split())
    text = re.sub(r"^[\w.]+\([^)]*\)(?: -> [\w. ]+)?(?: --?)? *", "", text)  # some repeat their signature
    sentence = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
    return sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 1] + "…"


def _types(spec: Spec) -> Iterator[Type]:
    todo = [*spec.inputs.values(), spec.output]
    while todo:
        found = todo.pop()
        yield found
        todo.extend(inner_types(found))
