"""The seventh step: the candidate imports only what the spec's policy allows.

This is advice in time, not protection: whatever the candidate does at run time, the sandbox holds it.
"""

from __future__ import annotations

import ast
import difflib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.source import Delivered

MOST_SHOWN = 10
_NEVER_HERE = frozenset({"__name__ == '__main__'", "'__main__' == __name__", "TYPE_CHECKING", "typing.TYPE_CHECKING"})

_INSTEAD = {
    "numpy": ("math", "statistics", "itertools"),
    "pandas": ("collections", "itertools", "statistics"),
    "scipy": ("math", "statistics"),
    "sympy": ("fractions", "math"),
    "mpmath": ("decimal", "fractions"),
    "dateutil": ("datetime", "calendar"),
    "pytz": ("datetime",),
    "zoneinfo": ("datetime",),
    "time": ("datetime",),
    "typing_extensions": ("typing",),
    "regex": ("re",),
    "attr": ("dataclasses",),
    "attrs": ("dataclasses",),
    "pydantic": ("dataclasses", "typing"),
    "cmath": ("math",),
    "array": ("collections",),
    "queue": ("heapq", "collections"),
}


@dataclass(frozen=True, slots=True)
class OwnNames:
    """The names of modules that a module may import of its own package, and its own; ``known`` are the full names."""

    module: str
    is_package: bool
    known: frozenset[str]

    def meant(self, node: ast.ImportFrom) -> str:
        """The full name of what is imported from; empty where a relative name leaves all packages."""
        if not node.level:
            return node.module or ""
        parts = self.module.split(".")
        parts = parts[: len(parts) - node.level + self.is_package]
        return ".".join([*parts, *([node.module] if node.module else [])]) if parts else ""


def check_imports(
    tree: ast.Module, spec: Spec, source: Delivered, own: OwnNames | None = None
) -> tuple[Diagnostic, ...]:
    """A diagnostic for each module outside of ``spec.policy.imports``, in the order of the lines, at most ten.

    ``own``: what may be imported beside those, and by relative names.
    """
    return tuple(itertools.islice(_offences(tree, spec.policy.imports, source, own), MOST_SHOWN))


def _offences(
    tree: ast.Module, allowed: frozenset[str], source: Delivered, own: OwnNames | None
) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for node in sorted(imports_that_run(tree), key=lambda each: each.lineno):
        if isinstance(node, ast.ImportFrom) and own is not None and own.meant(node) in own.known:
            continue
        if isinstance(node, ast.ImportFrom) and node.level and own is not None:
            yield _at(
                node,
                source,
                "NS402",
                f"{own.meant(node) or 'what is above the package'} is no module that it may import of its own",
                "the packages that checked modules may import are named in [tool.neurosym]",
            )
            continue
        if isinstance(node, ast.ImportFrom) and node.level:
            yield _at(
                node,
                source,
                "NS402",
                "a relative import: a candidate is one module and has no package around it",
                "put what it needs into the same file",
            )
            continue
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        for module in modules:
            if module not in seen and not _allowed(module, allowed) and not (own and module in own.known):
                seen.add(module)
                yield _at(
                    node,
                    source,
                    "NS401",
                    f"the module {module} is outside of what the spec allows",
                    _instead(module, allowed),
                )


def imports_that_run(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports but those for running the file as a script, or for a type checker."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        if isinstance(node, ast.If) and is_never_here(node.test):
            todo.extend(node.orelse)
        else:
            todo.extend(ast.iter_child_nodes(node))


def is_never_here(test: ast.expr) -> bool:
    """Whether what stands under this condition is for running the file as a script, or for a type checker."""
    return ast.unparse(test) in _NEVER_HERE


def _at(node: ast.stmt, source: Delivered, code: str, message: str, hint: str) -> Diagnostic:
    text = source.line(node.lineno)
    return Diagnostic(code, FailureClass.IMPORT, message, node.lineno, node.col_offset + 1, text, hint)


def _allowed(module: str, allowed: frozenset[str]) -> bool:
    parts = module.split(".")
    return module == "__future__" or any(".".join(parts[:size]) in allowed for size in range(1, len(parts) + 1))


def _instead(module: str, allowed: frozenset[str]) -> str:
    root = module.split(".")[0]
    near = [name for name in _INSTEAD.get(root, ()) if name in allowed]
    near = near or difflib.get_close_matches(root, sorted(allowed), n=2, cutoff=0.6)
    if near:
        return f"the nearest allowed: {', '.join(near)}"
    return f"allowed: {', '.join(sorted(allowed))}" if allowed else "this spec allows no imports"
