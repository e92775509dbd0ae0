"""One value that is another here and there."""

from __future__ import annotations

from dataclasses import replace
from math import lcm
from typing import Any

from neurosym_verifiers.reading.data.numbers import scaled
from neurosym_verifiers.reading.data.values import (
    Bool,
    Chars,
    DataMember,
    Day,
    Days,
    Dec,
    Extended,
    Float,
    Growing,
    Guarded,
    Hidden,
    Int,
    ItemSet,
    KeySet,
    Lookup,
    LoopList,
    Maybe,
    Member,
    Members,
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
    Thing,
    Value,
    one_of,
    real_kind,
)
from neurosym_verifiers.reading.formulas import remainders
from neurosym_verifiers.reading.formulas.normal_forms import both, choose, decided, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.texts.characters import cells_of, is_text, merged_cells, text_of

_HOLDING = frozenset({"range", "partial"})
"""What may hold other numbers here than there."""


class CannotMerge(Exception):
    """The two values are of different kinds."""


def merged(condition: Condition, then: Value, other: Value) -> Value:
    """``then`` where the condition holds, ``other`` elsewhere; raises ``CannotMerge`` for values of different types."""
    if condition in (TRUE, FALSE):
        return then if condition == TRUE else other
    one = _numbers(condition, then, other)
    if one is not None:
        return one
    match then, other:
        case Day(), Day():
            return Day(*(choose(condition, a, b) for a, b in zip(_parts(then), _parts(other), strict=True)))
        case Days(count=a), Days(count=b):
            return Days(choose(condition, a, b))
        case Member(), Member() if then.kind == other.kind and then.names == other.names:
            return Member(then.kind, then.names, choose(condition, then.index, other.index))
        case DataMember(), DataMember() if then.member.kind == other.member.kind:
            member = merged(condition, then.member, other.member)
            assert isinstance(member, Member)
            return DataMember(member, merged(condition, then.data, other.data))
        case ((Text() | Member(kind="")), (Text() | Member(kind=""))) if then != other:
            names = tuple(dict.fromkeys((*texts_of(then), *texts_of(other))))
            return Member("", names, choose(condition, _place_in(then, names), _place_in(other, names)))
        case (Chars(), _) | (_, Chars()) if is_text(then) and is_text(other):
            return text_of(merged_cells(condition, cells_of(then), cells_of(other)))
        case Hidden(), Hidden() if (then.of, then.form) == (other.of, other.form):
            seen = merged(condition, then.seen, other.seen)
            assert isinstance(seen, (Text, Chars))
            return replace(then, seen=seen)
        case Sequence(), Sequence() if then.is_list == other.is_list and len(then.items) == len(other.items):
            items = tuple(merged(condition, a, b) for a, b in zip(then.items, other.items, strict=True))
            return Sequence(items, then.is_list)
        case ((Sequence() | Guarded()), (Sequence() | Guarded())) if then.is_list and other.is_list:
            return _lists(condition, then, other)
        case Record(), Record() if then.kind == other.kind and then.names == other.names:
            pairs = zip(then.fields, other.fields, strict=True)
            return replace(then, fields=tuple((name, merged(condition, a, b)) for (name, a), (_, b) in pairs))
        case Table(), Table() if then.default == other.default:
            return _tables(condition, then, other)
        case ((Lookup() | Table()), (Lookup() | Table())) if then.default == other.default:
            try:
                one, two = (compared(each) if isinstance(each, Table) else each for each in (then, other))
            except NotRead as problem:
                raise CannotMerge(problem.what) from None
            return _lookups(condition, one, two)
        case KeySet(present=names), ItemSet() if not names:
            return merged(condition, ItemSet(()), other)
        case ItemSet(), KeySet(present=names) if not names:
            return merged(condition, then, ItemSet(()))
        case KeySet(present=a), KeySet(present=b):
            keys = dict.fromkeys((*a, *b))
            return KeySet({key: decided(condition, a.get(key, FALSE), b.get(key, FALSE)) for key in keys})
        case Queue(items=a), Queue(items=b):
            return Queue(_guarded(condition, a, b))
        case ItemSet(items=a), ItemSet(items=b):
            here = [(both(condition, guard), item) for guard, item in a]
            return ItemSet((*here, *((both(negated(condition), guard), item) for guard, item in b)))
        case NoneValue(), NoneValue():
            return then
        case (Maybe() | NoneValue(), _) | (_, Maybe() | NoneValue()):
            return _maybe(condition, then, other)
        case Thing(name=name), Thing(name=its) if name == its and (then == other or name in _HOLDING):
            return Thing(name, _inside(condition, then.of, other.of))
        case OneOf(), OneOf() if then == other:
            choices = zip(then.choices, other.choices, strict=True)
            return one_of((decided(condition, here, there), ref) for (here, ref), (there, _) in choices)
        case Growing(items=a), Growing(items=b) if len(a) == len(b):
            return Growing(tuple(merged(condition, x, y) for x, y in zip(a, b, strict=True)))
        case ((Text() | Ref() | Members() | LoopList()), _) if (
            then == other
        ):  # of which a path knows no more than another
            return then
        case _:
            if then is other:
                return then
            raise CannotMerge(f"{type(then).__name__} and {type(other).__name__}")


