"""What stops a program that attacks the tools around the jail, whichever layer of the jail is missing.

    python -m tests.attacks.around [KIND ...] [--jail NAME] [--json]

Each program goes through gate, rewriting, types, search and proof. A cell says what it came to: the code of what turned
it away before anything ran, or how its run ended. The programs ask the operating system for nothing, so they may run in
every jail. The exit code is 1 if one of them was accepted, or reached code of the host.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from string import ascii_lowercase

from neurosym_sandbox import Level
from neurosym_sandbox._layer_names import SWITCHES
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import Refuted, Unknown
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.environment import Confinement

from neurosym.admission import Admission, Required
from neurosym.events import nobody_listens
from neurosym.options import Options, codemods
from neurosym.pipeline import judge
from neurosym.result import CandidateResult, Judged, Rejected
from tests.attacks.judge import WITHOUT
from tests.attacks.tools import SPEC, programs

_STOPPED = (Admission.REFUSED, Admission.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Stopped:
    """A program, what stopped it, and what it ``reached`` that it must not have; empty if nothing."""

    name: str
    by: str
    reached: str


def lacking(jail: str) -> Confinement:
    """The confinement of that name; "nothing" is one that confines nothing."""
    return Confinement(Level.WEAK, frozenset(), WITHOUT.get(jail, SWITCHES))


def stopped(jail: str, kinds: Iterable[str], *, most: int | None = None) -> Iterator[Stopped]:
    """What stops the programs of some kinds (``most`` of each) where the jail lacks what its name says."""
    spec = spec_from_toml(SPEC)
    with (
        tempfile.TemporaryDirectory(prefix="attacks-") as folder,
        Bench(spec, Effort(examples=20, time_limit_s=2.0), lacking(jail)) as bench,
    ):
        canary = Path(folder, "CANARY")
        assert bench.spec_fault() is None
        for kind in kinds:
            for number, text in enumerate(programs(str(canary))[kind][:most]):
                path = Path(folder, f"{kind}_{number}.py")
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
                result = judge(spec, bench, path, Options(rewrites=codemods(mend=True), explain=False), nobody_listens)
                yield Stopped(path.stem, _by(result), _reached(result, canary))


def _reached(result: CandidateResult, canary: Path) -> str:
    if canary.exists():
        canary.unlink()
        return "ran code in the host"
    admission = result.admission(Required.TESTED)
    return "" if admission in _STOPPED else f"was {admission.value}"


def _by(result: CandidateResult) -> str:
    match result.outcome:
        case Rejected(diagnostics=diagnostics):
            return diagnostics[0].code
        case Judged(judgement=judgement):
            verdicts = judgement.verdicts.values()
            for each in verdicts:
                if isinstance(each, Refuted):
                    return each.counterexample.failure.value
            return next((each.reason.value for each in verdicts if isinstance(each, Unknown)), "nothing")
        case other:
            return type(other).__name__


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks.around", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", default=sorted(programs("")), help="as G01")
    parser.add_argument("--jail", action="append", choices=[*WITHOUT, "nothing"], help="only this jail")
    parser.add_argument("--json", action="store_true", help="print all that was seen as one document")
    options = parser.parse_args(arguments)
    columns = {name: list(stopped(name, options.kinds)) for name in options.jail or [*WITHOUT, "nothing"]}
    if options.json:
        print(json.dumps({name: [asdict(each) for each in column] for name, column in columns.items()}))
    else:
        _print(columns)
    return 1 if any(each.reached for column in columns.values() for each in column) else 0


def _print(columns: dict[str, list[Stopped]]) -> None:
    print(f"user {os.geteuid()}; what is left out of the jail, by column:")
    for letter, (name, column) in zip(ascii_lowercase, columns.items(), strict=False):
        print(f"  {letter} {name}  {len(column)} programs, {sum(bool(each.reached) for each in column)} got past")
    print(f"{'':<8}" + "".join(f"{letter:<15}" for letter in ascii_lowercase[: len(columns)]))
    for row in zip(*columns.values(), strict=True):
        print(f"{row[0].name:<8}" + "".join(f"{'OUT' if each.reached else each.by:<15}" for each in row))
        for each in row:
            if each.reached:
                print(f"        {each.reached}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
