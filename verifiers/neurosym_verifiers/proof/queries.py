"""What solvers were asked about an obligation, and what they said: kept for export and for a second opinion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a second solver says of a query that the first called unsatisfiable; ``answer`` in its own words."""

    solver: str
    answer: str

    @property
    def confirms(self) -> bool:
        return self.answer == "unsat"

    @property
    def contradicts(self) -> bool:
        return self.answer == "sat"


@dataclass(frozen=True, slots=True)
class Query:
    """One query of an obligation: unsatisfiable where nothing breaks the obligation on inputs of this ``shape``.

    ``text`` is SMT-LIB 2, empty where nobody asked for it. ``opinion`` is None where nobody else was asked. ``lemma``:
    its number, from 1, if the query is one on the way to the query after it, which asserts what follows from this one.
    ``case``: its number, from 1, if the counterexamples were divided: then nothing breaks the obligation where none of
    the cases has any. ``algebra``: questions about real functions were settled before by this tool's algebra, which no
    second solver is asked about; the query is what was left.
    """

    obligation: str
    shape: str
    verdict: str
    strategy: str
    text: str
    opinion: Opinion | None = None
    lemma: int = 0
    case: int = 0
    algebra: bool = False

    @property
    def part(self) -> str:
        """Which part of the question for its shape it is; empty for the whole."""
        parts = (f"case {self.case}" if self.case else "", f"lemma {self.lemma}" if self.lemma else "")
        return ", ".join(part for part in parts if part)
