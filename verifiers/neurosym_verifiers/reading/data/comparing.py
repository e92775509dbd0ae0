"""Comparisons of symbolic values, as Python answers them. Lists, dicts and sets are given by their contents."""

from __future__ import annotations

import ast

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.dates import written
from neurosym_verifiers.reading.data.infinite import compare_extended
from neurosym_verifiers.reading.data.values import (
    COUNTER,
    Bool,
    Chars,
    DataMember,
    Day,
    Days,
    Dec,
    Extended,
    Float,
    Guarded,
    Int,
    ItemSet,
    KeySet,
    Lookup,
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
    Stream,
    Table,
    Text,
    Thing,
    Value,
    as_data,
)
from neurosym_verifiers.reading.execution.merging import compared, guards_of, presence
from neurosym_verifiers.reading.floats import arithmetic as floats
from neurosym_verifiers.reading.floats import reals
from neurosym_verifiers.reading.formulas.members import belongs, same_members
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, choose, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.texts.characters import cells_of, is_text, same_in_turn
from neurosym_verifiers.reading.texts.operators import contains_text, equal_texts, text_before

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def numeric(value: Value) -> bool:
    return isinstance(value, (Int, Bool, Dec, Float, Quotient, Ratio, Real))


def equality(a: Value, b: Value, line: int) -> Condition:
    """``a == b`` of what lies in something else, where Python takes one object for equal to itself without a look."""
    if any((isinstance(each, Float) and each.nan != FALSE) or isinstance(each, Real) for each in (a, b)):
        raise NotRead("a float in a list or the like that may be NaN", line)
    return compare(ast.Eq(), a, b, line)


def compare(op: ast.cmpop, a: Value, b: Value, line: int) -> Condition:
    """``a op b`` as Python answers it."""
    try:
        return _compare(op, a, b, line)
    except NotRead as not_read:
        raise type(not_read)(not_read.what, not_read.line or line) from None


def _compare(op: ast.cmpop, a: Value, b: Value, line: int) -> Condition:
    match op:
        case ast.In():
            return _contains(a, b, line)
        case ast.NotIn():
            return negated(_contains(a, b, line))
        case ast.Is() | ast.IsNot():
            same = _identical(a, b, line)
            return same if isinstance(op, ast.Is) else negated(same)
        case _:
            name = _COMPARISONS[type(op)]
    a, b = as_data(a), as_data(b)
    if name == "!=":
        return negated(_compare(ast.Eq(), a, b, line))
    if isinstance(a, Extended) or isinstance(b, Extended):
        return compare_extended(name, a, b, line)
    if numeric(a) and numeric(b):
        if reals.is_real(a, b):
            return reals.compared(name, a, b)
        if isinstance(a, Float) or isinstance(b, Float):
            return floats.compare(name, a, b)
        if (isinstance(a, Ratio) and isinstance(b, Dec)) or (isinstance(a, Dec) and isinstance(b, Ratio)):
            raise NotRead("a comparison of Decimal and Fraction", line)
        return numbers.compare(name, a, b)
    match a, b:
        case ((KeySet() | ItemSet()), (KeySet() | ItemSet())):
            return _compare_sets(name, a, b, line)
        case Day(), Day() if name == "==" and written(a) and written(b):
            return both(equal(a.year, b.year), equal(a.month, b.month), equal(a.day, b.day))
        case Day(), Day():
            return numbers.ordered(name, a.ordinal, b.ordinal)
        case Days(), Days():
            return numbers.ordered(name, a.count, b.count)
        case _ if name == "==":
            return _equal(a, b, line)
        case _:
            return _ordered(name, a, b, line)


