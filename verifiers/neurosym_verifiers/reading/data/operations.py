"""Python's operators on symbolic values: what they compute, and where they raise."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.comparing import numeric
from neurosym_verifiers.reading.data.dates import NEAR, day_of, near, written
from neurosym_verifiers.reading.data.exceptions import DECIMAL_ZERO_DIVISION, INVALID_OPERATION, OVERFLOW, ZERO_DIVISION
from neurosym_verifiers.reading.data.infinite import finite, known_infinity
from neurosym_verifiers.reading.data.values import (
    Bool,
    Chars,
    DataMember,
    Day,
    Days,
    Dec,
    Extended,
    Float,
    Guarded,
    Hidden,
    Int,
    ItemSet,
    KeySet,
    Lookup,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    OneOf,
    Queue,
    Quotient,
    Ratio,
    Real,
    Record,
    Ref,
    Sequence,
    Table,
    Text,
    Value,
    as_data,
    one_of,
)
from neurosym_verifiers.reading.execution.merging import CannotMerge, guards_of, merged, presence
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.floats import arithmetic as floats
from neurosym_verifiers.reading.floats import reals
from neurosym_verifiers.reading.formulas.budget import spend
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, bounds_from
from neurosym_verifiers.reading.formulas.normal_forms import (
    below,
    both,
    choose,
    either,
    equal,
    floor_div,
    negated,
    zero,
)
from neurosym_verifiers.reading.formulas.powers import power_of
from neurosym_verifiers.reading.formulas.rounding import rounded, truncated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.texts.characters import is_text, some
from neurosym_verifiers.reading.texts.operators import text_operation


def constant(value: object, line: int) -> Value:
    """A literal."""
    match value:
        case bool():
            return Bool(TRUE if value else FALSE)
        case int():
            return Int(number(value))
        case float():
            return floats.known_float(value)
        case str():
            return Text(value)
        case None:
            return NoneValue()
        case _:
            raise NotRead(f"the literal {value!r}", line)


def known_decimal(value: Decimal, line: int) -> Dec | Extended:
    """A Decimal that is known, and neither NaN nor a negative zero."""
    if value.is_infinite():
        return known_infinity(value)
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or not -100 < exponent <= 0 or len(digits) > 100:
        raise NotRead(f"the Decimal {value}", line)
    if sign and not value:
        raise NotRead("a negative zero", line)
    exact = Fraction(value)
    places = max(0, -exponent)
    return Dec(number(int(exact * 10**places)), places, written=True)


def truth(value: Value, line: int) -> Condition:
    """What ``if value`` asks."""
    match value:
        case Bool(condition=condition):
            return condition
        case Int(term=term):
            return negated(zero(term))
        case Dec(num=num):
            return negated(zero(num))
        case Ratio(num=num):
            return negated(zero(num))
        case Extended(value=finite_, low=low, high=high):
            return either(low, high, truth(finite_, line))
        case Float():
            return floats.truth(value)
        case Real():
            return reals.compared("!=", value, reals.NOTHING)
        case NoneValue():
            return FALSE
        case Record(kind="re.Match" | "re.Pattern"):
            return TRUE
        case Text(value=text):
            return TRUE if text else FALSE
        case Chars(cells=cells):
            return some(cells)
        case Sequence(items=items):
            return TRUE if items else FALSE
        case Guarded(items=items) | Queue(items=items) | ItemSet(items=items):
            return either(*(there for there, _ in items))
        case Table(entries=entries):
            return either(*(presence(value, key) for key in entries))
        case Lookup(entries=pairs):
            return either(*(there for there, _, _ in pairs))
        case KeySet(present=present):
            return either(*present.values())
        case Maybe(missing=missing, value=of):
            return both(negated(missing), truth(of, line))
        case Member(kind=""):
            return either(*(equal(value.index, number(i)) for i, name in enumerate(value.names) if name))
        case Days(count=count):
            return negated(zero(count))
        case Member() | Day():
            return TRUE
        case DataMember(data=data):
            return truth(data, line)
        case _:
            raise NotRead(f"the truth of a {type(value).__name__}", line)


def binary(op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
    """``a op b``; where it raises, the state says so."""
    try:
        a, b = (finite(as_data(each), state.live, line) for each in (a, b))
        return _binary(op, a, b, state, line)
    except NotRead as not_read:
        raise type(not_read)(not_read.what, not_read.line or line) from None


def _binary(op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
    if isinstance(a, (Day, Days)) or isinstance(b, (Day, Days)):
        return _dates(op, a, b, state, line)
    if isinstance(a, (Sequence, Guarded)) and isinstance(b, (Sequence, Guarded)) and isinstance(op, ast.Add):
        if a.is_list == b.is_list:
            return listed((*guards_of(a), *guards_of(b)), a.is_list)
    if is_text(a) and isinstance(op, (ast.Add, ast.Mult, ast.Mod)):
        return text_operation(op, a, b, state, line)
    if not numeric(a) or not numeric(b):
        raise NotRead(f"{type(op).__name__} of {type(a).__name__} and {type(b).__name__}", line)
    if reals.is_real(a, b):
        return reals.binary(op, a, b, state, line)
    if (isinstance(a, Quotient) or isinstance(b, Quotient)) and not isinstance(op, (ast.Add, ast.Sub)):
        raise NotRead("arithmetic on a quotient that may not end", line)
    if isinstance(op, ast.Pow) and _gives_real(a, b):
        return reals.binary(op, a, b, state, line)
    if isinstance(a, Float) or isinstance(b, Float):
        return floats.binary(op, a, b, state, line)
    if (isinstance(a, Ratio) and isinstance(b, Dec)) or (isinstance(a, Dec) and isinstance(b, Ratio)):
        raise NotRead("arithmetic that mixes Decimal and Fraction", line)
    match op:
        case ast.Add():
            return numbers.add(a, b)
        case ast.Sub():
            return numbers.subtract(a, b)
        case ast.Mult():
            return numbers.multiply(a, b)
        case ast.Div():
            return _divide(a, b, state, line)
        case ast.FloorDiv() | ast.Mod():
            return _floor(op, a, b, state, line)
        case ast.Pow():
            return _power(a, b, line)
        case _:
            raise NotRead(f"the operator {type(op).__name__}", line)


def _positive(term: Term, line: int) -> tuple[Term, bool]:
    """A divisor that is not zero as a positive one, and whether its sign was turned."""
    if term.constant == 0:
        return number(1), False  # on a path that the check for zero has ended
    if term.low is not None and term.low >= 0:
        return term, False
    if term.high is not None and term.high <= 0:
        return -term, True
    raise NotRead("division by something whose sign is not known", line)


def _divide(a: Value, b: Value, state: State, line: int) -> Value:
    if isinstance(a, Dec) or isinstance(b, Dec):
        divisor = numbers.to_decimal(b)
        none = zero(divisor.num)
        state.raise_if(both(none, zero(numbers.to_decimal(a).num)), INVALID_OPERATION, line)
        state.raise_if(none, DECIMAL_ZERO_DIVISION, line)
        divisor_now = _narrowed(state, divisor)
        positive, turned = _positive(divisor_now.num, line)
        dividend = numbers.negative(a) if turned else a
        return numbers.divide_decimals(dividend, Dec(positive, divisor.places))
    if isinstance(a, Ratio) or isinstance(b, Ratio):
        (n, d), (m, e) = numbers.as_ratio(a), numbers.as_ratio(b)
        state.raise_if(zero(m), ZERO_DIVISION, line)
        positive, turned = _positive(_narrowed_term(state, m), line)
        return numbers.ratio((-n if turned else n) * e, d * positive)
    return floats.divide_ints(numbers.as_int(a), numbers.as_int(b), state, line)


def _narrowed_term(state: State, term: Term) -> Term:
    """The term with the bounds that the state's path gives its variables."""
    return Narrowing(bounds_from(state.live)).term(term)


