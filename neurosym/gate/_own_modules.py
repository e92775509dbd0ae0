"""Modules of the candidate's own package: which it imports, and that those keep the policy as it does.

Whatever is imported runs as the candidate does and is judged with it. So it passes the same caps, may import the same
modules, and may not make code from text. Since no module can be imported by a name that is made at run time then, the
imports that stand in the texts are all there are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.gate._caps import measure_text, measure_tree
from neurosym.gate._certain import Certain
from neurosym.gate._constants import measure_constants
from neurosym.gate._floats import find_floats
from neurosym.gate._imports import OwnNames, check_imports, imports_that_run
from neurosym.gate._names import Names
from neurosym.gate._parsing import ParserFault, parse
from neurosym.gate._security import check_security
from neurosym.gate._ways_out import find_ways_out
from neurosym.source import Delivered, OwnModule, OwnPackage, sha256_of


@dataclass(frozen=True, slots=True)
class Followed:
    """``package``: the modules that the candidate comes to import; None if there are none.

    ``wrong``: why it may not; ``objections``: what in them offends a policy that is not about security.
    """

    package: OwnPackage | None
    wrong: tuple[Diagnostic, ...] = ()
    objections: tuple[Diagnostic, ...] = ()


def follow(tree: ast.Module, source: Delivered, package: OwnPackage, spec: Spec) -> Followed | ParserFault:
    """The modules of its own that the candidate imports, those that they import, and the packages around all."""
    known = {each.name: each for each in package.modules}
    names = OwnNames(package.module, package.is_package, frozenset(known) | {package.module})
    todo = [*_imported(tree, names, known, source.text)]
    if not todo:
        return Followed(None)
    todo += _around(package.module)
    found: dict[str, OwnModule] = {}
    wrong: list[Diagnostic] = []
    objections: list[Diagnostic] = []
    while todo:
        name = todo.pop()
        module = known.get(name)
        if module is None or name in found or name == package.module:
            continue
        found[name] = module
        its_names = replace(names, module=name, is_package=module.is_package)
        text = Delivered(module.file, module.text, sha256_of(module.text.encode()))
        its_tree = _read(text)
        if isinstance(its_tree, ParserFault):
            return its_tree
        if isinstance(its_tree, Diagnostic):
            wrong.append(_about(module, its_tree))
            continue
        its = Names(its_tree)
        offences = check_imports(its_tree, spec, text, its_names) + find_ways_out(its_tree, its, spec, text)
        offences += check_security(its_tree, its, text).diagnostics
        wrong += [_about(module, each) for each in offences[:1]]
        for each in find_floats(its_tree, its, Certain(its_tree, its, spec), spec, text)[:1]:
            said = f"in {_place(module, each)}, which it imports: {each.message}"
            objections.append(Diagnostic(each.code, each.failure, said, hint=each.hint))
        todo += [*_around(name), *_imported(its_tree, its_names, known, module.text)]
    modules = tuple(found[name] for name in sorted(found))
    return Followed(replace(package, modules=modules), tuple(wrong), tuple(objections))


def _read(text: Delivered) -> ast.Module | Diagnostic | ParserFault:
    if too_deep := measure_text(text):
        return too_deep
    tree = parse(text)
    if isinstance(tree, ast.Module):
        return measure_tree(tree, text) or measure_constants(tree, text) or tree
    return tree


def _around(name: str) -> list[str]:
    """The packages that a module is in."""
    parts = name.split(".")
    return [".".join(parts[:size]) for size in range(1, len(parts))]


def _imported(tree: ast.Module, names: OwnNames, known: dict[str, OwnModule], text: str) -> Iterator[str]:
    """The names of own modules that a module imports; its own name is none of them."""
    for node in imports_that_run(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        else:
            base = names.meant(node)
            found = [base, *(f"{base}.{alias.name}" for alias in node.names if alias.name != "*")]
            if any(alias.name == "*" for alias in node.names) and base in known:
                # Of a package, a star imports the modules that its __all__ names.
                found += [each for each in known if each.rpartition(".")[0] == base and _last(each) in known[base].text]
        for name in found:
            if name in names.known:
                yield name


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _about(module: OwnModule, found: Diagnostic) -> Diagnostic:
    """What is wrong in another file than the candidate's, said without a place in the candidate's."""
    where = _place(module, found)
    said = f"it imports {module.name}, which the policy of the spec does not let run: {where}: {found.message}"
    failure = found.failure if found.failure is not FailureClass.SYNTAX else FailureClass.IMPORT
    return Diagnostic("NS403", failure, f"{said} ({found.code})", hint=found.hint)


def _place(module: OwnModule, found: Diagnostic) -> str:
    return f"{module.file}, line {found.line}" if found.line is not None else module.file
