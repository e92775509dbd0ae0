"""When two texts are the same code: what of a text a verdict cannot depend on, and whether that is sure.

Two candidates are kin where their syntax trees are equal but for places, comments and docstrings of functions and
modules. CPython compiles such texts to the same instructions, so that runs, proofs and refutations are those of both,
unless the code looks at its own text: at docstrings, line numbers, frames, or through names that are made when it runs.
Whatever could do that has no kin. What reads comments and the text itself, the gate, is asked of each candidate anyway.

Names are part of it: they stand in findings, and in what type checkers and people say of a program.
"""

from __future__ import annotations

import ast
import hashlib
import string
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from neurosym.gate import parsed
from neurosym.source import Delivered, Source

_words = str.split
_MODULES = _words("""
    __future__ abc bisect calendar cmath collections collections.abc copy dataclasses datetime decimal enum fractions
    functools heapq itertools math numbers operator re statistics typing
    """)
"""Modules that show a program nothing of its own text, but for what is in ``_REACHES`` and the modules in them."""
_LOOKS = frozenset(
    _words(
        "breakpoint compile delattr dir eval exec getattr globals hasattr help id input locals open setattr type vars"
    )
)
"""Built-in functions through which a program reaches attributes that its text does not name, its own text, or makes
classes, and with them code, of texts."""
_REACHES = frozenset(
    _words("attrgetter format_map get_type_hints is_ is_not methodcaller update_wrapper wraps")
    + _words("ForwardRef evaluate_forward_ref make_dataclass singledispatch singledispatchmethod")
    + _words("ABCMeta EnumMeta EnumType NamedTupleMeta")
    + _words("delattr eval exec getattr globals hasattr locals setattr vars")
)
"""What does so in modules, as a method, or as a metaclass: the namespace of a class tells the line it begins on."""
_PREFIXES = ("tb_", "f_", "co_", "gi_", "cr_", "ag_")
_HARMLESS = frozenset(
    _words("__all__ __init__ __members__ __name__ __new__ __post_init__ __slots__") + _words("_asdict _fields _replace")
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def code_sha256(raw: bytes) -> str:
    """The SHA-256 of what of a text can matter; empty for what does not parse, or may look at itself."""
    source = parsed(Source(raw, "candidate"))
    if not isinstance(source, Delivered):
        return ""
    tree = ast.parse(source.text)
    if any(map(_may_look, _nodes(tree))):
        return ""
    digest = hashlib.sha256()
    for part in _parts(tree):
        digest.update(f"{part}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def line_map(one: str, other: str) -> dict[int, int]:
    """For the lines of ``one`` on which its code is, the lines of ``other`` with the same code.

    Both have the same ``code_sha256``. A line whose code is on several lines of ``other`` is left out.
    """
    found: dict[int, set[int]] = {}
    for here, there in zip(_nodes(ast.parse(one)), _nodes(ast.parse(other)), strict=True):
        for name in ("lineno", "end_lineno"):
            line = getattr(here, name, None)
            if line is not None:
                found.setdefault(line, set()).add(getattr(there, name))
    return {line: next(iter(lines)) for line, lines in found.items() if len(lines) == 1}


def _may_look(node: ast.AST) -> bool:
    """Whether a node may let a program see docstrings, places or frames of its own."""
    match node:
        case ast.Name(id=name):
            return name in _LOOKS or _is_telling(name)
        case ast.Attribute(value=value, attr="format"):
            return not (isinstance(value, ast.Constant) and _has_plain_fields(value.value))
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            return _is_telling(name) or name.startswith(_PREFIXES) or name in _imported_elsewhere()
        case ast.Attribute(attr=name):
            return _is_telling(name) or name.startswith(_PREFIXES) or _leads_away(name)
        case ast.Import(names=names):
            return any(each.name not in _MODULES for each in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            known = not level and module in _MODULES
            return not known or any(_is_telling(each.name) or _leads_away(each.name) for each in names)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return any(map(_is_telling, names))
        case ast.MatchClass(patterns=patterns, kwd_attrs=names):
            # What stands by its place is an attribute that the class names, in ``__match_args__``.
            return bool(patterns) or any(
                _is_telling(each) or each.startswith(_PREFIXES) or _leads_away(each) for each in names
            )
        case ast.ClassDef(keywords=keywords):
            return any(each.arg in (None, "metaclass") for each in keywords)
        case ast.Constant(value=str(text)):
            return "__" in text and text != "__main__"
        case ast.Compare(ops=ops, comparators=comparators, left=left):
            # Which equal texts are one object depends on all texts of a module, its docstrings among them.
            is_identity = any(isinstance(each, ast.Is | ast.IsNot) for each in ops)
            return is_identity and not any(_is_singleton(each) for each in (left, *comparators))
        case _:
            return False


def _is_telling(name: str) -> bool:
    is_special = name.startswith("__") and name.endswith("__") and name not in _HARMLESS
    return is_special or name in _REACHES or name == "*"


def _leads_away(name: str) -> bool:
    """Whether an attribute may be a module that another one imported, or what it keeps to itself."""
    return name in _imported_elsewhere() or (name.startswith("_") and name not in _HARMLESS)


@cache
def _imported_elsewhere() -> frozenset[str]:
    """The names under which ``_MODULES`` hold other modules, or what they keep to themselves."""
    held = [each for module in _MODULES for each in vars(import_module(module)).items()]
    found = {name for name, value in held if isinstance(value, ModuleType) or name.startswith("_")}
    return frozenset(found - {"abc"} - _HARMLESS)  # abc: of ``collections``, which is one of them


def _is_singleton(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))


def _has_plain_fields(text: object) -> bool:
    """Whether a template names its arguments only, and no attributes of them."""
    if not isinstance(text, str):
        return False
    try:
        parts = [*string.Formatter().parse(text)]
    except ValueError:
        return False
    return all((not name or name.isalnum()) and "{" not in (spec or "") for _, name, spec, _ in parts)


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that count, each before its parts; without recursion."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo += reversed([child for _, value in _fields(node) for child in value if isinstance(child, ast.AST)])


def _parts(tree: ast.AST) -> Iterator[str]:
    """All that makes the tree but places, in one order: kinds of nodes, how many parts, and their values exactly."""
    for node in _nodes(tree):
        yield type(node).__name__
        for name, value in _fields(node):
            yield f"{name} {len(value)}"
            for each in value:
                yield "node" if isinstance(each, ast.AST) else f"{type(each).__name__} {each!r}"


def _fields(node: ast.AST) -> Iterator[tuple[str, list[object]]]:
    """The fields of a node as lists, its docstring left out."""
    for name, value in ast.iter_fields(node):
        found = value if isinstance(value, list) else [value]
        if name == "body" and isinstance(node, (ast.Module, *_FUNCTIONS)) and len(found) > 1 and _is_text(found[0]):
            found = found[1:]
        yield name, found


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
