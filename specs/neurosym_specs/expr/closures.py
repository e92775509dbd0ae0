"""The smallest closures: constants, variables, cells."""

from __future__ import annotations

from typing import Any

from neurosym_specs.expr.program import Frame, Run


def constant(value: Any) -> Run:
    def read_constant(frame: Frame) -> Any:
        return value

    return read_constant


def local(slot: int) -> Run:
    def read_local(frame: Frame) -> Any:
        return frame[slot]

    return read_local


def cell(at: int) -> Run:
    def read_cell(frame: Frame) -> Any:
        return frame[0][at]

    return read_cell


def cell_of(cells: int, at: int) -> Run:
    def read_cell_of(frame: Frame) -> Any:
        return frame[cells][at]

    return read_cell_of
