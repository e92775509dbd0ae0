"""Documents held to the published schema, by a validator that is not ours."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from tests.project.documents import SCHEMA

_BY_STATE = {"formula", "frequency", "calls", "jail", "printed", "sandbox", "run", "error"}
"""What only some candidates and obligations have, as docs/json.md says."""


def check_documents(out: str) -> None:
    """Fails if ``out`` holds a document of a run that is not as the schema says, or has what the schema has not."""
    if out:
        problems = [f"{each.json_path}: {each.message[:300]}" for each in strict().iter_errors(json.loads(out))]
        assert not problems, problems


@cache
def published() -> dict[str, Any]:
    """The schema as a reader gets it."""
    loaded: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="ascii"))
    Draft202012Validator.check_schema(loaded)
    return loaded


@cache
def strict() -> Draft202012Validator:
    """The schema for what this version writes: every field is there, and no other."""
    made = copy.deepcopy(published())
    for part in (made, *made["$defs"].values()):
        part["additionalProperties"] = False
        part["required"] = sorted(set(part["properties"]) - _BY_STATE)
    return Draft202012Validator(made)
