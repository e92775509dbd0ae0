"""What stands in the documents and is made: ``make outputs`` writes it anew, and tests hold it to what is real.

That is the output below each command, the whole of ``docs/reading.md``, and the schema of a run's document.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from neurosym.reports.reading import schema_text
from tests.verifiers.reading_map.writing import measured_page

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/asking.md",
    "docs/evidence.md",
    "docs/finance/first-spec.md",
    "docs/finance/reading-a-report.md",
    "docs/finance/verdicts.md",
    "docs/json.md",
    "docs/regions.md",
    "docs/solving.md",
)
SCHEMA = ROOT / "docs" / "schema" / "verify-1.schema.json"
TAKE_LONG = frozenset(name for name in DOCUMENTS if name.startswith("docs/finance/"))
"""Those whose commands judge with proofs, and with all the time that it takes."""

_BLOCK = re.compile(r"^(```console\n\$ neurosym )([^\n]*)\n(.+?)^(```)$", re.DOTALL | re.MULTILINE)


def refreshed(text: str) -> str:
    """``text`` with the output below each ``$ neurosym ...`` as it is now. A command alone stays alone."""
    return _BLOCK.sub(lambda block: f"{block[1]}{block[2]}\n{_run(block[2])}{block[4]}", text)


def without_numbers(text: str) -> str:
    """``text`` without times, and without how many inputs and tokens there were: they differ between machines."""
    text = re.sub(r"\d+\.\d\d s\b", "0.00 s", text)
    return re.sub(r"[\d,]+ (inputs|calls|sets of runs|tokens)", r"0 \1", text)


def _run(arguments: str) -> str:
    command = [sys.executable, "-m", "neurosym", *shlex.split(arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    for name in DOCUMENTS:
        path = ROOT / name
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
    (ROOT / "docs" / "reading.md").write_text(measured_page(), encoding="utf-8")
    SCHEMA.write_text(schema_text(), encoding="ascii")
