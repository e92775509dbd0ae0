"""``neurosym bench``: candidates as a benchmark, with a history, and whether it got worse."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from neurosym_sandbox import Level
from neurosym_specs import load_spec
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.environment import Confinement

from neurosym.admission import Required
from neurosym.batch.jobs import Asked, Duplicates, Settings, Shard
from neurosym.batch.planning import plan, specs_of
from neurosym.batch.running import Policy
from neurosym.batch.serving import Kit
from neurosym.batch.store import RunStore, facts_of, reading
from neurosym.batch.tally import End
from neurosym.benching.cases import BenchError, cases_in
from neurosym.benching.comparing import compared
from neurosym.benching.exams import chosen_of, tasks_in, write_manifest
from neurosym.benching.history import BenchRun, History
from neurosym.cli import INTERRUPTED, debug_option
from neurosym.commands._batch_running import ran
from neurosym.commands._effort_options import (
    NearestChoice,
    effort_options,
    require_option,
    sandbox_options,
)
from neurosym.commands._options import json_option
from neurosym.gate import Types
from neurosym.identity import tools
from neurosym.reports.benching import bench_document, bench_text, runs_document, runs_text
from neurosym.reports.json import dump

_SQLITE = b"SQLite format 3\0"
_OF_A_RUN = ("tasks", "workers", "cluster", "require", "types", "examples", "seed", "time_limit", "proof", "sandbox",
             "layers")  # fmt: skip
"""Options that mean nothing where all results are there."""


@click.command()
@click.argument("subject", required=False, type=click.Path(path_type=Path))
@click.option("--name", default="", help="What this run is called, as a model or a version; later runs name it.")
@click.option("--history", "path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              default=Path("neurosym-bench.jsonl"), show_default=True, help="Where runs are kept.")  # fmt: skip
@click.option("--against", metavar="NAME|RUN", help="Compare with the last run of this name, or the run with this id.")
@click.option("--slower", type=click.FloatRange(1, 1_000), metavar="F",
              help="With --against: taking surely more than F times as long is a regression as well.")  # fmt: skip
@click.option("--keep/--no-keep", default=True, show_default=True, help="Whether the run goes into the history.")
@click.option("--list", "listing", is_flag=True, help="Show the runs of the history, and run nothing.")
@click.option("--tasks", default="", metavar="A,B", help="Of an exam: only these, by names or beginnings of them.")
@click.option("--workers", type=click.IntRange(1, 1_024), metavar="N", help="Processes; as many as cores unless given.")
@click.option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster, by its scheduler's address.")
@require_option()
@click.option("--types", type=NearestChoice([each.value for each in Types]), default=Types.SURE.value,
              show_default=True, help="What of mypy's findings rejects.")  # fmt: skip
@effort_options
@sandbox_options
@json_option
@debug_option
@click.pass_context
def bench(
    context: click.Context,
    /,
    subject: Path | None,
    name: str,
    path: Path,
    against: str | None,
    slower: float | None,
    keep: bool,
    listing: bool,
    tasks: str,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
    **asked: Any,  # the options of a run, as they are declared above
) -> int:
    """Judge SUBJECT as a benchmark, keep what came out, and compare it with an earlier run.

    SUBJECT is an exam (a folder for each task: NAME.spec.toml, correct_*.py, wrong_*.py, labels.json), the manifest of
    a batch, or the store of a finished one. Exits with 1 for a verdict that is not so, and where a share fell against
    --against by more than chance.
    """
    history = History(path)
    if listing:
        runs = history.runs()
        click.echo(dump(runs_document(runs)) if as_json else runs_text(runs), nl=as_json)
        return 0
    if subject is None:
        raise click.UsageError("name an exam, a manifest or a store; --list shows the runs there are")
    if slower is not None and against is None:
        raise click.UsageError("--slower compares: --against says with what")
    if not subject.exists():
        raise BenchError(f"there is no {subject}")
    before = None if against is None else history.find(against)
    if _is_store(subject):
        given = [each for each in _OF_A_RUN if context.get_parameter_source(each) is ParameterSource.COMMANDLINE]
        if given:
            raise click.UsageError(f"--{given[0].replace('_', '-')}: {subject} is a store, which has its results")
        run: BenchRun | None = _of_store(subject, name)
    else:
        if cluster is not None and workers is not None:
            raise click.UsageError("--workers are on this machine: a --cluster has its own")
        if tasks and not subject.is_dir():
            raise click.UsageError("--tasks are those of an exam")
        run = _judged(subject, name, tasks, _settings(**asked), cluster, workers)
    if run is None:
        click.echo("neurosym: interrupted; nothing of this run is kept", err=True)
        return INTERRUPTED
    comparison = None if before is None else compared(before, run)
    if keep:
        run = history.append(run)
    is_worse = comparison is not None and comparison.is_regression(slower)
    code = 1 if is_worse or any(case.is_wrong_verdict for case in run.cases) else 0
    told = run, comparison, slower, code
    click.echo(dump(bench_document(*told)) if as_json else bench_text(*told), nl=as_json)
    return code


def _settings(
    require: str, types: str, examples: int, seed: int, time_limit: float, proof: bool, sandbox: str,
    layers: tuple[str, ...],
) -> Settings:  # fmt: skip
    effort = Effort(seed=seed, examples=examples, time_limit_s=time_limit, proof=proof)
    confinement = Confinement(Level(sandbox), frozenset(layers))
    return Settings(Asked(effort, Types(types), explain=False), Required(require), confinement)


def _is_store(subject: Path) -> bool:
    if not subject.is_file():
        return False
    with subject.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _of_store(subject: Path, name: str) -> BenchRun:
    with reading(subject) as connection:
        facts = facts_of(connection)
        return BenchRun(name=name or subject.name, subject=str(subject), settings=facts["settings"],
                        tools=facts["tools"], cases=tuple(cases_in(connection)))  # fmt: skip


def _judged(
    subject: Path, name: str, wanted: str, settings: Settings, cluster: str | None, workers: int | None
) -> BenchRun | None:
    """Judges each candidate by itself, none as the duplicate of another; None where that was interrupted."""
    with tempfile.TemporaryDirectory(prefix="neurosym-bench-") as folder:
        manifest, labels = subject, None
        if subject.is_dir():
            try:
                chosen = chosen_of([*tasks_in(subject)], wanted)
            except ValueError as error:
                raise BenchError(f"{subject} is no exam that can be used: {error}") from error
            for task in chosen:
                load_spec(task.spec)  # says what is wrong with it by its own name
            manifest = Path(folder) / "exam.jsonl"
            labels = write_manifest(chosen, manifest)
        place = Path(folder) / "store"
        with RunStore(place) as store:
            plan(store, manifest, settings, Shard(), skip_bad=False, duplicates=Duplicates.NONE)
            kit = Kit(specs_of(store), settings.confinement, settings.require, dict(tools()))
            limit_s = 60 + 4 * settings.asked.effort.time_limit_s
            if ran(store, kit, Policy(limit_s), cluster, workers).end is not End.DONE:
                return None
            found = cases_in(store.connection, labels)
        return BenchRun(name=name or subject.absolute().name, subject=str(subject), settings=settings.plain(),
                        tools=dict(tools()), cases=tuple(found))  # fmt: skip
