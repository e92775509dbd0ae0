"""Checks at run time what the caller and the function promise, as far as plain Python can (``runtime_checks``).

The function gets another name, and one with its name, its parameters and its docstring checks around it. A function
that calls itself calls the one without checks, so that nothing is checked that the spec does not speak of.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

import libcst as cst

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit
from neurosym.rewrite.mend.annotations import is_meant
from neurosym.rewrite.mend.imports import place_of_imports
from neurosym.rewrite.mend.name import uses_of
from neurosym.rewrite.plain_python import HELPER, ROUND
from neurosym.rewrite.runtime_checks import RESULT, Check, Checks, checks

_OWN = "_checked_"
_INSIDE = "_unchecked_"


def find(draft: Draft) -> Sequence[Edit]:
    """All of the checks, or none: where an input has no name of its own, or what they need is called otherwise."""
    if not draft.is_code or _OWN in draft.text or _INSIDE in draft.text:
        return ()
    name = draft.spec.name
    functions = [each for each in draft.concrete.body if isinstance(each, cst.FunctionDef) and each.name.value == name]
    if len(functions) != 1 or functions[0].asynchronous or functions[0].decorators:
        return ()
    (function,) = functions
    uses = uses_of(draft, name)
    parameters = [each.name.value for each in (*function.params.posonly_params, *function.params.params)]
    if uses is None or len(parameters) < len(draft.spec.inputs):
        return ()
    found = checks(draft.spec, dict(zip(draft.spec.inputs, parameters, strict=False)))
    needed = _names(found) - {*parameters, RESULT, ROUND}
    if not (found.before or found.after) or not all(_means(draft, each) for each in needed):
        return ()
    start, stop = draft.span(function)
    behind = draft.line_end(start + max(0, len(draft.text[start:stop].rstrip()) - 1))
    text = "".join(f"{line}\n" for line in _wrapping(draft, function, found))
    text = ("" if draft.text[:behind].endswith(("\n", "\r")) else "\n") + text
    edits = [Edit(*draft.span(node), f"{_INSIDE}{name}") for node in [function.name, *uses]]
    edits.append(Edit(behind, behind, text.replace("\n", draft.newline)))
    if "Fraction" in needed and not draft.names.is_imported("Fraction") and "Fraction" not in draft.given:
        at = place_of_imports(draft)
        edits.append(Edit(at, at, f"from fractions import Fraction{draft.newline}"))
    return edits


def _names(found: Checks) -> set[str]:
    """The names that the checks read."""
    texts = [each.condition for each in (*found.before, *found.after)]
    read = {node.id for text in texts for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
    if ROUND in read:
        read |= {"Fraction", "abs", "bool", "int", "str"}
    return read | {each.error for each in (*found.before, *found.after)}


def _means(draft: Draft, name: str) -> bool:
    """Whether a name means in the module what the checks mean by it."""
    if hasattr(builtins, name):
        return not draft.names.is_bound(name) and not draft.names.is_imported(name)
    if name == "Fraction":
        dotted = draft.names.dotted(ast.Name(name)) if draft.names.is_imported(name) else "fractions.Fraction"
        return not draft.names.is_bound(name) and dotted == "fractions.Fraction"
    own = [each for each in draft.module.body if isinstance(each, ast.ClassDef) and each.name == name]
    if name in draft.given_classes and len(own) == 1:
        return uses_of(draft, name) is not None  # it may declare the spec's classes itself: then its own are meant
    return is_meant(draft, name)


def _wrapping(draft: Draft, function: cst.FunctionDef, found: Checks) -> Iterator[str]:
    """The lines of the function that checks."""
    unit = draft.concrete.default_indent.rpartition("\f")[2] or "    "
    if any(ROUND in each.condition for each in (*found.before, *found.after)):
        yield from HELPER.strip("\n").replace("    ", unit).join(("\n\n", "\n")).split("\n")
    head = draft.text[draft.span(function.name)[1] : draft.span(function.body)[0]]
    signature = head[: head.rindex(":")] if isinstance(function.body, cst.IndentedBlock) else head.rstrip()[:-1]
    yield ""
    yield ""
    yield f"def {draft.spec.name}{signature.rstrip()}:"
    docstring = function.get_docstring(clean=False)
    if docstring is not None:
        yield f"{unit}{_quoted(docstring)}"
    yield from (f"{unit}{line}" for each in found.before for line in _raising(each, unit))
    yield f"{unit}{RESULT} = {_INSIDE}{draft.spec.name}({', '.join(_arguments(function.params))})"
    yield from (f"{unit}{line}" for each in found.after for line in _raising(each, unit))
    yield f"{unit}return {RESULT}"


def _raising(check: Check, unit: str) -> Iterator[str]:
    yield f"if {ast.unparse(ast.parse(check.condition, mode='eval'))}:"
    yield f"{unit}raise {check.error}({_quoted(check.says)})"


def _quoted(text: str) -> str:
    found = repr(text)
    return f'"{found[1:-1]}"' if found[0] == "'" and '"' not in found and "\\'" not in found else found


def _arguments(parameters: cst.Parameters) -> Iterator[str]:
    """What the parameters hold, to be passed on."""
    for each in (*parameters.posonly_params, *parameters.params):
        yield each.name.value
    if isinstance(parameters.star_arg, cst.Param):
        yield f"*{parameters.star_arg.name.value}"
    for each in parameters.kwonly_params:
        yield f"{each.name.value}={each.name.value}"
    if parameters.star_kwarg is not None:
        yield f"**{parameters.star_kwarg.name.value}"
