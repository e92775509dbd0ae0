"""Which of two texts is judged where mending made one worse: the one that the gate lets through."""

from __future__ import annotations

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import FailureClass

from neurosym import Source, gate
from neurosym.diagnostics import Diagnostic
from neurosym.gate import Types
from neurosym.options import Options, codemods
from neurosym.rewriting import rewritten
from tests.cli.shared import RIGHT

WITH_PRINT = RIGHT + "print(late_fee)\n"
ALL = Options(rewrites=codemods(mend=True))


def test_a_mending_that_makes_a_fit_text_unfit_is_dropped_and_noted(fee: Spec) -> None:
    entry = gate.enter(Source(WITH_PRINT), fee, Types.OFF)

    def enter(source: Source) -> gate.Entry:
        return gate.Stopped((Diagnostic("NS450", FailureClass.TYPE, "it does not fit"),))

    after, rewriting = rewritten(entry, fee, ALL, enter)
    assert isinstance(after, gate.Passed)
    assert rewriting is None
    assert after.source == entry.source
    assert [note.message for note in after.notes if note.code == "NS560"] == [
        "it was not rewritten: then it does not fit"
    ]


def test_a_fault_of_the_gate_stays_one(fee: Spec) -> None:
    entry = gate.enter(Source(WITH_PRINT), fee, Types.OFF)
    after, _ = rewritten(entry, fee, ALL, lambda source: gate.Faulted("it fell over"))
    assert isinstance(after, gate.Faulted)


def test_both_ways_through_the_gate_are_listed(fee: Spec) -> None:
    entry = gate.enter(Source(WITH_PRINT), fee, Types.OFF)
    after, rewriting = rewritten(entry, fee, ALL, lambda source: gate.enter(source, fee, Types.OFF))
    assert rewriting is not None
    names = [step.name for step in after.steps]
    assert names.count("syntax") == 2
    assert names.count("rewrite") == 1
