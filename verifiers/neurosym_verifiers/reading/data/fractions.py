"""The numerator and denominator of a fraction in lowest terms."""

from __future__ import annotations

from neurosym_verifiers.reading.data.values import Int, NotRead
from neurosym_verifiers.reading.formulas.normal_forms import choose, equal, modulo
from neurosym_verifiers.reading.formulas.terms import Reduced, Term, atom, number

_MOST_TRIED = 100_000
_MOST_POWERS = 80


def lowest_terms(num: Term, den: Term, line: int) -> tuple[Int, Int]:
    """Numerator and denominator without a common factor."""
    whole = den.constant
    if whole is None:
        raise NotRead("the lowest terms of a fraction whose denominator varies", line)
    powers = _prime_powers(whole)
    if powers is None or sum(map(len, powers)) > _MOST_POWERS:
        raise NotRead("the lowest terms of a fraction with this denominator", line)
    common = number(1)
    for of_one_prime in powers:
        largest = number(1)
        for power in of_one_prime:
            largest = choose(equal(modulo(num, number(power)), number(0)), number(power), largest)
        common = common * largest
    if common.constant is not None:
        return Int(_divided(num, common.constant)), Int(number(whole // common.constant))
    return Int(atom(Reduced(num, common))), Int(atom(Reduced(den, common)))


def _divided(num: Term, by: int) -> Term:
    return Term((monomial, coefficient // by) for monomial, coefficient in num.parts)


def _prime_powers(whole: int) -> list[list[int]] | None:
    """For each prime factor, its powers that divide a number, the smallest first; None if one is too large to find."""
    found: list[list[int]] = []
    prime, rest = 2, whole
    while prime * prime <= rest:
        if prime > _MOST_TRIED:
            return None
        powers: list[int] = []
        while rest % prime == 0:
            rest //= prime
            powers.append(prime ** (len(powers) + 1))
        if powers:
            found.append(powers)
        prime += 1
    return [*found, [rest]] if rest > 1 else found
