"""The stores of a run's shards as one store."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from neurosym.batch.faults import StoreError
from neurosym.batch.planning import differing
from neurosym.batch.store import RunStore, facts_of, reading, write_facts

_SAME = ("manifest_sha256", "all_jobs", "settings", "tools")
_COPY = (
    "INSERT OR IGNORE INTO specs (path, name, sha256) SELECT path, name, sha256 FROM shard.specs",
    "INSERT OR IGNORE INTO texts SELECT * FROM shard.texts",
    "INSERT OR IGNORE INTO asked (plain) SELECT plain FROM shard.asked",
    "INSERT INTO jobs SELECT old.number + :offset, id, line, specs.number, asked.number, text, old.name, is_reply, "
    "identity, twin + :offset, kinship, kin + :offset, losses FROM shard.jobs AS old "
    "JOIN shard.specs AS old_specs ON old_specs.number = old.spec JOIN specs ON specs.path = old_specs.path "
    "JOIN shard.asked AS old_asked ON old_asked.number = old.asked JOIN asked ON asked.plain = old_asked.plain",
    "INSERT INTO results SELECT job + :offset, verdict, failure, code, admission, exit_code, seconds, says, at, "
    "document, is_shared FROM shard.results",
)


def merge(shards: Sequence[Path], target: Path) -> None:
    """Writes the jobs and results of all shards into a new store, as a whole or not at all.

    Raises ``StoreError`` where they are not shards of one run (another manifest, other options, other tools), or one is
    there twice. Which shards are missing stands among the facts of the new store.
    """
    facts = [_facts(path) for path in shards]
    for path, each in zip(shards[1:], facts[1:], strict=True):
        _check_same(shards[0], facts[0], path, each)
    merged = _merged(shards, facts)
    new = target.with_name(f".{target.name}.new")
    new.unlink(missing_ok=True)
    try:
        with RunStore(new) as store:
            for path in shards:
                _copy(store, path)
            with store.writing() as connection:
                write_facts(connection, merged)
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def _facts(path: Path) -> dict[str, Any]:
    with reading(path) as connection:
        return facts_of(connection)


def _check_same(first: Path, facts: dict[str, Any], path: Path, others: dict[str, Any]) -> None:
    changed = differing({name: facts[name] for name in _SAME}, {name: others[name] for name in _SAME}, ("is", "is"))
    if changed:
        raise StoreError(f"{first} and {path} are not shards of one run: {'; '.join(changed)}")


def _merged(shards: Sequence[Path], facts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    held: dict[str, Path] = {}
    for path, each in zip(shards, facts, strict=True):
        for shard in each["shards"]:
            if shard in held:
                raise StoreError(f"shard {shard} is there twice: {held[shard]} and {path}")
            held[shard] = path
    counts = {shard.partition("/")[2] for shard in held}
    if len(counts) > 1:
        raise StoreError(f"the shards are parts of different divisions: {', '.join(sorted(held))}")
    whole = [f"{index}/{count}" for count in counts for index in range(1, int(count) + 1)]
    sums = {name: sum(each[name] for each in facts) for name in ("jobs", "twins")}
    order = whole.index
    return {
        **facts[0],
        **sums,
        "shards": sorted(held, key=order),
        "missing": [each for each in whole if each not in held],
    }


def _copy(store: RunStore, path: Path) -> None:
    connection = store.connection
    connection.execute("ATTACH ? AS shard", (f"file:{quote(os.fspath(path.absolute()))}?mode=ro",))
    try:
        with store.writing():
            (offset,) = connection.execute("SELECT coalesce(max(number), 0) FROM jobs").fetchone()
            for statement in _COPY:
                connection.execute(statement, {"offset": offset} if ":offset" in statement else {})
            if not offset:
                connection.execute("INSERT INTO skipped SELECT * FROM shard.skipped")
    except sqlite3.IntegrityError as error:
        raise StoreError(f"{path} holds jobs that another shard holds as well") from error
    finally:
        connection.execute("DETACH shard")
