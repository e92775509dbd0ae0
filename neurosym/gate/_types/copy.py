"""The copy of a candidate that mypy sees: what silences mypy is blanked out, what the spec implies is added.

Every character of the candidate keeps its line, and its column but for annotations that are put in; ``Copy.place``
leads back. In front stand the declarations that the candidate does not make itself, as they do in the sandbox; behind
stands one function that makes the promise of the spec with a call of the candidate's.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations, python_annotation

from neurosym.diagnostics import Note
from neurosym.gate._names import Names
from neurosym.gate._place import note, text_of, words
from neurosym.source import Delivered

_SILENCING = re.compile(r"#\s*type:\s*ignore|#\s*mypy\s*:")
_MYPY_LINE = re.compile(r"^[ \t]*#[ \t]*mypy[ \t]*:", re.MULTILINE)
_PLATFORM = words("typing.TYPE_CHECKING sys.platform sys.version_info sys.implementation os.name platform.system")
_ALWAYS = b"[()]"  # neither true nor false to mypy
PROMISE = "_neurosym_promise"


@dataclass(frozen=True, slots=True)
class Copy:
    """``text`` for mypy; ``before`` lines stand in front of the candidate's ``lines`` lines."""

    text: str
    before: int
    lines: int
    inserted: tuple[tuple[int, int, int], ...]
    """(line, column in characters from 1, length) of what was put in, as the candidate's own text counts."""
    notes: tuple[Note, ...]
    assumed: bool
    """Whether annotations of the spec were put in where the candidate has none."""

    def place(self, line: int, column: int) -> tuple[int, int] | None:
        """The candidate's own line and column, or None for what stands outside of it."""
        own = line - self.before
        if not 1 <= own <= self.lines:
            return None
        shift = 0
        for at_line, at_column, length in sorted(self.inserted):
            if at_line == own and column - shift > at_column:
                shift += min(length, column - shift - at_column)
        return own, column - shift


def make_copy(tree: ast.Module, names: Names, spec: Spec | None, source: Delivered) -> Copy:
    """The copy for mypy. Without a ``spec`` nothing is promised and nothing put in."""
    text = source.text.replace("\r\n", "\n").replace("\r", "\n")
    text = text if text.endswith("\n") else text + "\n"
    page = _Page(text)
    notes = list(_silence_comments(text, page))
    notes += _silence_code(tree, names, page)
    given, promise, assumed = "", "", False
    inserted: tuple[tuple[int, int, int], ...] = ()
    entry = _entry(tree, spec) if spec is not None else None
    if spec is not None:
        given = _given(tree, spec)
        if entry is not None:
            inserted, note_of_it = _annotate(entry, names, spec, page, text)
            assumed = note_of_it is not None
            notes += [note_of_it] if note_of_it else []
        if not _is_hidden(names, spec):
            promise = _promise(spec)
    notes.sort(key=lambda each: each.line or 0)
    return Copy(
        text=given + page.text() + promise,
        before=given.count("\n"),
        lines=text.count("\n"),
        inserted=inserted,
        notes=tuple(notes),
        assumed=assumed,
    )


class _Page:
    """The lines as bytes, in which the tree counts its columns."""

    def __init__(self, text: str) -> None:
        self.lines = [bytearray(line.encode("utf-8", "surrogatepass")) for line in text.split("\n")]

    def text(self) -> str:
        return "\n".join(line.decode("utf-8", "surrogatepass") for line in self.lines)

    def blank(self, line: int, start: int, end_line: int, end: int, keep: bytes = b"") -> None:
        """Blanks from one place to another, and writes ``keep`` at the start."""
        for number in range(line, end_line + 1):
            row = self.lines[number - 1]
            first = start if number == line else 0
            last = end if number == end_line else len(row)
            row[first:last] = b" " * (last - first)
        row = self.lines[line - 1]
        row[start : start + len(keep)] = keep

    def room(self, node: ast.expr) -> int:
        """How many bytes of the node stand on its first line."""
        end = node.end_col_offset if node.end_lineno == node.lineno else len(self.lines[node.lineno - 1])
        return (end or 0) - node.col_offset

    def blank_node(self, node: ast.expr, keep: bytes = b"") -> None:
        self.blank(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0, keep)


