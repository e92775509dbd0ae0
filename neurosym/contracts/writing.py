"""A spec's TOML from what was read: types with their ranges, the conditions as requires and ensures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal
from fractions import Fraction

from neurosym.contracts.assumed import LARGEST_DENOMINATOR
from neurosym.contracts.kinds import Kind

_LONGEST_ID = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause to be written: ``table`` is ``require``, ``reject`` or ``ensure``, ``text`` its expression."""

    table: str
    id: str
    text: str
    source: str
    line: int
    raises: str = ""


def spec_toml(
    *,
    name: str,
    about: str,
    inputs: Mapping[str, tuple[Kind, str]],
    output: Kind,
    clauses: Iterable[Clause],
    remarks: Sequence[str],
) -> str:
    """The text of a spec. ``inputs``: by name the kind and what of it is assumed; ``remarks`` are written on top."""
    lines = [*(f"# {_remark(each)}" for each in remarks), *([""] if remarks else [])]
    lines += ["spec = 1", f"name = {quoted(name)}", f"problem = {quoted(about)}"]
    for kind in _enums([*(kind for kind, _ in inputs.values()), output]):
        lines += ["", f"[types.{kind.name}]", 'type = "enum"', f"class = {quoted(kind.name)}"]
        lines += [f"choices = [{', '.join(quoted(member) for member, _ in kind.members)}]"]
        values = ", ".join(f"{member} = {_plain(value)}" for member, value in kind.members)
        lines += [f"values = {{ {values} }}"]
    lines += ["", "[inputs]"]
    for input_name, (kind, assumed) in inputs.items():
        lines.append(f"{input_name} = {_table(_type(kind, text=f'assumed: {assumed}' if assumed else ''))}")
    lines += ["", "[output]", *(f"{key} = {value}" for key, value in _result_type(output).items())]
    for clause in clauses:
        key = "when" if clause.table == "reject" else "that"
        lines += ["", f"[[{clause.table}]]", f"id = {quoted(clause.id)}", f"source = {quoted(clause.source)}"]
        lines += [f"{key} = {quoted(clause.text)}"]
        lines += [f"raises = {quoted(clause.raises)}"] if clause.raises else []
    lines += ["", "[policy]", 'float = "allow"']
    return "\n".join(lines) + "\n"


def unique_id(text: str, taken: set[str]) -> str:
    """An id for a clause that no other has, printable and not too long."""
    base = "".join(char if char.isprintable() else " " for char in text).strip()[:_LONGEST_ID] or "contract"
    made, count = base, 1
    while made in taken:
        count += 1
        made = f"{base} ({count})"
    taken.add(made)
    return made


def quoted(text: str) -> str:
    """A basic string of TOML, in ASCII."""
    return '"' + "".join(_character(char) for char in text) + '"'


def _character(char: str) -> str:
    code = ord(char)
    if char in '"\\':
        return "\\" + char
    if 32 <= code < 127:
        return char
    if 0xD800 <= code <= 0xDFFF:
        return "?"  # no text of TOML has a lone surrogate
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _remark(text: str) -> str:
    return "".join(char if 32 <= ord(char) < 127 else "?" for char in text)


def _plain(value: int | str) -> str:
    return quoted(value) if isinstance(value, str) else str(value)


def _enums(kinds: Iterable[Kind]) -> Iterator[Kind]:
    seen: set[str] = set()
    todo = [*kinds]
    while todo:
        kind = todo.pop(0)
        if kind.word == "enum" and kind.name not in seen:
            seen.add(kind.name)
            yield kind
        todo += [*([kind.item] if kind.item else []), *kind.items]


def _table(keys: Mapping[str, str]) -> str:
    return "{ " + ", ".join(f"{key} = {value}" for key, value in keys.items()) + " }"


def _type(kind: Kind, *, text: str = "") -> dict[str, str]:
    """The keys of an input's type."""
    keys = {"type": quoted(_word(kind)), **_inside(kind, _type)}
    if kind.choices:
        keys["choices"] = f"[{', '.join(map(_plain, kind.choices))}]"
    elif kind.low is not None or kind.high is not None:
        keys |= {key: value for key, value in (("min", _low(kind)), ("max", _high(kind))) if value}
    if kind.word == "decimal" and kind.places is not None:
        keys["places"] = quoted(f"0..{kind.places}")
    if kind.word == "fraction":
        keys["max_denominator"] = str(LARGEST_DENOMINATOR)
    if kind.max_len is not None and not kind.choices:
        keys["max_len"] = str(kind.max_len)
    if text:
        keys["text"] = quoted(text)
    return keys


def _result_type(kind: Kind) -> dict[str, str]:
    """The keys of the result's type: whatever the annotation admits."""
    keys = {"type": quoted(_word(kind)), **_inside(kind, _result_type)}
    if kind.choices:
        keys["choices"] = f"[{', '.join(map(_plain, kind.choices))}]"
    if kind.word == "float":
        keys |= {"nan": "true", "infinity": "true"}
    return keys


def _inside(kind: Kind, write: Callable[[Kind], dict[str, str]]) -> dict[str, str]:
    if kind.item is not None:
        return {"of": _table(write(kind.item))}
    if kind.items:
        return {"of": f"[{', '.join(_table(write(each)) for each in kind.items)}]"}
    return {}


def _word(kind: Kind) -> str:
    word = kind.name if kind.word == "enum" else kind.word
    if kind.word == "str" and kind.choices:
        word = "enum"
    return f"{word} | none" if kind.optional else word


def _low(kind: Kind) -> str:
    return "" if kind.low is None else _bound(kind, kind.low, math.ceil)


def _high(kind: Kind) -> str:
    return "" if kind.high is None else _bound(kind, kind.high, math.floor)


def _bound(kind: Kind, value: Fraction, to_whole: Callable[[Fraction], int]) -> str:
    match kind.word:
        case "int":
            return str(to_whole(value))
        case "date":
            return date.fromordinal(int(value)).isoformat()
        case "fraction":
            return quoted(str(value))
        case _:
            exact = Context(prec=400).divide(Decimal(value.numerator), Decimal(value.denominator))
            return quoted(f"{exact:f}")
