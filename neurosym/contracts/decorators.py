"""Contracts as decorators: what icontract and deal are told, as conditions over the arguments and the result.

icontract hands a condition those arguments whose names it has, beside them ``result`` and ``OLD``. deal hands it all
arguments in their order (``ensure`` also ``result`` by its name), or, where its one parameter is called ``_``, an
object that has them as attributes. Preconditions of several decorators must all hold.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from neurosym.contracts.conditions import Computed, Condition, Found, Input, Meaning, Parts, Result, Role, Unread, said
from neurosym.contracts.program import Program, one_liner

_LOUD = frozenset({"print", "stdout", "stderr", "input", "open", "calendar", "help", "warnings", "logging"})
"""Names in a module that may write to somewhere, which ``deal.has`` forbids."""


def read_decorators(program: Program, function: ast.FunctionDef, found: Found) -> None:
    """Adds what the decorators of a function say to what is ``found``; in the order of the text."""
    _Reader(program, function, found).read()


@dataclass(frozen=True, slots=True)
class _Said:
    """A decorator as it is written: its full name, line and text."""

    name: str
    line: int
    text: str


class _Reader:
    def __init__(self, program: Program, function: ast.FunctionDef, found: Found) -> None:
        self._program, self._function, self._found = program, function, found
        arguments = function.args
        self._parameters = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        self._inputs: Mapping[str, Meaning] = {name: Input(name) for name in self._parameters}
        self._old: dict[str, Meaning] = {}

    def read(self) -> None:
        contracts = [each for each in self._function.decorator_list if self._program.library(each)]
        self._found.any |= not all(map(self._is_off, contracts))
        for each in contracts:
            if self._program.library(each) == "icontract.snapshot":
                self._snapshot(each)
        for each in contracts:
            if self._program.library(each) != "icontract.snapshot":
                self._contract(each)

    def _is_off(self, node: ast.expr) -> bool:
        """Whether icontract leaves the function as it is, since ``enabled=False`` says so."""
        match node:
            case ast.Call(keywords=keywords) if self._program.library(node).startswith("icontract."):
                given = [each.value for each in keywords if each.arg == "enabled"]
                return [isinstance(each, ast.Constant) and each.value is False for each in given] == [True]
            case _:
                return False

    def _contract(self, node: ast.expr) -> None:
        written = _Said(self._program.library(node), node.lineno, said(node))
        call = node if isinstance(node, ast.Call) else ast.Call(func=node, args=[], keywords=[])
        match written.name:
            case "icontract.require":
                self._icontract(call, written, Role.PRE)
            case "icontract.ensure":
                self._icontract(call, written, Role.POST)
            case "deal.pre":
                self._deal(call, written, Role.PRE)
            case "deal.post" | "deal.ensure":
                self._deal(call, written, Role.POST)
            case "deal.chain":
                for each in call.args:
                    if self._program.library(each):
                        self._contract(each)
                    else:
                        self._unread(written, f"{said(each)} in it is not known", blocks=True)
            case "deal.safe":
                pass  # no exception for a valid input: asked of every function
            case "deal.raises":
                self._raises(call, written)
            case "deal.reason":
                self._reason(call, written)
            case "deal.has" | "deal.pure":
                self._has(call, written)
            case _:
                self._unread(written, "this kind of contract is not read", blocks=True)

    def _unread(self, written: _Said, why: str, *, blocks: bool) -> None:
        self._found.unread.append(Unread(written.line, written.text, why, blocks))

    def _meanings(self, role: Role, written: _Said) -> dict[str, Meaning] | None:
        """What a condition may speak of: the arguments, and after the call its result; None where both share a name."""
        meanings = dict(self._inputs)
        if role is Role.POST:
            if "result" in meanings:
                self._unread(written, "a parameter is called result", blocks=True)
                return None
            meanings["result"] = Result()
        return meanings

    def _icontract(self, call: ast.Call, written: _Said, role: Role) -> None:
        blocks = role is Role.PRE
        given = dict(zip(("condition", "description", "a_repr", "enabled", "error"), call.args, strict=False))
        given |= {each.arg: each.value for each in call.keywords if each.arg}
        if len(given) < len(call.args) + len(call.keywords) or any(isinstance(each, ast.Starred) for each in call.args):
            self._unread(written, "its arguments are not read", blocks=blocks)
            return
        match given.get("enabled"):
            case None | ast.Constant(value=True) | ast.Name(id="__debug__"):
                pass
            case ast.Constant(value=False):
                self._found.remarks.append((written.line, f"switched off, and so not checked: {written.text}"))
                return
            case other:
                self._unread(written, f"whether it is enabled is not known: {said(other)}", blocks=blocks)
                return
        condition = one_liner(self._meant(given.get("condition")))
        if condition is None:
            self._unread(written, "its condition is no lambda and no function of one return", blocks=blocks)
            return
        meanings = self._meanings(role, written)
        if meanings is None:
            return
        if role is Role.POST:
            meanings["OLD"] = Parts(self._old)
        strange = [name for name in condition.parameters if name not in meanings]
        if strange:
            self._unread(written, f"its condition asks for {strange[0]}", blocks=blocks)
            return
        scope = {name: meanings[name] for name in condition.parameters}
        self._add(role, written, condition.body, scope, _text(given.get("description")))

    def _snapshot(self, node: ast.expr) -> None:
        written = _Said("icontract.snapshot", node.lineno, said(node))
        call = node if isinstance(node, ast.Call) else ast.Call(func=node, args=[], keywords=[])
        given = dict(zip(("capture", "name", "enabled"), call.args, strict=False))
        given |= {each.arg: each.value for each in call.keywords if each.arg}
        capture = one_liner(self._meant(given.get("capture")))
        name = _text(given.get("name"))
        if "name" not in given and capture is not None and len(capture.parameters) == 1:
            name = capture.parameters[0]
        if capture is None or not name or "enabled" in given or not set(capture.parameters) <= set(self._inputs):
            self._unread(written, "what it captures is not read", blocks=False)
            return
        self._old[name] = Computed(capture.body, {each: self._inputs[each] for each in capture.parameters})

    def _deal(self, call: ast.Call, written: _Said, role: Role) -> None:
        blocks = role is Role.PRE
        validator = call.args[0] if len(call.args) == 1 else None
        known = {each.arg for each in call.keywords} <= {"message", "exception"}
        condition = one_liner(self._meant(validator)) if known else None
        if condition is None:
            self._unread(written, "its condition is no lambda and no function of one return", blocks=blocks)
            return
        names = list(condition.parameters)
        message = next((_text(each.value) for each in call.keywords if each.arg == "message"), "")
        if written.name == "deal.post":
            if len(names) != 1 or names == ["_"]:
                self._unread(written, "its condition takes one argument, the result", blocks=False)
                return
            self._add(role, written, condition.body, {names[0]: Result()}, message)
            return
        meanings = self._meanings(role, written)
        if meanings is None:
            return
        if names == ["_"]:
            self._add(role, written, condition.body, {"_": Parts(meanings)}, message)
        elif names == list(meanings):
            self._add(role, written, condition.body, meanings, message)
        else:
            takes = ", ".join(meanings)
            self._unread(
                written, f"deal calls its condition with {takes}, and it has {', '.join(names)}", blocks=blocks
            )

    def _raises(self, call: ast.Call, written: _Said) -> None:
        for each in call.args:
            name = self._program.dotted(each).rpartition(".")[2] or (each.id if isinstance(each, ast.Name) else "")
            if not name:
                self._unread(written, f"which exception {said(each)} is, is not known", blocks=True)
                return
            self._found.allowed.append(name)

    def _reason(self, call: ast.Call, written: _Said) -> None:
        """When an exception may be raised: a promise about raising, of which the format has none."""
        self._unread(written, "that an exception is raised only where this holds is not read", blocks=False)
        self._raises(ast.Call(func=call.func, args=call.args[:1], keywords=[]), written)

    def _has(self, call: ast.Call, written: _Said) -> None:
        markers = {each.value for each in call.args if isinstance(each, ast.Constant)}
        if markers & {"io", "stdout", "stderr", "print"}:
            return
        for node in ast.walk(self._program.tree):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if name in _LOUD:
                    why = f"whether the function writes anything is not read, and the module speaks of {name}"
                    self._unread(written, why, blocks=False)
                    return
                case _:
                    pass

    def _meant(self, node: ast.expr | None) -> ast.expr | ast.stmt:
        """A condition that is named, as the function that has the name."""
        if isinstance(node, ast.Name):
            return self._program.function(node.id) or node
        return node or ast.Constant(value=None)

    def _add(
        self, role: Role, written: _Said, expression: ast.expr, scope: Mapping[str, Meaning], description: str
    ) -> None:
        self._found.conditions.append(
            Condition(
                role=role,
                origin=written.name,
                line=written.line,
                text=said(expression),
                expression=expression,
                scope=scope,
                description=description,
            )
        )


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