def _equal(a: Value, b: Value, line: int) -> Condition:
    """Equality of values of which at least one is no number."""
    if isinstance(b, Member) and not isinstance(a, Member):
        a, b = b, a
    match a, b:
        case Member(), Member():
            if a.kind != b.kind:
                return FALSE if a.kind and b.kind else _differing_texts(a, b)
            if a.names == b.names:
                return equal(a.index, b.index)
            return _differing_texts(a, b)
        case Member(kind=""), Text(value=text):
            places = [equal(a.index, number(i)) for i, name in enumerate(a.names) if name == text]
            return either(*places) if places else FALSE
        case Text(value=one), Text(value=other):
            return TRUE if one == other else FALSE
        case (Chars(), _) | (_, Chars()) if is_text(a) and is_text(b):
            return equal_texts(a, b)
        case NoneValue(), NoneValue():
            return TRUE
        case (Maybe(), _) | (_, Maybe()):
            return _equal_maybe(a, b, line)
        case ((Sequence() | Guarded()), (Sequence() | Guarded())):
            return _equal_items(a, b, line) if a.is_list == b.is_list else FALSE
        case Members(), Members():
            return same_members(a, b)
        case Record(), Record() if a.kind == b.kind:
            return both(*(equality(x, y, line) for x, y in zip(a.compared, b.compared, strict=True)))
        case ((Table() | Lookup()), (Table() | Lookup())) if Lookup in (type(a), type(b)):
            return _equal_lookups(a, b, line)
        case Table(), Table() if COUNTER not in (a.default, b.default):
            return _equal_tables(a, b, line)
        case _:
            kinds = family_of(a), family_of(b)
            if all(kinds) and kinds[0] != kinds[1]:
                return FALSE
            raise NotRead(f"{type(a).__name__} == {type(b).__name__}", line)


def family_of(value: Value) -> str:
    """Values of different kinds are never equal; empty where that is not certain."""
    match value:
        case Member(kind=kind):
            return f"enum {kind}" if kind else "text"
        case Text() | Chars():
            return "text"
        case Sequence(is_list=is_list) | Guarded(is_list=is_list):
            return "list" if is_list else "tuple"
        case Day() | Days() | NoneValue():
            return type(value).__name__
        case _:
            return "number" if numeric(value) else ""


def _equivalent(p: Condition, q: Condition) -> Condition:
    return TRUE if p == q else either(both(p, q), both(negated(p), negated(q)))


def _equal_maybe(a: Value, b: Value, line: int) -> Condition:
    (no_a, x), (no_b, y) = _parts_of(a), _parts_of(b)
    alike = equality(x, y, line) if x is not None and y is not None else FALSE
    return either(both(no_a, no_b), both(negated(no_a), negated(no_b), alike))


def _parts_of(value: Value) -> tuple[Condition, Value | None]:
    if isinstance(value, Maybe):
        return value.missing, value.value
    return (TRUE, None) if isinstance(value, NoneValue) else (FALSE, value)


def _equal_items(a: Sequence | Guarded, b: Sequence | Guarded, line: int) -> Condition:
    """Item by item."""
    xs, ys = guards_of(a), guards_of(b)
    if xs == ys and all(equality(x, x, line) == TRUE for _, x in xs):
        return TRUE
    return same_in_turn(xs, ys, lambda x, y: equality(x, y, line))


def _equal_tables(a: Table, b: Table, line: int) -> Condition:
    parts: list[Condition] = []
    for key in dict.fromkeys((*a.entries, *b.entries)):
        p, q = presence(a, key), presence(b, key)
        parts.append(_equivalent(p, q))
        if key in a.entries and key in b.entries:
            parts.append(either(negated(p), equality(a.entries[key], b.entries[key], line)))
    return both(*parts)


def _equal_lookups(a: Table | Lookup, b: Table | Lookup, line: int) -> Condition:
    """As many keys, and each key of one is one of the other, with an equal value."""
    if COUNTER in (a.default, b.default):
        raise NotRead("a comparison with a Counter", line)
    one, other = entries_of(a), entries_of(b)
    parts = [equal(_how_many(one), _how_many(other))]
    for there, key, value in one:
        twins = (both(here, equality(key, its, line), equality(value, each, line)) for here, its, each in other)
        parts.append(either(negated(there), *twins))
    return both(*parts)


