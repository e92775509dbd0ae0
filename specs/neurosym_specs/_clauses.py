"""The clauses of a spec: require, reject, reference, ensure, relation, example, sample, invariant, hole."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neurosym_specs._faults import show, wrong_kind
from neurosym_specs._input_values import input_values
from neurosym_specs._plain import from_plain
from neurosym_specs._relations import RELATION_KEYS, RelationReader
from neurosym_specs._tables import Head, Table
from neurosym_specs._text import MAX_BYTES, text_from_bytes
from neurosym_specs._type_tables import TypeReader
from neurosym_specs._words import check_identifier, exception_name
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.membership import member_fault
from neurosym_specs.model import (
    Ensure,
    Example,
    Hole,
    Invariant,
    Reference,
    Reject,
    Relation,
    Require,
    Sample,
)
from neurosym_specs.types import FloatType, Type

_CLAUSE = ("id", "text", "source")


class ClauseReader:
    """Reads the clause tables of one spec, whose inputs and output are known by now."""

    def __init__(self, tables: Mapping[str, Any], file: str, inputs: Mapping[str, Type], output: Type) -> None:
        self._tables = tables
        self._file = file
        self._inputs = inputs
        self._output = output

    def _entries(self, kind: str, *keys: str, nullable: tuple[str, ...] = ()) -> list[tuple[Table, Head]]:
        """The ``[[kind]]`` tables in order, each with its id, which no other of the kind has."""
        raw = self._tables.get(kind) or []
        if not isinstance(raw, list):
            raise SpecError(
                "expected an array of tables",
                Place(self._file, f"[{kind}]"),
                hint=f"write [[{kind}]] with two brackets",
            )
        entries, ids = [], dict[str, int]()
        for number, item in enumerate(raw, start=1):
            id = item.get("id") if isinstance(item, dict) else None
            name = f"[[{kind}]] {number}" + (f" {show(id)}" if isinstance(id, str) else "")
            table = Table(item, Place(self._file, name), (*_CLAUSE, *keys), nullable=nullable)
            head = self._head(table, f"{kind} {number}")
            if head["id"] in ids:
                raise SpecError(
                    f'the id "{head["id"][:60]}" is already that of [[{kind}]] {ids[head["id"]]}',
                    table.at("id"),
                    hint="ids differ",
                )
            ids[head["id"]] = number
            entries.append((table, head))
        return entries

    @staticmethod
    def _head(table: Table, default_id: str) -> Head:
        id = table.text("id", default_id)
        if not id.strip() or len(id) > 200 or not id.isprintable():
            raise SpecError(f"{show(id)} is no id", table.at("id"), hint="a short phrase on one line")
        return {"id": id, "text": table.text("text").strip(), "source": table.texts("source")}

    def requires(self) -> tuple[Require, ...]:
        return tuple(
            Require(
                **head,
                that=table.expression("that"),
                accepted_only=table.word("on", ("all", "accepted"), "all") == "accepted",
            )
            for table, head in self._entries("require", "that", "on")
        )

    def rejects(self) -> tuple[Reject, ...]:
        return tuple(
            Reject(**head, when=table.expression("when"), raises=_exceptions(table, required=True))
            for table, head in self._entries("reject", "when", "raises")
        )

    def ensures(self) -> tuple[Ensure, ...]:
        return tuple(
            Ensure(
                **head,
                that=table.expression("that"),
                when=table.optional_expression("when"),
                slack=table.tolerance("slack"),
            )
            for table, head in self._entries("ensure", "that", "when", "slack")
        )

    def reference(self, name: str, folder: Path | None) -> Reference | None:
        """The reference; a ``file`` is read from the spec's ``folder`` and from nowhere else."""
        if self._tables.get("reference") is None:
            return None
        place = Place(self._file, "[reference]")
        keys = ("value", "where", "python", "file", "raises", "abs_tol", "rel_tol")
        table = Table(_single(self._tables["reference"], place), place, (*_CLAUSE, *keys))
        given = [key for key in ("value", "where", "python", "file") if key in table]
        if len(given) != 1:
            found = " and ".join(given) or "none of them"
            raise SpecError(f"exactly one of value, where, python, file is needed, found {found}", place)
        python = None
        if "python" in table:
            python = _module_text(table.required_text("python"), name, table.at("python"))
        elif "file" in table:
            python = _module_text(
                _read_beside(table.required_text("file"), folder, table.at("file")), name, table.at("file")
            )
        raises = _exceptions(table, required=False)
        if raises and python is None:
            raise SpecError("raises goes with a Python reference", table.at("raises"), hint="say it in a [[reject]]")
        return Reference(
            **self._head(table, "reference"),
            value=table.optional_expression("value"),
            where=table.optional_expression("where"),
            python=python,
            file=table.text("file"),
            raises=raises,
            abs_tol=table.tolerance("abs_tol"),
            rel_tol=table.tolerance("rel_tol"),
        )

    def relations(self, reference: Reference | None) -> tuple[Relation, ...]:
        reader = RelationReader(self._inputs, self._output, reference)
        return tuple(reader.read(table, head) for table, head in self._entries("relation", *RELATION_KEYS))

    def examples(self) -> tuple[Example, ...]:
        examples = []
        for table, head in self._entries("example", "in", "out", "raises", nullable=("out",)):
            inputs = self._input_values(table, all_needed=True)
            if "raises" in table:
                if table.raw.get("out") is not None:
                    raise SpecError("both out and raises", table.at("raises"), hint="an example has one answer")
                examples.append(Example(**head, inputs=inputs, raises=_exceptions(table, required=True)))
                continue
            if "out" not in table:
                raise SpecError("neither out nor raises", table.place, hint="an example has one answer")
            out = from_plain(self._output, table.raw["out"], table.at("out"))
            fault = member_fault(self._output, out, result=True)
            if fault is not None and not isinstance(self._output, FloatType):
                raise SpecError(f"not of the output's type: {fault}", table.at("out"))
            examples.append(Example(**head, inputs=inputs, out=out))
        return tuple(examples)

    def samples(self) -> tuple[Sample, ...]:
        return tuple(
            Sample(**head, inputs=self._input_values(table, all_needed=False))
            for table, head in self._entries("sample", "in")
        )

    def _input_values(self, table: Table, *, all_needed: bool) -> dict[str, Any]:
        return input_values(self._inputs, table.required("in"), table.at("in"), all_needed=all_needed)

    def invariants(self) -> tuple[Invariant, ...]:
        invariants = []
        for table, head in self._entries("invariant", "that", "loop"):
            loop = table.raw.get("loop")
            if loop is not None and (isinstance(loop, bool) or not isinstance(loop, int | str) or loop == 0):
                raise wrong_kind("the loop's number in the source, from 1, or a variable of it", loop, table.at("loop"))
            invariants.append(Invariant(**head, that=table.expression("that"), loop=loop))
        return tuple(invariants)

    def holes(self, types: TypeReader) -> tuple[Hole, ...]:
        raw = self._tables.get("hole") or []
        if not isinstance(raw, list):
            raise SpecError(
                "expected an array of tables",
                Place(self._file, "[hole]"),
                hint="write [[hole]] with two brackets",
            )
        holes: list[Hole] = []
        for number, item in enumerate(raw, start=1):
            place = Place(self._file, f"[[hole]] {number}")
            if not isinstance(item, dict):
                raise wrong_kind("a table", item, place)
            own = {key: value for key, value in item.items() if key in ("name", "id", "source", "text")}
            table = Table(own, place, ("name", *_CLAUSE))
            name = check_identifier(table.required_text("name"), "a hole", table.at("name"))
            if any(hole.name == name for hole in holes):
                raise SpecError(f'there are two holes "{name}"', table.at("name"))
            type = types.read({key: value for key, value in item.items() if key not in own}, place, name)
            holes.append(Hole(**self._head(table, name), name=name, type=type))
        return tuple(holes)


