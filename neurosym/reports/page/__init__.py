"""HTML pages, each self-contained: to be read in a browser, light or dark, on a phone or a desk, and to be printed.

They need no script and load nothing. First comes the verdict in plain words; what it rests on follows. Whatever a
template shows goes through ``safe_text`` and is escaped (``rendering``).
"""

from __future__ import annotations

from neurosym.reports.document import Result
from neurosym.reports.page.rendering import rendered


def html(result: Result) -> str:
    """The page of a run of ``verify``."""
    return rendered("page.html", result=result)