def _silence_comments(text: str, page: _Page) -> Iterator[Note]:
    lines = text.split("\n")
    found: dict[int, int] = {}  # line: column in characters
    if _SILENCING.search(text):
        try:
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                if token.type == tokenize.COMMENT and _SILENCING.search(token.string):
                    found[token.start[0]] = token.start[1]
        except (tokenize.TokenError, SyntaxError):  # a text that the tree's parser reads, and this one does not
            for number, line in enumerate(lines, 1):
                if at := _SILENCING.search(line):
                    found[number] = at.start()
        # mypy takes such a line for its own even inside of a text in quotes.
        for at in _MYPY_LINE.finditer(text):
            found.setdefault(text.count("\n", 0, at.start()) + 1, len(at[0]) - len(at[0].lstrip()))
    for number, column in sorted(found.items()):
        line = lines[number - 1]
        start = len(line[:column].encode("utf-8", "surrogatepass"))
        page.blank(number, start, number, len(page.lines[number - 1]))
        yield Note("NS450", f"taken out for the type check: {line[column:].strip()[:60]}", number)


def _silence_code(tree: ast.Module, names: Names, page: _Page) -> Iterator[Note]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                for decorator in node.decorator_list:
                    if (names.dotted(decorator) or "").startswith("typing.no_type_check"):
                        sign = page.lines[decorator.lineno - 1].rfind(b"@", 0, decorator.col_offset)
                        if sign < 0:
                            continue
                        page.blank_node(decorator)
                        page.blank(decorator.lineno, sign, decorator.lineno, sign + 1)
                        yield _taken(decorator, f"@{text_of(decorator)}")
            case ast.Assert(test=test) | ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                if any(_is_platform(each, names) for each in ast.walk(test)) and page.room(test) >= len(_ALWAYS):
                    page.blank_node(test, _ALWAYS)
                    if isinstance(node, ast.Assert):
                        yield _taken(node, f"assert {text_of(test, 40)}")
            case ast.Call(func=func, args=[kind, value], keywords=[]) if names.dotted(func) == "typing.cast":
                if _uncast(node, kind, value, page):
                    yield _taken(node, "cast")
            case ast.AnnAssign(annotation=annotation, target=target) if names.dotted(annotation) == "typing.Any":
                if node.value is not None:
                    page.blank(
                        target.end_lineno or 0,
                        target.end_col_offset or 0,
                        annotation.end_lineno or 0,
                        annotation.end_col_offset or 0,
                    )
                yield _taken(node, "Any")
            case ast.arg(annotation=ast.expr() as annotation) if names.dotted(annotation) == "typing.Any":
                yield Note("NS450", f"{node.arg} is annotated as Any: nothing is known of it", node.lineno)
            case _:
                pass


def _taken(node: ast.AST, what: str) -> Note:
    return note(node, "NS450", f"taken out for the type check: {what}")


def _is_platform(node: ast.AST, names: Names) -> bool:
    match node:
        case ast.Name(id="TYPE_CHECKING" | "MYPY"):
            return True
        case ast.Name() | ast.Attribute():
            return names.dotted(node) in _PLATFORM
        case _:
            return False


def _uncast(node: ast.Call, kind: ast.expr, value: ast.expr, page: _Page) -> bool:
    """``cast(T, value)`` becomes ``(value)``, wherever its parts stand."""
    line, column = kind.end_lineno or 0, kind.end_col_offset or 0
    while line <= value.lineno:
        row = page.lines[line - 1]
        comma, remark = row.find(b",", column), row.find(b"#", column)
        if comma >= 0 and (remark < 0 or comma < remark):
            page.blank(node.lineno, node.col_offset, line, comma + 1, b"(")
            return True
        line, column = line + 1, 0
    return False


