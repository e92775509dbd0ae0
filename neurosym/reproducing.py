"""How a refutation is run again by whoever has the spec and the candidate: one command, or one pytest test."""

from __future__ import annotations

import json
import os
import pprint
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import Refuted
from neurosym_verifiers.environment import Confinement

from neurosym.result import CandidateResult, Judged
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_json, safe_text

MARK = '"""Written by neurosym --write-test'
"""How a test that this tool wrote begins, so that it replaces no other file."""

Calls = Sequence[Mapping[str, Any]]
"""The inputs of one call or of several, in the notation of the spec format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Where spec and candidate are, how the candidate was rewritten before it ran, and in which sandbox.

    ``spec`` and ``candidate`` are paths, empty where a text came from no file; ``-`` is standard input. ``function``:
    the name of the spec. ``project``: the settings of the project that the candidate is a module of, where it may
    import others of it. ``store``: the run store in which ``candidate`` is the id of a job.
    """

    spec: str
    function: str
    candidate: str
    rewrites: tuple[str, ...] = ()
    script: str = ""
    confinement: Confinement = field(default_factory=Confinement)
    project: str = ""
    store: str = ""

    def command(self, clause: str, calls: Calls) -> str:
        """The command that runs the calls again, in words that a shell takes as they are meant.

        Empty where spec or candidate came from no file, and where it would be longer than a command can be.
        """
        if not (self.spec and self.candidate):
            return ""
        plain = [dict(each) for each in calls]
        text = json.dumps(plain[0] if len(plain) == 1 else plain, separators=(",", ":"), ensure_ascii=True)
        words = ["neurosym", "replay", _file(self.spec), _file(self.candidate), "--clause", clause]
        words += ["--inputs", safe_json(text), *self._options()]
        line = " ".join(_word(each) for each in words)
        return line if len(line) <= MAX_COMMAND_CHARS else ""

    def test(self, cases: Sequence[tuple[str, Calls]], path: str) -> str:
        """A module with one test that replays the calls of each clause, to stand at ``path``.

        It fails while any of them breaks a promise of the spec, and passes when the candidate is mended. Both spec and
        candidate must be files.
        """
        arguments = {
            "rewrites": self.rewrites,
            "script": self.script,
            "sandbox": "" if self.confinement.level is Confinement().level else self.confinement.level.value,
            "layers": sorted(self.confinement.layers),
        }
        return _TEST.format(
            mark=MARK,
            name=self.function,
            cases=_literal([(clause, [dict(each) for each in calls]) for clause, calls in cases]),
            spec=_beside(self.spec, path),
            candidate=_beside(self.candidate, path),
            options="".join(f", {name}={value!a}" for name, value in arguments.items() if value)
            + (f", config=HERE / {_beside(self.project, path)}" if self.project else ""),
        )

    def _options(self) -> Iterator[str]:
        if self.project:
            yield from ("--config", _file(self.project))
        if self.store:
            yield from ("--store", _file(self.store))
        for name in self.rewrites:
            yield from ("--rewrite", name)
        if self.script:
            yield from ("--script", self.script)
        if self.confinement.level is not Confinement().level:
            yield from ("--sandbox", self.confinement.level.value)
        for layer in sorted(self.confinement.layers):
            yield from ("--sandbox-layer", layer)


def recipe_of(spec: Spec, candidate: CandidateResult, confinement: Confinement) -> Recipe:
    """That of a judged candidate. A rewriting that changed nothing would change nothing again, and is left out."""
    rewrites = tuple(dict.fromkeys(each.name for each in candidate.rewriting.rewrites)) if candidate.rewriting else ()
    script = candidate.options.script if candidate.options is not None and "script" in rewrites else ""
    return Recipe(spec=spec.path, function=spec.name, candidate=candidate.path, rewrites=rewrites, script=script,
                  confinement=confinement)  # fmt: skip


def refuted_cases(candidate: CandidateResult) -> list[tuple[str, Calls]]:
    """The clauses that are refuted, with the calls that show it."""
    verdicts = candidate.outcome.judgement.verdicts if isinstance(candidate.outcome, Judged) else {}
    return [(each.id, found.counterexample.inputs) for each, found in verdicts.items() if isinstance(found, Refuted)]


def _file(path: str) -> str:
    return f"./{path}" if path.startswith("-") and path != "-" else path


def _word(text: str) -> str:
    """One word of a shell: as it is, in quotes, or with its bytes escaped where a terminal could not show it."""
    if safe_text(text, limit=len(text)) == text and text.isprintable():
        return shlex.quote(text)
    escaped = (chr(byte) if re.match(rb"[\w ./-]", bytes([byte])) else f"\\x{byte:02x}" for byte in os.fsencode(text))
    return f"$'{''.join(escaped)}'"


_TEST = '''\
{mark}: calls that broke the spec of {name}.

Each is run again in the sandbox and judged by the spec. The test fails as long as any of them breaks a promise.
"""

from pathlib import Path

import pytest

from neurosym import replay

HERE = Path(__file__).parent
SPEC = HERE / {spec}
CANDIDATE = HERE / {candidate}

CASES = {cases}


@pytest.mark.parametrize(("clause", "inputs"), CASES, ids=[clause for clause, _ in CASES])
def test_{name}(clause, inputs):
    assert replay(SPEC, CANDIDATE, clause, inputs{options}).problem == ""
'''


def _literal(value: object) -> str:
    """The value as ASCII source, so that no text in it is anything but data."""
    text = pprint.pformat(value, width=110, sort_dicts=False)
    return text if text.isascii() else ascii(value)


def _beside(path: str, test: str) -> str:
    """Where a file lies as seen from the test, as source."""
    return ascii(os.path.relpath(Path(path).resolve(), Path(test).resolve().parent))
