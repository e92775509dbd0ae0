"""The closed codec between host and jail: tagged JSON, exact types only, no pickle, no subclass.

None, bool, str and integers below 2**63 are themselves; every other value is an array that begins with its tag:

    ["i", hex]  ["f", float.hex]  ["b", base64]  ["D", decimal]  ["F", numerator, denominator]
    ["d", y, m, d]  ["t", h, m, s, us, fold, tz]  ["dt", y, m, d, h, m, s, us, fold, tz]  ["td", days, s, us]
    ["T", ...]  ["L", ...]  ["S", ...]  ["Z", ...] (tuple, list, set, frozenset)  ["M", k, v, ...] (dict)
    ["E", class, member]  ["I", class, kind, field, value, ...] (declared by the program)
    ["N", dtype, value]  (a scalar of numpy, where the profile has it)

The encoding is canonical (sets are sorted by their elements' encoding), so equal bytes mean equal values. The decoder
is meant for hostile bytes: it bounds length, item count, digits, exponents and depth before it builds a number or a
container, and it does no arithmetic on what it reads, but for one bounded gcd per Fraction. JSON objects, JSON floats
and the literals NaN and Infinity are never legal. Both sides use "surrogatepass" without JSON escapes, so that lone
surrogates survive.
"""

from __future__ import annotations

import binascii
import builtins
import json.encoder
import json.scanner
import re
import struct
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Protocol

# Ours alone: a program that patches the builtins does not patch them for these functions.
__builtins__ = {**vars(builtins)}  # type: ignore[assignment]  # a module by convention, a dict by the data model

MAX_DEPTH = 64
MAX_ITEMS = 500_000
MAX_DIGITS = 100_000
MAX_EXPONENT = 100_000
MAX_INT_BITS = 332_193  # 100,000 decimal digits
MAX_FRACTION_BITS = 65_536

# A tree is what the json module reads and writes; it has no static type that helps.
Tree = Any


class Unfit(Exception):
    """The value is outside the closed set; the message says which part of it and why."""


class TooLarge(Exception):
    """The value is of the closed set, but has more items than a frame may carry."""


class Malformed(Exception):
    """The bytes are not an encoding of a value."""


class Declared(Protocol):
    """Values of classes that the program declares: the jail has the classes, the host only their names."""

    def encode(self, value: object, encoder: Encoder, depth: int) -> Tree:
        """Returns the tagged array for `value`, or raises `Unfit`."""

    def enum_member(self, class_name: str, name: str) -> object:
        """Returns the member, or raises `Malformed`."""

    def instance(self, class_name: str, kind: str, fields: tuple[tuple[str, object], ...]) -> object:
        """Returns the instance, or raises `Malformed`."""

    def numpy_scalar(self, dtype: str, value: Any) -> object:
        """Returns the scalar, or raises `Malformed`."""


def _unknown(value: object) -> Tree:
    raise TypeError(f"a value of type {type(value).__name__} is no part of a tree")


# The C functions themselves: the classes of json are Python, and a program that may import json may change them.
_chunks: Callable[[Tree, int], tuple[str, ...]] = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, _unknown, json.encoder.encode_basestring, None, ":", ",", False, False, False
)


def _dumps(tree: Tree) -> str:
    return "".join(_chunks(tree, 0))


SCALARS = frozenset({type(None), bool, int, float, str, bytes, Decimal, date, time, datetime, timedelta})
"""Types whose values cannot change, whoever tries; the parts of a Fraction can."""

_PLAIN = frozenset({str, bool, type(None)})
_SMALL = 2**63


def to_bytes(tree: Tree) -> bytes:
    """Returns the body of a frame for a tree."""
    return _dumps(tree).encode("utf-8", "surrogatepass")


