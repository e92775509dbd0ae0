"""What the algebra shows of a claim: the questions about real numbers in it that have one answer where they stand.

``against`` describes the counterexamples of a claim. A question in it that surely has the other answer, wherever the
rest of its conjunction holds, leaves that conjunction without any; the solver is asked about what remains, and takes
the questions that are left for flags that may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from neurosym_verifiers.algebra.expressions import LIBRARY_UNITS
from neurosym_verifiers.algebra.messages import Decide, Decided
from neurosym_verifiers.algebra.process import Algebra
from neurosym_verifiers.algebra.translating import FLOAT_ROUNDINGS, NeedsToKnow, NotTranslated, Translation, units_of
from neurosym_verifiers.reading.data.values import Real, Value
from neurosym_verifiers.reading.floats.reals import REAL, RealTest
from neurosym_verifiers.reading.floats.rounded_reals import rounding_of
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, bounds_from, conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, And, Condition, Nearest, Not, NotPositive, Or
from neurosym_verifiers.reading.formulas.walking import parts_of

_MOST_QUESTIONS = 300
_MOST_CASES = 16
_MOST_ALTERNATIVES = 4

Possible = Callable[[Condition, Spans], bool]
"""Whether anything may fulfil a condition; true where that is not known."""


@dataclass(slots=True)
class Discharging:
    """Of the claims about one candidate. ``left_s``: the seconds that are left; ``fault``: of the tool, if any.
    ``where_nearest``: some question was decided by where its sides are nearest, since this was last set to false.
    ``split``: by their keys, disjunctions of which each alternative settled what the whole did not; they are looked at
    alternative by alternative from then on."""

    algebra: Algebra
    possible: Possible
    left_s: Callable[[], float]
    fault: str = ""
    where_nearest: bool = False
    _questions: int = _MOST_QUESTIONS
    _known: dict[tuple[str, str, bool], Decided] = field(default_factory=dict)
    split: set[str] = field(default_factory=set)

    def without_settled(
        self, against: Condition, bounds: Spans, inputs: Mapping[str, Value], *, quotients: bool = False
    ) -> Condition:
        """The claim without what real numbers surely do not do. ``inputs``: those of its runs, by their names.

        ``quotients``: also what is asked of rounded quotients is looked at, which the solver knows something of.
        """
        if not quotients and not speaks_of_reals(against):
            return against
        return _Claim(self, bounds, inputs, quotients).rest(against)

    def ask(self, question: Decide, key: tuple[str, str, bool]) -> bool:
        """Whether it is shown; within the budget of questions and time."""
        if key not in self._known:
            self._questions -= 1
            if self._questions < 0 or self.left_s() <= 0 or self.fault:
                return False
            reply = self.algebra.decided(question, self.left_s())
            self.fault = self.fault or reply.fault
            self._known[key] = reply
        self.where_nearest |= self._known[key].where_nearest
        return self._known[key].shown


LIBRARY = (
    f"the C library's powers, exponentials and logarithms are off by {LIBRARY_UNITS} units in the last place at most"
)


def calls_library(condition: Condition) -> bool:
    """Whether a question in it is about what the C library computes."""
    tests = [part for part in parts_of(condition) if isinstance(part, RealTest)]
    todo: list[Value] = [part for test in tests for part in test.parts]
    for value in todo:  # grows while it is gone through
        if isinstance(value, Real):
            is_library = value.operation not in FLOAT_ROUNDINGS and rounding_of(value.operation) is None
            if value.kind == "float" and is_library:
                return True
            todo += value.parts
    return False


def speaks_of_reals(condition: Condition) -> bool:
    """Whether a question about real numbers is part of it; such questions are flags with names of their own."""
    return any(name.startswith(REAL) for name in condition.names)


class _Claim:
    def __init__(self, discharging: Discharging, bounds: Spans, inputs: Mapping[str, Value], quotients: bool) -> None:
        self._discharging = discharging
        self._bounds = bounds
        self._units = units_of(inputs)
        self._quotients = quotients
        self._cases: dict[Condition, tuple[Condition, ...]] = {}

    def rest(self, condition: Condition, *around: Condition) -> Condition:
        """The condition, or one that holds wherever it does inside of what is around."""
        match condition:
            case And(parts=parts):
                for part in parts:
                    if self._is_asked(part):
                        others = [other for other in parts if other is not part]
                        left = self.rest(part, *around, *others)
                        if left == FALSE:
                            return FALSE
                        condition = both(left, *(each for each in conjuncts(condition) if each is not part))
                return condition
            case Or(parts=parts):
                return either(*(self.rest(part, *around) if self._is_asked(part) else part for part in parts))
            case RealTest() | NotPositive() if self._is_asked(condition):
                return FALSE if self._never(condition, True, both(*around)) else condition
            case Not(of=RealTest() | NotPositive() as test) if self._is_asked(condition):
                return FALSE if self._never(test, False, both(*around)) else condition
            case _:
                return condition

    def _is_asked(self, condition: Condition) -> bool:
        """Whether there is a question in it for the algebra."""
        return speaks_of_reals(condition) or (self._quotients and self._speaks_of_quotients(condition))

    def _speaks_of_quotients(self, condition: Condition) -> bool:
        """Whether a rounded quotient that is no input is part of it."""
        return any(isinstance(part, Nearest) and part.key not in self._units for part in parts_of(condition))

    def _never(self, test: RealTest | NotPositive, answer: bool, where: Condition) -> bool:
        """Whether a question never has the answer where a condition holds."""
        if isinstance(test, RealTest) and _hopeless(test, not answer):
            return False
        facts = conjuncts(where)
        plain = both(*(part for part in facts if not speaks_of_reals(part)))
        if self._never_inside(test, answer, plain):
            return True
        compared = [part for part in facts if _is_comparison(part)]
        return bool(compared) and self._never_inside(test, answer, both(plain, *compared))

    def _never_inside(self, test: RealTest | NotPositive, answer: bool, plain: Condition) -> bool:
        todo = [*self._cases.get(plain, (plain,))]
        settled: list[Condition] = []
        split: set[str] = set()
        while todo:
            case = without_refuted_alternatives(todo.pop())
            if len(settled) + len(todo) > _MOST_CASES or self._discharging.left_s() <= 0:
                return False
            if case == FALSE:
                continue
            before, chosen = len(todo), _disjunction(case)
            was_split = chosen is not None and chosen.key in self._discharging.split
            if not was_split and self._shown(test, not answer, case, todo):
                settled += [case] if len(todo) == before else []
                continue
            if chosen is None:
                return False
            split.add(chosen.key)
            todo += [each for each in _alternatives(case, chosen) if self._discharging.possible(each, self._bounds)]
        self._cases[plain] = tuple(settled)
        self._discharging.split |= split
        return True

    def _shown(self, test: RealTest | NotPositive, answer: bool, where: Condition, todo: list[Condition]) -> bool:
        """Whether it has the answer there, or is to be looked at in more cases, which go to ``todo``."""
        translation = Translation(self._units, where, self._bounds)
        try:
            asked = translation.test(test) if isinstance(test, RealTest) else translation.comparison(test)
            question = Decide(asked, answer, translation.domain())
        except NotTranslated:
            return False
        except NeedsToKnow as needs:
            sides = (both(where, needs.condition), both(where, negated(needs.condition)))
            todo += [side for side in sides if self._discharging.possible(side, self._bounds)]
            return True
        return self._discharging.ask(question, (test.key, where.key, answer))


def _is_comparison(condition: Condition) -> bool:
    """Whether it says how numbers stand to each other, of which one is known as a computation."""
    of = condition.of if isinstance(condition, Not) else condition
    return isinstance(of, RealTest) and of.question in ("<", "<=", "==")


def _hopeless(test: RealTest, answer: bool) -> bool:
    """Whether it cannot be shown that a question always has this answer."""
    rounds = any(isinstance(part, Real) and part.kind and not _is_on_lattice(part) for part in test.parts)
    match test.question:
        case "within" | "finite":
            return not answer
        case "overflow":
            return answer
        case "==":
            return answer and rounds
        case _:
            return False


def _is_on_lattice(value: Real) -> bool:
    """Whether it was rounded to decimals, so that what was computed before may be a little off."""
    if value.kind == "float":
        return False
    if value.operation in ("neg", "abs", "if", "+", "-"):
        return all(not isinstance(part, Real) or _is_on_lattice(part) for part in value.parts)
    return rounding_of(value.operation) is not None


def without_refuted_alternatives(where: Condition) -> Condition:
    """The condition, its disjunctions without what the bounds of the other facts exclude."""
    while isinstance(where, And):
        facts = sorted(where.parts, key=lambda each: each.key)
        narrowing = Narrowing(bounds_from(where))
        left: list[Condition] = []
        for part in facts:
            if isinstance(part, Or):
                part = either(*(each for each in part.parts if narrowing.condition(each) != FALSE))
            left.append(part)
        simpler = both(*left)
        if simpler == where:
            return where
        where = simpler
    return where


def _disjunction(where: Condition) -> Or | None:
    """The shortest one that holds somewhere."""
    found = [part for part in conjuncts(where) if isinstance(part, Or) and len(part.parts) <= _MOST_ALTERNATIVES]
    return min(found, key=lambda part: (len(part.parts), part.key), default=None)


def _alternatives(where: Condition, of: Or) -> list[Condition]:
    """The cases of one of its disjunctions."""
    rest = sorted(conjuncts(where) - {of}, key=lambda part: part.key)
    return [both(alternative, *rest) for alternative in of.parts]