def entries_of(content: Table | Lookup) -> tuple[tuple[Condition, Value, Value], ...]:
    """The entries of a dict, each with the condition under which it is there. Raises ``NotRead``."""
    return (compared(content) if isinstance(content, Table) else content).entries


def _how_many(entries: tuple[tuple[Condition, Value, Value], ...]) -> Term:
    total = number(0)
    for there, _, _ in entries:
        total = total + choose(there, number(1), number(0))
    return total


def _ordered(name: str, a: Value, b: Value, line: int) -> Condition:
    """Order of texts and, from the left, of tuples and lists."""
    if name in (">", ">="):
        return _ordered("<" if name == ">" else "<=", b, a, line)
    if name == "<=":
        return negated(_ordered("<", b, a, line))
    match a, b:
        case ((Text() | Member(kind="")), (Text() | Member(kind=""))):
            pairs = [(p, q) for one, p in _texts(a) for other, q in _texts(b) if one < other]
            return either(*(both(p, q) for p, q in pairs))
        case Record(), Record() if a.kind == b.kind and a.ordered and b.ordered:
            return _ordered(name, Sequence(a.compared, False), Sequence(b.compared, False), line)
        case (Chars(), _) | (_, Chars()) if is_text(a) and is_text(b):
            return text_before(cells_of(a), cells_of(b))
        case Sequence(), Sequence() if a.is_list == b.is_list:
            answer: Condition = TRUE if len(a.items) < len(b.items) else FALSE
            for x, y in reversed(list(zip(a.items, b.items, strict=False))):
                answer = either(_compare(ast.Lt(), x, y, line), both(equality(x, y, line), answer))
            return answer
        case _:
            raise NotRead(f"{type(a).__name__} {name} {type(b).__name__}", line)


def _texts(value: Text | Member) -> list[tuple[str, Condition]]:
    """The texts that a value may be, each with its condition."""
    if isinstance(value, Text):
        return [(value.value, TRUE)]
    return [(name, equal(value.index, number(i))) for i, name in enumerate(value.names)]


def _differing_texts(a: Member, b: Member) -> Condition:
    if a.kind or b.kind:
        return FALSE
    pairs = [(i, j) for i, one in enumerate(a.names) for j, other in enumerate(b.names) if one == other]
    return either(*(both(equal(a.index, number(i)), equal(b.index, number(j))) for i, j in pairs))


def _compare_sets(name: str, a: KeySet | ItemSet, b: KeySet | ItemSet, line: int) -> Condition:
    """``a op b`` of sets: ``<`` asks whether all of one is in the other, which has more."""
    if name in (">", ">="):
        a, b = b, a
    if name == "==" and isinstance(a, KeySet) and isinstance(b, KeySet):
        keys = dict.fromkeys((*a.present, *b.present))
        return both(*(_equivalent(a.present.get(key, FALSE), b.present.get(key, FALSE)) for key in keys))
    within = subset(a, b, line)
    if name in ("<=", ">="):
        return within
    back = subset(b, a, line)
    return both(within, back if name == "==" else negated(back))


def subset(a: KeySet | ItemSet, b: KeySet | ItemSet, line: int) -> Condition:
    """Whether all of one set is in another."""
    if isinstance(a, KeySet) and isinstance(b, KeySet):
        return both(*(either(negated(here), b.present.get(key, FALSE)) for key, here in a.present.items()))
    if isinstance(a, KeySet):
        raise NotRead("a comparison of sets of several kinds", line)
    return both(*(either(negated(there), _contains(item, b, line)) for there, item in a.items))


def _identical(a: Value, b: Value, line: int) -> Condition:
    """``is`` for None, booleans and members of enums, which exist once."""
    if isinstance(a, NoneValue):
        a, b = b, a
    match a, b:
        case Maybe(missing=missing), NoneValue():
            return missing
        case _, NoneValue():
            return TRUE if isinstance(a, NoneValue) else FALSE
        case Member(kind=one), Member(kind=other) if one and one == other:
            return equal(a.index, b.index)
        case DataMember(), DataMember():
            return _identical(a.member, b.member, line)
        case Bool(condition=p), Bool(condition=q):
            return _equivalent(p, q)
        case _:
            raise NotRead(f"`is` of {type(a).__name__} and {type(b).__name__}", line)