class Encoder:
    """Turns values into trees; one encoder per frame, because it counts the items of the whole frame."""

    __slots__ = ("declared", "items")

    def __init__(self, declared: Declared) -> None:
        self.declared = declared
        self.items = 0

    def tree(self, value: object, depth: int = 0) -> Tree:
        """Returns the tree of `value`; raises `Unfit` or `TooLarge`."""
        kind = type(value)
        if kind is str or kind is bool or value is None:
            return value
        if kind is int:
            return _int_tree(value)  # type: ignore[arg-type]  # exact type just checked
        encode = _ENCODERS.get(kind)
        if encode is None:
            return self.declared.encode(value, self, depth)
        return encode(value, self, depth)

    def enter(self, count: int, depth: int) -> None:
        """Counts a container of `count` items at `depth`."""
        if depth >= MAX_DEPTH:
            raise Unfit(f"nested deeper than {MAX_DEPTH} levels, or contains itself")
        self.items += count
        if self.items > MAX_ITEMS:
            raise TooLarge(f"more than {MAX_ITEMS:,} items")

    def sequence(self, tag: str, value: Any, depth: int) -> Tree:
        """Returns the tree of a list, tuple, or fields; a long run of plain values costs no Python call each."""
        self.enter(len(value), depth)
        kinds = set(map(type, value))
        if kinds <= _PLAIN or (kinds == {int} and min(value) > -_SMALL and max(value) < _SMALL):
            return [tag, *value]
        tree = self.tree
        return [tag, *[tree(item, depth + 1) for item in value]]


def _int_tree(value: int) -> Tree:
    if -_SMALL < value < _SMALL:
        return value
    if value.bit_length() > MAX_INT_BITS:
        raise Unfit(f"an int of more than {MAX_DIGITS:,} digits")
    return ["i", hex(value)]


def _decimal_tree(value: Decimal, _encoder: Encoder, _depth: int) -> Tree:
    text = str(value).replace("e", "E")  # the context of the program decides which of the two it is
    if len(text) > MAX_DIGITS:
        raise Unfit(f"a Decimal of more than {MAX_DIGITS:,} digits")
    if "E" in text:
        match = _DECIMAL.fullmatch(text)
        if match is None or abs(int(match[1])) > MAX_EXPONENT:
            raise Unfit(f"a Decimal with an exponent beyond ±{MAX_EXPONENT:,}")
    return ["D", text]


_numerator_of: Callable[[Fraction], object] = vars(Fraction)["_numerator"].__get__
_denominator_of: Callable[[Fraction], object] = vars(Fraction)["_denominator"].__get__
"""Past what a program may have put in place of the properties of Fraction."""


def _fraction_tree(value: Fraction, _encoder: Encoder, _depth: int) -> Tree:
    numerator, denominator = _numerator_of(value), _denominator_of(value)
    if type(numerator) is not int or type(denominator) is not int:
        raise Unfit("a Fraction whose terms are no integers")
    if max(numerator.bit_length(), denominator.bit_length()) > MAX_FRACTION_BITS:
        raise Unfit(f"a Fraction with a term of more than {MAX_FRACTION_BITS:,} bits")
    return ["F", _int_tree(numerator), _int_tree(denominator)]


def _zone_tree(zone: tzinfo | None) -> Tree:
    if zone is None:
        return None
    arguments: tuple[Any, ...] = zone.__getinitargs__() if type(zone) is timezone else ()  # type: ignore[attr-defined]  # its pickle hook
    if len(arguments) != 1:
        raise Unfit(f"a time zone of type {type(zone).__name__}; only fixed offsets without a name can be passed")
    offset: timedelta = arguments[0]
    return offset // timedelta(microseconds=1)


def _time_tree(value: time, _encoder: Encoder, _depth: int) -> Tree:
    return [
        "t", value.hour, value.minute, value.second, value.microsecond, value.fold, _zone_tree(value.tzinfo),
    ]  # fmt: skip


def _datetime_tree(value: datetime, _encoder: Encoder, _depth: int) -> Tree:
    return [
        "dt", value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond,
        value.fold, _zone_tree(value.tzinfo),
    ]  # fmt: skip


def _set_tree(tag: str, value: Any, encoder: Encoder, depth: int) -> Tree:
    encoder.enter(len(value), depth)
    kinds = set(map(type, value))
    if kinds == {str} or (kinds == {int} and min(value) > -_SMALL and max(value) < _SMALL):
        return [tag, *sorted(value)]
    trees = [encoder.tree(item, depth + 1) for item in value]
    by_text = {_dumps(tree): tree for tree in trees}
    if len(by_text) != len(trees):
        raise Unfit("a set whose elements differ only by identity")
    _require_hashable(trees)
    return [tag, *[by_text[text] for text in sorted(by_text)]]


