"""How long a right program computes beside the spec's Python reference: processor time in the jail, in coarse steps.

Both run on the same inputs, in turns, in fresh processes of one jail. The least of several rounds counts, since others
who use the machine only add to it. It is never a reason to refuse a program: the spec's own limit of time is that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from neurosym_sandbox import Jail, Limits, LoadFailed, Program, Raised, Returned
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations
from neurosym_verifiers.cases import CaseMaker
from neurosym_verifiers.environment import Confinement, start_jail
from neurosym_verifiers.search.hypothesis_draws import hypothesis_inputs

_INPUTS = 20
_DRAWN = 60
_ROUNDS = 3
_NOISE_S = 0.002
"""What is added to both: below that much for all inputs, times say nothing about a program."""

STEPS = ((2.0, 1.0), (8.0, 0.5), (32.0, 0.25))
"""Up to so many times as long as the reference, and what that counts; longer is 0."""


def time_part(ratio: float) -> float:
    """What a ratio of times counts, between 0 and 1."""
    return next((counts for most, counts in STEPS if ratio <= most), 0.0)


def ratio_to_reference(spec: Spec, source: str, *, seed: int) -> float | None:
    """How many times as long as the reference a program takes; None where there is no Python reference to be beside.

    Raises ``EnvironmentFault`` where no jail can be had.
    """
    reference = spec.reference.python if spec.reference is not None else None
    if reference is None:
        return None
    maker = CaseMaker(replace(spec, reference=None), None)
    inputs = (*(each.inputs for each in spec.examples), *hypothesis_inputs(spec, _DRAWN, seed))
    cases = [case for each in inputs if (case := maker.case(each)) is not None and case.accepted][:_INPUTS]
    arguments = [case.arguments for case in cases]
    with start_jail(spec, Confinement(), 0) as jail:
        rounds = [
            (_took(spec, jail, source, arguments), _took(spec, jail, reference, arguments)) for _ in range(_ROUNDS)
        ]
    own = [took for took, _ in rounds if took is not None]
    its = [took for _, took in rounds if took is not None]
    return (min(own) + _NOISE_S) / (min(its) + _NOISE_S) if own and its and arguments else None


def _took(spec: Spec, jail: Jail, source: str, arguments: Sequence[tuple[object, ...]]) -> float | None:
    """Processor time for one call with each of the arguments, in seconds; None where one came to no end."""
    program = Program(source, spec.name, declarations(spec), spec.policy.imports)
    limits = Limits(time_s=spec.policy.time_limit_s, memory_bytes=spec.policy.memory_limit_bytes)
    total = 0.0
    with jail.open(program, limits) as session:
        if isinstance(session.loaded, LoadFailed):
            return None
        for each in arguments:
            outcome = session.call(each) if session.alive else None
            if not isinstance(outcome, Returned | Raised):  # the reference may refuse
                return None
            total += outcome.usage.cpu_s
    return total
