"""Specs that several tests read."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def late_fee() -> str:
    """The text of the small example."""
    return (ROOT / "examples" / "late_fee" / "late_fee.spec.toml").read_text("utf-8")


@pytest.fixture(scope="session")
def everything() -> Path:
    """A spec that uses every table and every key of the format."""
    return Path(__file__).parent / "everything.spec.toml"
