"""The page of a batch has one size whatever the batch has, says what it leaves out, and shows texts as texts."""

from __future__ import annotations

import re
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from neurosym.batch.faults import packed
from neurosym.batch.outline import Outline
from neurosym.batch.store import RunStore
from neurosym.reports.batch.page import batch_html, percent
from neurosym.reports.batch.stored import Stored
from tests.batch.conftest import Manifest, job
from tests.batch.scripted import RIGHT, WRONG, planned
from tests.reports.changed import HOSTILE
from tests.reports.pages import check_whole

_MANY = 10_000


def _with_many(store: RunStore, many: int) -> None:
    """Jobs as the first one, of which every tenth is right and every tenth is not judged."""
    jobs = (
        "WITH RECURSIVE up(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM up WHERE n < ?) INSERT INTO jobs SELECT n, "
        "'job ' || n, n, spec, asked, text, name, is_reply, identity || n, NULL, '', NULL, 0 "
        "FROM up JOIN jobs ON number = 1"
    )
    results = (
        "INSERT INTO results SELECT jobs.number, iif(jobs.number % 10 = 0, 'TESTED', verdict), failure, code, "
        "admission, iif(jobs.number % 10 = 0, 0, exit_code), seconds, says, at + jobs.number, document, 0 FROM jobs "
        "JOIN results ON job = 1 WHERE jobs.number > 1 AND jobs.number % 10 != 5"
    )
    with store.writing() as connection:
        connection.execute(jobs, (many,))
        connection.execute(results)
        connection.execute("UPDATE results SET is_shared = 1 WHERE job IN (7, 17)")
        connection.execute("UPDATE facts SET value = ? WHERE name = 'jobs'", (str(many),))


def _planned(manifest: Manifest, folder: Path, outline: Outline) -> RunStore:
    store = planned(folder / "run.sqlite", manifest(job("the first")))
    store.record(1, outline, packed('{"spec": {}, "candidates": []}'))
    return store


def test_ten_thousand_jobs_make_no_larger_page_and_need_no_more_memory(manifest: Manifest, folder: Path) -> None:
    with _planned(manifest, folder, replace(WRONG, says="reference: f(1): expected 2, actual 3")) as store:
        _with_many(store, _MANY)
        tracemalloc.start()
        text, most = "", 0
        for piece in batch_html(Stored(store.connection, Path("run.sqlite"))):
            text += piece
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert len(text) < 150_000
    assert most < 20_000_000
    page = check_whole(text)
    assert "1,000 of 10,000 jobs accepted (10 %)" in page.text
    assert "Jobs without a result: 1,000. Nothing is known of them;" in page.text
    assert page.text.count("reference: f(1): expected 2, actual 3") == 200
    assert re.search(r"same code\s*2: the code of another job in another layout, read and not run again", page.text)
    assert "7,800 more are left out here." in page.text
    assert "--store run.sqlite --resume --csv FILE lists them" in page.text


def test_a_strangers_text_is_text_there_too(manifest: Manifest, folder: Path) -> None:
    hostile = replace(WRONG, failure=HOSTILE, code="<NS510>", verdict="<REFUTED>", says=HOSTILE * 40)
    with _planned(manifest, folder, hostile) as store:
        with store.writing() as connection:
            connection.execute("UPDATE jobs SET id = ?, name = ?", (HOSTILE, HOSTILE))
            connection.execute("UPDATE specs SET path = ?, name = ?", (HOSTILE, HOSTILE))
        page = check_whole("".join(batch_html(Stored(store.connection, Path("run.sqlite")))))
    assert "<script>alert(1)</script>" in page.text


def test_a_batch_of_which_all_is_accepted(manifest: Manifest, folder: Path) -> None:
    with _planned(manifest, folder, RIGHT) as store:
        text = "".join(batch_html(Stored(store.connection, Path("run.sqlite"))))
    assert "1 of 1 jobs accepted (100 %)" in check_whole(text).text
    assert 'class="verdict good"' in text


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(0, 9, "0 %"), (9, 9, "100 %"), (1, 10_000, "0.1 %"), (9_999, 10_000, "99.9 %"), (1, 3, "33.3 %"), (0, 0, "none")],
)
def test_a_share_is_all_only_if_it_is_all(part: int, whole: int, said: str) -> None:
    assert percent(part, whole) == said
