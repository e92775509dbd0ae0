"""Honest programs run, in the full jail and with the mandatory layers alone."""

from collections.abc import Iterator

import pytest
from neurosym_sandbox import DEFAULT_IMPORTS, Jail, LoadFailed, Program, Returned

from tests.attacks.honest import HONEST
from tests.attacks.judge import WITHOUT


@pytest.fixture(scope="module", params=["all", "mandatory"])
def jail(request: pytest.FixtureRequest) -> Iterator[Jail]:
    with Jail(without=WITHOUT[request.param]) as jail:
        yield jail


def test_there_are_many() -> None:
    assert len(HONEST) >= 60


def test_honest_programs_run(jail: Jail) -> None:
    wrong = {}
    for name, source in HONEST.items():
        with jail.open(Program(source, "f", imports=DEFAULT_IMPORTS | {"contextlib"})) as session:
            loaded = session.loaded
            outcome = loaded if isinstance(loaded, LoadFailed) else session.call((21,))
        if not (isinstance(outcome, Returned) and type(outcome.value) is int and outcome.value == 42):
            wrong[name] = outcome
    assert wrong == {}