def _dict_tree(value: dict[Any, Any], encoder: Encoder, depth: int) -> Tree:
    encoder.enter(2 * len(value), depth)
    tree = encoder.tree
    result: list[Tree] = ["M"]
    for key, item in value.items():
        result.append(tree(key, depth + 1))
        result.append(tree(item, depth + 1))
    keys = [key for key in result[1::2] if type(key) is list]
    if keys:
        _require_hashable(keys)
        if len({_dumps(key) for key in keys}) != len(keys):
            raise Unfit("a dict whose keys differ only by identity")
    return result


def _require_hashable(trees: list[Tree]) -> None:
    """The host could not build a set or dict from instances that hold lists, whatever hash they have in the jail."""
    for tree in trees:
        if type(tree) is list:
            if tree[0] in ("L", "S", "M"):
                raise Unfit("a set element or dict key that contains a mutable value")
            if tree[0] in ("T", "Z", "I"):
                _require_hashable(tree[1:])


_ENCODERS: dict[type, Callable[[Any, Encoder, int], Tree]] = {
    float: lambda value, _encoder, _depth: ["f", value.hex()],
    bytes: lambda value, _encoder, _depth: ["b", binascii.b2a_base64(value, newline=False).decode("ascii")],
    Decimal: _decimal_tree,
    Fraction: _fraction_tree,
    date: lambda value, _encoder, _depth: ["d", value.year, value.month, value.day],
    time: _time_tree,
    datetime: _datetime_tree,
    timedelta: lambda value, _encoder, _depth: ["td", value.days, value.seconds, value.microseconds],
    tuple: lambda value, encoder, depth: encoder.sequence("T", value, depth),
    list: lambda value, encoder, depth: encoder.sequence("L", value, depth),
    set: lambda value, encoder, depth: _set_tree("S", value, encoder, depth),
    frozenset: lambda value, encoder, depth: _set_tree("Z", value, encoder, depth),
    dict: _dict_tree,
}


# -- decoding ---------------------------------------------------------------------------------------------------------


def _bounded_int(text: str) -> int:
    if len(text) > 20:
        raise Malformed("an integer of more than 19 digits outside its tag")
    return int(text)


def _illegal(_text: object) -> object:
    raise Malformed("a JSON object, float or constant, which the codec never writes")


class _Strict:
    """What the C scanner of json reads its settings from, once."""

    strict = True
    memo: ClassVar[dict[str, str]] = {}
    object_hook = None
    object_pairs_hook = parse_float = parse_constant = staticmethod(_illegal)
    parse_int = staticmethod(_bounded_int)


_scan: Callable[[str, int], tuple[Tree, int]] = json.scanner.c_make_scanner(_Strict())  # type: ignore[attr-defined]


def _decode_json(text: str) -> Tree:
    try:
        tree, end = _scan(text, 0)
    except StopIteration as stopped:
        raise Malformed(f"nothing to read at {stopped.value}") from None
    if end != len(text):
        raise Malformed("something behind the value")
    return tree


_DECIMAL = re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?(?:E([+-][0-9]{1,7}))?|Infinity|s?NaN[0-9]*)")
_FLOAT = re.compile(r"-?(?:0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}|inf)|nan")
_HEX = re.compile(r"-?0x[0-9a-f]+")


