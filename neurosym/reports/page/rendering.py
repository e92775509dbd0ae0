"""The templates, and what is done to everything that they show: it is made safe here, not by the template."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from neurosym.codes import title
from neurosym.reports import saying
from neurosym.reports.findings import departing_line
from neurosym.reports.page import view
from neurosym.reports.page.plot import plot, plot_of_series
from neurosym.reports.page.strip import plot_of_strip
from neurosym.safe_text import safe_text

_LONGEST = 8_000


def rendered(template: str, /, **context: object) -> str:
    """A page."""
    return _environment().get_template(template).render(context)


def streamed(template: str, /, **context: object) -> Iterator[str]:
    """A page piece by piece, for one that is made from what is too much to be held at once."""
    return map(str, _environment().get_template(template).generate(context))


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        finalize=_shown,
        loader=FunctionLoader(_part),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "style": Markup(_part("style.css")),  # ours
        "say": saying,
        "view": view,
        "plot": plot,
        "plot_of_series": plot_of_series,
        "plot_of_strip": plot_of_strip,
        "code_title": title,
        "departing_line": departing_line,
    }
    return environment


def _part(name: str) -> str:
    return (files("neurosym.reports.page") / name).read_text(encoding="utf-8")


def _shown(value: object) -> object:
    """What an expression of the template comes to, made safe; ``Markup`` is made by this package only."""
    if isinstance(value, Markup):
        return value
    return "" if value is None else safe_text(str(value), limit=_LONGEST)
