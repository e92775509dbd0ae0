"""The cache gives what was put into it or nothing, whatever becomes of its file."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from neurosym.cache import Cache, cache_folder

KEY = "a" * 64


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def _file(folder: Path) -> Path:
    return folder / "verdicts-1.sqlite"


def _filled(folder: Path, count: int = 1, size: int = 100) -> None:
    with Cache(folder) as cache:
        for number in range(count):
            cache.put(f"{KEY}{number}", os.urandom(size).hex())
        cache.put(KEY, '{"kind": "verify", "text": "é"}')


def test_what_was_put_comes_out(folder: Path) -> None:
    _filled(folder)
    with Cache(folder) as cache:
        kept = cache.get(KEY)
        assert kept is not None
        assert kept.document == '{"kind": "verify", "text": "é"}'
        assert kept.reached.tzinfo is not None
        assert cache.get("b" * 64) is None
        assert cache.said == []


@pytest.mark.parametrize("kind", ["no database", "cut", "another table", "a changed verdict", "a changed time"])
def test_a_damaged_file_is_set_aside_and_a_new_one_begun(folder: Path, kind: str) -> None:
    _filled(folder, count=40, size=2000)
    file = _file(folder)
    raw = file.read_bytes()
    if kind == "no database":
        file.write_bytes(b"<html>" * 2000)
    elif kind == "cut":
        file.write_bytes(raw[: len(raw) // 2])
    else:
        with sqlite3.connect(file) as connection:
            if kind == "another table":
                connection.execute("DROP TABLE verdicts")
                connection.execute("CREATE TABLE verdicts (key TEXT PRIMARY KEY, verdict TEXT)")
            elif kind == "a changed verdict":
                connection.execute("UPDATE verdicts SET document = zeroblob(40)")
            else:
                connection.execute("UPDATE verdicts SET reached = reached + 1")
        connection.close()
    damaged = file.read_bytes()
    with Cache(folder) as cache:
        found = [cache.get(f"{KEY}{number}") for number in range(40)]
        assert None in found
        cache.put("c" * 64, "{}")
        assert cache.get("c" * 64) is not None
        (said,) = cache.said
    (aside,) = folder.glob("*.damaged-*")
    assert said.startswith("the cache is damaged (")
    assert str(aside) in said
    assert aside.read_bytes() == damaged


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_said_and_nothing_fails(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with Cache(tmp_path / "cache") as cache:
        cache.put(KEY, "{}")
        assert cache.get(KEY) is None
        assert len(cache.said) == 1


def test_what_others_can_write_is_not_believed(folder: Path) -> None:
    _filled(folder)
    _file(folder).chmod(0o666)
    with Cache(folder) as cache:
        assert cache.get(KEY) is None
        assert cache.get(KEY) is None
        (said,) = cache.said
    assert "others than you can write" in said


def test_it_stays_small_and_keeps_what_is_used(folder: Path) -> None:
    _filled(folder)
    for number in range(30):
        with Cache(folder, most_bytes=60_000) as cache:
            assert cache.get(KEY) is not None
            cache.put(f"{number:064}", os.urandom(2_500).hex())
    with sqlite3.connect(_file(folder)) as connection:
        (total,) = connection.execute("SELECT sum(length(document)) FROM verdicts").fetchone()
    connection.close()
    assert 20_000 < total <= 60_000
    assert _file(folder).stat().st_size < 200_000


def test_several_processes_write_at_once(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from neurosym.cache import Cache\n"
        "for n in range(12):\n"
        "    with Cache(Path(sys.argv[1])) as cache:\n"
        "        cache.put(f'{sys.argv[2]}{n:063}', sys.argv[2] * 1000); cache.get(f'{sys.argv[2]}{n:063}')\n"
        "        assert not cache.said, cache.said"
    )
    arguments = [sys.executable, "-c", code, str(folder)]
    processes = [subprocess.Popen([*arguments, name], cwd=Path.cwd(), stderr=subprocess.PIPE) for name in "ab"]
    assert [(each.communicate()[1], each.returncode) for each in processes] == [(b"", 0)] * 2
    with Cache(folder) as cache:
        for name in "ab":
            for number in range(12):
                kept = cache.get(f"{name}{number:063}")
                assert kept is not None
                assert kept.document == name * 1000


def test_it_lies_in_the_users_own_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NEUROSYM_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("NEUROSYM_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "neurosym"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path.home() / ".cache" / "neurosym"