def parse(body: bytes) -> Tree:
    """Returns the tree that `body` holds; raises `Malformed`. Count and depth are bounded by the bytes themselves."""
    if body.count(b",") > MAX_ITEMS + OVERHEAD_ITEMS:
        raise Malformed("too many items")
    try:
        return _decode_json(body.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise Malformed(f"not the codec's JSON: {error}") from None


OVERHEAD_ITEMS = 4 * MAX_ITEMS
"""Commas allowed beyond the items counted by the encoder: tags, the parts of dates, commas inside strings."""


class Decoder:
    """Turns trees into values, through `declared` for those of the program's own classes."""

    __slots__ = ("declared", "saw_declared")

    def __init__(self, declared: Declared) -> None:
        self.declared = declared
        self.saw_declared = False

    def value(self, tree: Tree, depth: int = 0) -> Any:
        """Returns the value of `tree`; raises `Malformed`."""
        if type(tree) is not list:
            return tree
        if not tree or type(tree[0]) is not str:
            raise Malformed("an array without a tag")
        decode = _DECODERS.get(tree[0])
        if decode is None:
            raise Malformed("an unknown tag")
        if depth >= MAX_DEPTH and tree[0] in _CONTAINERS:
            raise Malformed("nested too deep")
        try:
            return decode(tree, self, depth)
        except (ValueError, TypeError, OverflowError) as error:
            raise Malformed(f"not a value: {error}") from None

    def items(self, tree: Tree, depth: int) -> list[Any]:
        """Returns the values of a container's items."""
        if list not in set(map(type, tree)):
            return tree[1:]  # type: ignore[no-any-return]  # a list of plain values
        value = self.value
        return [value(item, depth + 1) for item in tree[1:]]


def _text(tree: Tree, length: int = 2, at: int = 1) -> str:
    if len(tree) != length or type(tree[at]) is not str:
        raise Malformed(f"wrong arity or type after the tag {tree[0]!r}")
    return tree[at]  # type: ignore[no-any-return]  # just checked


def _ints(tree: Tree, length: int, at: int = 1) -> list[int]:
    if len(tree) != length or set(map(type, tree[at:])) != {int}:
        raise Malformed(f"wrong arity or type after the tag {tree[0]!r}")
    return tree[at:]  # type: ignore[no-any-return]  # just checked


def _big_int(tree: Tree, _decoder: Decoder, _depth: int) -> int:
    text = _text(tree)
    if len(text) > MAX_INT_BITS // 4 + 4 or _HEX.fullmatch(text) is None:
        raise Malformed("not a bounded integer")
    value = int(text, 16)
    if -_SMALL < value < _SMALL:
        raise Malformed("a small integer under the tag of a large one")
    return value


def _float(tree: Tree, _decoder: Decoder, _depth: int) -> float:
    text = _text(tree)
    if _FLOAT.fullmatch(text) is None:
        raise Malformed("not a float")
    return float.fromhex(text)


def _bytes(tree: Tree, _decoder: Decoder, _depth: int) -> bytes:
    return binascii.a2b_base64(_text(tree), strict_mode=True)


def _decimal(tree: Tree, _decoder: Decoder, _depth: int) -> Decimal:
    text = _text(tree)
    match = _DECIMAL.fullmatch(text) if len(text) <= MAX_DIGITS else None
    if match is None or (match[1] and abs(int(match[1])) > MAX_EXPONENT):
        raise Malformed("not a bounded Decimal")
    return Decimal(text)


def _fraction(tree: Tree, decoder: Decoder, depth: int) -> Fraction:
    terms = [decoder.value(term, depth) for term in tree[1:3]]
    if len(tree) != 3 or set(map(type, terms)) != {int}:
        raise Malformed("not a Fraction")
    numerator, denominator = terms
    if denominator <= 0 or max(numerator.bit_length(), denominator.bit_length()) > MAX_FRACTION_BITS:
        raise Malformed("a Fraction out of bounds")
    value = Fraction(numerator, denominator)
    if value.denominator != denominator:
        raise Malformed("a Fraction that is not in lowest terms")
    return value


def _zone(tree: Tree) -> timezone | None:
    if tree is None:
        return None
    if type(tree) is not int:
        raise Malformed("not a time zone")
    return timezone(timedelta(microseconds=tree))


def _date(tree: Tree, _decoder: Decoder, _depth: int) -> date:
    return date(*_ints(tree, 4))


def _time(tree: Tree, _decoder: Decoder, _depth: int) -> time:
    if len(tree) != 7:
        raise Malformed("not a time")
    hour, minute, second, microsecond, fold = _ints(tree[:6], 6)
    return time(hour, minute, second, microsecond, _zone(tree[6]), fold=fold)


def _datetime(tree: Tree, _decoder: Decoder, _depth: int) -> datetime:
    if len(tree) != 10:
        raise Malformed("not a datetime")
    *fields, fold = _ints(tree[:9], 9)
    return datetime(*fields, _zone(tree[9]), fold=fold)  # type: ignore[arg-type, misc]  # seven integers


def _timedelta(tree: Tree, _decoder: Decoder, _depth: int) -> timedelta:
    days, seconds, microseconds = _ints(tree, 4)
    if not (abs(days) <= 999_999_999 and 0 <= seconds < 86_400 and 0 <= microseconds < 1_000_000):
        raise Malformed("not a timedelta")
    return timedelta(days, seconds, microseconds)


def _set(tree: Tree, decoder: Decoder, depth: int) -> set[Any]:
    items = decoder.items(tree, depth)
    value = set(items)
    if len(value) != len(items):
        raise Malformed("a set with equal elements")
    return value


def _dict(tree: Tree, decoder: Decoder, depth: int) -> dict[Any, Any]:
    items = decoder.items(tree, depth)
    if len(items) % 2:
        raise Malformed("a key without a value")
    value = dict(zip(items[::2], items[1::2], strict=True))
    if len(value) * 2 != len(items):
        raise Malformed("a dict with equal keys")
    return value


def _enum_member(tree: Tree, decoder: Decoder, _depth: int) -> object:
    decoder.saw_declared = True
    return decoder.declared.enum_member(_text(tree, 3, 1), _text(tree, 3, 2))


def _instance(tree: Tree, decoder: Decoder, depth: int) -> object:
    decoder.saw_declared = True
    if len(tree) < 3:
        raise Malformed("not an instance")
    class_name, kind = _text(tree, len(tree), 1), _text(tree, len(tree), 2)
    names = tree[3::2]
    if kind not in ("dataclass", "namedtuple") or len(tree) % 2 == 0 or not set(map(type, names)) <= {str}:
        raise Malformed("not an instance")
    if len(set(names)) != len(names):
        raise Malformed("an instance with equal field names")
    values = [decoder.value(item, depth + 1) for item in tree[4::2]]
    return decoder.declared.instance(class_name, kind, tuple(zip(names, values, strict=True)))


def _float_fits(code: str) -> Callable[[object], bool]:
    def fits(value: object) -> bool:
        if type(value) is not float:
            return False
        return value != value or struct.unpack(code, struct.pack(code, value))[0] == value  # or NaN

    return fits


def _int_fits(bits: int, signed: bool) -> Callable[[object], bool]:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if signed else (0, 2**bits)
    return lambda value: type(value) is int and low <= value < high


NUMPY_NUMBERS: dict[str, Callable[[object], bool]] = {
    "bool": lambda value: type(value) is bool,
    **{f"int{bits}": _int_fits(bits, True) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": _int_fits(bits, False) for bits in (8, 16, 32, 64)},
    **{f"float{size * 8}": _float_fits(code) for size, code in ((2, "<e"), (4, "<f"), (8, "<d"))},
}
"""Types of numpy's numbers, and whether a plain value is one of theirs."""

_NUMPY_TIMES = re.compile(r"(?:datetime64|timedelta64)(?:\[(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?")


def check_numpy(dtype: str, value: object) -> None:
    """Raises `Malformed` or OverflowError unless numpy's `dtype` can hold exactly `value`; times are counts."""
    if dtype in ("str", "bytes"):
        fits = type(value) is (str if dtype == "str" else bytes)
    elif dtype in NUMPY_NUMBERS:
        fits = NUMPY_NUMBERS[dtype](value)
    else:
        fits = _NUMPY_TIMES.fullmatch(dtype) is not None and NUMPY_NUMBERS["int64"](value)
    if not fits:
        raise Malformed("not a scalar of numpy")


def _numpy_scalar(tree: Tree, decoder: Decoder, depth: int) -> object:
    decoder.saw_declared = True
    dtype = _text(tree, 3)
    if type(tree[2]) is list and tree[2][:1] not in (["i"], ["f"], ["b"]):
        raise Malformed("not a scalar of numpy")
    value = decoder.value(tree[2], depth)
    check_numpy(dtype, value)
    return decoder.declared.numpy_scalar(dtype, value)


_CONTAINERS = frozenset("TLSZMI")
_DECODERS: dict[str, Callable[[Tree, Decoder, int], object]] = {
    "i": _big_int,
    "f": _float,
    "b": _bytes,
    "D": _decimal,
    "F": _fraction,
    "d": _date,
    "t": _time,
    "dt": _datetime,
    "td": _timedelta,
    "T": lambda tree, decoder, depth: tuple(decoder.items(tree, depth)),
    "L": lambda tree, decoder, depth: decoder.items(tree, depth),
    "S": _set,
    "Z": lambda tree, decoder, depth: frozenset(_set(tree, decoder, depth)),
    "M": _dict,
    "E": _enum_member,
    "I": _instance,
    "N": _numpy_scalar,
}
