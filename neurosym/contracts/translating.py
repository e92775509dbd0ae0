"""From a condition in Python to one in the expression language, where both say the same of every value.

The language computes exactly, Python does not: floats round after every operation, Decimals after 28 digits. So a
comparison is translated for all numbers (Python compares exactly), arithmetic where its result is certainly exact.
The rest, and what needs truthiness, raises ``NotRead``. What fails in Python (an index, a division by zero) is
undefined in the language too, and a fault of the spec there: never a pass.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping
from dataclasses import replace

from neurosym_specs.expr.language import RESERVED

from neurosym.contracts.arithmetic import added, compared, constant_number, multiplied, negated, power, united
from neurosym.contracts.calls import Calls
from neurosym.contracts.conditions import Computed, Input, Meaning, NotRead, Parts, Result, said
from neurosym.contracts.guarding import may_fail
from neurosym.contracts.kinds import BOOL, NONE, STR, Kind
from neurosym.contracts.program import Program, one_liner
from neurosym.contracts.scope import Said, Scope, function

_DEEPEST = 20
_TEXT_METHODS: Mapping[str, tuple[int, str]] = {
    "upper": (0, "str"), "lower": (0, "str"), "strip": (0, "str"), "isdigit": (0, "bool"),
    "startswith": (1, "bool"), "endswith": (1, "bool"), "count": (1, "int"), "find": (1, "int"),
    "replace": (2, "str"),
}  # fmt: skip


class Translator:
    """Translates the conditions of one function. ``inputs`` are the kinds of its parameters, ``renamed`` what they are
    called in the spec, ``result`` the kind of its result, None before that may be spoken of."""

    def __init__(
        self, program: Program, inputs: Mapping[str, Kind], renamed: Mapping[str, str], result: Kind | None
    ) -> None:
        self._program, self._inputs, self._renamed, self._result = program, inputs, renamed, result
        self._depth = 0
        self._variables: set[str] = set()
        self._calls = Calls(program, self)

    def condition(self, node: ast.expr, scope: Mapping[str, Meaning]) -> str:
        """The text of a condition. Raises ``NotRead``."""
        self._variables.clear()
        if self._program.sets_context and _may_round(node):
            raise NotRead("the module changes how Decimals round")
        found = self.said(node, Scope(scope))
        if found.kind.word != "bool" or found.kind.optional:
            raise NotRead("it is no comparison: whether a value counts as true is not read")
        return ast.unparse(ast.fix_missing_locations(ast.Expression(body=found.node)))

    def kind(self, node: ast.expr, scope: Mapping[str, Meaning]) -> Kind:
        """The kind of an expression. Raises ``NotRead``."""
        self._variables.clear()
        return self.said(node, Scope(scope)).kind

    def said(self, node: ast.expr, scope: Scope) -> Said:
        """The translation of an expression. Raises ``NotRead``."""
        self._depth += 1
        try:
            if self._depth > _DEEPEST * 4:
                raise NotRead("it is too deep")
            return self._translated(node, scope)
        finally:
            self._depth -= 1

    def _translated(self, node: ast.expr, scope: Scope) -> Said:
        match node:
            case ast.Constant():
                return _constant(node)
            case ast.Name(id=name):
                return self._name(name, scope)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.BoolOp(op=op, values=values):
                parts = [self._boolean(each, scope) for each in values]
                return Said(ast.BoolOp(op=op, values=parts), BOOL)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Said(ast.UnaryOp(op=ast.Not(), operand=self._boolean(operand, scope)), BOOL)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self.said(operand, scope)
                return Said(ast.UnaryOp(op=ast.USub(), operand=value.node), negated(value.kind))
            case ast.BinOp():
                return self._arithmetic(node, scope)
            case ast.Compare():
                return self._compare(node, scope)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                then, other = self.said(body, scope), self.said(orelse, scope)
                made = ast.IfExp(test=self._boolean(test, scope), body=then.node, orelse=other.node)
                return Said(made, united(then.kind, other.kind))
            case ast.Call():
                return self._call(node, scope)
            case ast.Subscript():
                return self._subscript(node, scope)
            case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
                return self._display(node, elts, scope)
            case ast.ListComp(elt=elt, generators=generators):
                return self.comprehension(elt, generators, scope, ast.ListComp)
            case _:
                raise NotRead(f"`{said(node)[:40]}` has no counterpart in the spec format")

    def _boolean(self, node: ast.expr, scope: Scope) -> ast.expr:
        value = self.said(node, scope)
        if value.kind.word != "bool" or value.kind.optional:
            raise NotRead(f"whether `{said(node)[:40]}` counts as true is not read: compare it with something")
        return value.node

    def _name(self, name: str, scope: Scope) -> Said:
        if name in scope.local:
            return scope.local[name]
        match scope.meanings.get(name):
            case Input(name=parameter):
                if parameter not in self._inputs:
                    raise NotRead(f"the input {parameter} is not read")
                return Said(ast.Name(id=self._renamed[parameter]), self._inputs[parameter])
            case Result():
                if self._result is None:
                    raise NotRead("it speaks of the result before there is one")
                return Said(ast.Name(id="result"), self._result)
            case Computed(expression=expression, scope=inner):
                return self._surely(self.said(expression, Scope(inner)), "what a snapshot captures")
            case Parts():
                raise NotRead(f"{name} is read by its attributes only")
            case None:
                pass
        return self._constant_of_the_module(name)

    def _constant_of_the_module(self, name: str) -> Said:
        value = self._program.value(name)
        if value is None or isinstance(value, ast.List | ast.Dict | ast.Set):
            raise NotRead(f"what {name} is, is not certain")
        if self._program.sets_context and _may_round(value):
            raise NotRead("the module changes how Decimals round")
        found = self.said(value, Scope({}))
        if _can_change(found.kind):
            raise NotRead(f"what {name} is, is not certain: a list can be changed")
        return found

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Said:
        if isinstance(node.value, ast.Name) and node.value.id not in scope.local:
            match scope.meanings.get(node.value.id):
                case Parts(of=of):
                    if node.attr not in of:
                        raise NotRead(f"{node.value.id}.{node.attr} is not there")
                    return self._name(node.attr, Scope({node.attr: of[node.attr]}))
                case None if (found := self._program.classes.get(node.value.id)) is not None:
                    return _member(found.name, node.attr, self._enums())
                case _:
                    pass
        value = self.said(node.value, scope)
        if value.kind.word == "date" and node.attr in ("year", "month", "day"):
            return Said(ast.Attribute(value=value.node, attr=node.attr), Kind(word="int"))
        if value.kind.word == "days" and node.attr == "days":
            return Said(function("days", value.node), Kind(word="int"))
        raise NotRead(f"the attribute {node.attr} is not read")

    def _enums(self) -> dict[str, Kind]:
        kinds = [*self._inputs.values(), *([self._result] if self._result else [])]
        return {kind.name: kind for each in kinds for kind in (each, each.item) if kind and kind.word == "enum"}

    def _arithmetic(self, node: ast.BinOp, scope: Scope) -> Said:
        left, right = self.said(node.left, scope), self.said(node.right, scope)
        made = ast.BinOp(left=left.node, op=node.op, right=right.node)
        match node.op:
            case ast.Sub() if left.kind.word == right.kind.word == "date":
                return Said(made, Kind(word="days"))
            case ast.Add() if left.kind.word == right.kind.word == "str":
                return Said(made, STR)
            case ast.Add():
                return Said(made, added(left.kind, right.kind, 1))
            case ast.Sub():
                return Said(made, added(left.kind, right.kind, -1))
            case ast.Mult():
                return Said(made, multiplied(left.kind, right.kind))
            case ast.Pow():
                return Said(made, power(left.kind, right.kind))
            case ast.FloorDiv() | ast.Mod() if {left.kind.word, right.kind.word} <= {"int", "fraction"}:
                of_ints = left.kind.word == right.kind.word == "int"
                return Said(made, Kind(word="int" if of_ints or isinstance(node.op, ast.FloorDiv) else "fraction"))
            case ast.Div() if {left.kind.word, right.kind.word} in ({"int", "fraction"}, {"fraction"}):
                return Said(made, Kind(word="fraction"))
            case _:
                raise NotRead(f"`{said(node)[:40]}` may round, and the spec format computes exactly")

    def _compare(self, node: ast.Compare, scope: Scope) -> Said:
        sides = [self.said(each, scope) for each in (node.left, *node.comparators)]
        if sides[-1].kind.word == "range" and len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
            return _in_range(node.ops[0], sides[0], sides[1])
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            compared(op, left.kind, right.kind)
        ops = [_equality(op, right) for op, right in zip(node.ops, sides[1:], strict=True)]
        made = ast.Compare(left=sides[0].node, ops=ops, comparators=[each.node for each in sides[1:]])
        return Said(made, BOOL)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Said:
        value = self.said(node.value, scope)
        kind = value.kind
        if isinstance(node.slice, ast.Slice):
            if node.slice.step is not None or not (kind.is_list or kind.word == "str") or kind.optional:
                raise NotRead("this slice is not read")
            bounds = [each and self._whole_number(each, scope) for each in (node.slice.lower, node.slice.upper)]
            made = ast.Subscript(value=value.node, slice=ast.Slice(lower=bounds[0], upper=bounds[1]))
            return Said(made, replace(kind, choices=()))
        index = self.said(node.slice, scope)
        if index.kind.word != "int" or kind.optional:
            raise NotRead("only whole numbers are read as an index")
        made = ast.Subscript(value=value.node, slice=index.node)
        if kind.word == "str":
            return Said(made, STR)
        if kind.is_list and kind.item is not None:
            return Said(made, kind.item)
        if kind.items and index.kind.low is not None and index.kind.low == index.kind.high:
            place = int(index.kind.low)
            if -len(kind.items) <= place < len(kind.items):
                return Said(made, kind.items[place])
        raise NotRead(f"`{said(node)[:40]}` is not read")

    def _whole_number(self, node: ast.expr, scope: Scope) -> ast.expr:
        value = self.said(node, scope)
        if value.kind.word != "int" or value.kind.optional:
            raise NotRead("only whole numbers are read as an index")
        return value.node

    def _display(self, node: ast.expr, elts: list[ast.expr], scope: Scope) -> Said:
        if not elts or (
            isinstance(node, ast.Set) and not all(isinstance(each, ast.Constant | ast.Attribute) for each in elts)
        ):
            raise NotRead("this display is not read")
        parts = [self.said(each, scope) for each in elts]
        kind = parts[0].kind
        for each in parts[1:]:
            kind = united(kind, each.kind)
        nodes = [each.node for each in parts]
        match node:
            case ast.List():
                return Said(ast.List(elts=nodes), Kind(word="list", item=kind, max_len=len(nodes)))
            case ast.Set():
                return Said(ast.Set(elts=nodes), Kind(word="set", item=kind, max_len=len(nodes)))
            case _:
                return Said(ast.Tuple(elts=nodes), Kind(word="tuple", item=kind, max_len=len(nodes)))

    def comprehension(
        self,
        elt: ast.expr,
        generators: list[ast.comprehension],
        scope: Scope,
        form: type[ast.ListComp | ast.GeneratorExp],
    ) -> Said:
        most: int | None = 1
        made: list[ast.comprehension] = []
        for each in generators:
            over = self.said(each.iter, scope)
            item = STR if over.kind.word == "str" else over.kind.item
            if not isinstance(each.target, ast.Name) or each.is_async or item is None or over.kind.word == "set":
                raise NotRead("only loops of one name over lists, texts and ranges are read")
            if over.kind.optional:
                raise NotRead("a loop over what may be None is not read")
            variable = self._fresh(each.target.id)
            scope = Scope(scope.meanings, {**scope.local, each.target.id: Said(ast.Name(id=variable), item)})
            ifs = [self._boolean(test, scope) for test in each.ifs]
            made.append(ast.comprehension(target=ast.Name(id=variable), iter=over.node, ifs=ifs, is_async=0))
            most = None if most is None or over.kind.max_len is None else most * over.kind.max_len
        value = self.said(elt, scope)
        return Said(form(elt=value.node, generators=made), Kind(word="list", item=value.kind, max_len=most))

    def _fresh(self, name: str) -> str:
        """A name for a variable that hides nothing: an inlined function may speak of what its caller loops over."""
        taken = self._variables | RESERVED | set(self._renamed.values())
        others = (f"{name}_{count}" for count in itertools.count(2))
        made = next(each for each in itertools.chain([name], others) if each not in taken)
        self._variables.add(made)
        return made

    def _call(self, node: ast.Call, scope: Scope) -> Said:
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            raise NotRead("a call with * is not read")
        if isinstance(node.func, ast.Name) and node.func.id in (*scope.local, *scope.meanings):
            raise NotRead(f"{node.func.id} is an argument, and what it does when called is not known")
        name = self._program.dotted(node.func)
        if (called := self._calls.function(name, node, scope)) is not None:
            return called
        if isinstance(node.func, ast.Name) and (found := self._program.function(node.func.id)) is not None:
            return self._inlined(node, found, scope)
        if isinstance(node.func, ast.Attribute) and not name:
            return self._method(node, node.func, scope)
        raise NotRead(f"what {said(node.func)[:40]} does is not read")

    def _inlined(self, node: ast.Call, function: ast.FunctionDef, scope: Scope) -> Said:
        """A call of a function of the module that only returns an expression."""
        found = one_liner(function)
        if found is None or node.keywords or len(node.args) != len(found.parameters):
            raise NotRead(f"what {function.name} does is not read: it is no function of one return")
        if self._depth > _DEEPEST:
            raise NotRead(f"what {function.name} does is not read: it goes too deep")
        # Python computes an argument also where the function has no need of it.
        arguments = [self._surely(self.said(each, scope), f"an argument of {function.name}") for each in node.args]
        return self.said(found.body, Scope({}, dict(zip(found.parameters, arguments, strict=True))))

    def _surely(self, value: Said, what: str) -> Said:
        """The value itself, which has to be computed whether or not it is asked for, and so must not fail."""
        kinds = {self._renamed[name]: kind for name, kind in self._inputs.items()}
        kinds |= {"result": self._result} if self._result else {}
        # One that is only handed on does not fail, whatever it is.
        if not isinstance(value.node, ast.Name) and may_fail(value.node, {n for n, k in kinds.items() if k.optional}):
            raise NotRead(f"{what} may fail, and is computed before it is asked for")
        return value

    def _method(self, node: ast.Call, func: ast.Attribute, scope: Scope) -> Said:
        value = self.said(func.value, scope)
        if value.kind.optional:
            raise NotRead("a method of what may be None is not read")
        if value.kind.word == "decimal" and func.attr == "quantize":
            return self._calls.quantize(node, value, scope)
        if value.kind.word == "date" and func.attr in ("weekday", "isoweekday") and not node.args + node.keywords:
            weekday: ast.expr = ast.Attribute(value=value.node, attr="weekday")
            if func.attr == "isoweekday":
                weekday = ast.BinOp(left=weekday, op=ast.Add(), right=ast.Constant(value=1))
            return Said(weekday, Kind(word="int"))
        if value.kind.word == "str" and func.attr in _TEXT_METHODS and not node.keywords:
            count, word = _TEXT_METHODS[func.attr]
            arguments = [self.said(each, scope) for each in node.args]
            if len(arguments) == count and all(
                each.kind.word == "str" and not each.kind.optional for each in arguments
            ):
                made = ast.Call(func=ast.Attribute(value=value.node, attr=func.attr),
                                args=[each.node for each in arguments], keywords=[])  # fmt: skip
                return Said(made, Kind(word=word))
        if value.kind.is_list and func.attr == "copy" and not node.args + node.keywords:
            return value
        raise NotRead(f"the method {func.attr} is not read")


def _constant(node: ast.Constant) -> Said:
    match node.value:
        case bool():
            return Said(node, BOOL)
        case None:
            return Said(node, NONE)
        case str(text):
            return Said(node, replace(STR, max_len=len(text)))
        case int(value) | float(value):
            return Said(*constant_number(value))
        case _:
            raise NotRead(f"`{said(node)[:40]}` has no counterpart in the spec format")


def _member(name: str, attribute: str, enums: Mapping[str, Kind]) -> Said:
    kind = enums.get(name)
    if kind is None or attribute not in dict(kind.members):
        raise NotRead(f"{name}.{attribute} is not read")
    return Said(ast.Constant(value=attribute), kind)


def _may_round(node: ast.expr) -> bool:
    """Whether an expression computes anything; to write a Decimal is to round nothing."""
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Name(id="Decimal") | ast.Attribute(attr="Decimal"), args=[ast.Constant()]):
                pass
            case ast.BinOp() | ast.UnaryOp() | ast.Call():
                return True
            case _:
                pass
    return False


def _can_change(kind: Kind) -> bool:
    """Whether values of a kind are lists, or have some inside."""
    return kind.word in ("list", "set") or any(map(_can_change, [*([kind.item] if kind.item else []), *kind.items]))


def _equality(op: ast.cmpop, right: Said) -> ast.cmpop:
    """A member of an enum is itself where it is equal."""
    if right.kind.word != "enum":
        return op
    return ast.Eq() if isinstance(op, ast.Is) else ast.NotEq() if isinstance(op, ast.IsNot) else op


def _in_range(op: ast.cmpop, value: Said, numbers: Said) -> Said:
    """``x in range(a, b)`` as ``a <= x < b``: the range may be too long to be walked."""
    if value.kind.word != "int" or value.kind.optional or not isinstance(numbers.node, ast.Call):
        raise NotRead("`in` a range is read of whole numbers")
    first = ast.Constant(value=0) if len(numbers.node.args) == 1 else numbers.node.args[0]
    inside = ast.Compare(left=first, ops=[ast.LtE(), ast.Lt()], comparators=[value.node, numbers.node.args[-1]])
    return Said(inside if isinstance(op, ast.In) else ast.UnaryOp(op=ast.Not(), operand=inside), BOOL)
