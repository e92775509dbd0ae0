"""``benchmarks/peers.py`` with a stand-in for CrossHair: what is counted as found, as outside, and what is said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shared import RIGHT, SPEC, WRONG

PEERS = Path(__file__).parents[2] / "benchmarks" / "peers.py"
GIVEN = """Given: (balance=Decimal('{balance}'), days_overdue={days}),
   pair.left : returns Decimal('0.00')
  pair.other : returns Decimal('15.00')
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    task = tmp_path / "exam" / "t01_fee"
    task.mkdir(parents=True)
    (task / "late_fee.spec.toml").write_text(SPEC)
    (task / "correct_1.py").write_text(RIGHT)
    (task / "wrong_1.py").write_text(WRONG)
    return tmp_path / "exam"


def peers(folder: Path, said: str, code: int) -> subprocess.CompletedProcess[str]:
    """The benchmark with a command that imports the pair, so that it must be one, and says this of it."""
    command = folder.parent / "crosshair"
    body = f"import sys\nsys.path[:0] = ['.']\nimport pair\nassert pair.left and pair.other\nprint({said!r})\n"
    command.write_text(f"#!{sys.executable}\n{body}sys.exit({code})\n")
    command.chmod(0o755)
    arguments = [sys.executable, str(PEERS), str(folder), "--crosshair", str(command), "--json"]
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("said", "code", "counted"),
    [
        (GIVEN.format(balance="5.00", days=10), 1, "found"),
        pytest.param(GIVEN.format(balance="5.001", days=10), 1, "outside", marks=pytest.mark.slow),
        (GIVEN.format(balance="5.00", days=61), 1, "outside"),
        pytest.param("No differences found.", 0, "missed", marks=pytest.mark.slow),
        ("what", 2, "failed"),
    ],
)
def test_what_crosshair_says_is_counted_inside_of_the_spec(folder: Path, said: str, code: int, counted: str) -> None:
    done = peers(folder, said, code)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    right, wrong = document["candidates"]
    assert (right["crosshair"]["said"], wrong["crosshair"]["said"]) == ("not asked", counted)
    assert (right["neurosym"]["said"], wrong["neurosym"]["said"]) == ("quiet", "found")
    assert document["summary"]["crosshair"][counted] == 1


def test_without_crosshair_it_says_how_to_get_it(folder: Path) -> None:
    command = [sys.executable, str(PEERS), str(folder), "--crosshair", "no-such-command"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "pip install crosshair-tool" in done.stderr
