"""Measures the whole map, and writes ``docs/reading.md``."""

from __future__ import annotations

from tests.verifiers.reading_map.all_groups import GROUPS
from tests.verifiers.reading_map.document import page
from tests.verifiers.reading_map.inputs import input_types
from tests.verifiers.reading_map.measuring import Measurer


def measured_page() -> str:
    """The document as it is now."""
    with Measurer() as measurer:
        measured = [(group, [measurer.cell(row, group.language) for row in group.rows]) for group in GROUPS]
    return page(measured, input_types())
