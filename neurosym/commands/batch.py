"""``neurosym batch``: a manifest of jobs, judged by many workers, each result kept when it is known."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from neurosym_sandbox import Level
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.environment import Confinement

from neurosym.admission import Required
from neurosym.batch.faults import StoreError
from neurosym.batch.jobs import Asked, Duplicates, Settings, Shard
from neurosym.batch.planning import check_same, plan, specs_of
from neurosym.batch.running import Policy
from neurosym.batch.serving import Kit
from neurosym.batch.store import RunStore, Watch, reading
from neurosym.batch.tally import Tally, tally_of
from neurosym.cli import INTERRUPTED, debug_option
from neurosym.commands._batch_options import Exports, export_options
from neurosym.commands._batch_running import Address, metrics_of, ran
from neurosym.commands._effort_options import (
    NearestChoice,
    effort_options,
    require_option,
    sandbox_options,
)
from neurosym.commands._options import json_option
from neurosym.commands._waivers_option import waivers_option, waivers_today
from neurosym.gate import Types
from neurosym.identity import tools
from neurosym.reports.batch.progress import BatchProgress, follow
from neurosym.reports.batch.summary import summary_document, summary_text
from neurosym.reports.json import dump
from neurosym.safe_text import safe_text

if TYPE_CHECKING:
    import sqlite3

_SUFFIX = ".run.sqlite"


class _ShardType(click.ParamType[Shard]):
    name = "shard"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Shard:
        if isinstance(value, Shard):
            return value
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", str(value))
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            self.fail(f"{value!s} is no shard: 1/4 is the first of four", param, ctx)
        return Shard(int(found[1]), int(found[2]))


class _AddressType(click.ParamType[Address]):
    name = "address"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Address:
        if isinstance(value, Address):
            return value
        host, _, port = str(value).rpartition(":")
        if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65_535):
            self.fail(f"{value!s} is no port: 9100, or HOST:9100 for others than this machine", param, ctx)
        return Address(host.strip("[]") or "127.0.0.1", int(port))


@click.command()
@click.argument("manifest", type=click.Path(path_type=Path))
@click.option("--store", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help=f"Where all jobs and results are kept; MANIFEST{_SUFFIX} unless named.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the store's jobs that have no result.")
@click.option("--retry-errors", is_flag=True,
              help="With --resume: also judge the jobs anew whose result is ERROR.")  # fmt: skip
@click.option("--follow", "following", is_flag=True, help="Run nothing: show how far the run is that writes there.")
@click.option("--skip-bad", is_flag=True, help="Leave bad lines of the manifest out; they are counted.")
@click.option("--shard", type=_ShardType(), default="1/1", metavar="I/N",
              help="Only the I-th of N parts; neurosym merge puts their stores together.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 1_024), metavar="N", help="Processes; as many as cores unless given.")
@click.option(
    "--cluster", metavar="ADDRESS", help="Work on a Dask cluster, by its scheduler's address (extra: cluster)."
)
@click.option("--benches", type=click.IntRange(1, 1_000), default=4, show_default=True, metavar="N",
              help="Specs that a worker keeps prepared.")  # fmt: skip
@click.option("--gates-first", is_flag=True, help="Lead all candidates through the gate before any is run.")
@click.option("--fail-fast", is_flag=True, help="End with the first job that is not accepted; gates go first.")
@click.option("--budget", type=click.FloatRange(0.1, 10_000_000), metavar="S",
              help="Seconds for the run; what runs then is finished, no more begins.")  # fmt: skip
@click.option("--job-limit", type=click.FloatRange(1, 1_000_000), metavar="S",
              help="Seconds for a job with all its preparation, then its worker ends; 60 and four times --time-limit "
              "unless given.")  # fmt: skip
@click.option("--duplicates", type=NearestChoice([each.value for each in Duplicates]), default=Duplicates.CODE.value,
              show_default=True, help="Which jobs are answered once: of the same bytes, or also of the same code but "
              "for comments and layout.")  # fmt: skip
@click.option("--metrics", type=_AddressType(), metavar="[HOST:]PORT",
              help="Serve metrics for Prometheus while it runs, to this machine unless HOST is named (extra: "
              "metrics).")  # fmt: skip
@click.option("--seeds", type=click.IntRange(1, 2**31), default=1, show_default=True, metavar="N",
              help="Spread the jobs over N seeds from --seed on, by their ids.")  # fmt: skip
@require_option()
@click.option("--types", type=NearestChoice([each.value for each in Types]), default=Types.SURE.value,
              show_default=True, help="What of mypy's findings rejects.")  # fmt: skip
@click.option("--mend", is_flag=True, help="Mend what is mechanical first; replies are mended anyway.")
@click.option("--explain/--no-explain", default=True, show_default=True, help="Say what happened in refuted calls.")
@effort_options
@sandbox_options
@waivers_option
@export_options
@json_option
@debug_option
def batch(
    manifest: Path,
    store: Path | None,
    resume: bool,
    retry_errors: bool,
    following: bool,
    skip_bad: bool,
    shard: Shard,
    workers: int | None,
    cluster: str | None,
    benches: int,
    gates_first: bool,
    fail_fast: bool,
    budget: float | None,
    job_limit: float | None,
    duplicates: str,
    metrics: Address | None,
    seeds: int,
    require: str,
    types: str,
    mend: bool,
    explain: bool,
    examples: int,
    seed: int,
    time_limit: float,
    proof: bool,
    sandbox: str,
    layers: tuple[str, ...],
    waivers: str | None,
    exports: Exports,
    as_json: bool,
) -> int:
    """Judge all jobs of MANIFEST, JSON lines or CSV: an id, a spec and a candidate on each line.

    Each result is kept once it is known; --resume goes on after whatever ended a run. The exit code follows the worst
    job: 0 if all are accepted; 3 if some have no result; 130 after Ctrl-C, which lets running jobs finish.
    """
    place = store or Path(f"{manifest}{_SUFFIX}")
    if following:
        return _follow(place)
    if cluster is not None and workers is not None:
        raise click.UsageError("--workers are on this machine: a --cluster has its own")
    effort = Effort(seed=seed, examples=examples, time_limit_s=time_limit, proof=proof)
    asked = Asked(effort, Types(types), mend, explain=explain)
    confinement = Confinement(Level(sandbox), frozenset(layers))
    settings = Settings(asked, Required(require), confinement, seeds, waivers_today(waivers))
    policy = Policy(job_limit or 60 + 4 * time_limit, budget, gates_first or fail_fast, fail_fast)
    if place.absolute() == manifest.absolute():
        raise click.UsageError("--store names the manifest itself, which would be replaced")
    if retry_errors and not resume:
        raise click.UsageError("--retry-errors is for a run that goes on: --resume")
    if resume and not place.exists():
        raise StoreError(f"there is no run store {place} to go on with")
    exports.check(manifest, place)
    with metrics_of(metrics) as measured, RunStore(place) as opened:
        if opened.is_planned and not resume:
            raise StoreError(f"there is a run store {place} already: --resume goes on with it, --store names another")
        try:
            if opened.is_planned:
                check_same(opened, manifest, settings, shard)
                if retry_errors:
                    opened.put_errors_aside()
            else:
                with BatchProgress(sys.stderr) as progress:
                    plan(opened, manifest, settings, shard, skip_bad=skip_bad, duplicates=Duplicates(duplicates),
                         emit=progress)  # fmt: skip
        except BaseException:
            if not opened.is_planned:
                place.unlink()  # nothing is in it, and it would be in the way of the next run
            raise
        kit = Kit(specs_of(opened), settings.confinement, settings.require, dict(tools()), benches, settings.waivers)
        try:
            summary = ran(opened, kit, policy, cluster, workers, measured)
        except KeyboardInterrupt:
            kept = f"neurosym: interrupted; what is finished is kept in {place}, and --resume goes on with the rest"
            click.echo(safe_text(kept), err=True)
            return INTERRUPTED
        exports.write(opened.connection, place)
    click.echo(dump(summary_document(summary)) if as_json else summary_text(summary), nl=as_json)
    return summary.exit_code


def _follow(place: Path) -> int:
    if not place.is_file():
        raise StoreError(f"there is no run store {place}")
    watch = Watch(place)
    try:
        with reading(place) as connection:
            follow(sys.stdout, lambda: _look(connection, watch))
    finally:
        watch.close()
    return 0


def _look(connection: sqlite3.Connection, watch: Watch) -> tuple[Tally, bool]:
    is_running = watch.is_written()  # asked first: what is written until then is in the tally
    return tally_of(connection), is_running
