"""What a spec offers as invariants of a candidate's loops (``[[invariant]]``), read in terms of their variables.

Nothing rests on it: induction shows it, or does without.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Many

from neurosym_specs.model import Invariant

from neurosym_verifiers.reading.data.values import NotRead, Value
from neurosym_verifiers.reading.expressions.expressions import ExpressionReading
from neurosym_verifiers.reading.expressions.scope import Meaning
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition


class Offered:
    """The invariants of the loops of one program, called ``Offers`` where it is read. ``inputs``: of the run."""

    def __init__(
        self, invariants: Many[Invariant], expressions: ExpressionReading, source: str, inputs: Mapping[str, Value]
    ) -> None:
        self._invariants = invariants
        self._expressions = expressions
        self._inputs = inputs
        self._lines = sorted(_lines_of_loops(source)) if invariants else []

    def __call__(self, line: int, variables: Mapping[str, Value]) -> tuple[tuple[str, Condition], ...]:
        """Those of the loop at a line, on what its variables are before a round; each with its text."""
        return tuple(self._of(line, variables))

    def _of(self, line: int, variables: Mapping[str, Value]) -> Iterator[tuple[str, Condition]]:
        meaning = Meaning({**self._inputs, **variables})
        for each in self._invariants:
            number = self._lines.index(line) + 1
            if each.loop is not None and each.loop != number and each.loop not in variables:
                continue
            try:
                holds, defined = self._expressions.condition(each.that, meaning)
            except NotRead:
                continue  # of another loop's variables, or of what no term says
            if defined == TRUE:
                yield " ".join(each.that.text.split()), holds


def _lines_of_loops(source: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.For, ast.While)):
            yield node.lineno
