"""``neurosym check``: a project's functions against their specs; what is known from before is taken from the cache."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from neurosym.admission import EXIT_CODES, Admission
from neurosym.cache import Cache
from neurosym.checking.accepting import Accepting, Accounted, exit_code
from neurosym.checking.baseline import Known, read_baseline
from neurosym.checking.baseline import write_baseline as write_known
from neurosym.checking.plan import Plan, plan, plan_modules
from neurosym.checking.run import Checked
from neurosym.checking.run import check as check_subjects
from neurosym.checking.settings import find_settings, load_settings, settings_of_modules
from neurosym.cli import debug_option
from neurosym.commands._options import json_option
from neurosym.commands._report_options import Reports, report_options_for
from neurosym.commands._waivers_option import waivers_for
from neurosym.events import Listener, nobody_listens
from neurosym.reports.contract_specs import write_specs
from neurosym.reports.forms import PROJECT_FORMS, ReportFile
from neurosym.reports.github import GithubReport, on_github
from neurosym.reports.project import project_document, project_schema_text
from neurosym.reports.project_console import ProjectConsole
from neurosym.reports.sections import Report
from neurosym.safe_text import safe_text
from neurosym.writing import CannotWrite


def _print_schema(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        click.echo(project_schema_text(), nl=False)
        ctx.exit()


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--config", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="The pyproject.toml; without it, the nearest one with [tool.neurosym].")  # fmt: skip
@click.option("--contracts", "modules", multiple=True, metavar="MODULE.py",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Check this module by the contracts in it, and nothing else; may be repeated.")  # fmt: skip
@click.option("--print-specs", is_flag=True, help="With --contracts: print the specs read from them, and run nothing.")
@click.option("--no-cache", is_flag=True, help="Find everything out anew, and keep nothing.")
@click.option("--write-baseline", is_flag=True, help="Accept what is found now: write it into the baseline.")
@click.option("-q", "--quiet", is_flag=True, help="Show only functions that are not fine, and the summary.")
@json_option
@report_options_for(PROJECT_FORMS)
@click.option("--schema", is_flag=True, expose_value=False, is_eager=True, callback=_print_schema,
              help="Print the JSON Schema of what --json writes, and do nothing else.")  # fmt: skip
@debug_option
def check(
    paths: tuple[Path, ...],
    config: Path | None,
    modules: tuple[Path, ...],
    print_specs: bool,
    no_cache: bool,
    write_baseline: bool,
    quiet: bool,
    as_json: bool,
    reports: Reports,
) -> int:
    """Check the functions of a project against their specs, as [tool.neurosym] in pyproject.toml says.

    With PATHS, only those whose spec or module lies there. What has not changed since it was checked is not run again.
    The exit code follows the worst function. With --contracts the specs are read from a module itself: from icontract
    and deal, leading asserts, and docstrings as of PEP 316. What is not read of these never counts as checked.
    """
    if modules and (paths or write_baseline):
        other = "--write-baseline is about the whole project" if write_baseline else "it names all that is checked"
        raise click.UsageError(f"--contracts does not go with {'that' if write_baseline else 'paths'}: {other}")
    if print_specs and not modules:
        raise click.UsageError("--print-specs goes with --contracts MODULE.py")
    settings = settings_of_modules(modules, config) if modules else load_settings(config or find_settings(Path.cwd()))
    if write_baseline and settings.baseline is None:
        raise click.UsageError(f"--write-baseline: {settings.file} names no file as baseline in [tool.neurosym]")
    if write_baseline and paths:
        raise click.UsageError("--write-baseline is about the whole project: leave the paths out")
    reports.check([str(settings.file)], stdout=False)
    files = [(PROJECT_FORMS[form], ReportFile(Path(name))) for form, name in reports.files]
    planned = plan_modules(modules, settings, shown) if modules else plan(settings, paths, shown)
    subjects = planned.subjects
    if print_specs:
        code = write_specs(subjects, sys.stdout)
        return EXIT_CODES[Admission.NOTHING_TO_CHECK] if planned.lacks and code == 0 else code
    waivers = waivers_for(settings.waivers, [each.spec for each in subjects if each.spec is not None])
    if not subjects:
        _nothing(planned)
        return EXIT_CODES[Admission.NOTHING_TO_CHECK]
    known: Sequence[Known] = (
        read_baseline(settings.baseline) if settings.baseline is not None and not write_baseline else ()
    )
    console = ProjectConsole(sys.stdout, quiet=quiet)
    accounted: list[Accounted] = []
    with _cache(no_cache) as cache, _progress() as listener:
        found: Iterable[Checked] = check_subjects(subjects, settings, cache, shown, listener, waivers)
        if write_baseline and settings.baseline is not None:
            found = [*found]
            known = _made_known(found, settings.baseline)
        accepting = Accepting(known, _shown(settings.baseline), waivers, _shown(settings.waivers))
        for each in found:
            accounted.append(accepting.account(each))
            if not as_json:
                console.function(accounted[-1])
    remarks = [*planned.remarks, *accepting.remarks(all_checked=not paths and not modules)]
    code = exit_code(accounted, lacks=planned.lacks)
    if as_json:
        click.echo(project_document(accounted, remarks, code))
    else:
        for remark in remarks:
            console.remark(remark)
        console.summary(accounted, code)
    report = Report(name=shown(settings.file), sections=[e.section for e in accounted], exit_code=code, remarks=remarks)
    for form, file in files:
        file.write(form.load()(report))
    if on_github() if reports.github is None else reports.github:
        GithubReport(sys.stderr).write_project(report)
    return code


def _nothing(planned: Plan) -> None:
    """Says why there is nothing to check."""
    for each in planned.remarks:
        click.echo(f"{safe_text(each.file)}: {safe_text(each.message, limit=2_000)} ({each.code})", err=True)
    why = (
        "no function there has contracts" if planned.remarks else "no spec and no module of [tool.neurosym] lies there"
    )
    click.echo(f"neurosym: nothing to check: {why}", err=True)


def shown(file: Path) -> str:
    """A file as it is called from the current folder, where it lies below that."""
    path, here = file.absolute(), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _shown(file: Path | None) -> str:
    return shown(file) if file is not None else ""


def _made_known(found: Sequence[Checked], file: Path) -> Sequence[Known]:
    """Writes what is found into the baseline."""
    first = Accepting()
    for each in found:
        first.account(each)
    try:
        count = write_known(file, first.found)
    except OSError as error:
        raise CannotWrite(f"{file} cannot be written: {error.strerror}") from error
    findings = "1 finding is" if count == 1 else f"{count} findings are"
    click.echo(f"neurosym: {findings} known now, in {safe_text(shown(file))}", err=True)
    return read_baseline(file)


@contextmanager
def _cache(off: bool) -> Iterator[Cache | None]:
    """The cache, whose troubles are told when the work is done."""
    if off:
        yield None
        return
    with Cache() as cache:
        yield cache
    for said in cache.said:
        click.echo(f"neurosym: {safe_text(said, limit=600)}", err=True)


@contextmanager
def _progress() -> Iterator[Listener]:
    if not sys.stderr.isatty():
        yield nobody_listens
        return
    from neurosym.reports.progress import ProgressLine  # deferred with rich, which a pipe needs not

    with ProgressLine(sys.stderr, nobody_listens) as line:
        yield line
