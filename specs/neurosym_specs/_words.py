"""Names: which words a spec may give to its own things, and the exceptions it may name."""

from __future__ import annotations

import builtins
import keyword

from neurosym_specs._faults import closest, show
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr.language import FUNCTIONS, MODES, RESERVED

_SCALARS = ("int", "decimal", "float", "fraction", "bool", "str", "enum", "date", "record")
_GENERICS = ("list", "tuple", "set", "dict")
TYPE_WORDS = (*_SCALARS, *_GENERICS)

# What the declarations import or use: a class of the spec by one of these names would hide it.
_PYTHON_NAMES = frozenset(dir(builtins)) | frozenset(
    [
        "Decimal",
        "Fraction",
        "date",
        "datetime",
        "Enum",
        "Literal",
        "NamedTuple",
        "TypedDict",
        "dataclass",
        "dataclasses",
        "decimal",
        "fractions",
        "enum",
        "typing",
    ]
)

# Exceptions of the standard library's pure modules that a calculation may name, by their bare names.
_LIBRARY_EXCEPTIONS = {
    "decimal": "DecimalException Clamped InvalidOperation DivisionByZero Inexact Rounded Subnormal Overflow "
    "Underflow FloatOperation ConversionSyntax DivisionImpossible DivisionUndefined InvalidContext",
    "statistics": "StatisticsError",
    "calendar": "IllegalMonthError IllegalWeekdayError",
    "graphlib": "CycleError",
    "json": "JSONDecodeError",
    "dataclasses": "FrozenInstanceError",
    "re": "error",
}
_MODULE_OF = {name: module for module, names in _LIBRARY_EXCEPTIONS.items() for name in names.split()}
_BUILTIN_EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, Exception) and not issubclass(value, Warning)
) - {"MemoryError"}  # the sign of a limit, which no rule asks for
EXCEPTIONS = _BUILTIN_EXCEPTIONS | frozenset(_MODULE_OF)


def check_identifier(word: object, what: str, place: Place) -> str:
    """``word`` as a name that Python can bear, or the fault."""
    if not isinstance(word, str) or not word.isidentifier() or not word.isascii():
        raise SpecError(f"{show(word)} is no name for {what}", place, hint="letters, digits and _, not a digit first")
    if keyword.iskeyword(word):
        raise SpecError(
            f"{show(word)} is a keyword of Python and no name for {what}", place, hint=f"for example {word}_"
        )
    if word.startswith("__"):
        raise SpecError(f"{show(word)} is no name for {what}", place, hint="not two underscores first")
    return word


def check_input_name(word: object, place: Place) -> str:
    """The name of an input: not a word of the expression language."""
    name = check_identifier(word, "an input", place)
    if name in RESERVED:
        kind = "function" if name in FUNCTIONS else "rounding mode" if name in MODES else "value"
        raise SpecError(
            f'"{name}" is a {kind} of the expression language and no name for an input',
            place,
            hint=f"for example {name}_",
        )
    return name


def check_class_name(word: object, what: str, place: Place) -> str:
    """The name of a class that the candidate is given."""
    name = check_identifier(word, what, place)
    if name in _PYTHON_NAMES:
        raise SpecError(f'"{name}" would hide Python\'s own {name}', place, hint=f"choose another name for {what}")
    return name


def exception_name(word: str, place: Place) -> str:
    """The bare name of an exception; ``decimal.InvalidOperation`` is ``InvalidOperation``."""
    module, _, name = word.rpartition(".")
    if name in EXCEPTIONS and module in ("", _MODULE_OF.get(name, "builtins")):
        return name
    near = closest(name, sorted(EXCEPTIONS))
    hint = f'did you mean "{near}"? ' if near else ""
    raise SpecError(
        f"unknown exception {show(word)}",
        place,
        hint=hint + "legal: Python's built-in exceptions and those of " + ", ".join(_LIBRARY_EXCEPTIONS),
    )
