"""``neurosym merge``: the stores of a batch's shards as one."""

from __future__ import annotations

from pathlib import Path

import click

from neurosym.batch.merging import merge as merge_stores
from neurosym.batch.store import reading
from neurosym.batch.tally import End
from neurosym.cli import debug_option
from neurosym.commands._batch_options import Exports, export_options
from neurosym.commands._options import json_option
from neurosym.reports.batch.summary import summary_document, summary_of, summary_text
from neurosym.reports.json import dump


@click.command()
@click.argument("stores", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="STORE...")
@click.option("--into", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The new store; there is none yet.")  # fmt: skip
@export_options
@json_option
@debug_option
def merge(stores: tuple[Path, ...], into: Path, exports: Exports, as_json: bool) -> int:
    """Put the STOREs of the shards of one batch together.

    The exit code follows the worst job of all, as that of batch does; it is 3 at least where a shard is missing.
    """
    if into.exists():
        raise click.UsageError(f"--into {into}: there is such a file, and it would be replaced")
    if not into.absolute().parent.is_dir():
        raise click.UsageError(f"--into {into}: there is no such folder")
    exports.check(into, *stores)
    merge_stores(stores, into)
    with reading(into) as connection:
        exports.write(connection, into)
        summary = summary_of(connection, into, End.DONE)
    click.echo(dump(summary_document(summary)) if as_json else summary_text(summary), nl=as_json)
    return summary.exit_code
