"""Two runs that add up the same things, compared addend by addend.

Where a relation says that a later end never lowers a sum over years, each year's share in the one run is at most the
same year's in the other. That is one small question for each addend (a lemma); then the addends are unknown numbers in
that order, and what is left of the relation speaks of no calendar any more. What follows from what is asked may be
asserted beside it, and what nothing fulfils with any numbers in the addends' place nothing fulfils with the addends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from neurosym_verifiers.proof.calendar import by_days
from neurosym_verifiers.proof.messages import Answer, Ask
from neurosym_verifiers.reading.formulas.bounds import ANY, Spans
from neurosym_verifiers.reading.formulas.exchanging import Exchange, key_of
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, equal
from neurosym_verifiers.reading.formulas.terms import TRUE, And, Condition, Monomial, Term, variable
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.simplification.substituting import Substitution, everywhere, solved

_FEWEST = 4
"""Addends that a sum has at the least, for it to be looked at."""

_MOST = 80

_LEMMA_UNITS = 2_000_000


def ask_by_addends(against: Condition, bounds: Spans, prefixes: tuple[str, ...], ask: Ask) -> Answer | None:
    """``unsat`` where lemmas on the addends of two runs' sums show it; None where they do not. A lemma that is not
    shown is left out."""
    sums = addends(against, bounds, prefixes)
    if sums is None:
        return None
    facts: list[Condition] = []
    texts: list[str] = []
    falling = False
    for orders in sums.orders:
        for lemma in orders[::-1] if falling else orders:
            reply = ask(*by_days(lemma.against, sums.bounds), _LEMMA_UNITS)
            if reply.verdict == "unsat":
                falling = lemma is orders[1]
                facts.append(lemma.therefore)
                texts += [*reply.lemmas, reply.text] if reply.text else []
                break
        if not facts:
            return None  # the first one of so many alike
    reply = ask(both(sums.left, *facts), sums.bounds, None)
    if reply.verdict != "unsat":
        return None
    return replace(reply, strategy="termwise", lemmas=(*texts, *reply.lemmas))


@dataclass(frozen=True, slots=True)
class Lemma:
    """Where nothing fulfils ``against``, ``therefore`` may be asserted."""

    against: Condition
    therefore: Condition


@dataclass(frozen=True, slots=True)
class Addends:
    """``orders``: for each addend, that the first run's is at most the second's, and the other way round. ``left``: the
    question with unknown numbers in the addends' place; ``bounds``: those of its variables."""

    orders: tuple[tuple[Lemma, Lemma], ...]
    left: Condition
    bounds: Spans


def addends(against: Condition, bounds: Spans, prefixes: tuple[str, ...]) -> Addends | None:
    """The sums that two runs have in common in a condition, by their addends; None where there are none."""
    if len(prefixes) != 2:
        return None
    condition = solved(against, bounds)
    pairs = _pairs(condition, bounds, prefixes)
    if not _FEWEST <= len(pairs) <= _MOST:
        return None
    names: dict[str, str] = {}
    for i, pair in enumerate(pairs):
        names |= {key_of(monomial): f"{prefix}addend!{i}" for monomial, prefix in zip(pair, prefixes, strict=True)}
    unknown = Exchange({key: variable(name, *ANY) for key, name in names.items()})
    parts = condition.parts if isinstance(condition, And) else (condition,)
    known = both(*(part for part in parts if unknown.condition(part) == part))

    def at_least(large: Monomial, small: Monomial) -> Lemma:
        upper, lower = (variable(names[key_of(each)], *ANY) for each in (large, small))
        # As they are anywhere, not only on the paths that they were found on.
        more, less = (everywhere(Term([(each, 1)]), bounds) for each in (large, small))
        against = TRUE if more is None or less is None else below(more, less)
        return Lemma(both(known, against), at_most(lower, upper))

    orders = tuple((at_least(other, one), at_least(one, other)) for one, other in pairs)
    return Addends(orders, unknown.condition(condition), {**bounds, **dict.fromkeys(names.values(), ANY)})


def _pairs(condition: Condition, bounds: Spans, prefixes: tuple[str, ...]) -> list[tuple[Monomial, Monomial]]:
    """The addends of the first run that the second has as well, of the sum that has the most of them."""
    mirror, turned = _mirror(condition, bounds, prefixes)
    sums = list(_sums(condition))
    there = {key_of(monomial) for term in sums for monomial, _ in term.parts}
    found: dict[str, tuple[Monomial, Monomial]] = {}
    for term in sums:
        own: dict[str, tuple[Monomial, Monomial]] = {}
        for monomial, _ in term.parts:
            if any(factor.names & turned for factor in monomial):
                image = mirror.term(Term([(monomial, 1)])).parts
                if len(image) == 1 and image[0][1] == 1 and key_of(image[0][0]) in there:
                    own[key_of(monomial)] = monomial, image[0][0]
        if len(own) > len(found):
            found = own
    return list(found.values())


def _mirror(condition: Condition, bounds: Spans, prefixes: tuple[str, ...]) -> tuple[Substitution, frozenset[str]]:
    """What makes of the first run's inputs the second's, where these are not known to be the same."""
    one, other = prefixes
    given = set(condition.parts if isinstance(condition, And) else (condition,))
    terms: dict[str, Term] = {}
    for name, (low, high) in bounds.items():
        twin = other + name[len(one) :]
        if name.startswith(one) and twin in bounds:
            its = variable(twin, *bounds[twin])
            if equal(its, variable(name, low, high)) not in given:
                terms[name] = its
    return Substitution(terms, {}), frozenset(terms)


def _sums(condition: Condition) -> Iterator[Term]:
    """The terms with several addends in a condition, each once, the outer ones first."""
    return (each for each in parts_of(condition) if isinstance(each, Term) and len(each.parts) >= _FEWEST)
