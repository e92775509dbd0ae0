"""The service that parses first: a text that kills or hangs Python's parser does so in a process of its own.

Runs on the standard library alone (``neurosym.workers``).
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from typing import Any


class Parser:
    """Tries a text on Python's parser."""

    name = "Python's parser"

    def greet(self, ask: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        """Nothing has to be known before the first text."""
        return {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The error's class, message and place; its class alone where there is no place; empty if the text parses."""
        warnings.simplefilter("ignore")
        try:
            ast.parse(request["text"])
        except SyntaxError as error:
            place = (error.lineno, error.offset, error.end_lineno)
            return {"error": type(error).__name__, "message": error.msg or "invalid syntax", "place": place}
        except (RecursionError, MemoryError, ValueError) as error:
            return {"error": type(error).__name__, "message": str(error)}
        return {}


def prepare(argument: str) -> Parser:
    """Takes no argument."""
    return Parser()
