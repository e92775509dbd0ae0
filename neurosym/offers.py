"""What is added to a verdict without changing it: an exact version, an explanation, the results around a refutation,
what it does where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from neurosym_specs.errors import NeurosymError
from neurosym_specs.model import Spec
from neurosym_specs.verdicts import FailureClass, Refuted, Standing
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.environment import Confinement
from neurosym_verifiers.regions.apart import NoRegions, TableWanted, table_apart

from neurosym.diagnostics import Note
from neurosym.explaining import explain
from neurosym.options import Options
from neurosym.positions import regions_in_original_lines
from neurosym.result import CandidateResult, Judged, Rejected
from neurosym.rewrite import Group, Rewriting, names_of, rewrite
from neurosym.series import series_at
from neurosym.slices import slice_through
from neurosym.source import Delivered

FLOATS = "NS440"
_REGIONS_TIMES = 3
"""A table of regions, which is made when the verdict is there, may take so many times the wall time of a candidate."""

_RIGHT = (Standing.TESTED, Standing.PROVED)


def with_fix(
    result: CandidateResult, spec: Spec, options: Options, judge: Callable[[Rewriting], CandidateResult]
) -> CandidateResult:
    """The result with an exact version of a candidate whose floats are objected to, and what ``judge`` says of that."""
    has_floats = any(each.code == FLOATS for each in result.objections)
    source = _alone(result)
    if not options.fix or not has_floats or not _may_be_only_floats(result) or source is None:
        return result
    found = rewrite(source, spec, names_of(Group.EXACT))
    if not isinstance(found, Rewriting) or not found.rewrites:
        return result
    return replace(result, fix=judge(found if result.rewriting is None else result.rewriting.then(found)))


def _alone(result: CandidateResult) -> Delivered | None:
    """The text, where a copy of it can be run for itself: not where it imports modules of its own package."""
    return result.source if result.source is not None and result.source.package is None else None


def _may_be_only_floats(result: CandidateResult) -> bool:
    """Whether it was judged, or turned away for its types alone: a float is of another type than a Decimal."""
    match result.outcome:
        case Judged():
            return True
        case Rejected(diagnostics=diagnostics):
            return all(each.failure is FailureClass.TYPE for each in diagnostics)
        case _:
            return False


def with_explanation(result: CandidateResult, spec: Spec, options: Options, bench: Bench) -> CandidateResult:
    """The result with what happened on the first call that broke a promise."""
    source = _alone(result)
    if not options.explain or not isinstance(result.outcome, Judged) or source is None:
        return result
    refuted = _first_refuted(result.outcome)
    if refuted is None:
        return result
    right = result.fix.source if result.fix and result.fix.standing in _RIGHT else None
    try:
        found = explain(spec, bench, source, refuted.counterexample, result.rewriting, right)
    except NeurosymError:
        raise  # the environment is at fault, and would be for every other candidate
    except Exception as error:
        note = Note("NS560", f"the refutation stands, and is not explained: {type(error).__name__}: {error}")
        return replace(result, notes=(*result.notes, note))
    return replace(result, explanation=found)


def with_slice(result: CandidateResult, spec: Spec, options: Options, bench: Bench) -> CandidateResult:
    """The result with what the candidate and the spec say of the inputs around the first call that broke a promise,
    and entry by entry of a list that came of it."""
    source = _alone(result)
    if not options.slices or not isinstance(result.outcome, Judged) or source is None:
        return result
    refuted = _first_refuted(result.outcome)
    if refuted is None:
        return result
    try:
        found = slice_through(spec, bench, source, refuted.counterexample)
        return replace(result, slice=found, series=series_at(spec, bench, source, refuted.counterexample))
    except NeurosymError:
        raise  # the environment is at fault, and would be for every other candidate
    except Exception as error:
        note = Note("NS560", f"the refutation stands, without what is around it: {type(error).__name__}: {error}")
        return replace(result, notes=(*result.notes, note))


def with_regions(result: CandidateResult, spec: Spec, effort: Effort, confinement: Confinement) -> CandidateResult:
    """The result with what the candidate does where, in the original's lines, or why nobody can say."""
    if not isinstance(result.outcome, Judged) or result.source is None:
        return result
    source = _alone(result)
    if source is None:
        return replace(result, regions=NoRegions("it imports modules of its own package, which are not read with it"))
    seconds = _REGIONS_TIMES * effort.time_limit_s
    made = table_apart(TableWanted(spec, source.text, effort, confinement, seconds))
    if not isinstance(made, NoRegions) and result.rewriting is not None:
        made = regions_in_original_lines(made, result.rewriting)
    return replace(result, regions=made)


def _first_refuted(outcome: Judged) -> Refuted | None:
    return next((each for each in outcome.judgement.verdicts.values() if isinstance(each, Refuted)), None)