def _inside(condition: Condition, then: Any, other: Any) -> Any:
    """What a function or the like holds, such as the arguments that it was given in advance. Raises ``CannotMerge``."""
    if isinstance(then, tuple) and isinstance(other, tuple) and len(then) == len(other):
        return tuple(_inside(condition, a, b) for a, b in zip(then, other, strict=True))
    if isinstance(then, Value) and isinstance(other, Value):
        return merged(condition, then, other)
    if then != other:
        raise CannotMerge(f"{then} and {other}")
    return then


def _numbers(condition: Condition, then: Value, other: Value) -> Value | None:
    """Of two numbers, or truths, of one kind; None for anything else."""
    match then, other:
        case Int(term=a), Int(term=b):
            return Int(remainders.chosen(condition, a, b))
        case Bool(condition=a), Bool(condition=b):
            return Bool(decided(condition, a, b))
        case Dec(), Dec():
            places = max(then.places, other.places)
            written = then.written and other.written and then.places == other.places
            return Dec(choose(condition, scaled(then, places), scaled(other, places)), places, written)
        case ((Dec() | Extended()), (Dec() | Extended())):
            return _extended(condition, then, other)
        case Float(), Float():
            return _floats(condition, then, other)
        case Ratio(), Ratio():
            if then.den == other.den:
                return Ratio(choose(condition, then.num, other.num), choose(condition, then.den, other.den))
            one, two = then.den.constant, other.den.constant
            if one is not None and two is not None:
                whole = lcm(one, two)
                num = choose(condition, then.num * number(whole // one), other.num * number(whole // two))
                return Ratio(num, number(whole))
            num = choose(condition, then.num * other.den, other.num * then.den)
            return Ratio(num, then.den * other.den)
        case Quotient(), Quotient():
            return Quotient(
                choose(condition, then.num, other.num),
                choose(condition, then.den, other.den),
                max(then.roundings, other.roundings),
                max(then.largest, other.largest),
                then.residues if then.residues == other.residues else None,
                max(then.places, other.places),
            )
        case (Real(), (Real() | Int() | Ratio() | Float() | Dec())) | ((Int() | Ratio() | Float() | Dec()), Real()):
            return _reals(condition, then, other)
        case _:
            return None


def _extended(condition: Condition, then: Dec | Extended, other: Dec | Extended) -> Dec | Extended:
    a, b = (each if isinstance(each, Extended) else Extended(each, FALSE, FALSE) for each in (then, other))
    value = merged(condition, a.value, b.value)
    assert isinstance(value, Dec)
    low, high = decided(condition, a.low, b.low), decided(condition, a.high, b.high)
    return value if low == high == FALSE else Extended(value, low, high)


def _reals(condition: Condition, then: Value, other: Value) -> Real:
    kinds = {real_kind(each) for each in (then, other)}
    if kinds == {"", "int"}:
        kinds = {"int"} if all(isinstance(each, (Real, Int)) for each in (then, other)) else {""}
    if len(kinds) > 1:
        raise CannotMerge(f"{type(then).__name__} and {type(other).__name__}")
    if then is other and isinstance(then, Real):
        return then
    return Real(kinds.pop(), "if", (then, other), condition)  # equal ones too: each knows the bounds of its path


def _floats(condition: Condition, then: Float, other: Float) -> Float:
    """Of two scales the finer. What is beyond the finite ones of one must be beyond those of the other too."""
    scale = max(then.scale, other.scale)
    one, two = 2 ** (scale - then.scale), 2 ** (scale - other.scale)
    lows = {side.low * by for side, by in ((then, one), (other, two)) if side.low is not None}
    highs = {side.high * by for side, by in ((then, one), (other, two)) if side.high is not None}
    low, high = next(iter(lows), None), next(iter(highs), None)
    a, b = then.num * number(one), other.num * number(two)
    inside = all(
        _above(num, low if side.low is None else None)
        and _above(-num, None if high is None or side.high is not None else -high)
        for num, side in ((a, then), (b, other))
    )
    if len(lows) > 1 or len(highs) > 1 or not inside:
        raise CannotMerge("floats that may be infinite")
    return Float(choose(condition, a, b), scale, decided(condition, then.nan, other.nan), low, high)


def _above(num: Term, low: int | None) -> bool:
    return low is None or (num.low is not None and num.low >= low)


def texts_of(value: Text | Member) -> tuple[str, ...]:
    """The texts that a value may be."""
    return (value.value,) if isinstance(value, Text) else value.names


def _place_in(value: Text | Member, names: tuple[str, ...]) -> Term:
    """The place of a text among some texts."""
    if isinstance(value, Text):
        return number(names.index(value.value))
    place = number(names.index(value.names[-1]))
    for i, name in reversed(list(enumerate(value.names[:-1]))):
        place = choose(equal(value.index, number(i)), number(names.index(name)), place)
    return place


def _maybe(condition: Condition, then: Value, other: Value) -> Value:
    a, b = (value if isinstance(value, Maybe) else None for value in (then, other))
    missing = decided(condition, _missing(then), _missing(other))
    if isinstance(then, NoneValue):
        return Maybe(missing, b.value if b else other)
    if isinstance(other, NoneValue):
        return Maybe(missing, a.value if a else then)
    return Maybe(missing, merged(condition, a.value if a else then, b.value if b else other))


def _missing(value: Value) -> Condition:
    if isinstance(value, Maybe):
        return value.missing
    return TRUE if isinstance(value, NoneValue) else FALSE


def guards_of(value: Sequence | Guarded) -> tuple[tuple[Condition, Value], ...]:
    """The items, each with the condition under which it is there."""
    return value.items if isinstance(value, Guarded) else tuple((TRUE, item) for item in value.items)


def _lists(condition: Condition, then: Sequence | Guarded, other: Sequence | Guarded) -> Value:
    """Item by item; what the longer list has more is there on its side only."""
    return Guarded(_guarded(condition, guards_of(then), guards_of(other)), then.is_list)


def _guarded(
    condition: Condition, a: tuple[tuple[Condition, Value], ...], b: tuple[tuple[Condition, Value], ...]
) -> tuple[tuple[Condition, Value], ...]:
    shared = min(len(a), len(b))
    items = [
        (decided(condition, g, h), merged(condition, x, y))
        for (g, x), (h, y) in zip(a[:shared], b[:shared], strict=True)
    ]
    items += [(both(condition, g), x) for g, x in a[shared:]]
    items += [(both(negated(condition), h), y) for h, y in b[shared:]]
    return tuple(items)


def _tables(condition: Condition, then: Table, other: Table) -> Value:
    entries: dict[object, Value] = {}
    present: dict[object, Condition] = {}
    for key in dict.fromkeys((*then.entries, *other.entries)):
        here = decided(condition, presence(then, key), presence(other, key))
        if key in then.entries and key in other.entries:
            entries[key] = merged(condition, then.entries[key], other.entries[key])
        else:
            entries[key] = then.entries[key] if key in then.entries else other.entries[key]
        if here != TRUE:
            present[key] = here
    alike = list(then.entries) == list(other.entries) and not present
    return Table(entries, present, alike and then.in_order and other.in_order, then.default, then.own & other.own)


def _lookups(condition: Condition, then: Lookup, other: Lookup) -> Lookup:
    """Entry by entry; what one has more stands behind, there on its side only."""
    a, b = then.entries, other.entries
    shared = 0
    while shared < min(len(a), len(b)) and a[shared][1] == b[shared][1]:
        shared += 1
    entries = [
        (decided(condition, p, q), merged(condition, key, its), merged(condition, x, y))
        for (p, key, x), (q, its, y) in zip(a[:shared], b[:shared], strict=True)
    ]
    entries += [(both(condition, there), key, value) for there, key, value in a[shared:]]
    entries += [(both(negated(condition), there), key, value) for there, key, value in b[shared:]]
    return Lookup(tuple(entries), then.in_order and other.in_order, then.default)


def presence(table: Table, key: object) -> Condition:
    """The condition under which a dict has a key."""
    return table.present.get(key, TRUE) if key in table.entries else FALSE


def key_value(key: object, line: int | None = None) -> Value:
    """The value of a key of a dict or set."""
    if isinstance(key, str):
        return Text(key)
    if isinstance(key, int) and not isinstance(key, bool):
        return Int(number(key))
    raise NotRead("a key that is neither a text nor a number", line)


def compared(content: Table) -> Lookup:
    """A dict whose keys are compared from now on. Raises ``NotRead``."""
    entries = ((presence(content, key), key_value(key), value) for key, value in content.entries.items())
    return Lookup(tuple(entries), content.in_order, content.default)


def _parts(day: Day) -> tuple[Term, Term, Term, Term]:
    return day.ordinal, day.year, day.month, day.day
