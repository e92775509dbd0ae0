"""Options that several commands share, so that they have one name and one meaning."""

from __future__ import annotations

import click

checked_option = click.option("--checked", is_flag=True, help="With --write: check at run time what is promised.")
telemetry_option = click.option(
    "--telemetry", is_flag=True, help="Send spans by OpenTelemetry, to where its environment variables say."
)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
