"""Whether a symbolic result is of the output's type, and whether it is the right value."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

from neurosym_specs.membership import member_fault
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    StrType,
    TupleType,
    Type,
)

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.comparing import equality
from neurosym_verifiers.reading.data.exact import leaves
from neurosym_verifiers.reading.data.items import count
from neurosym_verifiers.reading.data.values import (
    Bool,
    Chars,
    Day,
    Days,
    Dec,
    Float,
    Guarded,
    Int,
    Lookup,
    LoopList,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    Ratio,
    Real,
    Record,
    Sequence,
    Table,
    Text,
    Value,
)
from neurosym_verifiers.reading.execution.merging import guards_of, presence
from neurosym_verifiers.reading.floats import arithmetic as floats
from neurosym_verifiers.reading.floats import reals
from neurosym_verifiers.reading.floats.rounded_reals import decimals_of, rounded_floats
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, either, equal, modulo, negated
from neurosym_verifiers.reading.formulas.rounding import half_even
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.inputs.texts import text_belongs
from neurosym_verifiers.reading.loop_lists.asking import holds_for_all, length_of
from neurosym_verifiers.reading.loop_lists.equality import equal_lists, equal_to_known

_PLAIN = (Int, Bool, Dec, Float, Ratio, Real, Day, Days, Text, Chars, NoneValue, Sequence, Guarded, Table, Lookup)


def belongs(type_: Type, value: Value) -> Condition:
    """Whether a result (as ``from_python`` gives it) is of the type; raises ``NotRead`` where that is not certain."""
    if type_.choices is not None and not isinstance(type_, (StrType, EnumType)):
        raise NotRead("an output with choices")
    if isinstance(value, Real):
        return _real(type_, value)
    if isinstance(value, LoopList):
        return _loop_list(type_, value)
    match type_, value:
        case OptionalType(), NoneValue():
            return TRUE
        case OptionalType(of=of), Maybe(missing=missing, value=some):
            return either(missing, belongs(of, some))
        case OptionalType(of=of), _:
            return belongs(of, value)
        case _, Maybe(missing=missing, value=some):
            return both(negated(missing), belongs(type_, some))
        case BoolType(), Bool():
            return TRUE
        case IntType(), Int(term=term):
            return _in_range(type_, term, 0)
        case DecimalType(), Dec(num=num, places=have):
            if type_.exact_exponent:
                raise NotRead("a result whose number of decimals counts")
            return both(_in_range(type_, num, have), _few_places(type_, num, have))
        case FloatType(), Float():
            return _float(type_, value)
        case DateType(min=first, max=last), Day(ordinal=ordinal):
            low, high = number(first.toordinal()), number(last.toordinal())
            return both(at_most(low, ordinal), at_most(ordinal, high))
        case EnumType(class_name=kind), Member(kind=of) if kind and kind == of:
            return TRUE
        case ((StrType() | EnumType(class_name="")), (Text() | Member(kind=""))):
            return _text(type_, value)
        case StrType(choices=None), Chars(cells=cells) if not type_.also:
            return text_belongs(type_, cells)
        case StrType() | EnumType(class_name=""), Chars() if not type_.also and type_.choices is not None:
            return either(*(equality(value, Text(str(choice)), 0) for choice in type_.choices))
        case ListType(), (Sequence() | Guarded()) if value.is_list == (type_.form == "list"):
            return _list(type_, value)
        case TupleType(items=types), Sequence(items=items, is_list=False) if len(types) == len(items):
            return both(*(belongs(of, item) for of, item in zip(types, items, strict=True)))
        case RecordType(fields=fields), Record() if value.kind == type_.name:
            of_field = dict(value.fields)
            return both(*(belongs(of, of_field[name]) for name, of in fields))
        case DictType(), (Table() | Lookup()):
            return _dict(type_, value)
        case FractionType(), _:
            raise NotRead("an output of this type")
        case _ if isinstance(value, _PLAIN) and not _alike(type_, value):
            return FALSE
        case _:
            raise NotRead(f"a result of this kind ({type(value).__name__})")


def _loop_list(type_: Type, value: LoopList) -> Condition:
    match type_:
        case OptionalType(of=of):
            return _loop_list(of, value)
        case ListType(form="list", unique=False, sorted=False):
            every = holds_for_all(value, belongs(type_.item, value.row))
            return both(every, _size(length_of(value), type_.min_len, type_.max_len))
        case _:
            raise NotRead("a list of many rounds as a result of this kind")


def _alike(type_: Type, value: Value) -> bool:
    """Whether the value might be of the type after all."""
    match type_:
        case StrType() | EnumType():
            return isinstance(value, (Text, Member, Chars))
        case ListType() | TupleType() | RecordType():
            return isinstance(value, (Sequence, Guarded, Record, Table, Lookup))
        case DictType():
            return isinstance(value, (Table, Lookup))
        case IntType() | DecimalType() | FloatType() | BoolType() | DateType():
            return False
        case _:
            return True


def _text(type_: StrType | EnumType, value: Text | Member) -> Condition:
    if isinstance(value, Text):
        return TRUE if member_fault(type_, value.value, result=True) is None else FALSE
    good = [i for i, name in enumerate(value.names) if member_fault(type_, name, result=True) is None]
    if len(good) == len(value.names):
        return TRUE
    return either(*(equal(value.index, number(i)) for i in good)) if good else FALSE


def _list(type_: ListType, value: Sequence | Guarded) -> Condition:
    items = guards_of(value)
    parts = [either(negated(there), belongs(type_.item, item)) for there, item in items]
    parts.append(_size(count(items), type_.min_len, type_.max_len))
    if type_.unique:
        pairs = combinations(items, 2)
        parts += [negated(both(g, h, equality(x, y, 0))) for (g, x), (h, y) in pairs]
    if type_.sorted:
        if isinstance(value, Guarded):
            raise NotRead("a sorted output whose length varies")
        parts += [_not_above(a, b) for a, b in pairwise(value.items)]
    return both(*parts)


def _not_above(a: Value, b: Value) -> Condition:
    if isinstance(a, Day) and isinstance(b, Day):
        return at_most(a.ordinal, b.ordinal)
    if isinstance(a, (Int, Dec)) and isinstance(b, (Int, Dec)):
        return numbers.compare("<=", a, b)
    raise NotRead("the order of an output")


def _size(length: Term, least: int, most: int | None) -> Condition:
    return both(at_most(number(least), length), TRUE if most is None else at_most(length, number(most)))


def _dict(type_: DictType, value: Table | Lookup) -> Condition:
    if isinstance(value, Lookup):
        each = [
            either(negated(there), both(belongs(type_.key, key), belongs(type_.value, entry)))
            for there, key, entry in value.entries
        ]
        length = count((there, entry) for there, _, entry in value.entries)
        return both(*each, _size(length, type_.min_len, type_.max_len))
    parts: list[Condition] = []
    total = number(0)
    for key, entry in value.entries.items():
        plain = isinstance(type_.key, StrType) or (isinstance(type_.key, EnumType) and not type_.key.class_name)
        if not isinstance(key, str) or not plain:
            raise NotRead("an output whose keys are no texts")
        there = presence(value, key)
        parts.append(either(negated(there), both(belongs(type_.key, Text(key)), belongs(type_.value, entry))))
        total = total + count([(there, entry)])
    return both(*parts, _size(total, type_.min_len, type_.max_len))


def _in_range(type_: IntType | DecimalType, num: Term, places: int) -> Condition:
    if type_.choices is not None or type_.also:
        raise NotRead("an output with choices")
    parts: list[Condition] = []
    for bound, below in ((type_.min, True), (type_.max, False)):
        if bound is not None:
            scaled, edge = num * number(bound.denominator), number(bound.numerator * 10**places)
            parts.append(at_most(edge, scaled) if below else at_most(scaled, edge))
    return both(*parts)


def _float(type_: FloatType, value: Float) -> Condition:
    """Whether a float is one of the type: its range, NaN and the infinities, and a nearest float of its decimals."""
    if type_.choices is not None or type_.also:
        raise NotRead("an output with choices")
    parts: list[Condition] = []
    number_of = Float(value.num, value.scale)
    parts += [floats.compare(">=", number_of, _exactly(type_.min))] if type_.min is not None else []
    parts += [floats.compare("<=", number_of, _exactly(type_.max))] if type_.max is not None else []
    if type_.places is not None:
        steps = number(10**type_.places)
        decimal = floats.rounding(half_even(value.num * steps, number(2**value.scale)), steps)
        parts.append(floats.compare("==", decimal, number_of))
    infinite = floats.is_infinite(value)
    finite = either(value.nan, infinite, both(*parts))
    return both(finite, TRUE if type_.nan else negated(value.nan), TRUE if type_.infinity else negated(infinite))


def _real(type_: Type, value: Real) -> Condition:
    """Whether what a real function gives is of the type: finite, and in its range."""
    if isinstance(type_, OptionalType):
        return _real(type_.of, value)
    if isinstance(type_, DecimalType) and type_.exact_exponent:
        raise NotRead("a result whose number of decimals counts")
    kinds = {FloatType: "float", DecimalType: "Decimal", IntType: "int"}
    if not isinstance(type_, (FloatType, DecimalType, IntType)) or kinds[type(type_)] != value.kind:
        return FALSE
    if type_.choices is not None or type_.also:
        raise NotRead("whether what a real function gives is one of an output's values")
    parts = [reals.finite(value), _has_places(type_, value)]
    parts += [reals.compared("<=", _exactly(type_.min), value)] if type_.min is not None else []
    parts += [reals.compared("<=", value, _exactly(type_.max))] if type_.max is not None else []
    return both(*parts)


_SURE_DIGITS = 15
"""A decimal number of so many digits is what its nearest float is the nearest float of, and no other one is."""


def _has_places(type_: FloatType | DecimalType | IntType, value: Real) -> Condition:
    """Whether it surely has no more decimals than the type allows; of a float, whether it is the nearest to such a
    number. What may have more is not read."""
    match type_:
        case DecimalType(places=(_, most)):
            found = decimals_of(value)
            if found is not None and found <= most:
                return TRUE
        case FloatType(places=int() as most):
            found = rounded_floats(value)
            if found is not None and found <= most <= _SURE_DIGITS:
                limit = Int(number(10 ** (_SURE_DIGITS - most)))
                return reals.compared("<=", reals.absolute(value), limit)
        case _:
            return TRUE
    raise NotRead("whether what a real function gives has so many decimals")


def _exactly(value: Fraction) -> Ratio:
    return Ratio(number(value.numerator), number(value.denominator))


def _few_places(type_: DecimalType, num: Term, have: int) -> Condition:
    allowed = type_.places[1] if type_.places is not None else None
    if allowed is None or have <= allowed:
        return TRUE
    return equal(modulo(num, number(10 ** (have - allowed))), number(0))


def same(value: Value, right: Value) -> Condition:
    """Whether a result is the right value (both as the spec's language sees them): there a boolean is no number."""
    if isinstance(value, Bool) != isinstance(right, Bool):
        return FALSE
    if isinstance(value, LoopList) or isinstance(right, LoopList):
        return _same_loop_lists(value, right)
    if isinstance(value, Bool) and isinstance(right, Bool):
        p, q = value.condition, right.condition
        return either(both(p, q), both(negated(p), negated(q)))
    if any(isinstance(leaf, Bool) for each in (value, right) for leaf in leaves(each)):
        raise NotRead("a result with booleans in it")
    if reals.is_real(value, right):
        return both(reals.finite(value), reals.compared("==", value, right))
    if isinstance(value, Float) or isinstance(right, Float):
        return _same_float(value, right)
    return equality(value, right, 0)


def _same_loop_lists(value: Value, right: Value) -> Condition:
    """Of two lists of which one at the least is made in many rounds."""
    lists = [each for each in (value, right) if isinstance(each, LoopList)]
    known = [each for each in (value, right) if isinstance(each, Sequence) and each.is_list]
    items = [*(each.item for each in lists), *(item for each in known for item in each.items)]
    if any(isinstance(leaf, Bool) for item in items for leaf in leaves(item)):
        raise NotRead("a result with booleans in it")
    if len(lists) == 2:
        return equal_lists(lists[0], lists[1], 0)
    if not known:
        raise NotRead("a list of many rounds beside something else")
    return equal_to_known(lists[0], known[0].items, 0)


def _same_float(value: Value, right: Value) -> Condition:
    """Of numbers that may be NaN or infinite: NaN is right where NaN is."""
    nans = [each.nan if isinstance(each, Float) else FALSE for each in (value, right)]
    return either(both(*nans), floats.compare("==", value, right))


def within(value: Value, right: Value, abs_tol: Fraction, rel_tol: Fraction) -> Condition:
    """``|value - right| <= abs_tol + rel_tol * |right|``, of numbers."""
    if reals.is_real(value, right):
        return reals.within(value, right, abs_tol, rel_tol)
    if isinstance(value, Float):
        finite = floats.is_finite(value)
        return both(finite, within(Ratio(value.num, number(2**value.scale)), right, abs_tol, rel_tol))
    if not isinstance(value, (Int, Ratio)) or not isinstance(right, (Int, Ratio)):
        raise NotRead("a tolerance for what is no number")
    (n, d), (m, e) = numbers.as_ratio(value), numbers.as_ratio(right)
    scale = abs_tol.denominator * rel_tol.denominator
    # |n*e - m*d| * scale <= (abs_tol * d * e + rel_tol * |m| * d) * scale, for either sign of each.
    gap = (n * e - m * d) * number(scale)
    fixed = d * e * number(abs_tol.numerator * rel_tol.denominator)
    share = m * d * number(rel_tol.numerator * abs_tol.denominator)
    positive = both(at_most(gap, fixed + share), at_most(-gap, fixed + share))
    negative = both(at_most(gap, fixed - share), at_most(-gap, fixed - share))
    if rel_tol == 0:
        return positive
    return either(both(at_most(number(0), m), positive), both(at_most(m, number(0)), negative))
