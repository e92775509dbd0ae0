"""Decoding that is held to a form: a grammar or a schema by which an endpoint lets its model write nothing else.

Two forms, each asked for in the words of those who offer it: a grammar in GBNF (llama.cpp's field ``grammar``), which
makes the reply one fenced block with the exact signature in it, and a JSON Schema (``response_format`` of OpenAI, vLLM,
llama.cpp and others), in which the module is a text. The grammar comes first: code inside of JSON comes out
worse. Endpoints are known to take a field and pass over it: a form counts only where the reply has it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

OPENING, CLOSING = "```python\n", "```"
_FIELD = "module"
_SCHEMA = {
    "type": "object",
    "properties": {_FIELD: {"type": "string", "description": "the whole Python module, without fences around it"}},
    "required": [_FIELD],
    "additionalProperties": False,
}


class Form(StrEnum):
    """The forms that are tried, in this order."""

    GRAMMAR = "grammar"
    SCHEMA = "json_schema"


class Held(StrEnum):
    """Whether a reply was held to a form while it was written. ``IGNORED``: the endpoint took the field and did not."""

    NOT_ASKED = ""
    GRAMMAR = "grammar"
    SCHEMA = "json_schema"
    IGNORED = "ignored"
    NOT_OFFERED = "not offered"


FIELDS: Mapping[Form, str] = {Form.GRAMMAR: "grammar", Form.SCHEMA: "response_format"}
"""The field of the request in which each form is asked for."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """What the reply must be: one Python module with a function of just this ``signature``, up to its colon."""

    signature: str

    @property
    def grammar(self) -> str:
        """The form in GBNF: a block of lines, of which no one begins with a backtick, with the signature among them."""
        literal = json.dumps(f"{self.signature}\n", ensure_ascii=True)
        return "\n".join(
            [
                f'root ::= "```python\\n" line* {literal} line+ "```"',
                r'line ::= "\n" | [^`\n] [^\n]* "\n"',
            ]
        )

    def field(self, form: Form) -> dict[str, Any]:
        """What is added to the request to ask for the form."""
        if form is Form.GRAMMAR:
            return {FIELDS[form]: self.grammar}
        named = {"name": _FIELD, "strict": True, "schema": _SCHEMA}
        return {FIELDS[form]: {"type": "json_schema", "json_schema": named}}

    def text_of(self, form: Form, reply: str, *, cut: bool) -> str | None:
        """The reply as a block of code, where it has the form; None where it has not. ``cut``: its end is missing."""
        if form is Form.GRAMMAR:
            whole = cut or (reply.rstrip().endswith(CLOSING) and f"\n{self.signature}\n" in reply)
            return reply if reply.startswith(OPENING) and whole else None
        try:
            value = json.loads(reply)
        except (ValueError, RecursionError):
            return None
        if not isinstance(value, dict) or set(value) != {_FIELD} or not isinstance(value[_FIELD], str):
            return None
        module = value[_FIELD].strip("\n")
        return module if "```" in module else f"{OPENING}{module}\n{CLOSING}\n"
