"""The shapes of a spec's inputs: how long each list and each text is, and how many
keys each dict has. A program is read once for each shape.

Where lengths are fixed, a loop over a list has so many rounds, and an index is a known place. What varies inside of a
shape (numbers, dates, whether an optional value is there) stays symbolic. A proof speaks of every input only if it was
made for every shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any, TypeAlias

from neurosym_specs.model import Spec
from neurosym_specs.types import (
    BoolType,
    DictType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    StrType,
    TupleType,
    Type,
    inner_types,
)

from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.inputs.looked_into import LookedInto
from neurosym_verifiers.reading.inputs.seen_texts import SeenText, given_by
from neurosym_verifiers.reading.inputs.texts import lengths_of

Shape: TypeAlias = Mapping[str, int]
"""Lengths by place: ``{"lines": 2, "lines.0.parts": 1}``."""

MOST_SHAPES = 120


def shapes_of(spec: Spec) -> list[Shape]:
    """All shapes, the smallest first. Raises ``NotRead`` where there are too many, or infinitely many."""
    per_input = [_shapes(name, type_) for name, type_ in spec.inputs.items()]
    counted = [list(islice(each, MOST_SHAPES + 1)) for each in per_input]
    found = [_joined(parts) for parts in islice(product(*counted), MOST_SHAPES + 1)]
    if len(found) > MOST_SHAPES:
        raise NotRead(f"inputs of more than {MOST_SHAPES} shapes")
    return sorted(found, key=lambda shape: (sum(shape.values()), *shape.values()))


def _joined(parts: tuple[Shape, ...]) -> Shape:
    return {place: length for part in parts for place, length in part.items()}


def _shapes(place: str, type_: Type) -> Iterator[Shape]:
    match type_:
        case LookedInto():
            yield {}
        case ListType(item=item, min_len=least, max_len=most):
            if most is None:
                raise NotRead(f"the input {place}, which may have any length")
            for length in range(least, most + 1):
                inner = [_shapes(f"{place}.{i}", item) for i in range(length)] if has_lists(item) else []
                for parts in product(*inner):
                    yield {place: length, **_joined(parts)}
        case DictType(key=key, value=value, min_len=least):
            most = _most_keys(type_)
            if most is None:
                raise NotRead(f"the input {place}, which may have any number of keys")
            for length in range(least, most + 1):
                places = [parts_of_entry(place, i) for i in range(length)]
                inner = [_shapes(at, of) for entry in places for at, of in zip(entry, (key, value), strict=True)]
                for parts in product(*inner):
                    yield {place: length, **_joined(parts)}
        case StrType(choices=None):
            lengths = lengths_of(type_)
            if lengths is not None and isinstance(type_, SeenText):
                lengths = tuple(range(max(lengths, default=0) + 1))
            if lengths is None:
                raise NotRead(f"the input {place}, which may have any length")
            for length in lengths:
                yield {place: length}
        case RecordType(fields=fields):
            for parts in product(*(_shapes(f"{place}.{name}", of) for name, of in fields)):
                yield _joined(parts)
        case TupleType(items=items):
            for parts in product(*(_shapes(f"{place}.{i}", of) for i, of in enumerate(items))):
                yield _joined(parts)
        case OptionalType(of=of):
            yield from _shapes(place, of)
        case _:
            yield {}


def parts_of_entry(place: str, at: int) -> tuple[str, str]:
    """The places of a key of a dict, and of its value."""
    return f"{place}.{at}.key", f"{place}.{at}.value"


def _most_keys(type_: DictType) -> int | None:
    """How many keys a dict has at most: no more than there are different ones. None: any number."""
    match type_.key:
        case IntType(choices=None, min=low, max=high) if low is not None and high is not None and not type_.key.also:
            different: int | None = int(high - low) + 1
        case BoolType(choices=None):
            different = 2
        case key:
            different = None if key.choices is None or _more_than_choices(key) else len(key.choices)
    known = [most for most in (type_.max_len, different) if most is not None]
    return min(known, default=None)


def _more_than_choices(type_: Type) -> bool:
    return bool(getattr(type_, "also", ()))  # booleans, and what is made of other values, have none


def used_types(spec: Spec) -> list[Type]:
    """The types of a spec's inputs and output, with all that is in them."""
    found: list[Type] = [*spec.inputs.values(), spec.output]
    for type_ in found:  # grows while it is gone through
        found += inner_types(type_)
    return found


def has_lists(type_: Type) -> bool:
    """Whether values of the type have a shape."""
    if isinstance(type_, StrType) and type_.choices is None:
        return True
    if isinstance(type_, LookedInto):
        return False
    return isinstance(type_, (ListType, DictType)) or any(map(has_lists, inner_types(type_)))


def first_shape(place: str, type_: Type) -> Shape:
    """The smallest shape of a value of the type at a place."""
    return next(_shapes(place, type_))


def shape_of(spec: Spec, inputs: Mapping[str, Any]) -> Shape:
    """The shape of some inputs; what is missing has the first shape of its type."""
    found: dict[str, int] = {}
    for name, type_ in spec.inputs.items():
        _measure(name, type_, inputs[name], found)
    return found


def _measure(place: str, type_: Type, value: Any, found: dict[str, int]) -> None:
    match type_:
        case OptionalType(of=of):
            if value is not None:
                _measure(place, of, value, found)
            elif has_lists(of):
                found.update(first_shape(place, of))
        case LookedInto():
            pass
        case ListType(item=item):
            found[place] = len(value)
            if has_lists(item):
                for i, element in enumerate(value):
                    _measure(f"{place}.{i}", item, element, found)
        case DictType():
            found[place] = len(value)
            for i, entry in enumerate(value.items()):
                for inner, of, part in zip(parts_of_entry(place, i), (type_.key, type_.value), entry, strict=True):
                    _measure(inner, of, part, found)
        case SeenText(form=form):
            found[place] = len(given_by(form, value))
        case StrType(choices=None):
            found[place] = len(value)
        case RecordType(fields=fields):
            for name, of in fields:
                _measure(f"{place}.{name}", of, value.fields[name], found)
        case TupleType(items=items):
            for i, of in enumerate(items):
                _measure(f"{place}.{i}", of, value[i], found)
        case _:
            pass


def key_of(shape: Shape) -> tuple[tuple[str, int], ...]:
    """What two shapes share exactly if they are the same."""
    return tuple(sorted(shape.items()))


def in_words(shape: Shape, prefix: str = "") -> str:
    """The lengths by place: ``lines: 2, lines.0.parts: 1``; empty where nothing has a length."""
    return ", ".join(f"{prefix}{place}: {length}" for place, length in shape.items())
