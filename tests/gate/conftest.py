"""The small spec of the command line's tests; what takes minutes runs when it is asked for, with `-m slow`."""

from __future__ import annotations

from pathlib import Path

import pytest
from neurosym_specs import load_spec
from neurosym_specs.model import Spec

from tests.cli.shared import SPEC


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "slow" not in config.option.markexpr:
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="slow: asked for with -m slow"))


@pytest.fixture(scope="session")
def spec_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spec") / "late_fee.spec.toml"
    path.write_text(SPEC)
    return path


@pytest.fixture(scope="session")
def fee(spec_path: Path) -> Spec:
    """The late fee: (balance: Decimal, days_overdue: int) -> Decimal, floats forbidden."""
    return load_spec(spec_path)
