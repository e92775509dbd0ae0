"""``neurosym report``: a stored result in other forms. Nothing is run, and nothing is decided anew."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from neurosym.cli import debug_option
from neurosym.commands._report_options import STDOUT, Reports, report_options
from neurosym.reports.forms import FORMS, FileReport
from neurosym.reports.github import GithubReport, on_github
from neurosym.reports.reading import load_result, schema_text


def _print_schema(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        click.echo(schema_text(), nl=False)
        ctx.exit()


@click.command()
@click.argument("result")
@report_options
@click.option("--schema", is_flag=True, expose_value=False, is_eager=True, callback=_print_schema,
              help="Print the JSON Schema of RESULT, and do nothing else.")  # fmt: skip
@debug_option
def report(result: str, reports: Reports) -> int:
    """Write RESULT, a file of neurosym verify --json, in other forms; - as a FILE is standard output.

    The exit code is 0 when they are written, whatever the verdicts: that of verify speaks of those.
    """
    reports.check([result], stdout=True)
    github = on_github() if reports.github is None else reports.github
    if not reports.files and not github:
        raise click.UsageError(f"say in which form: {', '.join(f'--{form}' for form in FORMS)}, --github")
    found = load_result(result)
    for form, name in reports.files:
        if name == STDOUT:
            click.echo(FORMS[form].load()(found), nl=False)
        else:
            FileReport(FORMS[form], Path(name)).write(found)
    if github:
        GithubReport(sys.stderr if any(name == STDOUT for _, name in reports.files) else sys.stdout).write(found)
    return 0
