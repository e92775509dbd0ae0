"""Prompts as files: a folder for each template, its version in its name, its hash in every record of a run.

A template has three files, in Jinja's syntax: ``system.md`` (who speaks), ``task.md`` (the problem) and ``repair.md``
(what is wrong with the last reply). They are rendered in Jinja's sandbox, and an unknown name is an error.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from neurosym_specs.errors import NeurosymError

FOLDER = Path(__file__).parent / "templates"
"""Of the prompts that ask for the function of a spec."""

QUESTIONS = Path(__file__).parent / "questions"
"""Of the prompts that ask for a program that answers a question in prose."""

PARTS = ("system.md", "task.md", "repair.md")
DEFAULT = "plain-1"


class TemplateFault(NeurosymError):
    """A template that cannot be used: what is wrong with it, and where."""

    exit_code = 2
    code = "NS703"


@dataclass(frozen=True, slots=True)
class Template:
    """A template's ``name`` with its version, the texts of its parts, and the ``sha256`` of them all."""

    name: str
    parts: Mapping[str, str]
    sha256: str

    def render(self, part: str, facts: Mapping[str, Any]) -> str:
        """One part, filled in. Raises ``TemplateFault`` where it does not come to a text."""
        from jinja2.exceptions import TemplateError  # deferred: most commands render nothing

        try:
            return str(environment().from_string(self.parts[part]).render(facts)).strip() + "\n"
        except (TemplateError, TypeError) as error:
            raise TemplateFault(f"the template {self.name}, {part}: {error}") from error


def names(kind: Path = FOLDER) -> list[str]:
    """The templates that there are of a kind."""
    return sorted(path.name for path in kind.iterdir() if path.is_dir())


def read_template(name: str, kind: Path = FOLDER) -> Template:
    """A template by its name, or from a folder if that is what the name leads to. Raises ``TemplateFault``."""
    known = names(kind)
    folder = kind / name if name in known else Path(name)
    if not folder.is_dir():
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        meant = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}, or a folder of your own"
        raise TemplateFault(f"there is no template {name}; {meant}")
    parts: dict[str, str] = {}
    for part in PARTS:
        try:
            parts[part] = (folder / part).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise TemplateFault(f"the template {folder} has no {part} that can be read: {error}") from error
    digest = hashlib.sha256("\0".join(parts[part] for part in PARTS).encode()).hexdigest()
    return Template(folder.name, parts, digest)


@cache
def environment() -> Any:  # jinja2's own, which is loaded here only
    """Jinja's sandbox: a template is text, whoever wrote it, and an unknown name in it is an error."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False
    )
