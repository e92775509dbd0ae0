"""Terms and conditions as arithmetic that a person reads, in the spec's expression language and in the spec's units.

The reading counts in steps (cents, hundredths of a percent, days); a formula speaks of amounts. So a quotient of steps
becomes a rounding to so many places of an amount. What is written here parses as an expression of the spec and has the
value of the term; a test holds it to that.
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from functools import reduce
from math import gcd

from neurosym_specs.notation import to_source
from neurosym_specs.types import DateType

from neurosym_verifiers.reading.data.values import Bool, Day, Days, Dec, Int, Member, NoneValue, Ratio, Text, Value
from neurosym_verifiers.reading.data.values import Sequence as Items
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import (
    And,
    Atom,
    Condition,
    DatePart,
    Div,
    Flag,
    Ite,
    Monomial,
    Not,
    NotPositive,
    Or,
    Term,
    Truth,
    Var,
    Zero,
    atom,
    number,
)
from neurosym_verifiers.regions.places import Names
from neurosym_verifiers.regions.roundings import Rounding, extreme, half_even_in, mirrored, remainder_in, simple
from neurosym_verifiers.regions.spelling import TooLong, checked, decimal, grouped, joined, number_text, scaled
from neurosym_verifiers.regions.splitting import is_put_together


class Writer:
    """Writes formulas over named places. ``decimals``: how many an amount has, where terms do not tell."""

    def __init__(self, names: Names, decimals: int) -> None:
        self._names = names
        self._decimals = decimals

    def value(self, value: Value) -> str:
        """A value as a formula. Raises ``TooLong``."""
        match value:
            case Int(term=term) | Days(count=term):
                return self.term(term, Fraction(1))
            case Dec(num=num, places=places):
                return self.term(num, Fraction(1, 10**places))
            case Ratio(num=num, den=den):
                return self._quotient(num, den, Fraction(1))
            case Day():
                return self._day(value)
            case Bool(condition=condition):
                return self.condition(condition)
            case Member(names=names, index=index) if index.constant is not None:
                return repr(names[index.constant])
            case Text(value=text):
                return repr(text)
            case NoneValue():
                return "None"
            case Items(items=items, is_list=is_list):
                inner = ", ".join(map(self.value, items))
                return f"[{inner}]" if is_list else f"({inner}{',' if len(items) == 1 else ''})"
            case _:
                raise TooLong

    def _day(self, day: Day) -> str:
        if is_put_together(day):
            return f"date({', '.join(self.term(part, Fraction(1)) for part in (day.year, day.month, day.day))})"
        return self._date(day.ordinal)

    def _date(self, ordinal: Term) -> str:
        """A date by its ordinal: one of the inputs, or so many days from it."""
        starts = [m[0] for m, c in ordinal.parts if c == 1 and len(m) == 1 and self._is_date(m[0])]
        if ordinal.constant is not None:
            return to_source(DateType(), date.fromordinal(ordinal.constant))
        if len(starts) != 1 or not isinstance(starts[0], Var):
            raise TooLong
        label, rest = self._names.dates[starts[0].name], ordinal - atom(starts[0])
        return label if rest.constant == 0 else joined([("+", label), *self._signed(rest, Fraction(1))])

    def _is_date(self, each: Atom) -> bool:
        return isinstance(each, Var) and each.name in self._names.dates

    def term(self, term: Term, unit: Fraction) -> str:
        """A term that counts in units, as an amount. Raises ``TooLong``."""
        return checked(joined(self._signed(term, unit)))

    def _signed(self, term: Term, unit: Fraction) -> list[tuple[str, str]]:
        """The summands of a term with their signs, positive ones first."""
        parts: list[tuple[str, str]] = []
        while (even := half_even_in(term)) is not None:
            step = abs(even.factor) * unit
            parts.append(("-" if even.factor < 0 else "+", self._rounded(even.rounding, step)))
            term = even.rest
        while (left := remainder_in(term)) is not None:
            step = abs(left.factor) * unit
            num, den = self.term(left.num, step), number_text(left.den * step)
            text = f"{grouped(num, strict=True)} % {grouped(den, strict=True)}"
            parts.append(("-" if left.factor < 0 else "+", text))
            term = left.rest
        distances, term = self._distances(term, unit)
        parts += distances
        for monomial, coefficient in term.parts:
            if monomial:
                text = self._product(monomial, abs(coefficient) * unit)
                parts.append(("-" if coefficient < 0 else "+", text))
        parts.sort(key=lambda part: part[0] != "+")
        constant = next((coefficient for monomial, coefficient in term.parts if not monomial), 0)
        if constant:
            parts.append(("-" if constant < 0 else "+", number_text(abs(constant) * unit)))
        return parts

    def _distances(self, term: Term, unit: Fraction) -> tuple[list[tuple[str, str]], Term]:
        """The days between dates in a sum, each perhaps times something, and the rest of the sum."""
        ordinals: dict[tuple[Monomial, int], tuple[list[Atom], list[Atom]]] = {}
        for monomial, coefficient in term.parts:
            dates = [each for each in monomial if self._is_date(each)]
            if dates:
                others = tuple(each for each in monomial if each is not dates[0])
                sides = ordinals.setdefault((others, abs(coefficient)), ([], []))
                sides[coefficient < 0].append(dates[0])
        found: list[tuple[str, str]] = []
        for (others, size), (plus, minus) in ordinals.items():
            if len(plus) != len(minus) or any(map(self._is_date, others)):
                raise TooLong
            factor = size * unit * 10 ** self._places(others)
            for a, b in zip(plus, minus, strict=True):
                days = f"days({self._date(atom(a))} - {self._date(atom(b))})"
                found.append(("+", scaled(" * ".join([*map(self._atom, others), days]), factor)))
                times = number(size)
                for each in others:
                    times = times * atom(each)
                term = term - times * (atom(a) - atom(b))
        return found, term

    def _product(self, monomial: Monomial, factor: Fraction) -> str:
        """A positive number times the atoms."""
        texts: list[str] = []
        step = factor * 10 ** self._places(monomial)
        for each in monomial:
            if isinstance(each, (Var, DatePart)):
                texts.append(self._atom(each))
            else:
                texts.append(self._whole(each, step))
                step = Fraction(1)  # the factor is in the first one that counts in steps, and in no other
        return scaled(" * ".join(texts), step)

    def _atom(self, each: Atom) -> str:
        match each:
            case Var(name=name):
                if name in self._names.members:
                    return self._member_number(name)
                if name not in self._names.numbers:
                    raise TooLong
                return self._names.numbers[name][0]
            case DatePart(part=part, ordinal=ordinal):
                text = self._date(ordinal)
                return f"({text}).{part}" if " " in text else f"{text}.{part}"
            case _:
                raise TooLong

    def _member_number(self, name: str) -> str:
        """The place of a name in its list, as a choice between names."""
        label, members = self._names.members[name]
        text = str(len(members) - 1)
        for at in range(len(members) - 2, -1, -1):
            text = f"{at} if {label} == {members[at]!r} else {text}"
        return f"({text})"

    def _whole(self, each: Atom, step: Fraction) -> str:
        """An atom that counts in steps: a rounding to the step, or a choice."""
        if isinstance(each, Div):
            return self._rounded(simple(each), step)
        if isinstance(each, Ite):
            if each.key in self._names.choices:
                return scaled(self._names.choices[each.key], step)
            rounding = mirrored(each)
            if rounding is not None:
                return self._rounded(rounding, step)
            which = extreme(each)
            if which:
                return checked(f"{which}({', '.join(self._sides(each, which, step))})")
            test = self.condition(each.condition)
            return checked(f"({self.term(each.then, step)} if {test} else {self.term(each.other, step)})")
        raise TooLong

    def _sides(self, choice: Ite, which: str, step: Fraction) -> list[str]:
        """What a minimum or maximum is taken of, those inside of it with them."""
        texts: list[str] = []
        for side in (choice.then, choice.other):
            inner = side.parts[0][0][0] if len(side.parts) == 1 and side.parts[0][0] else None
            if isinstance(inner, Ite) and side == atom(inner) and extreme(inner) == which and mirrored(inner) is None:
                texts += self._sides(inner, which, step)
            else:
                texts.append(self.term(side, step))
        return list(dict.fromkeys(texts))

    def _rounded(self, rounding: Rounding, step: Fraction) -> str:
        """A quotient rounded to a multiple of a step."""
        inner = self._quotient(rounding.num, rounding.den, step)
        mode = rounding.mode
        for places in range(13):
            if step == Fraction(1, 10**places):
                if places == 0 and mode in ("floor", "ceiling"):
                    return f"{'floor' if mode == 'floor' else 'ceil'}({inner})"
                return f"round({inner}, {places}, {mode})"
        return f"round_to({inner}, {number_text(step)}, {mode})"

    def _quotient(self, num: Term, den: Term, unit: Fraction) -> str:
        if den.constant is not None:
            return self.term(num, unit / den.constant)
        common = reduce(gcd, (c for _, c in (*num.parts, *den.parts)), 0)
        num, den = (Term((m, c // common) for m, c in each.parts) for each in (num, den))
        scale = Fraction(1, 10 ** self._places(den.parts[0][0]))
        return checked(f"{grouped(self.term(num, unit * scale))} / {grouped(self.term(den, scale), strict=True)}")

    # Conditions

    def condition(self, condition: Condition) -> str:
        """A condition. Raises ``TooLong``."""
        match condition:
            case Truth(value=value):
                return "True" if value else "False"
            case Flag():
                return self._names.flags[condition.key]
            case Not(of=Flag() as flag):
                return f"not {self._names.flags[flag.key]}"
            case NotPositive(term=term):
                return self._member_condition(condition, term) or self._compared(term, "<=")
            case Zero(term=term):
                return self._member_condition(condition, term) or self._compared(term, "==")
            case Not(of=Zero(term=term)):
                return self._member_condition(condition, term) or self._compared(term, "!=")
            case Not(of=of):
                return f"not ({self.condition(of)})"
            case And(parts=parts):
                return checked(" and ".join(f"({t})" if " or " in t else t for t in map(self.condition, parts)))
            case Or(parts=parts):
                return checked(" or ".join(f"({t})" if " and " in t else t for t in map(self.condition, parts)))
            case _:
                raise TooLong

    def _member_condition(self, condition: Condition, term: Term) -> str | None:
        """A condition on the place of one name in its list, as the names that fulfil it."""
        atoms = [each for monomial, _ in term.parts for each in monomial]
        if len(atoms) != 1 or not isinstance(atoms[0], Var) or atoms[0].name not in self._names.members:
            return None
        label, members = self._names.members[atoms[0].name]
        fitting = [m for at, m in enumerate(members) if Evaluation({atoms[0].name: at}).condition(condition)]
        if len(fitting) == 1:
            return f"{label} == {fitting[0]!r}"
        if len(fitting) == len(members) - 1:
            return f"{label} != {next(m for m in members if m not in fitting)!r}"
        return f"{label} in [{', '.join(map(repr, fitting))}]"

    def _compared(self, term: Term, sign: str) -> str:
        """``term sign 0`` with what is taken away on the other side, in units."""
        whole = remainder_in(term)
        if whole is not None:
            return self._remainder_compared(term - whole.rest, -whole.rest, sign, whole.factor)
        left = Term((m, c) for m, c in term.parts if c > 0 and m)
        right = Term((m, -c) for m, c in term.parts if c < 0 and m)
        constant = next((c for m, c in term.parts if not m), 0)
        if sign == "<=" and constant == 1:
            sign, constant = "<", 0
        if not left.parts:
            left, right, constant = right, left, -constant
            sign = {"<=": ">=", "<": ">"}.get(sign, sign)
        right = right - number(constant)
        if any(self._is_date(m[0]) for m, _ in left.parts if len(m) == 1):
            try:
                return checked(f"{self._date(left)} {sign} {self._date(right)}")
            except TooLong:
                left, right = left - right, number(0)
        unit = self._unit(term)
        return checked(f"{self.term(left, unit)} {sign} {self.term(right, unit)}")

    def _remainder_compared(self, left: Term, right: Term, sign: str, factor: int) -> str:
        """A remainder, times a factor, against the rest."""
        if factor < 0:
            left, right, sign = -left, -right, {"<=": ">="}.get(sign, sign)
        unit = Fraction(1, abs(factor) * 10 ** max(self._places(m) for m, _ in left.parts))
        return checked(f"{self.term(left, unit)} {sign} {self.term(right, unit)}")

    def _unit(self, term: Term) -> Fraction:
        """By what a term is multiplied so that the amount that stands first in it counts once."""
        varying = [(m, abs(c)) for m, c in term.parts if m]
        plain = [each for each in varying if all(isinstance(a, (Var, DatePart)) for a in each[0])]
        units = [Fraction(1, c * 10 ** self._places(m)) for m, c in sorted(plain, key=lambda e: (len(e[0]), e[1]))]
        if not units:
            return Fraction(1, varying[0][1] * 10**self._decimals)
        for unit in units:
            if all(decimal(c * unit * 10 ** self._places(m)) is not None for m, c in plain):
                return unit
        return Fraction(1, 10 ** max(self._places(m) for m, _ in plain))

    def _places(self, monomial: Monomial) -> int:
        """With how many decimals together the variables of a product are counted."""
        return sum(self._names.numbers.get(a.name, ("", 0))[1] for a in monomial if isinstance(a, Var))
