"""Instances of the classes that a program declares, on their way in and out."""

from __future__ import annotations

import builtins
import dataclasses
import decimal
import enum
from collections.abc import Callable
from typing import Any

from neurosym_sandbox import _wire
from neurosym_sandbox._describe import MAX_NAME, exact
from neurosym_sandbox._wire import Encoder, Tree, Unfit

__builtins__ = {**vars(builtins)}  # type: ignore[assignment]  # ours alone, as in _wire

_HINTS = {
    "ndarray": "return its tolist()",
    "Series": "return its tolist() or to_dict()",
    "DataFrame": "return its to_dict('list')",
    "Index": "return its tolist()",
    "Timestamp": "return its to_pydatetime()",
    "Timedelta": "return its to_pytimedelta()",
}
_FIELD = dataclasses._FIELD  # type: ignore[attr-defined]  # what marks a field, and no ClassVar or InitVar
_VALUE_TYPES = (int, float, str, bytes, tuple, list, set, frozenset, dict, decimal.Decimal, BaseException)


class ConstructorRaised(Exception):
    """A class of the program raised while an argument was built; carries what it raised."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


class Classes:
    """The classes that the program declares at its top level, found by name; `_wire.Declared` on the jail's side."""

    def __init__(self, namespace: dict[str, Any], numpy: Any = None) -> None:
        self.namespace = namespace
        self._numpy = numpy

    def encode(self, value: object, encoder: Encoder, depth: int) -> Tree:
        cls: Any = type(value)
        instance: Any = value
        if self.namespace.get(cls.__name__, self) is cls:
            if isinstance(cls, enum.EnumMeta):
                if cls.__members__.get(instance._name_) is value:
                    return ["E", cls.__name__, instance._name_]
                raise Unfit(f"a combination of members of the enum {cls.__name__}")
            if cls.__bases__ == (tuple,) and type(getattr(cls, "_fields", None)) is tuple:
                return self._fields(cls, "namedtuple", zip(cls._fields, instance, strict=True), encoder, depth)
            if "__dataclass_fields__" in vars(cls) and not issubclass(cls, _VALUE_TYPES):
                names = [field.name for field in _fields(cls)]
                missing = [name for name in names if not hasattr(instance, name)]
                if missing:
                    raise Unfit(f"a {cls.__name__} without its field {missing[0]}")
                return self._fields(
                    cls, "dataclass", ((name, getattr(instance, name)) for name in names), encoder, depth
                )
        if self._numpy is not None and issubclass(cls, self._numpy.generic) and cls.__module__ == "numpy":
            return self._numpy_tree(instance, encoder, depth)
        raise Unfit(_what(cls))

    def _numpy_tree(self, value: Any, encoder: Encoder, depth: int) -> Tree:
        name, kind = value.dtype.name, value.dtype.kind
        if kind in "US":
            return ["N", "str" if kind == "U" else "bytes", encoder.tree(value.item(), depth)]
        if kind in "mM":
            return ["N", name, encoder.tree(int(value.astype("int64")), depth)]
        if name not in _wire.NUMPY_NUMBERS:
            raise Unfit(f"a numpy value of the type {name}")
        return ["N", name, encoder.tree(value.item(), depth)]

    def numpy_scalar(self, dtype: str, value: Any) -> object:
        if self._numpy is None:
            raise _wire.Malformed("this jail has no numpy")
        if dtype.startswith(("datetime64", "timedelta64")):
            return self._numpy.int64(value).astype(dtype)
        return self._numpy.dtype(dtype).type(value)

    def _fields(self, cls: Any, kind: str, fields: Any, encoder: Encoder, depth: int) -> Tree:
        tree: list[Tree] = ["I", cls.__name__, kind]
        for name, value in fields:
            encoder.enter(1, depth)
            tree += (name, encoder.tree(value, depth + 1))
        return tree

    def enum_member(self, class_name: str, name: str) -> object:
        cls = self.namespace.get(class_name)
        if not isinstance(cls, enum.EnumMeta) or name not in cls.__members__:
            raise _wire.Malformed(f"the program declares no enum {class_name} with a member {name}")
        return cls.__members__[name]

    def instance(self, class_name: str, kind: str, fields: tuple[tuple[str, object], ...]) -> object:
        cls = self.namespace.get(class_name)
        names = tuple(name for name, _ in fields)
        if kind == "namedtuple" and isinstance(cls, type) and getattr(cls, "_fields", None) == names:
            return self._construct(cls, dict(fields), {})
        if kind == "dataclass" and isinstance(cls, type) and hasattr(cls, "__dataclass_fields__"):
            declared = {field.name: field for field in _fields(cls)}
            if declared.keys() == set(names):
                given = {name: value for name, value in fields if declared[name].init}
                later = {name: value for name, value in fields if not declared[name].init}
                return self._construct(cls, given, later)
        raise _wire.Malformed(f"the program declares no {kind} {class_name} with the fields {', '.join(names)}")

    def _construct(self, cls: Callable[..., Any], given: dict[str, object], later: dict[str, object]) -> object:
        try:
            instance = cls(**given)
            for name, value in later.items():
                object.__setattr__(instance, name, value)
        except BaseException as error:
            raise ConstructorRaised(error) from None
        return instance


def _fields(cls: Any) -> list[Any]:
    """The fields of a dataclass, by nothing that a program could have changed in `dataclasses`."""
    return [field for field in cls.__dataclass_fields__.values() if field._field_type is _FIELD]


def _what(cls: type) -> str:
    name = exact(cls.__name__, MAX_NAME)
    for base in cls.__mro__[1:]:
        if base in _VALUE_TYPES:
            return f"a value of type {name}, a subclass of {base.__name__}; only exactly {base.__name__} is passed"
    hint = f"; {_HINTS[name]}" if name in _HINTS else ""
    return f"a value of type {name}, which cannot be passed{hint}"
