"""What values an annotation admits: the kinds of values that contracts speak of, with what is known of their size."""

from __future__ import annotations

import ast
import keyword
from dataclasses import dataclass, replace
from fractions import Fraction

from neurosym.contracts.conditions import NotRead
from neurosym.contracts.program import Program
from neurosym.trees import expression_of

NUMBERS = frozenset({"int", "decimal", "float", "fraction"})
ORDERED = NUMBERS | {"str", "date"}

_SCALARS = {
    "builtins.int": "int",
    "builtins.float": "float",
    "builtins.bool": "bool",
    "builtins.str": "str",
    "decimal.Decimal": "decimal",
    "fractions.Fraction": "fraction",
    "datetime.date": "date",
}
_LISTS = {"builtins.list": "list", "typing.List": "list", "builtins.tuple": "tuple", "typing.Tuple": "tuple"}
_ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum"})
_DEEPEST = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of values, by the ``word`` of the spec format, or ``none``, ``days`` (a difference of dates) or ``range``.

    ``low`` and ``high`` bound a number, or the ordinal of a date. ``places``: at most so many decimals of a Decimal;
    None where nothing is known. ``max_len``: of a list or text. ``nan``: a float that may be no number. ``members``
    are those of an enum, ``name`` its class. ``choices`` are all values there are, as constants of Python.
    """

    word: str
    low: Fraction | None = None
    high: Fraction | None = None
    places: int | None = None
    max_len: int | None = None
    item: Kind | None = None
    items: tuple[Kind, ...] = ()
    optional: bool = False
    nan: bool = False
    name: str = ""
    members: tuple[tuple[str, int | str], ...] = ()
    choices: tuple[int | str, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return self.word in NUMBERS

    @property
    def is_list(self) -> bool:
        """Whether it is a list, or a tuple of any length."""
        return self.word in ("list", "tuple") and self.item is not None

    @property
    def largest(self) -> Fraction | None:
        """A bound on the absolute value of a number; None where there is none."""
        return None if self.low is None or self.high is None else max(abs(self.low), abs(self.high))


BOOL = Kind(word="bool")
NONE = Kind(word="none")
DATE = Kind(word="date")
STR = Kind(word="str")


def exactly(value: Fraction | int, word: str = "int", places: int | None = None) -> Kind:
    """The kind of one number."""
    return Kind(word=word, low=Fraction(value), high=Fraction(value), places=places)


def annotated(annotation: ast.expr | None, program: Program, depth: int = 0) -> Kind:
    """The kind that an annotation says. Raises ``NotRead`` for one that no type of the spec format has."""
    if annotation is None:
        raise NotRead("it has no annotation")
    if depth > _DEEPEST:
        raise NotRead("its annotation is too deep")
    deeper = depth + 1
    match annotation:
        case ast.Constant(value=str(text)):
            if (written := expression_of(text)) is None:
                raise NotRead("its annotation is no Python")
            return annotated(written, program, deeper)
        case ast.Constant(value=None):
            return NONE
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union([annotated(left, program, deeper), annotated(right, program, deeper)])
        case ast.Subscript(value=value, slice=inside):
            return _subscript(program.dotted(value), inside, program, deeper)
        case ast.Name(id=name) if name in program.classes:
            return _enum(program.classes[name], program)
        case ast.Name(id=name) if (meant := program.value(name)) is not None:
            return annotated(_new_type(meant, program), program, deeper)
        case _:
            word = _SCALARS.get(program.dotted(annotation))
    if word is None:
        raise NotRead(f"no type of the spec format is {' '.join(ast.unparse(annotation).split())[:60]}")
    return Kind(word=word)


def _union(kinds: list[Kind]) -> Kind:
    others = [each for each in kinds if each.word != "none"]
    if len(others) != 1:
        raise NotRead("no type of the spec format is a union of several types")
    return replace(others[0], optional=others[0].optional or len(others) < len(kinds))


def _subscript(name: str, inside: ast.expr, program: Program, depth: int) -> Kind:
    parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    if name == "typing.Literal":
        return _literal(parts)
    if name == "typing.Optional":
        return _union([annotated(inside, program, depth), NONE])
    if name == "typing.Union":
        return _union([annotated(each, program, depth) for each in parts])
    word = _LISTS.get(name)
    if word == "tuple" and len(parts) == 2 and _is_ellipsis(parts[1]):
        return Kind(word="tuple", item=_inner(parts[0], program, depth))
    if word == "tuple" and parts:
        return Kind(word="tuple", items=tuple(_inner(each, program, depth) for each in parts))
    if word == "list" and len(parts) == 1:
        return Kind(word="list", item=_inner(parts[0], program, depth))
    raise NotRead(f"the annotation {' '.join(ast.unparse(inside).split())[:40]} in {name or 'it'} is not read")


def _inner(annotation: ast.expr, program: Program, depth: int) -> Kind:
    kind = annotated(annotation, program, depth)
    if kind.word == "none":
        raise NotRead("a list of None is no type of the spec format")
    return kind


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _literal(parts: list[ast.expr]) -> Kind:
    values = [each.value if isinstance(each, ast.Constant) else ... for each in parts]
    if values and len(set(values)) == len(values):
        if all(isinstance(each, str) for each in values):
            return Kind(word="str", choices=tuple(str(each) for each in values))
        if all(type(each) is int for each in values):
            numbers = [each for each in values if isinstance(each, int)]
            return Kind(word="int", choices=tuple(numbers), low=Fraction(min(numbers)), high=Fraction(max(numbers)))
    raise NotRead("a Literal of texts only or of whole numbers only is read")


def _new_type(value: ast.expr, program: Program) -> ast.expr:
    """What a name of the module is short for: ``Amount = Decimal``, ``Amount = NewType("Amount", Decimal)``."""
    match value:
        case ast.Call(func=func, args=[_, inner], keywords=[]) if program.dotted(func) == "typing.NewType":
            return inner
        case _:
            return value


def _enum(found: ast.ClassDef, program: Program) -> Kind:
    if [program.dotted(base) for base in found.bases if program.dotted(base) in _ENUMS] == [] or len(found.bases) != 1:
        raise NotRead(f"{found.name} is a class, and only enums are read")
    if found.decorator_list or found.keywords:
        raise NotRead(f"{found.name} is an enum with a decorator or a keyword")
    members: list[tuple[str, int | str]] = []
    for statement in found.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                if not isinstance(value, int | str) or isinstance(value, bool) or name.startswith("_"):
                    raise NotRead(f"{found.name}.{name} has a value that the spec format does not have")
                members.append((name, value))
            case ast.Expr(value=ast.Constant()):
                pass
            case _:
                raise NotRead(f"the enum {found.name} has more than members with plain values")
    if not members or len({value for _, value in members}) < len(members):
        raise NotRead(f"the enum {found.name} has no members, or two with one value")
    if any(keyword.iskeyword(name) for name, _ in members):
        raise NotRead(f"the enum {found.name} has a member called like a keyword")
    return Kind(word="enum", name=found.name, members=tuple(members))
