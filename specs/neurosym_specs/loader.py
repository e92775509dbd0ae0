"""Loading a spec: bytes to a checked ``Spec``. Nothing in a spec is ever run here."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import stat
from datetime import date, time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from neurosym_specs._clauses import ClauseReader
from neurosym_specs._examples import check_examples
from neurosym_specs._faults import show
from neurosym_specs._named_parts import Names, read_data, read_definitions, read_lets
from neurosym_specs._policy import read_policy
from neurosym_specs._tables import Table, named_entries
from neurosym_specs._text import MAX_BYTES, check_depth, json_from_text, text_from_bytes, toml_from_text
from neurosym_specs._type_tables import TypeReader
from neurosym_specs._words import check_identifier, check_input_name
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr.check import check_spec
from neurosym_specs.model import FORMAT_VERSION, Spec
from neurosym_specs.types import (
    DecimalType,
    DictType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    TupleType,
    Type,
    inner_types,
)

_TOP = ("spec", "name", "title", "problem", "source", "version", "owner")
_TABLES = (
    "types",
    "inputs",
    "output",
    "data",
    "let",
    "define",
    "require",
    "reject",
    "reference",
    "ensure",
    "relation",
    "example",
    "sample",
    "invariant",
    "hole",
    "policy",
)
_SUFFIX = re.compile(r"(.+)\.spec\.(?:toml|json)", re.IGNORECASE | re.DOTALL)
MAX_INPUTS = 100


def load_spec(path: str | os.PathLike[str]) -> Spec:
    """The spec in a ``.spec.toml`` (or ``.json``) file. Raises ``SpecError`` for whatever is wrong with it."""
    file = Path(path)
    place = Place(file.name or str(file))
    try:
        if file.is_dir():
            raise SpecError("a folder, not a spec", place, hint="give the .spec.toml file in it")
        data = _bytes_of(file, place)
    except FileNotFoundError:
        raise SpecError(f"there is no such file: {show(os.fspath(path))}", place) from None
    except OSError as error:
        raise SpecError(f"the file cannot be read: {error.strerror}", place) from None
    except ValueError as error:
        raise SpecError(f"the file cannot be read: {error}", place) from None
    text = text_from_bytes(data, place)
    read = json_from_text if file.suffix.lower() == ".json" else toml_from_text
    return _spec(read(text, place), str(file), file.parent, hashlib.sha256(data).hexdigest())


def _bytes_of(file: Path, place: Place) -> bytes:
    """What is in a file, and one byte more than a spec may have: a larger file shows without being read."""
    # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise SpecError("a device or a pipe, not a file", place)
        return stream.read(MAX_BYTES + 1)


def spec_from_toml(text: str, *, path: str = "") -> Spec:
    """The spec in a TOML text; ``path`` is the file it came from, for messages and for a reference beside it."""
    raw = toml_from_text(text, Place(os.path.basename(path)))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return _spec(raw, path, Path(path).parent if path else None, digest)


def spec_from_json(value: Any, *, path: str = "") -> Spec:
    """The spec in a JSON text, or in the value of one; ``sha256`` is that of the canonical JSON.

    A float in such a value counts as its shortest decimal text. Raises ``SpecError``.
    """
    place = Place(os.path.basename(path))
    raw = json_from_text(value, place) if isinstance(value, str) else value
    check_depth(raw, place)
    canonical = json.dumps(raw, ensure_ascii=True, separators=(",", ":"), default=_json_text)
    return _spec(raw, path, Path(path).parent if path else None, hashlib.sha256(canonical.encode("ascii")).hexdigest())


def _json_text(value: object) -> str:
    if isinstance(value, Fraction | Decimal | date | time):
        return str(value)
    raise SpecError(f"{show(value)} is no JSON value")


def _spec(raw: Any, path: str, folder: Path | None, digest: str) -> Spec:
    """The spec that the plain tables say, every part checked in the order in which the parts lean on each other."""
    file = os.path.basename(path)
    check_depth(raw, Place(file))
    top = Table(raw, Place(file), (*_TOP, *_TABLES))
    version = top.raw.get("spec")
    if version != FORMAT_VERSION or isinstance(version, bool) or not isinstance(version, int):
        if "spec" not in top:
            raise SpecError(
                'the key "spec" is missing',
                top.place,
                hint=f"write spec = {FORMAT_VERSION}, the format's version",
            )
        raise SpecError(f"format version {show(version)} is not known", top.at("spec"), hint=f"legal: {FORMAT_VERSION}")
    name = check_identifier(top.required_text("name"), "a function", top.at("name"))
    stem = _SUFFIX.fullmatch(file)
    if stem is not None and stem[1] != name:
        raise SpecError(
            f'the name "{name}" is not that of the file',
            top.at("name"),
            hint=f'rename the file "{name}.spec.toml"',
        )

    types = TypeReader(named_entries(top.raw.get("types") or {}, Place(file, "[types]")), file)
    own_types = types.all()
    inputs = _inputs(top, types, file)
    output = _output(top, types, file)
    for class_name in types.classes:
        if class_name == name:
            raise SpecError(f'the class "{name}" has the name of the function', Place(file, "[types]"))
    names = Names(inputs)
    data = read_data(top, file, names)
    lets = read_lets(top, file, names)
    definitions = read_definitions(top, file, names, own_types)
    clauses = ClauseReader(top.raw, file, inputs, output)
    reference = clauses.reference(name, folder)
    spec = Spec(
        name=name,
        title=top.text("title"),
        problem=top.text("problem").strip(),
        source=top.texts("source"),
        version=top.text("version"),
        owner=top.text("owner"),
        path=path,
        sha256=digest,
        types=own_types,
        inputs=inputs,
        output=output,
        data=data,
        lets=lets,
        definitions=definitions,
        requires=clauses.requires(),
        rejects=clauses.rejects(),
        reference=reference,
        ensures=clauses.ensures(),
        relations=clauses.relations(reference),
        examples=clauses.examples(),
        samples=clauses.samples(),
        invariants=clauses.invariants(),
        holes=clauses.holes(types),
        policy=read_policy(top.single("policy"), Place(file, "[policy]"), [*inputs.values(), output]),
    )
    check_spec(spec)
    check_examples(spec)
    return spec


def _inputs(top: Table, types: TypeReader, file: str) -> dict[str, Type]:
    place = Place(file, "[inputs]")
    if "inputs" not in top:
        raise SpecError("the table [inputs] is missing", Place(file), hint="it may be empty")
    raw = named_entries(top.raw["inputs"], place)
    if len(raw) > MAX_INPUTS:
        raise SpecError(f"{len(raw)} inputs are more than {MAX_INPUTS}", place)
    inputs = {}
    for name, entry in raw.items():
        at = place.at(name if name.isidentifier() else show(name))
        inputs[check_input_name(name, at)] = types.read(entry, at, name)
    return inputs


def _output(top: Table, types: TypeReader, file: str) -> Type:
    place = Place(file, "[output]")
    if "output" not in top:
        raise SpecError(
            "the table [output] is missing",
            Place(file),
            hint='it says the type of the result: type = "decimal"',
        )
    raw = top.single("output")
    if not isinstance(raw, dict):
        return types.read(raw, place, "Result")
    exponent = Table({"exponent": raw.get("exponent", "number")}, place, ("exponent",)).word(
        "exponent", ("exact", "number"), "number"
    )
    output = types.read({key: value for key, value in raw.items() if key != "exponent"}, place, "Result")
    if exponent == "exact":
        exact_output = _with_exact_exponent(output)
        if exact_output == output:
            raise SpecError("exponent, but there is no decimal in the output", place.at("exponent"))
        return exact_output
    return output


def _with_exact_exponent(type: Type) -> Type:
    """The type with the number of places part of the value of every decimal in it."""
    match type:
        case DecimalType():
            return dataclasses.replace(type, exact_exponent=True)
        case RecordType():
            fields = tuple((name, _with_exact_exponent(inner)) for name, inner in type.fields)
            return dataclasses.replace(type, fields=fields)
        case ListType() | SetType():
            return dataclasses.replace(type, item=_with_exact_exponent(type.item))
        case TupleType():
            return dataclasses.replace(type, items=tuple(_with_exact_exponent(inner) for inner in type.items))
        case DictType():
            return dataclasses.replace(type, key=_with_exact_exponent(type.key), value=_with_exact_exponent(type.value))
        case OptionalType():
            return dataclasses.replace(type, of=_with_exact_exponent(type.of))
        case _:
            assert not inner_types(type)
            return type
