"""Reading Python's expressions: the value, and where it raises; comprehensions and calls are read elsewhere."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Mapping
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data.comparing import compare
from neurosym_verifiers.reading.data.containers import slice_of, subscript
from neurosym_verifiers.reading.data.decimal_contexts import DEFAULT, DecimalContext, in_force
from neurosym_verifiers.reading.data.dicts import DICTS, counted, entry, put_all, put_entry, with_own
from neurosym_verifiers.reading.data.exceptions import ATTRIBUTE_ERROR, TYPE_ERROR
from neurosym_verifiers.reading.data.operations import binary, constant, pick, truth
from neurosym_verifiers.reading.data.sets import set_operation
from neurosym_verifiers.reading.data.values import (
    COUNTER,
    Bool,
    DataMember,
    Guarded,
    Int,
    ItemSet,
    KeySet,
    Lookup,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    OneOf,
    OutOfOrder,
    Queue,
    Record,
    Ref,
    Sequence,
    Stream,
    Table,
    Text,
    Thing,
    Value,
    as_data,
)
from neurosym_verifiers.reading.execution.heap import Heap
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.execution.steps import Steps
from neurosym_verifiers.reading.execution.ways import any_way
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, number
from neurosym_verifiers.reading.python.enums import EnumClass, kind_of, member_at, member_named, said_of
from neurosym_verifiers.reading.python.higher_order import HIGHER_ORDER
from neurosym_verifiers.reading.python.instances import types_in
from neurosym_verifiers.reading.python.library import CONSTANTS, FUNCTIONS
from neurosym_verifiers.reading.python.methods import attribute
from neurosym_verifiers.reading.python.program import STRING_CONSTANTS, Program
from neurosym_verifiers.reading.texts.characters import is_text
from neurosym_verifiers.reading.texts.numbers import formatted

_EMPTY = tuple(Thing(name) for name in ("list", "dict", "set", "collections.deque"))
"""What makes something empty that may be changed."""


class PythonValues(ABC):
    """Reads expressions of one program in a state."""

    def __init__(self, program: Program, enums: Mapping[str, EnumClass]) -> None:
        self._program = program
        self._enums = enums
        self._constants: dict[str, tuple[Value, Heap]] = {}
        self._steps = Steps()

    @abstractmethod
    def _call(self, node: ast.Call, state: State) -> Value:
        """A call."""

    @abstractmethod
    def _of_class(self, value: Value, name: str, state: State) -> Value | None:
        """What a class of the program has for a name: a property, or a method; None if there is none of the name."""

    def _value(self, node: ast.expr, state: State) -> Value:
        """The value of an expression; where nothing gets here, it does not matter which."""
        if state.live == FALSE:
            return NoneValue()
        self._steps.take(node.lineno)
        try:
            return self._read(node, state)
        except OutOfOrder:
            raise
        except NotRead:
            if state.live == FALSE:
                return NoneValue()
            raise

    def _read(self, node: ast.expr, state: State) -> Value:
        line = node.lineno
        match node:
            case ast.Constant(value=value):
                return constant(value, line)
            case ast.Name(id=name):
                return self._name(name, state, line)
            case ast.BinOp(left=left, op=op, right=right):
                a = self._value(left, state)
                return self._binary(op, a, self._value(right, state), state, line)
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(op, self._value(operand, state), state, line)
            case ast.BoolOp(op=op, values=values):
                return self._boolean(isinstance(op, ast.And), values, state, line)
            case ast.Compare():
                return self._comparison(node, state)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._choice(test, body, orelse, state, line)
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                return self._display(node, state)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._display(node, state)
            case ast.Attribute(value=of, attr=name):
                return self._at_once(self._attribute(of, name, state, line), line)
            case ast.Call():
                return self._at_once(self._call(node, state), line)
            case ast.Subscript(value=of, slice=index):
                return self._subscript(of, index, state, line)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                if node not in self._program.surely:
                    raise NotRead(f"{name} :=, where it is not surely reached", line)
                found = self._kept(self._value(value, state), line)
                state.names[name] = found
                return found
            case ast.Lambda(args=parameters):
                self._defaults(parameters, state)
                return Thing("lambda", (node, state.frames, state.comprehended))
            case ast.JoinedStr(values=parts):
                return self._formatted(parts, state, line)
            case _:
                raise NotRead(f"{type(node).__name__}", line)

    def _truth(self, node: ast.expr, state: State) -> Condition:
        if isinstance(node, ast.BoolOp) and state.live != FALSE:
            value = self._boolean(isinstance(node.op, ast.And), node.values, state, node.lineno, only_truth=True)
        else:
            value = self._value(node, state)
        return FALSE if state.live == FALSE else truth(state.top(value), node.lineno)

    def _defaults(self, parameters: ast.arguments, state: State) -> None:
        """What parameters are without an argument is evaluated where the function is made: it may raise, or change."""
        for default in (*parameters.defaults, *parameters.kw_defaults):
            if default is not None:
                self._kept(self._value(default, state), default.lineno)

    # Names

    def _name(self, name: str, state: State, line: int) -> Value:
        """A local, then a name of the functions around, then a module-level name, then a builtin.

        A local that some path leaves unbound is not read.
        """
        if name in state.names:
            return state.names[name]
        if name in state.locals:
            raise NotRead(f"{name}, which may be unbound", line)
        if name in state.enclosing:
            return state.enclosing[name]
        if name in state.hidden:
            raise NotRead(f"{name}, which may be unbound", line)
        program = self._program
        if name in program.functions:
            return Thing(f"function {name}")
        if name in self._enums:
            return Thing(f"enum {name}", self._enums[name])
        if name in program.records:
            return Thing("record", program.records[name])
        if name in program.constants:
            return self._module_constant(name, state, line)
        if name in program.names:
            known = program.names[name]
            return CONSTANTS.get(known.name, known) if isinstance(known, Thing) and known.of is None else known
        if (
            name in FUNCTIONS or name in HIGHER_ORDER or name in ("str", "bytes", "complex")
        ):  # those of modules have a dot in their names
            return Thing(name)
        raise NotRead(f"the name {name}", line)

    def _module_constant(self, name: str, state: State, line: int) -> Value:
        """A constant of the module; what is in the heap for it can be read, and not changed."""
        if name not in self._constants:
            own = State({})
            with in_force(DEFAULT):  # that of the module, whoever asks first
                value = self._value(self._program.constants[name], own)
            if own.exits or isinstance(value, Stream):
                raise NotRead(f"the constant {name}", line)
            own.heap.freeze()
            self._constants[name] = value, own.heap
        value, heap = self._constants[name]
        state.heap.add_new(heap)
        return value

    # Operators

    def _certain(self, value: Value, state: State, line: int, names: tuple[str, ...] = TYPE_ERROR) -> Value:
        """A value that is not None: with None, what is about to be done raises."""
        if isinstance(value, NoneValue):
            state.raise_if(TRUE, names, line)
        elif isinstance(value, Maybe):
            missing = value.missing
            state.raise_if(missing, names, line)
            narrowing = narrowing_by(negated(missing))
            return narrowing.value(value.value) if narrowing else value.value
        return value

    def _binary(self, op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
        if isinstance(op, ast.BitOr) and (isinstance(a, Thing) or isinstance(b, Thing)):
            return Thing("union", (*types_in(a, line), *types_in(b, line)))
        a = self._certain(a, state, line)
        if isinstance(op, ast.Mod) and is_text(as_data(a)):
            if isinstance(b, (NoneValue, Maybe)):
                raise NotRead("None in a text", line)
            if isinstance(b, DataMember):  # it is shown by its own name, or by what it is as well
                raise NotRead("a member of an enum in a text", line)
        a, b = as_data(a), as_data(self._certain(b, state, line))
        if not isinstance(a, (Ref, KeySet, ItemSet)) and not isinstance(b, Ref):
            if isinstance(op, ast.Mult) and isinstance(a, Sequence) and isinstance(b, Int):
                return Sequence(a.items * self._times(b, line), False)
            return binary(op, a, b, state, line)
        one, other = state.top(a), state.top(b)
        if isinstance(one, (KeySet, ItemSet)) and isinstance(other, (KeySet, ItemSet)):
            found = set_operation(op, one, other, line)
            return state.new(found) if isinstance(a, (Ref, OneOf)) else found
        if isinstance(op, ast.BitOr) and isinstance(one, DICTS) and isinstance(other, DICTS):
            if one.default is not None or other.default is not None:
                raise NotRead("dicts with a default put together", line)
            copy = state.new(one)
            put_all(copy, other, state, line)
            return copy
        if isinstance(op, ast.Mult) and isinstance(one, Int):
            one, other = other, one
        if isinstance(op, ast.Mult) and isinstance(one, Sequence) and isinstance(other, Int):
            return state.new(Sequence(one.items * self._times(other, line), True))
        if isinstance(op, ast.Add) and isinstance(one, (Sequence, Guarded)) and isinstance(other, (Sequence, Guarded)):
            return state.new(binary(op, one, other, state, line))
        raise NotRead(f"{type(op).__name__} of these", line)

    def _times(self, times: Int, line: int) -> int:
        known = times.term.constant
        if known is None or known > 1000:
            raise NotRead("a list repeated a number of times that varies", line)
        return known

    def _unary(self, op: ast.unaryop, value: Value, state: State, line: int) -> Value:
        value = as_data(value)
        match op:
            case ast.Not():
                return Bool(negated(truth(state.top(value), line)))
            case ast.USub():
                return binary(ast.Sub(), Int(number(0)), value, state, line)
            case ast.UAdd():
                return binary(ast.Add(), Int(number(0)), value, state, line)
            case _:
                raise NotRead(f"the operator {type(op).__name__}", line)

    def _boolean(
        self, conjunction: bool, operands: Many[ast.expr], state: State, line: int, *, only_truth: bool = False
    ) -> Value:
        """``and`` or ``or``: the first operand that decides; one is evaluated only where those before it do not.

        ``only_truth``: the value's truth will do, as in an ``if``."""
        here = state
        found: list[tuple[Condition, Value]] = []
        skipped: list[Condition] = []
        branches: list[State] = []
        exits_before, live_before = len(state.exits), state.live
        for operand in operands:
            value = Bool(self._truth(operand, here)) if only_truth else self._value(operand, here)
            if here.live == FALSE:
                break
            holds = truth(here.top(value), line)
            found.append((holds, value))
            open_ = holds if conjunction else negated(holds)
            skipped.append(both(here.live, negated(open_)))
            here = here.assuming(open_)
            branches.append(here)
        state.take_over(branches, line)
        state.live = live_before if len(state.exits) == exits_before else any_way(*skipped, here.live)
        if not found:
            return NoneValue()
        if only_truth or all(isinstance(value, Bool) for _, value in found):
            parts = [holds for holds, _ in found]
            return Bool(both(*parts) if conjunction else either(*parts))
        result = found[-1][1]
        for holds, value in found[-2::-1]:
            decides = negated(holds) if conjunction else holds
            known = narrowing_by(decides)
            result = pick(decides, known.value(value) if known else value, result, line)
        return result

    def _choice(self, test: ast.expr, body: ast.expr, orelse: ast.expr, state: State, line: int) -> Value:
        condition = self._truth(test, state)
        if condition == TRUE:
            return self._value(body, state)
        if condition == FALSE:
            return self._value(orelse, state)
        exits_before = len(state.exits)
        then, other = state.assuming(condition), state.assuming(negated(condition))
        a, b = self._value(body, then), self._value(orelse, other)
        state.take_over([then, other], line)
        if len(state.exits) > exits_before:
            state.live = any_way(then.live, other.live)
        if then.live == FALSE:
            return b
        return a if other.live == FALSE else pick(condition, a, b, line)

    def _comparison(self, node: ast.Compare, state: State) -> Value:
        """A chain is evaluated from the left, each operand once, and only while it holds."""
        left, line = self._value(node.left, state), node.lineno
        answer: Condition = TRUE
        here = state
        exits_before, live_before = len(state.exits), state.live
        skipped: list[Condition] = []
        branches: list[State] = []
        for op, operand in zip(node.ops, node.comparators, strict=True):
            right = self._value(operand, here)
            if here.live == FALSE:
                break
            if isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                left, right = self._certain(left, here, line), self._certain(right, here, line)
                if here.live == FALSE:
                    break
            if isinstance(op, (ast.Is, ast.IsNot)):
                holds = compare(op, left, right, node.lineno)
            else:
                holds = compare(op, here.seen(left), here.seen(right), node.lineno)
            answer = both(answer, holds)
            skipped.append(both(here.live, negated(answer)))
            here = here.assuming(answer)
            branches.append(here)
            left = right
        if len(node.ops) > 1:
            state.take_over(branches, node.lineno)
            state.live = live_before if len(state.exits) == exits_before else any_way(*skipped, here.live)
        return Bool(answer)

    def _formatted(self, parts: Many[ast.expr], state: State, line: int) -> Value:
        """An f-string of texts and whole numbers."""
        found: Value = Text("")
        for part in parts:
            form: ast.expr | None = None
            if isinstance(part, ast.FormattedValue):
                if part.conversion != -1:
                    raise NotRead("an f-string with a conversion", line)
                form, part = part.format_spec, part.value
            value = state.top(self._value(part, state))
            match form:
                case None | ast.JoinedStr(values=[]):
                    how = ""
                case ast.JoinedStr(values=[ast.Constant(value=str() as how)]):
                    pass
                case _:
                    raise NotRead("an f-string with this format", line)
            found = binary(ast.Add(), found, formatted(value, how, line), state, line)
        return found

    # Attributes and items

    def _attribute(self, of: ast.expr, name: str, state: State, line: int) -> Value:
        return self._part(self._value(of, state), name, state, line)

    def _part(self, value: Value, name: str, state: State, line: int) -> Value:
        if name.startswith("__"):  # some of which even None has
            raise NotRead(f"the attribute {name}", line)
        value = self._certain(value, state, line, ATTRIBUTE_ERROR)
        if isinstance(value, Thing):
            if (function := self._of_class(value, name, state)) is not None:
                return function
            if isinstance(value.of, EnumClass) and value.name == f"enum {value.of.name}":
                return member_at(value.of, name, line)
            if isinstance(value.of, DecimalContext):
                return Thing(f"method {name}", value.of)
            if value.of is None and value.name == "string" and name in STRING_CONSTANTS:
                return Text(STRING_CONSTANTS[name])
            if value.of is None and not value.name.startswith("function "):
                dotted = f"{value.name}.{name}"
                if dotted in CONSTANTS:
                    return CONSTANTS[dotted]
                return Text(name) if value.name == "decimal" and name.startswith("ROUND_") else Thing(dotted)
            raise NotRead(f"the attribute {name}", line)
        if isinstance(value, Record):
            part = value.field(name) or self._of_class(value, name, state)
            if part is not None:
                return part
        if isinstance(value, (Member, DataMember)) and (enum := self._enums.get(kind_of(value))):
            part = said_of(value, name, enum) or self._of_class(value, name, state)
            if part is not None:
                return part
        if isinstance(value, (Ref, OneOf)):
            return Thing(f"method {name}", value)
        return attribute(value, name, line)

    def _subscript(self, of: ast.expr, index: ast.expr, state: State, line: int) -> Value:
        value = self._value(of, state)
        if isinstance(index, ast.Slice):
            bounds = [
                None if part is None else self._value(part, state) for part in (index.lower, index.upper, index.step)
            ]
            content = as_tuple(state.top(self._certain(value, state, line)))
            return slice_of(content, bounds, state, line)
        return self._item(value, self._value(index, state), state, line)

    def _item(self, value: Value, at: Value, state: State, line: int) -> Value:
        value = self._certain(value, state, line)
        content = as_tuple(state.top(value))
        if isinstance(content, Thing) and isinstance(content.of, EnumClass):
            return member_named(content.of, at, state, line)
        if isinstance(content, (Sequence, Guarded, Queue)) or is_text(content):
            at = self._certain(at, state, line)
        at = as_data(at)
        if isinstance(content, DICTS) and content.default is not None:
            return self._or_default(value, content, at, state, line)
        return subscript(content, at, state, line)

    def _or_default(self, of: Value, content: Table | Lookup, key: Value, state: State, line: int) -> Value:
        """``dict[key]`` of a dict with a default, which it makes for a key that is missing, and keeps."""
        if content.default is None or content.default == COUNTER:
            return counted(content, key, line)
        if not isinstance(of, Ref):
            raise NotRead("a key that is missing in one of several dicts", line)
        if isinstance(content, Table) and isinstance(key, (Text, Member)) and content.default in _EMPTY:
            default = content.default
            own = with_own(of, key, lambda: self.called(default, [], state, line), state, line)
            if own is not None:
                return own
        found = self._before_change(of, key, state, line)
        _, there = entry(content, key, line)
        if there != TRUE:
            put_entry(of, key, found, state, line, where=negated(there))
        return found

    def _before_change(self, ref: Ref, at: Value, state: State, line: int) -> Value:
        """``ref[at]``, which is about to be another: the default of a missing key need not be put in first."""
        content = state.top(ref)
        if not isinstance(content, DICTS) or content.default is None or content.default == COUNTER:
            return self._item(ref, at, state, line)
        value, there = entry(content, as_data(at), line)
        if there == TRUE and value is not None:
            return value
        missing, exits_before = negated(there), len(state.exits)
        way = state.assuming(missing)
        made = self._kept(self.called(content.default, [], way, line), line)
        state.after(way, missing, exits_before, line)
        return made if value is None else pick(there, value, made, line)

    @abstractmethod
    def called(self, function: Value, arguments: Many[Value], state: State, line: int) -> Value:
        """What a function gives."""

    def _at_once(self, value: Value, line: int) -> Value:
        """A value that is there as soon as it is read: not what raises only while something goes through it."""
        if isinstance(value, Stream) and value.raises:
            raise OutOfOrder("an iterator that may raise", line)
        return value

    def _kept(self, value: Value, line: int) -> Value:
        """A value that something will hold on to: not what can be gone through only once."""
        if isinstance(value, Stream):
            raise NotRead("an iterator that is kept", line)
        return value

    @abstractmethod
    def _display(self, node: ast.expr, state: State) -> Value:
        """A list, tuple, set or dict that is written out, or a comprehension."""

    @abstractmethod
    def _assign(self, target: ast.expr, value: Value, state: State) -> None:
        """Binds a target."""


def as_tuple(value: Value) -> Value:
    """A named tuple as the tuple that it is."""
    if isinstance(value, Record) and value.is_tuple:
        return Sequence(tuple(part for _, part in value.fields), False)
    return value
