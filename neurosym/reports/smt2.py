"""The queries behind the verdicts as files in SMT-LIB 2, for anyone to check with another solver."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from neurosym_specs.model import Spec
from neurosym_verifiers.proof.queries import Query
from neurosym_verifiers.proof.smtlib import expecting
from neurosym_verifiers.proof.strategies import WORDS

from neurosym.events import CandidateFinished, Event, Started
from neurosym.result import CandidateResult, Judged
from neurosym.safe_text import safe_text
from neurosym.writing import CannotWrite

_LONGEST_NAME = 200  # characters of a file's name, which file systems limit to 255 bytes


class Smt2Report:
    """Listens, and writes a file for each query into a directory, which must be there.

    ``written`` are the files. Raises ``CannotWrite`` where one cannot be.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._spec: Spec | None = None
        self.written: list[Path] = []

    def __call__(self, event: Event) -> None:
        match event:
            case Started(spec=spec):
                self._spec = spec
            case CandidateFinished(result) if isinstance(result.outcome, Judged) and self._spec is not None:
                for name, text in query_files(self._spec, result, {path.name for path in self.written}):
                    path = self._directory / name
                    try:
                        path.write_text(text, encoding="ascii", errors="backslashreplace")
                    except OSError as error:
                        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from error
                    self.written.append(path)
            case _:
                pass


def query_files(spec: Spec, result: CandidateResult, taken: set[str]) -> Iterator[tuple[str, str]]:
    """A file's name and text for each query about a candidate, by names that are not ``taken``."""
    queries = result.outcome.judgement.queries if isinstance(result.outcome, Judged) else ()
    for query in (each for each in queries if each.text):
        words = (spec.name, Path(result.name).stem, query.obligation, query.shape, query.part)
        stem = ".".join(_word(each) for each in words if each)[:_LONGEST_NAME]
        name, number = f"{stem}.smt2", 1
        while name in taken:
            number += 1
            name = f"{stem}.{number}.smt2"
        taken.add(name)
        yield name, _remarks(spec, result, query) + expecting(query.text, query.verdict)


def _remarks(spec: Spec, result: CandidateResult, query: Query) -> str:
    """What the query is about, as comments."""
    asked = "the reading alone" if query.strategy == "reading" else f"Z3, {WORDS.get(query.strategy, query.strategy)}"
    lines = [
        f"spec       {spec.name}  sha256 {spec.sha256}",
        f"candidate  {result.name}  sha256 {result.sha256}",
        f"obligation {query.obligation}",
        f"shape      {query.shape or 'any'}",
        *([f"part       {query.part}"] if query.part else []),
        f"decided by {asked}{', after the algebra' if query.algebra else ''}",
        f"expected   {query.verdict}",
        _sought(query),
    ]
    return "".join(f"; {safe_text(line, limit=400)}\n" for line in lines)


def _sought(query: Query) -> str:
    if query.algebra:
        return (
            "What was left once this tool's algebra had settled the questions about real functions. If this is "
            "unsatisfiable and the algebra is right, no input breaks the obligation."
        )
    if query.lemma:
        return "Unsatisfiable: two products are equal on all inputs in question. The queries after it assert this."
    if query.strategy in ("reading", "nonlinear"):
        return "An assignment that satisfies this is an input (for a relation, inputs) that breaks the obligation."
    return (
        "Where products are unknown numbers: if this is unsatisfiable, no input breaks the obligation; "
        "an assignment that satisfies it need not be an input."
    )


def _word(text: str) -> str:
    """A text as part of a file's name."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-")[:80] or "_"
