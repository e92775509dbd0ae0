"""The warm worker says what a cold ``mypy --strict`` says, message for message, whatever came before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from neurosym.gate._types.worker import Said, TypeWorker
from tests.gate.cold import CONFIGURED, PLAIN, cold_mypy
from tests.gate.programs import programs


@pytest.fixture(scope="module")
def worker() -> Iterator[TypeWorker]:
    worker = TypeWorker()
    yield worker
    worker.close()


def _differences(worker: TypeWorker, folder: Path, texts: list[str], options: list[str], at_once: int) -> list[str]:
    found = []
    for first in range(0, len(texts), at_once):
        batch = texts[first : first + at_once]
        place = folder / f"batch{first}"
        place.mkdir()
        for number, (text, cold) in enumerate(zip(batch, cold_mypy(place, batch, options), strict=True)):
            warm = worker.check(text, f"p{number}")
            assert isinstance(warm, Said), warm
            if list(warm.messages) != cold:
                found.append(f"{text}\n--- cold\n" + "\n".join(cold) + "\n--- warm\n" + "\n".join(warm.messages))
    return found


def test_warm_and_cold_agree(worker: TypeWorker, tmp_path: Path) -> None:
    texts = programs(60)
    assert _differences(worker, tmp_path, texts, CONFIGURED, at_once=60) == []


def test_they_agree_with_plain_strict(worker: TypeWorker, tmp_path: Path) -> None:
    assert _differences(worker, tmp_path, programs(60, seed=1), PLAIN, at_once=60) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_warm_and_cold_agree_on_many(worker: TypeWorker, tmp_path: Path, seed: int) -> None:
    assert _differences(worker, tmp_path, programs(60, seed), PLAIN, at_once=20) == []
