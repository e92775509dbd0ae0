"""The late fee's spec, and codemods as functions from text to text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from neurosym_specs import load_spec
from neurosym_specs.model import Spec

from neurosym.rewrite import Rewriting, rewrite
from neurosym.source import Delivered, sha256_of
from tests.cli.shared import SPEC

Rewritten = Callable[..., str]


@pytest.fixture(scope="session")
def spec_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spec") / "late_fee.spec.toml"
    path.write_text(SPEC)
    return path


@pytest.fixture(scope="session")
def fee(spec_path: Path) -> Spec:
    """The late fee: (balance: Decimal, days_overdue: int) -> Decimal, floats forbidden."""
    return load_spec(spec_path)


def delivered(text: str) -> Delivered:
    return Delivered("candidate", text, sha256_of(text.encode()))


@pytest.fixture
def rewritten(fee: Spec) -> Rewritten:
    """What codemods make of a text; nothing of it may fail."""

    def rewritten(text: str, *codemods: str, **options: object) -> str:
        found = rewrite(delivered(text), fee, codemods, options=options)
        assert isinstance(found, Rewriting)
        assert not found.failed
        return found.source.text

    return rewritten
