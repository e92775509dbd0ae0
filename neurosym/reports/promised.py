"""What a spec promises, as plain values: what was checked, over which inputs, and who answers for it."""

from __future__ import annotations

from typing import Any, TypeAlias

from neurosym_specs.describe import ClauseDescription, ValueDescription, describe
from neurosym_specs.model import Spec

Plain: TypeAlias = dict[str, Any]  # what json.dumps takes


def plain_spec(spec: Spec) -> Plain:
    """The spec in words, part by part, with the hash of its file."""
    description = describe(spec)
    return {
        "name": spec.name,
        "title": spec.title,
        "path": spec.path,
        "sha256": spec.sha256,
        "version": spec.version,
        "owner": spec.owner,
        "source": list(spec.source),
        "problem": spec.problem,
        "inputs": [_value(each) for each in description.inputs],
        "output": _value(description.output),
        "given": [_clause(each, spec) for each in description.promises],
        "clauses": [_clause(each, spec) for each in description.obligations],
        "policy": list(description.policy),
        "waive_vacuous": spec.policy.waive_vacuous,
    }


def _value(value: ValueDescription) -> Plain:
    return {"name": value.name, "type": value.annotation, "values": value.values, "text": value.text}


def _clause(clause: ClauseDescription, spec: Spec) -> Plain:
    return {
        "id": clause.id,
        "kind": clause.kind,
        "text": clause.words,
        "formal": list(clause.defined),
        "source": list(clause.source or spec.source),
    }