def _single(raw: Any, place: Place) -> Any:
    if isinstance(raw, list):
        raise SpecError("expected one table", place, hint=f"write {place.table} with one bracket")
    return raw


def _exceptions(table: Table, *, required: bool) -> tuple[str, ...]:
    if not required and "raises" not in table:
        return ()
    table.required("raises")
    names = table.texts("raises")
    if not names:
        raise wrong_kind("an exception's name or an array of them", [], table.at("raises"))
    return tuple(dict.fromkeys(exception_name(name, table.at("raises")) for name in names))


def _module_text(text: str, name: str, place: Place) -> str:
    """The text of a Python module that defines the function, as far as its text shows; it is never run here."""
    if not re.search(rf"(?m)^(?:async\s+)?def\s+{name}\b|^{name}\s*[:=]|^(?:from|import)\s.*\b{name}\b", text):
        raise SpecError(f"the module does not define {name}", place, hint=f"it holds: def {name}(...):")
    return text


def _read_beside(file: str, folder: Path | None, place: Place) -> str:
    """The text of a file in the spec's folder or below it."""
    if folder is None:
        raise SpecError("a file beside the spec, but the spec is no file itself", place, hint="give its text as python")
    if not file or "\0" in file or Path(file).is_absolute():
        raise SpecError(f"{show(file)} is no path beside the spec", place)
    try:
        root = folder.resolve()
        path = (root / file).resolve()
        if not path.is_relative_to(root):
            raise SpecError(f"{show(file)} leads out of the spec's folder", place, hint="the file lies beside the spec")
        if not path.is_file():
            raise SpecError(f"there is no file {show(file)} beside the spec", place)
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, RuntimeError) as error:
        raise SpecError(f"{show(file)} cannot be read: {error}", place) from None
    return text_from_bytes(data, place)
