"""The Python that a spec implies: annotations, the signature, and the declarations a candidate is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from neurosym_specs.model import Spec
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    StrType,
    TupleType,
    Type,
    inner_types,
)

WIDTH = 76


def python_annotation(type: Type) -> str:
    """The type as Python annotates it: ``Decimal``, ``list[Line]``, ``date | None``."""
    match type:
        case IntType():
            return "int"
        case DecimalType():
            return "Decimal"
        case FloatType():
            return "float"
        case FractionType():
            return "Fraction"
        case BoolType():
            return "bool"
        case StrType():
            return "str"
        case EnumType():
            return type.class_name or f"Literal[{', '.join(repr(choice) for choice in type.choices or ())}]"
        case DateType():
            return "date"
        case RecordType(form="tuple"):
            return f"tuple[{', '.join(python_annotation(inner) for _, inner in type.fields)}]"
        case RecordType():
            return type.name
        case ListType(form="tuple"):
            return f"tuple[{python_annotation(type.item)}, ...]"
        case ListType():
            return f"list[{python_annotation(type.item)}]"
        case TupleType():
            return f"tuple[{', '.join(python_annotation(inner) for inner in type.items)}]"
        case SetType():
            return f"set[{python_annotation(type.item)}]"
        case DictType():
            return f"dict[{python_annotation(type.key)}, {python_annotation(type.value)}]"
        case OptionalType():
            return f"{python_annotation(type.of)} | None"
        case _:
            assert_never(type)


def signature(spec: Spec) -> str:
    """The head of the function, up to its colon; over several lines where one is too long."""
    parameters = [f"{name}: {python_annotation(type)}" for name, type in spec.inputs.items()]
    result = python_annotation(spec.output)
    line = f"def {spec.name}({', '.join(parameters)}) -> {result}:"
    if len(line) <= WIDTH or not parameters:
        return line
    return f"def {spec.name}(\n" + "".join(f"    {parameter},\n" for parameter in parameters) + f") -> {result}:"


def declarations(spec: Spec) -> str:
    """The imports and classes that the signature needs, as a module's first lines; empty if it needs none."""
    types = list(dict.fromkeys(_walk(spec)))
    classes = list(dict.fromkeys(source for type in types if (source := _class_source(type))))
    imports = sorted({line for type in types for line in _imports(type)})
    blocks = ["\n".join(_merged(imports)), *classes]
    return "\n\n\n".join(block for block in blocks if block) + "\n" if any(blocks) else ""


def _walk(spec: Spec) -> Iterator[Type]:
    """Every type of the signature, the inner ones before those that are made of them."""
    for type in (*spec.inputs.values(), spec.output):
        yield from _inner_first(type)


def _inner_first(type: Type) -> Iterator[Type]:
    for inner in inner_types(type):
        yield from _inner_first(inner)
    yield type


def _imports(type: Type) -> tuple[str, ...]:
    match type:
        case DecimalType():
            return ("decimal Decimal",)
        case FractionType():
            return ("fractions Fraction",)
        case DateType():
            return ("datetime date",)
        case EnumType():
            return ("enum Enum",) if type.class_name else ("typing Literal",)
        case RecordType(form="dataclass"):
            return ("dataclasses dataclass",)
        case RecordType(form="namedtuple"):
            return ("typing NamedTuple",)
        case RecordType(form="dict"):
            return ("typing TypedDict",)
        case _:
            return ()


def _merged(imports: list[str]) -> list[str]:
    """One ``from module import A, B`` for each module."""
    names: dict[str, list[str]] = {}
    for line in imports:
        module, name = line.split()
        names.setdefault(module, []).append(name)
    return [f"from {module} import {', '.join(listed)}" for module, listed in names.items()]


def _class_source(type: Type) -> str:
    match type:
        case EnumType() if type.class_name:
            return f"class {type.class_name}(Enum):\n" + "\n".join(
                f"    {name} = {value!r}" for name, value in type.members
            )
        case RecordType() if type.form != "tuple":
            heads = {
                "dataclass": f"@dataclass(frozen=True)\nclass {type.name}:",
                "namedtuple": f"class {type.name}(NamedTuple):",
                "dict": f"class {type.name}(TypedDict):",
            }
            fields = (f"    {name}: {python_annotation(inner)}" for name, inner in type.fields)
            return "\n".join([heads[type.form], *fields])
        case _:
            return ""
