"""Reading Python's expressions: the value, and where it raises. Calls are in ``python_calls``."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Mapping
from collections.abc import Sequence as Many
from dataclasses import replace
from itertools import count

from neurosym_verifiers.reading.comparing import compare
from neurosym_verifiers.reading.containers import new_dict, new_list, new_set, put, slice_of, subscript
from neurosym_verifiers.reading.exceptions import ATTRIBUTE_ERROR, TYPE_ERROR
from neurosym_verifiers.reading.heap import Heap
from neurosym_verifiers.reading.higher_order import HIGHER_ORDER
from neurosym_verifiers.reading.items import Items, items_of
from neurosym_verifiers.reading.library import FUNCTIONS
from neurosym_verifiers.reading.methods import attribute
from neurosym_verifiers.reading.narrowing import narrowing_by
from neurosym_verifiers.reading.normal_forms import both, either, negated
from neurosym_verifiers.reading.numbers import PRECISION, context_of
from neurosym_verifiers.reading.operations import binary, constant, listed, pick, truth
from neurosym_verifiers.reading.program import STRING_CONSTANTS, EnumClass, Program
from neurosym_verifiers.reading.state import State
from neurosym_verifiers.reading.terms import FALSE, TRUE, Condition, number
from neurosym_verifiers.reading.text_numbers import formatted
from neurosym_verifiers.reading.values import (
    Bool,
    Guarded,
    Int,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    OutOfOrder,
    Record,
    Ref,
    Sequence,
    Stream,
    Table,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.ways import any_way

_comprehensions = count()


class PythonValues(ABC):
    """Reads expressions of one program in a state."""

    def __init__(self, program: Program, enums: Mapping[str, EnumClass]) -> None:
        self._program = program
        self._enums = enums
        self._constants: dict[str, tuple[Value, Heap]] = {}

    @abstractmethod
    def _call(self, node: ast.Call, state: State) -> Value:
        """A call."""

    @abstractmethod
    def _property(self, instance: Record, name: str, state: State) -> Value | None:
        """What a property of a class of the program gives, or a method of it; None if there is none of the name."""

    def _value(self, node: ast.expr, state: State) -> Value:
        """The value of an expression; where nothing gets here, it does not matter which."""
        if state.live == FALSE:
            return NoneValue()
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
            case ast.Set(elts=items):
                return new_set(self._items(items, state), state, line)
            case ast.List(elts=items):
                return new_list(self._items(items, state), state)
            case ast.Tuple(elts=items):
                return listed(self._items(items, state), False)
            case ast.Dict(keys=keys, values=values):
                return self._dict(keys, values, state, line)
            case ast.Attribute(value=of, attr=name):
                return self._attribute(of, name, state, line)
            case ast.Call():
                return self._at_once(self._call(node, state), line)
            case ast.Subscript(value=of, slice=index):
                return self._subscript(of, index, state, line)
            case ast.ListComp(elt=element, generators=generators):
                return new_list(self._comprehension([element], generators, state), state)
            case ast.SetComp(elt=element, generators=generators):
                return new_set(self._comprehension([element], generators, state), state, line)
            case ast.GeneratorExp():
                return self._at_once(self._stream(node, state), line)
            case ast.DictComp(key=key, value=value, generators=generators):
                return self._dict_comprehension(key, value, generators, state, line)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                if node not in self._program.surely:
                    raise NotRead(f"{name} :=, where it is not surely reached", line)
                found = self._kept(self._value(value, state), line)
                state.names[name] = found
                return found
            case ast.Lambda():
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
            return program.names[name]
        if name in FUNCTIONS or name in HIGHER_ORDER:  # those of modules have a dot in their names
            return Thing(name)
        raise NotRead(f"the name {name}", line)

    def _module_constant(self, name: str, state: State, line: int) -> Value:
        """A constant of the module; what is in the heap for it can be read, and not changed."""
        if name not in self._constants:
            own = State({})
            with context_of(PRECISION):  # that of the module, whoever asks first
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
        a, b = self._certain(a, state, line), self._certain(b, state, line)
        if not isinstance(a, Ref) and not isinstance(b, Ref):
            if isinstance(op, ast.Mult) and isinstance(a, Sequence) and isinstance(b, Int):
                return Sequence(a.items * self._times(b, line), False)
            return binary(op, a, b, state, line)
        one, other = state.top(a), state.top(b)
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
            value = self._value(operand, here)
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
        value = self._certain(value, state, line, ATTRIBUTE_ERROR)
        if isinstance(value, Thing):
            if isinstance(value.of, EnumClass) and value.name == f"enum {value.of.name}":
                if name not in value.of.members:
                    raise NotRead(f"{value.of.name}.{name}", line)
                return Member(value.of.name, value.of.members, number(value.of.members.index(name)))
            if value.of is None and value.name == "string" and name in STRING_CONSTANTS:
                return Text(STRING_CONSTANTS[name])
            if value.of is None and not value.name.startswith("function "):
                dotted = f"{value.name}.{name}"
                return Text(name) if value.name == "decimal" and name.startswith("ROUND_") else Thing(dotted)
            raise NotRead(f"the attribute {name}", line)
        if isinstance(value, Record):
            part = value.field(name) or self._property(value, name, state)
            if part is not None:
                return part
        if isinstance(value, Ref):
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
        content = as_tuple(state.top(self._certain(value, state, line)))
        if not isinstance(content, Table):
            at = self._certain(at, state, line)
        return subscript(content, at, state, line)

    # Displays and comprehensions

    def _items(self, nodes: Many[ast.expr], state: State) -> Items:
        found: list[tuple[Condition, Value]] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += items_of(state.top(self._value(node.value, state)), node.lineno)
            else:
                found.append((TRUE, self._kept(self._value(node, state), node.lineno)))
        return tuple(found)

    def _stream(self, node: ast.GeneratorExp, state: State) -> Value:
        """A generator's items, made at once."""
        exits_before = len(state.exits)
        made = self._comprehension([node.elt], node.generators, state)
        return Stream(made, True, None, state.raises_on_demand(exits_before, node.lineno))

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

    def _dict(self, keys: Many[ast.expr | None], values: Many[ast.expr], state: State, line: int) -> Value:
        pairs: list[tuple[Value, Value]] = []
        for key, value in zip(keys, values, strict=True):
            if key is None:
                raise NotRead("a dict in a dict's display", line)
            name = self._value(key, state)
            pairs.append((name, self._kept(self._value(value, state), line)))
        return new_dict(pairs, state, line)

    def _dict_comprehension(
        self, key: ast.expr, value: ast.expr, generators: Many[ast.comprehension], state: State, line: int
    ) -> Value:
        ref = new_dict([], state, line)
        for there, pair in self._comprehension([key, value], generators, state):
            assert isinstance(pair, Sequence)
            put(ref, pair.items[0], pair.items[1], state, line, where=there)
        return ref

    def _comprehension(self, elements: Many[ast.expr], generators: Many[ast.comprehension], state: State) -> Items:
        """The items, each with the condition under which it is there; two elements make pairs."""
        inner, exits_before = state.copy(), len(state.exits)
        own = next(_comprehensions)
        inner.comprehended |= {
            (own, part.id) for each in generators for part in ast.walk(each.target) if isinstance(part, ast.Name)
        }
        found: list[tuple[Condition, Value]] = []
        self._generate(elements, generators, TRUE, inner, found)
        for i in range(exits_before, len(state.exits)):  # its own names are gone outside
            state.exits[i] = replace(state.exits[i], names=dict(state.names))
        state.take_over([inner], elements[0].lineno)
        state.live = inner.live
        return tuple(found)

    def _generate(
        self,
        elements: Many[ast.expr],
        generators: Many[ast.comprehension],
        where: Condition,
        state: State,
        found: list[tuple[Condition, Value]],
    ) -> None:
        """One generator inside of those before it. ``state`` is where evaluation stands; its ``live`` moves on."""
        if not generators:
            made = [self._kept(self._value(element, state), element.lineno) for element in elements]
            found.append((where, made[0] if len(made) == 1 else Sequence(tuple(made), False)))
            return
        generator = generators[0]
        line = generator.iter.lineno
        if generator.is_async:
            raise NotRead("an asynchronous comprehension", line)
        for there, item in items_of(state.top(self._value(generator.iter, state)), line):
            before, exits_before = state.live, len(state.exits)
            inner = state.assuming(there)
            self._assign(generator.target, item, inner)
            open_, branches = there, [inner]
            left: list[Condition] = [both(before, negated(there))]
            for test in generator.ifs:
                holds = self._truth(test, inner)
                open_ = both(open_, holds)
                left.append(both(inner.live, negated(holds)))
                inner = inner.assuming(holds)
                branches.append(inner)
            if inner.live == FALSE and open_ != TRUE:
                open_ = FALSE
            else:
                self._generate(elements, generators[1:], both(where, open_), inner, found)
            state.take_over([*branches, inner], line)
            if len(state.exits) > exits_before:
                state.live = any_way(*left, inner.live)

    @abstractmethod
    def _assign(self, target: ast.expr, value: Value, state: State) -> None:
        """Binds a target."""


def as_tuple(value: Value) -> Value:
    """A named tuple as the tuple that it is."""
    if isinstance(value, Record) and value.is_tuple:
        return Sequence(tuple(part for _, part in value.fields), False)
    return value