def _narrowed(state: State, value: Dec) -> Dec:
    return Dec(_narrowed_term(state, value.num), value.places)


def _floor(op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
    if isinstance(a, Dec) or isinstance(b, Dec):
        return _truncated(op, numbers.to_decimal(a), numbers.to_decimal(b), state, line)
    if isinstance(a, Ratio) or isinstance(b, Ratio):
        (n, d), (m, e) = numbers.as_ratio(a), numbers.as_ratio(b)
    else:
        n, d, m, e = numbers.as_int(a), number(1), numbers.as_int(b), number(1)
    state.raise_if(zero(m), ZERO_DIVISION, line)
    quotient = _floor_either(n, d, _narrowed_term(state, m), e)
    if isinstance(op, ast.FloorDiv):
        return Int(quotient)
    if isinstance(a, Ratio) or isinstance(b, Ratio):
        return numbers.subtract(a, numbers.multiply(b, Int(quotient)))
    return Int(n - m * quotient)


def _truncated(op: ast.operator, a: Dec, b: Dec, state: State, line: int) -> Value:
    """``//`` and ``%`` of Decimals: the quotient is truncated, and what remains has the sign of the dividend."""
    none = zero(b.num)
    if isinstance(op, ast.FloorDiv):
        state.raise_if(both(none, negated(zero(a.num))), DECIMAL_ZERO_DIVISION, line)
    state.raise_if(none, INVALID_OPERATION, line)
    places = max(a.places, b.places)
    n, m = numbers.scaled(a, places), _narrowed_term(state, numbers.scaled(b, places))
    whole = _truncated_either(n, m)
    quotient = numbers.exact_decimal(whole, 0, "a quotient")
    return quotient if isinstance(op, ast.FloorDiv) else numbers.exact_decimal(n - m * whole, places, "a remainder")


def _truncated_either(n: Term, m: Term) -> Term:
    """``n / m`` without its decimals, for an m that is not zero, of either sign."""
    if m.constant == 0:
        return number(0)  # on a path that the check for zero has ended
    if m.low is not None and m.low >= 0:
        return truncated(n, m)
    if m.high is not None and m.high <= 0:
        return truncated(-n, -m)
    return choose(below(number(0), m), truncated(n, m), truncated(-n, -m))


def _floor_either(n: Term, d: Term, m: Term, e: Term) -> Term:
    """``(n/d) // (m/e)`` for an m that is not zero, of either sign; d and e are positive."""
    if m.constant == 0:
        return number(0)  # on a path that the check for zero has ended
    if m.low is not None and m.low >= 0:
        return floor_div(n * e, d * m)
    if m.high is not None and m.high <= 0:
        return floor_div(-n * e, d * -m)
    return choose(below(number(0), m), floor_div(n * e, d * m), floor_div(-n * e, d * -m))


def _gives_real(a: Value, b: Value) -> bool:
    """Whether a power is one of a real function: of floats, or of a Decimal with an exponent that varies."""
    if isinstance(a, Float) or isinstance(b, Float):
        return True
    return isinstance(a, Dec) and (isinstance(b, Dec) or (isinstance(b, Int) and b.term.constant is None))


def _power(a: Value, b: Value, line: int) -> Value:
    exponent = b.term.constant if isinstance(b, Int) else None
    if exponent is None and isinstance(a, Int) and isinstance(b, Int) and (a.term.constant or 0) > 0:
        return Int(power_of(a.term.constant or 0, b.term))
    if exponent is None or not 0 <= exponent <= 40 or isinstance(a, Quotient):
        raise NotRead("a power whose exponent is not a small known number", line)
    if isinstance(a, Dec) and exponent == 0:
        raise NotRead("a Decimal to the power of zero", line)
    result: Value = Int(number(1)) if not isinstance(a, Ratio) else Ratio(number(1), number(1))
    for _ in range(exponent):
        result = numbers.multiply(result, a)
    return result


def _dates(op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
    match op, a, b:
        case ast.Sub(), Day(), Day():
            return Days(a.ordinal - b.ordinal)
        case ast.Add(), Day(), Days():
            return shifted(a, b.count, state, line)
        case ast.Add(), Days(), Day():
            return shifted(b, a.count, state, line)
        case ast.Sub(), Day(), Days():
            return shifted(a, -b.count, state, line)
        case ast.Add(), Days(), Days():
            return _days(a.count + b.count, state, line)
        case ast.Sub(), Days(), Days():
            return _days(a.count - b.count, state, line)
        case ast.Mult(), Days(), Int():
            return _days(a.count * b.term, state, line)
        case ast.Mult(), Int(), Days():
            return _days(b.count * a.term, state, line)
        case _:
            raise NotRead(f"{type(op).__name__} of {type(a).__name__} and {type(b).__name__}", line)


MOST_DAYS = 999_999_999
"""Of a timedelta."""


def _days(count: Term, state: State, line: int) -> Days:
    """A timedelta that was calculated; one that is too long raises."""
    most = number(MOST_DAYS)
    state.raise_if(either(below(count, -most), below(most, count)), OVERFLOW, line)
    return Days(count)


def shifted(day: Day, by: Term, state: State, line: int) -> Day:
    """A date some days later; outside the calendar that raises."""
    count = day.ordinal + by
    last = 3652059  # date.max.toordinal()
    state.raise_if(either(below(count, number(1)), below(number(last), count)), OVERFLOW, line)
    if by.constant == 0:
        return day
    if by.constant is not None and abs(by.constant) <= NEAR and written(day) and count.constant is None:
        return near(day, by.constant)
    return day_of(count)


def round_decimal(value: Value, places: int, mode: str, line: int) -> Dec:
    """A Decimal rounded to so many decimals, as ``quantize`` does."""
    match value:
        case Quotient(num=num, den=den):
            numbers.settled(value, 2 * 10 ** max(places, 0))
        case Dec(num=num, places=have):
            den = number(10**have)
        case _:
            raise NotRead("quantize of something that is no Decimal", line)
    if places < 0:
        raise NotRead("quantize to less than ones", line)
    result = rounded(num * number(10**places), den, mode)
    if result is None:
        raise NotRead(f"the rounding mode {mode}", line)
    return Dec(numbers.exact_decimal(result, places, "a quantize").num, places, written=True)


_IN_A_PART = 2
"""So many items count as one part of a term: what is put behind itself over and over has twice as many each time."""


def listed(items: Iterable[tuple[Condition, Value]], is_list: bool) -> Sequence | Guarded:
    """A list or tuple of items that may be there; those that are never there are left out."""
    kept = tuple((there, item) for there, item in items if there != FALSE)
    spend(len(kept) // _IN_A_PART)
    if all(there == TRUE for there, _ in kept):
        return Sequence(tuple(item for _, item in kept), is_list)
    return Guarded(kept, is_list)


_MOST_DIGITS = 4_000
"""Of a whole number that is turned into text; CPython refuses more than 4,300 with a ``ValueError``."""


def check_printable(value: Value, line: int) -> None:
    """Raises ``NotRead`` for a value that may have too many digits to be put into a text."""
    match value:
        case Int(term=term):
            if term.low is None or term.high is None or max(abs(term.low), abs(term.high)) >= 10**_MOST_DIGITS:
                raise NotRead("a whole number without bounds in a text", line)
        case Sequence(items=items):
            for item in items:
                check_printable(item, line)
        case Guarded(items=guarded):
            for _, item in guarded:
                check_printable(item, line)
        case Bool() | Dec() | Extended() | Float() | Day() | Days() | Member() | DataMember() | NoneValue():
            pass
        case Text() | Chars() | Hidden():
            pass
        case Maybe(value=some):
            check_printable(some, line)
        case _:
            raise NotRead(f"a {type(value).__name__} in a text", line)


def pick(condition: Condition, then: Value, other: Value, line: int) -> Value:
    """``then if condition else other``, of one type."""
    if condition == TRUE:
        return then
    if condition == FALSE:
        return other
    if isinstance(then, (Ref, OneOf)) and isinstance(other, (Ref, OneOf)):
        sides = ((condition, then), (negated(condition), other))
        return one_of((both(side, where), ref) for side, value in sides for where, ref in _choices(value))
    try:
        return merged(condition, then, other)
    except CannotMerge as problem:
        raise NotRead(f"a value that is one of {problem}", line) from None


def _choices(value: Ref | OneOf) -> tuple[tuple[Condition, Ref], ...]:
    return value.choices if isinstance(value, OneOf) else ((TRUE, value),)
