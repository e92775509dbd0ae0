"""Adds the annotations that the spec gives, where the function has none."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst
from neurosym_specs.signature import python_annotation

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit


def find(draft: Draft) -> Sequence[Edit]:
    """Annotates the parameters and the result of the function that the spec names, if its names mean what they say."""
    if not draft.is_code:
        return ()
    functions = [
        each for each in draft.concrete.body if isinstance(each, cst.FunctionDef) and each.name.value == draft.spec.name
    ]
    if len(functions) != 1 or functions[0].decorators:
        return ()
    (function,) = functions
    positional = [*function.params.posonly_params, *function.params.params]
    edits = []
    if len(positional) >= len(draft.spec.inputs):
        for parameter, type_ in zip(positional, draft.spec.inputs.values(), strict=False):
            text = python_annotation(type_)
            if parameter.annotation is None and is_meant(draft, text):
                end = draft.span(parameter.name)[1]
                spaced = parameter.default is not None and draft.text[end : end + 1] == "="
                edits.append(Edit(end, end, f": {text}" + (" " if spaced else "")))
                if spaced:
                    edits.append(Edit(end + 1, end + 1, " "))
    text = python_annotation(draft.spec.output)
    if function.returns is None and is_meant(draft, text):
        colon = draft.span(function.whitespace_before_colon)[0]
        edits.append(Edit(colon, colon, f" -> {text}"))
    return edits


def is_meant(draft: Draft, annotation: str) -> bool:
    """Whether every name in the annotation means in the module what it means in the spec."""
    for node in ast.walk(ast.parse(annotation, mode="eval")):
        if isinstance(node, ast.Name):
            given = draft.given.get(node.id)
            if draft.names.is_bound(node.id) or (given and draft.names.dotted(node) != given):
                return False
    return True
