"""``neurosym doctor``: what this machine offers, and what is missing."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

import click
from neurosym_sandbox import Jail, Layer, SandboxError

from neurosym.cli import debug_option
from neurosym.commands._options import json_option
from neurosym.safe_text import safe_json, safe_text

ENVIRONMENT = 4
SCHEMA_VERSION = 1
PACKAGES = ("neurosym-verify", "hypothesis", "z3-solver", "sympy", "mypy", "libcst", "python-flint", "openai")


@click.command()
@json_option
@debug_option
def doctor(as_json: bool) -> int:
    """Say what this machine offers: the sandbox's level and layers, and the versions of what is used.

    Says of each layer that is missing why, and what would help.

    Exits with 4 if candidates cannot be run here.
    """
    sandbox = _sandbox()
    versions = {name: _version(name) for name in PACKAGES}
    second_solver = _version("cvc5")
    missing = [name for name, found in versions.items() if found is None]
    if as_json:
        document = {
            "schema_version": SCHEMA_VERSION,
            "kind": "doctor",
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "sandbox": {
                "level": sandbox.level,
                "layers": [
                    {
                        "name": layer.name,
                        "active": layer.active,
                        "detail": layer.detail,
                        "remedy": layer.remedy or None,
                    }
                    for layer in sandbox.layers
                ],
                "trouble": sandbox.trouble,
            },
            "packages": versions,
            "second_solver": second_solver,
        }
        click.echo(safe_json(json.dumps(document, indent=2)))
    else:
        click.echo(f"sandbox   {sandbox.level or 'unavailable (NS801)'}")
        for layer in sandbox.layers:
            click.echo(f"  {'active ' if layer.active else 'missing'}  {layer.name}: {safe_text(layer.detail)}")
        for remedy, names in _remedies(sandbox.layers).items():
            click.echo(f"  for {', '.join(names)}: {safe_text(remedy)}")
        if sandbox.trouble:
            click.echo(f"  {safe_text(sandbox.trouble)}")
        click.echo(f"python    {platform.python_version()} ({sys.executable})")
        click.echo(f"system    {platform.system()} {platform.release()} {platform.machine()}")
        for name, found in versions.items():
            click.echo(f"{name:<16}{found or 'not installed'}")
        click.echo(f"{'cvc5':<16}{second_solver or 'not installed (only --second-opinion needs it)'}")
    return ENVIRONMENT if sandbox.trouble or missing else 0


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What a jail that was really opened has, or the ``trouble`` why none could be."""

    level: str = ""
    layers: tuple[Layer, ...] = ()
    trouble: str = ""


def _sandbox() -> Sandbox:
    try:
        with Jail() as jail:
            return Sandbox(jail.level.value, tuple(jail.layers))
    except (SandboxError, OSError) as error:
        return Sandbox(trouble=str(error))


def _remedies(layers: tuple[Layer, ...]) -> dict[str, list[str]]:
    """The names of the missing layers by what would help."""
    remedies: dict[str, list[str]] = {}
    for layer in layers:
        if not layer.active:
            remedies.setdefault(layer.remedy, []).append(layer.name)
    return remedies


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
