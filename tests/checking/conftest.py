"""A small project whose functions are right, wrong and beyond the policy, and a cache of its own."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import neurosym, not_on_github

__all__ = ["neurosym", "not_on_github"]

SETTINGS = """
[tool.neurosym]
types = "off"
proof = false
examples = 1
time_limit = 60
baseline = "known.json"

[[tool.neurosym.check]]
specs = "specs/*.spec.toml"
module = "shop.fees"
"""

SPEC = """
spec = 1
name = "{name}"
[inputs]
n = {{ type = "int", min = 0, max = 20 }}
[output]
type = "int"
[reference]
value = "{value}"
"""

FEES = """def twice(n):
    return 2 * n


def square(n):
    return n * n + (n == 7)
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the cache of this test."""
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    monkeypatch.setenv("NEUROSYM_CACHE_DIR", str(folder))
    return folder


def only_square(project: Path) -> None:
    """The settings name the wrong function only."""
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text().replace("*.spec", "square.spec"))


WAIVERS = """
[[waiver]]
spec = "{spec}"
clause = "ensure: rare"
owner = "R. Risk"
reason = "Until the range is wider."
expires = {expires}
"""


def never_met(project: Path, *specs: str, expires: str = "2999-12-31") -> None:
    """The right function has a clause that nothing meets, and the settings name waivers of it for these ``specs``."""
    spec = project / "specs/twice.spec.toml"
    spec.write_text(spec.read_text() + '\n[[ensure]]\nid = "rare"\nwhen = "n > 90"\nthat = "result == 0"\n')
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text().replace("[tool.neurosym]", '[tool.neurosym]\nwaivers = "waivers.toml"'))
    (project / "waivers.toml").write_text("".join(WAIVERS.format(spec=each, expires=expires) for each in specs))


def replays(out: str) -> list[list[str]]:
    """The commands in a text that run refutations again, as a shell reads them."""
    return [shlex.split(found)[1:] for found in re.findall(r"neurosym replay .*$", out, re.MULTILINE)]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's folder, which is the current one: ``twice`` is right, ``square`` is wrong for 7."""
    for folder in ("specs", "src/shop"):
        (tmp_path / folder).mkdir(parents=True)
    for name, value in (("twice", "2 * n"), ("square", "n * n")):
        (tmp_path / f"specs/{name}.spec.toml").write_text(SPEC.format(name=name, value=value))
    (tmp_path / "src/shop/__init__.py").touch()
    (tmp_path / "src/shop/fees.py").write_text(FEES)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    monkeypatch.chdir(tmp_path)
    return tmp_path