def _entry(tree: ast.Module, spec: Spec) -> ast.FunctionDef | None:
    """The function that is judged, if it is a plain one that the module defines once at its top level."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == spec.name]
    if len(found) != 1 or found[0].decorator_list or found[0] not in tree.body:
        return None
    return found[0]


def _given(tree: ast.Module, spec: Spec) -> str:
    """The declarations of the spec without what the candidate binds itself."""
    bound = _bound_at_top(tree)
    parts = []
    for statement in ast.parse(declarations(spec)).body:
        match statement:
            case ast.ImportFrom(module=module, names=names):
                wanted = [alias.name for alias in names if alias.name not in bound]
                if wanted:
                    parts.append(f"from {module} import {', '.join(wanted)}\n")
            case ast.ClassDef(name=name) if name not in bound:
                parts.append(ast.unparse(statement) + "\n")
            case _:
                pass
    if "\n@dataclass" in "\n" + "".join(parts) and "dataclass" in bound:
        parts = [part.replace("@dataclass", "@_neurosym_dataclass") for part in parts]
        parts.insert(0, "from dataclasses import dataclass as _neurosym_dataclass\n")
    for name, module in (("Enum", "enum"), ("NamedTuple", "typing"), ("TypedDict", "typing")):
        if name in bound and any(f"({name})" in part for part in parts):
            parts = [part.replace(f"({name})", f"(_neurosym_{name})") for part in parts]
            parts.insert(0, f"from {module} import {name} as _neurosym_{name}\n")
    return "".join(parts)


def _bound_at_top(tree: ast.Module) -> set[str]:
    """Every name that some statement outside of functions and classes binds."""
    todo: list[ast.AST] = [tree]
    found: set[str] = set()
    while todo:
        node = todo.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
                continue
            case ast.Lambda():
                continue
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update((alias.asname or alias.name).split(".")[0] for alias in names)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case _:
                pass
        todo.extend(ast.iter_child_nodes(node))
    return found


_LIBRARY = {"Decimal": "decimal.Decimal", "Fraction": "fractions.Fraction", "date": "datetime.date"}


def _is_hidden(names: Names, spec: Spec) -> bool:
    """Whether a class of the standard library that the promise speaks of is something else in the candidate."""
    said = " ".join(python_annotation(each) for each in (*spec.inputs.values(), spec.output))
    words = set(re.findall(r"\w+", said))
    plain = [
        name for name in ("int", "float", "bool", "str", "list", "dict", "set", "tuple", "Literal") if name in words
    ]
    if any(names.is_bound(name) for name in plain):
        return True
    for name, target in _LIBRARY.items():
        if name in words and names.dotted(ast.Name(name, ast.Load())) not in (None, target):
            return True
        if name in words and names.is_bound(name):
            return True
    return False


def _promise(spec: Spec) -> str:
    parameters = ", ".join(f"_{place}: {python_annotation(type_)}" for place, type_ in enumerate(spec.inputs.values()))
    arguments = ", ".join(f"_{place}" for place in range(len(spec.inputs)))
    return (
        f"\n\ndef {PROMISE}({parameters}) -> {python_annotation(spec.output)}:\n    return {spec.name}({arguments})\n"
    )


def _annotate(
    entry: ast.FunctionDef, names: Names, spec: Spec, page: _Page, text: str
) -> tuple[tuple[tuple[int, int, int], ...], Note | None]:
    """Puts the spec's annotations where the judged function has none, or has Any."""
    arguments = [*entry.args.posonlyargs, *entry.args.args]
    wanted: list[tuple[int, int, str]] = []  # line, offset in bytes, text
    missing: list[str] = []
    if _is_hidden(names, spec):
        return (), None
    for arg, type_ in zip(arguments, spec.inputs.values(), strict=False):
        if arg.annotation is None:
            wanted.append((arg.end_lineno or 0, arg.end_col_offset or 0, f": {python_annotation(type_)}"))
            missing.append(arg.arg)
    if entry.returns is None and (end := _end_of_parameters(entry, text)):
        wanted.append((*end, f" -> {python_annotation(spec.output)}"))
        missing.append("the result")
    places = []
    for line, offset, said in sorted(wanted, reverse=True):
        row = page.lines[line - 1]
        column = len(row[:offset].decode("utf-8", "ignore")) + 1
        row[offset:offset] = said.encode()
        places.append((line, column, len(said)))
    if not missing:
        return (), None
    remark = f"no annotation for {', '.join(missing)}: checked with the spec's types"
    return tuple(places), Note("NS457", remark, entry.lineno)


def _end_of_parameters(entry: ast.FunctionDef, text: str) -> tuple[int, int] | None:
    """Behind the bracket that closes the parameters: line, and offset in bytes."""
    lines = text.split("\n")[entry.lineno - 1 : entry.end_lineno]
    depth = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline):
            if token.type == tokenize.OP and token.string in "([{":
                depth += 1
            elif token.type == tokenize.OP and token.string in ")]}":
                depth -= 1
                if depth == 0:
                    line = lines[token.end[0] - 1]
                    return entry.lineno + token.end[0] - 1, len(line[: token.end[1]].encode("utf-8", "surrogatepass"))
    except (tokenize.TokenError, SyntaxError):
        return None
    return None
