"""What commands about programs are about: a spec, given or beside the file, and programs that pass the gate."""

from __future__ import annotations

from pathlib import Path

import click
from neurosym_specs import load_spec
from neurosym_specs.errors import NeurosymError
from neurosym_specs.model import Spec

from neurosym import gate
from neurosym.diagnostics import Diagnostic
from neurosym.safe_text import safe_text
from neurosym.source import Delivered

spec_option = click.option(
    "--spec", "spec_path", metavar="SPEC", help="The spec; without it, the one *.spec.toml in the file's folder."
)


class Refused(NeurosymError):
    """The program does not pass the gate, so that it is neither run nor read."""

    exit_code = 1

    def __init__(self, program: str, first: Diagnostic) -> None:
        where = f", line {first.line}" if first.line is not None else ""
        super().__init__(f"{program}{where}: {first.message}")
        self.code = first.code


def spec_for(path: str | None, program: str) -> Spec:
    """The spec at a path, or the only one that lies beside the program. A signature alone gives no ranges."""
    if path is not None:
        return load_spec(path)
    if not Path(program).exists():
        raise click.UsageError(f"{safe_text(program, limit=200)}: there is no such file")
    beside = sorted(Path(program).parent.glob("*.spec.toml"))
    if len(beside) == 1:
        return load_spec(beside[0])
    found = f"and beside it are {len(beside)}: name one" if beside else "and none lies beside it"
    raise click.UsageError(f"--spec is needed: which inputs there are, in which ranges and units, a spec says, {found}")


def admitted(program: str, spec: Spec) -> Delivered:
    """The program's text. Raises ``Refused`` where it may not run."""
    entry = gate.enter(program, spec, gate.Types.OFF)
    match entry:
        case gate.Passed(source):
            return source
        case gate.Stopped(diagnostics):
            raise Refused(program, diagnostics[0])
        case gate.Faulted(why):
            raise NeurosymError(f"the gate failed on {program}: {why} (NS901)")
