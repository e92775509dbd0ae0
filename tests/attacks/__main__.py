"""Which layer stops what.

Runs every attack in the full jail, without each layer in turn, with the mandatory ones alone, without seccomp, and (if
it is harmless and would get out) in no jail at all. A cell says how the attack ended; OUT is where it reached its aim.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from string import ascii_lowercase

if __package__:
    sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "sandbox")]

from tests.attacks.catalogue import ATTACKS
from tests.attacks.judge import WITHOUT, WITHOUT_SECCOMP, Judged, attacks_for, jail_without, run_all
from tests.attacks.kinds import KINDS

_AS_WRITTEN = argparse.RawDescriptionHelpFormatter


def column(name: str, kinds: tuple[str, ...]) -> dict[str, Judged]:
    """Returns what came of each attack in the jail of that name."""
    chosen = [attack for attack in attacks_for(name) if attack.kind.startswith(kinds)]
    with jail_without(name) as jail:
        return {judged.name: judged for judged in run_all(jail, chosen)}


def main(arguments: list[str]) -> int:
    """Prints the table; the exit code is 1 if an attack got out where it must not."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__, formatter_class=_AS_WRITTEN)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="a kind (A01) or a section (A)")
    parser.add_argument("--json", action="store_true", help="print all that was seen as one document")
    parser.add_argument("--jail", action="append", choices=[*WITHOUT, "nothing"], help="only this jail")
    options = parser.parse_args(arguments)
    names = options.jail or [*WITHOUT, "nothing"]
    columns = {name: column(name, tuple(options.kinds) or ("",)) for name in names}
    got_out = [
        (name, judged)
        for name, results in columns.items()
        if name not in (*WITHOUT_SECCOMP, "nothing")
        for judged in results.values()
        if judged.reached
    ]
    if options.json:
        print(json.dumps({name: [asdict(each) for each in results.values()] for name, results in columns.items()}))
    else:
        _print(columns)
        for name, judged in got_out:
            print(f"GOT OUT in {name}: {judged}")
    return 1 if got_out else 0


def _print(columns: dict[str, dict[str, Judged]]) -> None:
    width = max(len(name) for name in columns)
    print(f"user {os.geteuid()}; what is left out of the jail, by column:")
    for letter, (name, results) in zip(ascii_lowercase, columns.items(), strict=False):
        out = sum(1 for each in results.values() if each.reached)
        print(f"  {letter} {name:<{width}}  {len(results)} attacks, {out} got out")
    print(f"{'':<7}" + "".join(f"{letter:<10}" for letter in ascii_lowercase[: len(columns)]))
    title = ""
    for attack in ATTACKS:
        cells = [results.get(attack.name) for results in columns.values()]
        if not any(cells):
            continue
        if KINDS[attack.kind].title != title:
            title = KINDS[attack.kind].title
            print(f"{attack.kind}  {title}")
        print(f"{attack.name:<7}" + "".join(f"{_cell(cell):<10}" for cell in cells))


def _cell(judged: Judged | None) -> str:
    if judged is None:
        return "."
    if judged.reached:
        return "OUT"
    return judged.why[:9] if judged.word == "denied" else judged.word


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