def check_hashable(item: Value, line: int) -> None:
    """Raises ``NotRead`` for what a set or dict may refuse with a ``TypeError``."""
    match item:
        case Sequence(items=items, is_list=False):
            for each in items:
                check_hashable(each, line)
        case Sequence() | Guarded() | Queue() | Table() | Lookup() | KeySet() | ItemSet():
            raise NotRead(f"a {type(item).__name__} in a set", line)
        case Ref() | OneOf() | Record() | Stream():
            raise NotRead(f"a {type(item).__name__} in a set", line)
        case Maybe(value=of):
            check_hashable(of, line)
        case _:
            pass


def _contains(item: Value, container: Value, line: int) -> Condition:
    item = as_data(item)
    if isinstance(container, (Table, Lookup, KeySet, ItemSet)):
        check_hashable(item, line)
    match container:
        case Members():
            return belongs(item, container)
        case _ if is_text(container) and is_text(item):
            return contains_text(container, item)
        case Table() | KeySet() if isinstance(item, Chars):
            texts = [name for name in _names_in(container) if isinstance(name, str)]
            return either(*(both(_key_there(container, name), equal_texts(item, Text(name))) for name in texts))
        case Sequence() | Guarded() | Queue() | Stream() | ItemSet():
            guarded = guards_of(container) if isinstance(container, (Sequence, Guarded)) else container.items
            return either(*(both(there, equality(item, element, line)) for there, element in guarded))
        case Lookup(entries=entries):
            return either(*(both(there, equality(item, key, line)) for there, key, _ in entries))
        case Table() if isinstance(item, Int):
            names = [name for name in container.entries if type(name) is int]
            return either(*(both(presence(container, name), equal(item.term, number(name))) for name in names))
        case Table() if isinstance(item, (Text, Member)):
            return either(*(both(presence(container, text), here) for text, here in _keys(item)))
        case Table() | KeySet() if family_of(item) not in ("", "text") and not isinstance(item, Member):
            return FALSE if all(isinstance(key, str) for key in _names_in(container)) else _refused(container, line)
        case KeySet(present=present) if isinstance(item, (Text, Member)):
            return either(*(both(present.get(text, FALSE), here) for text, here in _keys(item)))
        case Thing(name="range", of=(Int(term=first), Int(term=stop), Int(term=step))) if isinstance(item, Int):
            if step.constant != 1:
                raise NotRead("`in` a range with a step", line)
            return both(at_most(first, item.term), below(item.term, stop))
        case _:
            raise NotRead(f"`in` a {type(container).__name__}", line)


def _key_there(container: Table | KeySet, name: str) -> Condition:
    return presence(container, name) if isinstance(container, Table) else container.present.get(name, FALSE)


def _names_in(container: Table | KeySet) -> list[object]:
    return list(container.entries if isinstance(container, Table) else container.present)


def _refused(container: Value, line: int) -> Condition:
    raise NotRead(f"`in` a {type(container).__name__}", line)


def _keys(item: Text | Member) -> list[tuple[object, Condition]]:
    return [(key_of(item, name), here) for name, here in _texts(item)]


def key_of(value: Text | Member, name: str) -> object:
    """What stands for a text, or for a member of an enum, as the key of a ``Table`` or ``KeySet``."""
    return (value.kind, name) if isinstance(value, Member) and value.kind else name


def keys_of(value: Value) -> list[tuple[object, Condition]]:
    """The keys that a value may be, each with its condition. Raises ``NotRead`` for what is no text or member."""
    if not isinstance(value, (Text, Member)):
        raise NotRead(f"a {type(value).__name__} as a key")
    return _keys(value)
