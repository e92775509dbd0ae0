"""One jail for a whole test module: no session may see what another did, so sharing is part of the test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from neurosym_sandbox import Jail, Limits, LoadFailed, Outcome, Program

Run = Callable[..., Outcome]


@pytest.fixture(scope="module")
def jail() -> Iterator[Jail]:
    with Jail() as jail:
        yield jail


@pytest.fixture
def run(jail: Jail) -> Run:
    """Runs `f` of a source once in a fresh session; a failed load gives its own outcome."""

    def run(source: str, *args: object, limits: Limits = Limits(), jail: Jail = jail, **program: object) -> Outcome:  # noqa: B008
        with jail.open(Program(source, "f", **program), limits) as session:  # type: ignore[arg-type]
            if isinstance(session.loaded, LoadFailed):
                assert session.loaded.outcome is not None, session.loaded.reason
                return session.loaded.outcome
            return session.call(args)

    return run


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes minutes runs when asked for, with `-m slow`."""
    if "slow" not in config.option.markexpr:
        for item in items:
            if item.get_closest_marker("slow") and item.path.parent == Path(__file__).parent:
                item.add_marker(pytest.mark.skip(reason="slow: asked for with -m slow"))
