"""A run that has just ended, as its stored form: so that a report says the same of it now and of its file later."""

from __future__ import annotations

from neurosym.reports.document import Result
from neurosym.reports.json import document_of, dump
from neurosym.reports.reading import result_of
from neurosym.result import VerifyResult


def stored(result: VerifyResult) -> Result:
    """What ``--json`` would have written, read back."""
    return result_of(dump(document_of(result)))
