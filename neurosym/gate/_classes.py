"""A class that the spec gives and the candidate defines again: it has the fields that the spec gives it.

Arguments and results cross into the sandbox by class name and fields. A class with others takes no argument and gives
no result, whatever the calculation is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from neurosym_specs.model import Spec
from neurosym_specs.types import RecordType, Type, inner_types
from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.gate._place import diagnose
from neurosym.source import Delivered


def check_classes(tree: ast.Module, spec: Spec, source: Delivered) -> tuple[Diagnostic, ...]:
    """One finding for each class of the signature that is defined again with other fields."""
    given = {each.name: each for each in _records(spec)}
    again = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in given}
    found = ((node, _difference(node, given[name])) for name, node in again.items())
    hint = "take the class out: it is given; or give it just the fields that `neurosym spec show` prints"
    return tuple(
        diagnose(node, source, "NS309", FailureClass.SIGNATURE, f"{node.name} is defined again, {said}", hint)
        for node, said in found
        if said
    )


def _records(spec: Spec) -> Iterator[RecordType]:
    """The classes with fields that the signature speaks of."""
    todo: list[Type] = [*spec.inputs.values(), spec.output]
    while todo:
        type_ = todo.pop()
        if isinstance(type_, RecordType) and type_.form in ("dataclass", "namedtuple"):
            yield type_
        todo.extend(inner_types(type_))


def _difference(node: ast.ClassDef, given: RecordType) -> str:
    """What is wrong with the fields, empty where nothing is or where the class has them from elsewhere."""
    if any(ast.unparse(base) not in ("NamedTuple", "typing.NamedTuple", "object") for base in node.bases):
        return ""
    own = [
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign)
        and isinstance(each.target, ast.Name)
        and "ClassVar" not in ast.unparse(each.annotation)
    ]
    wanted = [name for name, _ in given.fields]
    more = [name for name in own if name not in wanted]
    less = [name for name in wanted if name not in own]
    parts = []
    if more:
        parts.append(f"with {', '.join(more)}, which the spec's {given.name} does not have")
    if less and own:
        parts.append(f"without {', '.join(less)}, which the spec's {given.name} has")
    return " and ".join(parts)
