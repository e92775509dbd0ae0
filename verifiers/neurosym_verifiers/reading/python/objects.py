"""Reading the classes of a program: their instances, and what they have for a name."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Mapping
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data.decimal_contexts import DEFAULT, in_force
from neurosym_verifiers.reading.data.dicts import new_dict
from neurosym_verifiers.reading.data.values import (
    NotRead,
    Record,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.state import MODULE, State, Surroundings
from neurosym_verifiers.reading.python.class_methods import AFTER_INIT
from neurosym_verifiers.reading.python.classes import Field, RecordClass
from neurosym_verifiers.reading.python.comprehensions import PythonComprehensions
from neurosym_verifiers.reading.python.enums import EnumClass, kind_of


class PythonClasses(PythonComprehensions):
    """Reads the classes of one program."""

    @abstractmethod
    def _inlined(
        self,
        function: ast.FunctionDef | ast.Lambda,
        arguments: Many[Value],
        keywords: Mapping[str, Value],
        state: State,
        around: Surroundings,
    ) -> Value:
        """A call of a function."""

    @abstractmethod
    def _called(
        self, callee: Value, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        """A call of anything."""

    def _instance(
        self, record: RecordClass, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        given = dict(zip(record.positional, arguments, strict=False))
        if len(arguments) > len(record.positional) or set(keywords) - (set(record.names) - set(given)):
            raise NotRead(f"{record.name}() with these arguments", line)
        given |= keywords
        for each in record.fields:
            if each.name not in given:
                given[each.name] = self._default(record, each, state, line)
        for value in given.values():
            self._kept(value, line)
        if record.form == "dict":
            return new_dict([(Text(name), given[name]) for name in given], state, line)
        parts = tuple((name, given[name]) for name in record.names)
        made = Record(record.name, parts, record.form == "namedtuple", record.ordered, record.uncompared)
        if AFTER_INIT in record.methods:
            self._kept(self._inlined(record.methods.functions[AFTER_INIT], [made], {}, state, MODULE), line)
        return made

    def _default(self, record: RecordClass, field: Field, state: State, line: int) -> Value:
        """A field's default: made once for all instances, and so in no heap, or by a function for each."""
        if field.factory is not None:
            factory = self._at_module(field.factory, "the default of a field", line)
            return self._called(factory, [], {}, state, line)
        if field.default is None:
            raise NotRead(f"{record.name}() without all its fields", line)
        return self._at_module(field.default, "the default of a field", line)

    def _at_module(self, node: ast.expr, what: str, line: int) -> Value:
        """What an expression was when the module was loaded: what is in no heap."""
        own = State({})
        with in_force(DEFAULT):
            value = self._value(node, own)
        if own.exits or own.heap.contents:
            raise NotRead(what, line)
        return value

    def _of_class(self, value: Value, name: str, state: State) -> Value | None:
        """What a class of the program has for a name: of an instance or member, or of the class itself.

        A property is called, a function only bound to what it takes first; None if the class has none of the name.
        """
        of = value.of if isinstance(value, Thing) else self._class_of(value)
        if not isinstance(of, (RecordClass, EnumClass)) or name not in of.methods or name == AFTER_INIT:
            return None
        function, kind = of.methods.functions[name], of.methods.kind(name)
        is_instance = not isinstance(value, Thing)
        if kind == "property" and is_instance:
            return self._inlined(function, [value], {}, state, MODULE)
        if kind == "property":
            return None
        first = (value,) if kind == "method" and is_instance else (self._class_itself(of),) if kind == "class" else ()
        return Thing("function of a class", (function, first))

    def _class_of(self, value: Value) -> RecordClass | EnumClass | None:
        if isinstance(value, Record):
            return self._program.records.get(value.kind)
        return self._enums.get(kind_of(value))

    def _class_itself(self, of: RecordClass | EnumClass) -> Value:
        return Thing(f"enum {of.name}", of) if isinstance(of, EnumClass) else Thing("record", of)
