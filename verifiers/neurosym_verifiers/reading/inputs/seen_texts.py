"""Texts that are only ever looked at through one method: ``text.strip(" ")`` or ``text.replace(" ", "")``.

Where a program and its spec take a text in only so, what the method gives is a text of its own, with its own length and
characters, and how it came about does not matter. What holds for all texts that the method may give holds for all
texts. Beside that a clause may ask which characters are in the text itself (``each_of``): those that are seen, and the
one that the method takes away, if it took any. Whatever else is asked of the text is not read then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TypeAlias

from neurosym_specs.model import Spec
from neurosym_specs.types import StrType, Type

from neurosym_verifiers.reading.data.values import Hidden, NoneValue, NotRead, Text, Value
from neurosym_verifiers.reading.formulas.normal_forms import both
from neurosym_verifiers.reading.formulas.normal_forms import within as is_within
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Flag, number, variable
from neurosym_verifiers.reading.texts.characters import Cells, cells_of, every, single, text_of
from neurosym_verifiers.reading.texts.codepoints import (
    NO_SURROGATES,
    Ranges,
    accepted_by,
    characters,
    common,
    complement,
)

Form: TypeAlias = tuple[str, tuple[str, ...]]
"""A method and its arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenText(StrType):
    """A text that is read through a method."""

    form: Form


def given_by(form: Form, text: str) -> str:
    """What the method makes of a text."""
    name, arguments = form
    made = getattr(text, name)(*arguments)
    assert isinstance(made, str)
    return made


def hidden_text(name: str, type_: SeenText, length: int) -> tuple[Value, Condition]:
    """A text, and what its method gives: any text of a length that it may give, or more than these."""
    ranges = common(characters(type_.alphabet), NO_SURROGATES) if type_.alphabet is not None else NO_SURROGATES
    cells: Cells = tuple((TRUE, variable(f"{name}.{i}", ranges[0][0], ranges[-1][1])) for i in range(length))
    kept = complement(_removed(type_.form))
    at_ends = [is_within(cells[i][1], kept) for i in (0, -1)] if cells else []
    inside = every(cells, kept) if type_.form[0] == "replace" else both(*at_ends)
    return Hidden(name, type_.form, text_of(cells)), both(every(cells, ranges), inside)


def _removed(form: Form) -> Ranges:
    """The characters that the method takes away."""
    return characters(form[1][0]) if form[1] else accepted_by("isspace")


def taken_flag(name: str) -> str:
    """The flag that says that the method took something away."""
    return f"{name}?taken"


def each_of(value: Hidden) -> tuple[tuple[Condition, Value], ...]:
    """The characters of the whole text, in no order, and each as often as one likes. Raises ``NotRead``."""
    removed = _removed(value.form)
    if len(removed) != 1 or removed[0][0] != removed[0][1]:
        raise NotRead(f"a loop over a text of which {value.form[0]}() takes away several characters")
    seen = [(there, single(code)) for there, code in cells_of(value.seen)]
    return (*seen, (Flag(taken_flag(value.of)), single(number(removed[0][0]))))


def asked(value: Hidden, name: str, arguments: Iterable[Value]) -> Value:
    """``value.name(...)`` where that is the one method that is known. Raises ``NotRead``."""
    given = tuple(each.value for each in arguments if isinstance(each, Text))
    plain = [each for each in arguments if not isinstance(each, NoneValue)]
    if (name, given) == value.form and len(plain) == len(given):
        return value.seen
    raise NotRead(f"{name}() of a text beside {value.form[0]}() of it")


def seen_through(spec: Spec, source: str) -> Spec | None:
    """The spec with its texts read through the one method that the program and the spec look at each with.

    None where there is no such text.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    function = next((f for f in tree.body if isinstance(f, ast.FunctionDef) and f.name == spec.name), None)
    if function is None:
        return None
    parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    expressions = [each.tree for each in spec.lets.values()]
    changed: dict[str, Type] = {}
    for parameter, (name, type_) in zip(parameters, spec.inputs.items(), strict=False):
        if not isinstance(type_, StrType) or type_.choices is not None or type_.also:
            continue
        forms = set(_forms([function], parameter))
        if len(forms) == 1 and forms <= set(_forms(expressions, name)):
            own = {field.name: getattr(type_, field.name) for field in fields(type_)}
            changed[name] = SeenText(**own, form=forms.pop())
    return replace(spec, inputs={**spec.inputs, **changed}) if changed else None


def _forms(trees: Iterable[ast.AST], name: str) -> Iterator[Form]:
    """The methods that trees call of a name, as far as they take characters away."""
    for tree in trees:
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr=method), args=arguments, keywords=[]) if (
                    of == name
                ):
                    known = [each.value for each in arguments if isinstance(each, ast.Constant)]
                    texts = tuple(each for each in known if isinstance(each, str))
                    if len(texts) == len(arguments) and _takes_away(method, texts):
                        yield method, texts
                case _:
                    pass


def _takes_away(method: str, arguments: tuple[str, ...]) -> bool:
    if method == "strip":
        return len(arguments) <= 1
    return method == "replace" and len(arguments) == 2 and len(arguments[0]) == 1 and arguments[1] == ""
