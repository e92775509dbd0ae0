"""Specs that several tests read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORMAT_PAGE = ROOT / "docs" / "spec-format.md"


def toml_blocks(page: Path) -> list[str]:
    """The TOML examples of a page, in order."""
    return re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), flags=re.DOTALL)


@pytest.fixture(scope="session")
def late_fee() -> str:
    """The text of the small example."""
    return (ROOT / "examples" / "late_fee" / "late_fee.spec.toml").read_text("utf-8")


@pytest.fixture(scope="session")
def everything() -> str:
    """A spec that uses every table and every key of the format."""
    return (Path(__file__).parent / "everything.spec.toml").read_text("utf-8")
