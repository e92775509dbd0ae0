"""The data classes of a program: dataclasses, named tuples and typed dicts, with their fields and methods."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.python.class_methods import AFTER_INIT, Imported, Methods, methods_of


@dataclass(frozen=True, slots=True)
class Field:
    """``default``: its expression, or None; ``factory``: that of what is called for a default of each instance.

    ``compared``: whether instances are compared by it. ``by_keyword``: whether it is given by its name only.
    """

    name: str
    default: ast.expr | None = None
    factory: ast.expr | None = None
    compared: bool = True
    by_keyword: bool = False


@dataclass(frozen=True, slots=True)
class RecordClass:
    """``form``: ``dataclass``, ``namedtuple`` or ``dict``. ``ordered``: whether its instances have an order."""

    name: str
    form: str
    fields: tuple[Field, ...]
    methods: Methods = field(default_factory=Methods)
    ordered: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.fields)

    @property
    def positional(self) -> tuple[str, ...]:
        """The fields that may be given by position, in order."""
        return tuple(each.name for each in self.fields if not each.by_keyword)

    def is_alike(self, other: RecordClass) -> bool:
        """Whether instances are made of the same fields in the same order, and compared by them."""
        return (self.form, self.names, self.uncompared) == (other.form, other.names, other.uncompared)

    @property
    def uncompared(self) -> frozenset[str]:
        return frozenset(each.name for each in self.fields if not each.compared)


_FORMS = {"typing.NamedTuple": "namedtuple", "typing.TypedDict": "dict"}
_OPTIONS = frozenset({"frozen", "slots", "repr", "order", "kw_only"})
_FIELD_OPTIONS = frozenset({"default", "default_factory", "repr", "compare", "kw_only", "hash", "metadata"})
_NO_FIELDS = ("ClassVar", "InitVar", "KW_ONLY")


def record_class(statement: ast.ClassDef, imported: Imported, *, is_new: bool) -> RecordClass | None:
    """The class, or None if it is of another kind. ``is_new``: whether no class of the name was there before.

    Raises ``NotRead``.
    """
    bases = [imported(base) for base in statement.bases]
    options: dict[str, bool] | None = {}
    if not bases and len(statement.decorator_list) == 1:
        options, form = _options(statement.decorator_list[0], imported), "dataclass"
    elif len(bases) == 1 and bases[0] in _FORMS and not statement.decorator_list:
        form = _FORMS[bases[0]]
    else:
        return None
    if options is None or statement.keywords:
        return None
    fields, functions = _parts(statement, form, imported, by_keyword=options.get("kw_only", False))
    allowed = frozenset({AFTER_INIT} if form == "dataclass" else ())
    methods = methods_of(statement, functions, imported, allowed)
    names = [each.name for each in fields]
    if len(set(names)) < len(names):
        raise NotRead(f"a field of {statement.name} that is there twice", statement.lineno)
    if functions and (set(methods.functions) & set(names) or form == "dict" or not is_new):
        raise NotRead(f"the class {statement.name}", statement.lineno)
    ordered = form == "namedtuple" or options.get("order", False)
    return RecordClass(statement.name, form, tuple(fields), methods, ordered)


def _options(decorator: ast.expr, imported: Imported) -> dict[str, bool] | None:
    """The options of ``@dataclass``; None where the decorator is another, or has others."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if imported(called) != "dataclasses.dataclass":
        return None
    if not isinstance(decorator, ast.Call):
        return {}
    found: dict[str, bool] = {}
    for keyword in decorator.keywords:
        if keyword.arg not in _OPTIONS or not isinstance(keyword.value, ast.Constant):
            return None
        found[keyword.arg] = bool(keyword.value.value)
    return None if decorator.args else found


def _parts(
    statement: ast.ClassDef, form: str, imported: Imported, *, by_keyword: bool
) -> tuple[list[Field], list[ast.FunctionDef]]:
    fields: list[Field] = []
    functions: list[ast.FunctionDef] = []
    for part in statement.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if _is_field(part, imported):
                fields.append(_field(name, value, form, imported, by_keyword))
            case ast.FunctionDef():
                functions.append(part)
            case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
                pass
            case _:
                raise NotRead(f"the class {statement.name}", part.lineno)
    return fields, functions


def _is_field(part: ast.AnnAssign, imported: Imported) -> bool:
    """Whether an annotated name of a dataclass is a field, and not one of the words for what is none."""
    text = ast.unparse(part.annotation)  # may be written as a text itself
    meanings = [imported(ast.Name(word, ast.Load())) for word in re.findall(r"\w+", text)]
    return not any(word in each for word in _NO_FIELDS for each in (text, *meanings))


def _field(name: str, value: ast.expr | None, form: str, imported: Imported, by_keyword: bool) -> Field:
    """A field as its class declares it: with a default, or with ``field(...)``."""
    if not (form == "dataclass" and isinstance(value, ast.Call) and imported(value.func) == "dataclasses.field"):
        return Field(name, value, by_keyword=by_keyword)
    given = {keyword.arg: keyword.value for keyword in value.keywords}
    flags = {key: node.value for key, node in given.items() if isinstance(node, ast.Constant)}
    if value.args or set(given) - _FIELD_OPTIONS or not {"compare", "kw_only"} & set(given) <= set(flags):
        raise NotRead(f"the field {name}", value.lineno)
    return Field(
        name,
        given.get("default"),
        given.get("default_factory"),
        bool(flags.get("compare", True)),
        bool(flags.get("kw_only", by_keyword)),
    )
