"""A module's contracts as specs: for each function its spec, what of its contracts is not read, what is assumed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from neurosym_specs import spec_from_toml
from neurosym_specs.errors import SpecError
from neurosym_specs.expr.language import RESERVED
from neurosym_specs.model import Spec

from neurosym.contracts.assumed import ranged
from neurosym.contracts.callees import unchecked_callee
from neurosym.contracts.conditions import Computed, Condition, Found, Input, NotRead, Parts, Role, Unread, said
from neurosym.contracts.decorators import read_decorators
from neurosym.contracts.guarding import guarded
from neurosym.contracts.inside import guards, has_sections, parameters, read_inside
from neurosym.contracts.kinds import Kind, annotated
from neurosym.contracts.program import Program
from neurosym.contracts.translating import Translator
from neurosym.contracts.writing import Clause, spec_toml, unique_id

_KEEPS_ARGUMENTS = frozenset({"functools.cache", "functools.lru_cache"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Contracts:
    """What was read of one function. ``spec`` and its ``toml`` are None and empty where it cannot be judged.

    ``assumed``: in words, what of the inputs' ranges no contract says. ``allowed``: exceptions that may be raised,
    where no contract says when. ``remarks``: by line, what is worth knowing.
    """

    name: str
    line: int
    spec: Spec | None
    toml: str
    unread: tuple[Unread, ...]
    assumed: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    remarks: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleContracts:
    """The functions of a module that have contracts, and by name and line those that have ``none``. ``sha256`` is that
    of the bytes that they were read from, where that is a file."""

    functions: tuple[Contracts, ...]
    none: tuple[tuple[str, int], ...]
    sha256: str = ""


def read_contracts(tree: ast.Module, module: str) -> ModuleContracts:
    """Reads a module, which is called ``module``. The tree is one that the gate let through."""
    program = Program(tree)
    stray = program.stray()
    functions: list[Contracts] = []
    none: list[tuple[str, int]] = []
    for name, node, inside in _functions(tree):
        why = _not_a_function(name, node, inside, program)
        if isinstance(node, ast.FunctionDef):
            found = Found()
            read_decorators(program, node, found)
            read_inside(node, found)
        else:
            found = Found(any=_has_contracts(node, program))
        own = not inside and not isinstance(node, ast.ClassDef)
        if not (found.any or (own and stray is not None)):
            if own:
                none.append((f"{name} (switched off)" if found.remarks else name, node.lineno))
            continue
        if stray is not None:
            why = (
                f"in line {_line(stray)}, the module uses a library of contracts otherwise than as a decorator, "
                "or binds its name to something else too"
            )
        if why or not isinstance(node, ast.FunctionDef):
            unread = (Unread(node.lineno, f"the contracts of {name}", why, blocks=True),)
            functions.append(Contracts(name=name, line=node.lineno, spec=None, toml="", unread=unread))
        else:
            functions.append(_Reader(program, node, found, module).read())
    return ModuleContracts(tuple(functions), tuple(none))


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, bool]]:
    """All functions and classes with their names, in the order of the text, and whether they are inside of others."""
    todo: list[tuple[ast.AST, str, bool]] = [(each, "", False) for each in reversed(tree.body)]
    while todo:
        node, before, inside = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield before + node.name, node, inside
            before = f"{before}{node.name}."
        todo.extend((each, before, True) for each in reversed([*ast.iter_child_nodes(node)]))


def _has_contracts(node: ast.AsyncFunctionDef | ast.ClassDef, program: Program) -> bool:
    return any(program.library(each) for each in node.decorator_list) or has_sections(node)


def _not_a_function(
    name: str, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, inside: bool, program: Program
) -> str:
    """Why something is no function that can be judged; empty where it is one."""
    if isinstance(node, ast.ClassDef):
        return "it is a class, and invariants of classes are not read"
    if "." in name or inside:
        return "it is no function of the module itself: methods and inner functions are not read"
    if isinstance(node, ast.AsyncFunctionDef):
        return "it is an async function"
    if program.function(name) is None:
        return f"{name} is bound more than once in the module, or a star import may bind it"
    if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node)):
        return "it is a generator, or has one inside"
    arguments = node.args
    if arguments.vararg or arguments.kwarg:
        return "it takes any number of arguments, by a *"
    if arguments.kwonlyargs:
        return "it has parameters that can only be given by name"
    for each in node.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        if not program.library(each) and program.dotted(called) not in _KEEPS_ARGUMENTS:
            return f"what its decorator {said(each)} does is not known"
    return ""


class _Reader:
    """Makes the spec of one function."""

    def __init__(self, program: Program, function: ast.FunctionDef, found: Found, module: str) -> None:
        self._program, self._function, self._found, self._module = program, function, found, module
        self._unread = [*found.unread]
        self._assumed: list[str] = []

    def read(self) -> Contracts:
        inputs = self._inputs()
        output = self._output()
        self._unread += self._defaults(inputs or {})
        if (callee := unchecked_callee(self._program, self._function)) is not None:
            self._unread.append(callee)
        if inputs is None or output is None:
            return self._contracts(None, "", ())
        names = {name: self._renamed(name) for name in inputs}
        translator = Translator(self._program, {name: kind for name, (kind, _) in inputs.items()}, names, output)
        optional = [names[name] for name, (kind, _) in inputs.items() if kind.optional]
        clauses = guarded([*self._clauses(translator, inputs)], optional)
        allowed = tuple(dict.fromkeys(self._found.allowed))
        for _ in range(len(clauses) + 1):
            toml = self._toml(inputs, names, output, clauses)
            try:
                spec = spec_from_toml(toml)
            except SpecError as error:
                clauses, dropped = self._without_wrong(inputs, names, output, clauses)
                if not dropped:
                    why = f"the spec that follows is none: {error}"
                    self._unread.append(Unread(self._function.lineno, self._function.name, why, blocks=True))
                    return self._contracts(None, "", ())
            else:
                if any(each.blocks for each in self._unread):
                    return self._contracts(None, "", ())
                return self._contracts(spec, toml, allowed)
        raise AssertionError("each round drops a clause")

    def _contracts(self, spec: Spec | None, toml: str, allowed: tuple[str, ...]) -> Contracts:
        function, found = self._function, self._found
        return Contracts(
            name=function.name,
            line=function.lineno,
            spec=spec,
            toml=toml,
            unread=tuple(self._unread),
            assumed=tuple(self._assumed) if spec else (),
            allowed=allowed,
            remarks=tuple(found.remarks),
        )

    def _inputs(self) -> dict[str, tuple[Kind, str]] | None:
        """The inputs with their kinds and what of these is assumed; None where one has no kind."""
        arguments = self._function.args
        kinds: dict[str, tuple[Kind, str]] = {}
        constants = Translator(self._program, {}, {}, None)
        pres = [each for each in self._found.conditions if each.role is Role.PRE]
        for each in (*arguments.posonlyargs, *arguments.args):
            try:
                kind = annotated(each.annotation, self._program)
                if kind.word == "none":
                    raise NotRead("an input that is always None is none of the spec format")
            except NotRead as error:
                text = f"the parameter {each.arg}"
                self._unread.append(Unread(self._function.lineno, text, str(error), blocks=True))
                continue
            found = ranged(each.arg, kind, pres, lambda node: _constant(node, constants), self._program)
            said_of = ", ".join(found.assumed)
            if said_of:
                self._assumed.append(f"{each.arg} {said_of}")
            kinds[each.arg] = found.kind, said_of
        return kinds if len(kinds) == len(parameters(self._function)) else None

    def _output(self) -> Kind | None:
        try:
            kind = annotated(self._function.returns, self._program)
            if kind.word == "none":
                raise NotRead("a function that returns None has no result")
        except NotRead as error:
            text = f"the result of {self._function.name}"
            self._unread.append(Unread(self._function.lineno, text, str(error), blocks=True))
            return None
        return replace(kind, nan=True) if kind.word == "float" else _with_nan(kind)

    def _renamed(self, name: str) -> str:
        """What an input is called in the spec: not like a word of the expression language."""
        taken = set(parameters(self._function))
        while name in RESERVED or name.startswith("__"):
            name = f"{name.lstrip('_')}_"
            while name in taken:
                name += "_"
        return name

    def _clauses(self, translator: Translator, inputs: Mapping[str, tuple[Kind, str]]) -> Iterator[Clause]:
        taken: dict[Role | str, set[str]] = {Role.PRE: set(), Role.POST: set(), "reject": set()}
        for each in self._found.conditions:
            if changed := _changed(each, inputs):
                why = f"it speaks of how {changed} changes, and every function is asked to change no argument"
                self._unread.append(Unread(each.line, each.text, why, blocks=True))
                continue
            try:
                text = translator.condition(each.expression, each.scope)
            except NotRead as error:
                self._unread.append(Unread(each.line, each.text, str(error), blocks=each.role is Role.PRE))
                continue
            table = "require" if each.role is Role.PRE else "ensure"
            id = unique_id(each.description or each.text, taken[each.role])
            yield Clause(table=table, id=id, text=text, source=f"{each.origin}, line {each.line}", line=each.line)
        meanings = {name: Input(name) for name in parameters(self._function)}
        for guard in guards(self._function):
            if guard.exception not in self._found.allowed:
                return
            try:
                text = translator.condition(guard.test, meanings)
            except NotRead:
                return  # what it raises is allowed, and when is left open
            id = unique_id(guard.text, taken["reject"])
            yield Clause(table="reject", id=id, text=text, source=f"the code, line {guard.line}", line=guard.line,
                         raises=guard.exception)  # fmt: skip

    def _without_wrong(
        self, inputs: dict[str, tuple[Kind, str]], names: dict[str, str], output: Kind, clauses: Sequence[Clause]
    ) -> tuple[list[Clause], bool]:
        """The clauses without the first that the spec format refuses, and whether there was one."""
        for place, each in enumerate(clauses):
            try:
                spec_from_toml(self._toml(inputs, names, output, [each]))
            except SpecError as error:
                if each.table == "reject":
                    return [*clauses[:place]], True  # those behind it rely on it
                self._unread.append(Unread(each.line, each.id, str(error), blocks=each.table == "require"))
                return [*clauses[:place], *clauses[place + 1 :]], True
        return [*clauses], False

    def _toml(
        self,
        inputs: dict[str, tuple[Kind, str]],
        names: dict[str, str],
        output: Kind,
        clauses: Sequence[Clause],
    ) -> str:
        remarks = [f"not read, line {each.line}: {each.text}: {each.why}" for each in self._unread]
        allowed = dict.fromkeys(self._found.allowed)
        remarks += [f"not read: {each} may be raised, and nothing says when" for each in allowed]
        return spec_toml(
            name=self._function.name,
            about=f"What the contracts of {self._module}.{self._function.name} say.",
            inputs={names[name]: each for name, each in inputs.items()},
            output=output,
            clauses=clauses,
            remarks=remarks,
        )

    def _defaults(self, inputs: Mapping[str, tuple[Kind, str]]) -> Iterator[Unread]:
        arguments = self._function.args
        names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        constants = Translator(self._program, {}, {}, None)
        for name, each in zip(reversed(names), reversed(arguments.defaults), strict=False):
            if not isinstance(each, ast.Constant | ast.UnaryOp | ast.Name | ast.Attribute | ast.Tuple) and not (
                isinstance(each, ast.Call) and self._program.dotted(each.func) in ("decimal.Decimal", "datetime.date")
            ):
                why = "whether calls change this default is not read: every call is made with all arguments"
                yield Unread(each.lineno, f"the default {said(each)}", why)
            elif (kind := _constant(each, constants)) is not None and name in inputs:
                if not _is_of(kind, inputs[name][0]):
                    why = f"it is no value of the type of {name}, and every call is made with values of that"
                    yield Unread(each.lineno, f"the default {said(each)}", why)


def _changed(condition: Condition, inputs: Mapping[str, tuple[Kind, str]]) -> str:
    """A list whose earlier value a condition asks for; empty if there is none."""
    for node in ast.walk(condition.expression):
        match node:
            case ast.Attribute(value=ast.Name(id="OLD" | "__old__" as name), attr=attribute):
                whole = condition.scope.get(name)
                meant = whole.of.get(attribute) if isinstance(whole, Parts) else None
                named = (
                    [meant] if isinstance(meant, Input) else meant.scope.values() if isinstance(meant, Computed) else []
                )
                for each in named:
                    if isinstance(each, Input) and each.name in inputs and inputs[each.name][0].word == "list":
                        return each.name
            case _:
                pass
    return ""


def _constant(node: ast.expr, translator: Translator) -> Kind | None:
    try:
        return translator.kind(node, {})
    except NotRead:
        return None


def _is_of(value: Kind, kind: Kind) -> bool:
    """Whether a value of one kind is one of another; an int is one of float, as PEP 484 has it."""
    if value.word == "none":
        return kind.optional
    return value.word == kind.word or (value.word, kind.word) == ("int", "float")


def _with_nan(kind: Kind) -> Kind:
    """The kind of a result, in which floats may be no numbers."""
    return replace(
        kind,
        nan=kind.word == "float",
        item=kind.item and _with_nan(kind.item),
        items=tuple(_with_nan(each) for each in kind.items),
    )


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 1)
