"""Reads the frames that a child sends: hostile until shown to be one of the few legal forms."""

from __future__ import annotations

from typing import Any, NoReturn

from neurosym_sandbox import _wire
from neurosym_sandbox._wire import Decoder, Encoder, Malformed, Tree, Unfit
from neurosym_sandbox.outcomes import ExceptionInfo
from neurosym_sandbox.values import EnumMember, Instance, NumpyScalar


class HostClasses:
    """The program's classes as the host sees them, by name only; `_wire.Declared` on this side."""

    def encode(self, value: object, encoder: Encoder, depth: int) -> Tree:
        if type(value) is EnumMember:
            return ["E", value.class_name, value.name]
        if type(value) is Instance:
            tree: list[Tree] = ["I", value.class_name, value.kind]
            for name, item in value.fields:
                encoder.enter(1, depth)
                tree += (name, encoder.tree(item, depth + 1))
            return tree
        if type(value) is NumpyScalar:
            try:
                _wire.check_numpy(value.dtype, value.value)
            except (Malformed, OverflowError):
                raise Unfit(f"{value.value!r}, which is no {value.dtype} of numpy") from None
            return ["N", value.dtype, encoder.tree(value.value, depth)]
        raise Unfit(f"a value of type {type(value).__name__}, which cannot be passed")

    def enum_member(self, class_name: str, name: str) -> object:
        return EnumMember(class_name, name)

    def numpy_scalar(self, dtype: str, value: Any) -> object:
        return NumpyScalar(dtype, value)

    def instance(self, class_name: str, kind: Any, fields: tuple[tuple[str, object], ...]) -> object:
        return Instance(class_name, kind, fields)


_CLASSES = HostClasses()


def encode_arguments(arguments: tuple[object, ...]) -> bytes:
    """Returns the request for a call; raises `Unfit` or `TooLarge`."""
    return _wire.to_bytes(Encoder(_CLASSES).tree(arguments))


def parse(body: bytes) -> list[Tree]:
    """Returns kind and parts of a reply; raises `Malformed`."""
    tree = _wire.parse(body)
    if type(tree) is not list or not tree or type(tree[0]) is not str:
        raise Malformed("not a reply")
    return tree


def value(tree: Tree) -> object:
    return Decoder(_CLASSES).value(tree)


def arguments_after(tree: Tree) -> tuple[object, ...] | None:
    if tree is None:
        return None
    arguments = value(tree)
    if type(arguments) is not tuple:
        _refuse("the changed arguments")
    return arguments


def exception(name: Tree, bases: Tree, message: Tree, line: Tree) -> ExceptionInfo:
    if type(bases) is not list or len(bases) > 40:
        _refuse("an exception")
    if not all(type(text) is str and len(text) <= 250 for text in (name, *bases)):
        _refuse("an exception")
    if type(message) is not str or len(message) > 4000:
        _refuse("an exception")
    if line is not None and not (type(line) is int and 0 < line < 2**31):
        _refuse("an exception")
    return ExceptionInfo(name, tuple(bases), message, line)


def text(tree: Tree) -> str:
    if type(tree) is not str or len(tree) > 4000:
        _refuse("a reason")
    return tree


def exit_code(tree: Tree) -> int | None:
    if tree is not None and not (type(tree) is int and abs(tree) < 2**31):
        _refuse("an exit code")
    return tree


def signature(names: Tree, required: Tree, maximum: Tree) -> tuple[tuple[str, ...], int, int | None]:
    if type(names) is not list or not all(type(name) is str and len(name) <= 250 for name in names):
        _refuse("a signature")
    counts = [required] if maximum is None else [required, maximum]
    if not all(type(count) is int and 0 <= count <= 10_000 for count in counts):
        _refuse("a signature")
    return tuple(names), required, maximum


def _refuse(what: str) -> NoReturn:
    raise Malformed(f"{what} of a form that trusted code never sends")
