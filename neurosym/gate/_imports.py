"""The seventh step: the candidate imports only what the spec's policy allows.

This is advice in time, not protection: whatever the candidate does at run time, the sandbox holds it.
"""

from __future__ import annotations

import ast
import difflib
import itertools
from collections.abc import Iterator

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


def check_imports(tree: ast.Module, spec: Spec, source: Delivered) -> tuple[Diagnostic, ...]:
    """A diagnostic for each module outside of ``spec.policy.imports``, in the order of the lines, at most ten."""
    return tuple(itertools.islice(_offences(tree, spec.policy.imports, source), MOST_SHOWN))


def _offences(tree: ast.Module, allowed: frozenset[str], source: Delivered) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for node in sorted(_imports_that_run(tree), key=lambda each: each.lineno):
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
            if module not in seen and not _allowed(module, allowed):
                seen.add(module)
                yield _at(
                    node,
                    source,
                    "NS401",
                    f"the module {module} is outside of what the spec allows",
                    _instead(module, allowed),
                )


def _imports_that_run(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports but those for running the file as a script, or for a type checker."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        if isinstance(node, ast.If) and ast.unparse(node.test) in _NEVER_HERE:
            todo.extend(node.orelse)
        else:
            todo.extend(ast.iter_child_nodes(node))


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
