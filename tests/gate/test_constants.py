"""Constants that nobody should work out, and those that anybody may."""

from __future__ import annotations

import pytest
from neurosym_specs.model import Spec

from neurosym import Source, gate

FEE = "def late_fee(balance, days_overdue):\n    return {}\n"


def _enter(code: str, spec: Spec) -> gate.Entry:
    return gate.enter(Source(code), spec, gate.Types.OFF)


@pytest.mark.parametrize(
    "constant",
    [
        "9**9**9",
        "-(9**9**9)",
        "1 << 10**8",
        "2**(10**6 + 10**3)",
        "10**4000 ** 4000",
        "(2**4000)**4000 - 1",
        "'-' * 10**9",
        "10**9 * b'x'",
        "('a' + 'b') * 10**8",
        "'a' * 10**5000",
        "[9**9**9]",
        "(lambda: 9**9**9)",
    ],
)
def test_one_that_is_too_large_is_refused(fee: Spec, constant: str) -> None:
    for code in (f"LIMIT = {constant}\n" + FEE.format("balance"), FEE.format(constant)):
        entry = _enter(code, fee)
        assert isinstance(entry, gate.Stopped)
        assert [each.code for each in entry.diagnostics] == ["NS204"]


@pytest.mark.parametrize(
    "constant",
    [
        "10**18", "2**64 - 1", "1 << 20", "10**5000", "1**10**100", "0**9**9", "'-' * 80", "'' * 10**12", "2**-3",
        "7 // 2", "balance * 10**28", "10**days_overdue", "'x' * days_overdue", "2.0**100", "9**9 % 7", "10**100000",
        "'a' * -5",
    ],
)  # fmt: skip
def test_any_other_passes(fee: Spec, constant: str) -> None:
    assert isinstance(_enter(FEE.format(constant), fee), gate.Passed)
