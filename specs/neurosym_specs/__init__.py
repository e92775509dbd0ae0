"""What is promised and what was found: specs, their expressions, obligations and verdicts.

Every name of the public surface is loaded when it is first asked for, so that importing this package costs nothing
and its modules can import each other through it. Only ``strategies`` needs Hypothesis, and only when called.
The functions ``obligations``, ``signature`` and ``describe`` are imported from the modules of the same names.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neurosym_specs.describe import SpecDescription, render
    from neurosym_specs.errors import NeurosymError, Place, SpecError
    from neurosym_specs.loader import load_spec, spec_from_json, spec_from_toml
    from neurosym_specs.membership import member_fault
    from neurosym_specs.model import Spec
    from neurosym_specs.notation import call_source, from_plain, inputs_to_plain, to_plain, to_source
    from neurosym_specs.obligations import Obligation
    from neurosym_specs.signature import declarations, python_annotation
    from neurosym_specs.strategies import inputs_strategy, type_strategy
    from neurosym_specs.values import NegativeZero, Record, WrittenDecimal

_HOME = {
    "NegativeZero": "values",
    "NeurosymError": "errors",
    "Obligation": "obligations",
    "Place": "errors",
    "Record": "values",
    "Spec": "model",
    "SpecDescription": "describe",
    "SpecError": "errors",
    "WrittenDecimal": "values",
    "call_source": "notation",
    "declarations": "signature",
    "from_plain": "notation",
    "inputs_strategy": "strategies",
    "inputs_to_plain": "notation",
    "load_spec": "loader",
    "member_fault": "membership",
    "python_annotation": "signature",
    "render": "describe",
    "spec_from_json": "loader",
    "spec_from_toml": "loader",
    "to_plain": "notation",
    "to_source": "notation",
    "type_strategy": "strategies",
}

__all__ = [
    "NegativeZero",
    "NeurosymError",
    "Obligation",
    "Place",
    "Record",
    "Spec",
    "SpecDescription",
    "SpecError",
    "WrittenDecimal",
    "call_source",
    "declarations",
    "from_plain",
    "inputs_strategy",
    "inputs_to_plain",
    "load_spec",
    "member_fault",
    "python_annotation",
    "render",
    "spec_from_json",
    "spec_from_toml",
    "to_plain",
    "to_source",
    "type_strategy",
]


def __getattr__(name: str) -> Any:
    """A public name, from the module that defines it."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
