"""The pages behind the codes: what each checks, why it matters, an example, the fix, the limits."""

from __future__ import annotations

import difflib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


class UnknownCode(LookupError):
    """No page has this code; ``str`` of it names the nearest."""

    def __init__(self, code: str, known: list[str]) -> None:
        near = difflib.get_close_matches(code, known, n=1, cutoff=0.5)
        super().__init__(f"there is no code {code}" + (f"; did you mean {near[0]}?" if near else ""))


def page(code: str) -> str:
    """The page of a code, in Markdown. Raises ``UnknownCode``."""
    wanted = code.strip().upper()
    known = all_codes()
    if wanted not in known:
        raise UnknownCode(wanted, known)
    return (_folder() / f"{wanted}.md").read_text(encoding="utf-8")


def title(code: str) -> str:
    """The sentence in the heading of the code's page."""
    return page(code).split("\n", 1)[0].removeprefix(f"# {code.upper()}").strip(" :·")


def all_codes() -> list[str]:
    """Every code that has a page, in order."""
    names = (entry.name for entry in _folder().iterdir())
    return sorted(name.removesuffix(".md") for name in names if name.startswith("NS") and name.endswith(".md"))


def _folder() -> Traversable:
    """Where the pages lie: inside the package when installed from a wheel, in ``docs/codes`` in a checkout."""
    packaged = files("neurosym") / "_codes"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "docs" / "codes"
