"""The table of a function's regions: what it does where, with a case that was really run and the ends of each range."""

from __future__ import annotations

from dataclasses import dataclass

from neurosym_sandbox import Outcome

from neurosym_verifiers.cases import Case
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.formulas.terms import TRUE
from neurosym_verifiers.regions.entries import entry_of, joined
from neurosym_verifiers.regions.formulas import Writer
from neurosym_verifiers.regions.places import names_of, places_of
from neurosym_verifiers.regions.ranges import box_of
from neurosym_verifiers.regions.showing import End, Span, decimals_of, end_of, spans_of, tie_text
from neurosym_verifiers.regions.splitting import TooMany, pieces
from neurosym_verifiers.regions.workbench import Executed, Workbench
from neurosym_verifiers.regions.worked import Cases, Worked, worked
from neurosym_verifiers.runner import Runner


@dataclass(frozen=True, slots=True)
class Region:
    """``spans`` and ``ties`` (conditions between places) describe exactly where; ``lines`` of the source decide it."""

    spans: tuple[Span, ...]
    ties: tuple[str, ...]
    end: End
    lines: tuple[int, ...]
    case: Worked
    ends: tuple[Worked, ...]


@dataclass(frozen=True, slots=True)
class RegionTable:
    """The regions; together they are all inputs, unless some are ``unsettled``: not known to be empty or not.

    ``held_against``: how many executions the reading agreed with.
    """

    regions: tuple[Region, ...]
    held_against: int
    unsettled: int = 0


class NoTable(Exception):
    """There is no table, and why in words."""


def table_of(bench: Workbench, source: str) -> RegionTable:
    """The regions of a program. Raises ``NoTable``, and what the workbench raises."""
    with deep_recursion(), bench.runner(source) as runner:
        try:
            return _table(bench, source, runner)
        except (NotRead, TooMany) as problem:
            raise NoTable(str(problem)) from None


def _table(bench: Workbench, source: str, runner: Runner) -> RegionTable:
    spec, cases = bench.spec, bench.cases(source)
    reading = bench.read(source, [Executed(case, runner.call(case.arguments)) for case in cases])
    run, places = reading.run, places_of(spec.inputs, reading.run.inputs.values)
    asking, names = bench.asking(run, cases), names_of(places)
    parts = list(pieces(run.exits, asking, names.choices))
    entries = [entry_of(part.conditions, (part.outcome,), (part.line,), places, asking) for part in parts]
    whole, looking = box_of(places, TRUE, asking), Cases(bench, cases, asking)
    writer = Writer(names, decimals_of(spec.output))

    def outcome_of(case: Case) -> Outcome:
        """What a case that is shown comes to, when it is called alone; the reading is held against it too."""
        outcome = runner.fresh(case.arguments)
        bench.hold(run, Executed(case, outcome))
        return outcome

    regions: list[Region] = []
    unsettled = 0
    for entry in joined(entries, asking):
        case = looking.clear(entry.condition, entry.box)
        if case is None:
            unsettled += 1
            continue
        regions.append(
            Region(
                spans_of(entry.box, whole),
                tuple(tie_text(writer, tie) for tie in entry.ties),
                end_of(spec.output, writer, entry.ends[0]),
                entry.lines,
                worked(spec, case, outcome_of(case)),
                tuple(
                    worked(spec, at, outcome_of(at), place, end)
                    for at, place, end in looking.at_ends(entry.condition, entry.box, whole, case)
                ),
            )
        )
    return RegionTable(tuple(regions), reading.held_against, unsettled)
