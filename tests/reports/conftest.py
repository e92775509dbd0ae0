"""Results of real runs, made once: as documents, and as what a reader gets back."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from neurosym.cli import run
from neurosym.reports.document import Result
from neurosym.reports.reading import result_of
from tests.cli.conftest import neurosym, not_on_github, right, spec, wrong
from tests.cli.shared import RIGHT, SPEC, WRONG
from tests.reports.schemas import check_documents

__all__ = ["neurosym", "not_on_github", "right", "spec", "wrong"]

FLOAT = "def late_fee(balance, days_overdue):\n    return float(balance) * 0.015\n"
UNREAD = "    seen = {}\n    seen[str(balance)] = hash(str(balance))\n"
UNSAFE = "import os\n\n\ndef late_fee(balance, days_overdue):\n    return os.system('true')\n"


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The document of a run with a right, a wrong, a rejected and a float candidate."""
    folder = tmp_path_factory.mktemp("ran")
    (folder / "late_fee.spec.toml").write_text('owner = "Card products"\n' + SPEC)
    names = {"right.py": RIGHT, "wrong.py": WRONG, "unsafe.py": UNSAFE, "float.py": FLOAT}
    for name, text in names.items():
        (folder / name).write_text(text)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.chdir(folder):
        assert run(["verify", "--json", "--time-limit", "60", "late_fee.spec.toml", *names]) == 1
    check_documents(out.getvalue())
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class Paged:
    """What one run wrote: its document, and its page."""

    document: str
    page: str


@pytest.fixture(scope="session")
def paged(tmp_path_factory: pytest.TempPathFactory) -> Paged:
    """A run with a page, of a reply with a program in it, and of a program that is not read; what each does where."""
    folder = tmp_path_factory.mktemp("paged")
    (folder / "late_fee.spec.toml").write_text(SPEC)
    (folder / "reply.md").write_text(f"Here it is:\n\n```python\n{RIGHT}```\n")
    (folder / "unread.py").write_text(RIGHT.replace("    if balance < 0", UNREAD + "    if balance < 0", 1))
    out = io.StringIO()
    asked = ["--mend", "--no-proof", "--examples", "20", "--time-limit", "60", "--html", "page.html"]
    with contextlib.redirect_stdout(out), contextlib.chdir(folder):
        assert run(["verify", "--json", *asked, "late_fee.spec.toml", "reply.md", "unread.py"]) == 0
    check_documents(out.getvalue())
    return Paged(out.getvalue(), (folder / "page.html").read_text(encoding="utf-8"))


@pytest.fixture
def document(ran: str) -> dict[str, Any]:
    """The same, for a test to change."""
    loaded: dict[str, Any] = json.loads(ran)
    return loaded


@pytest.fixture
def result(ran: str) -> Result:
    return result_of(ran)


@pytest.fixture
def stored(ran: str, tmp_path: Path) -> Path:
    """The document as a file."""
    path = tmp_path / "result.json"
    path.write_text(ran)
    return path
