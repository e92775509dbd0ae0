"""Patterns as automata, against Python's own ``re``: random patterns, and texts with odd characters."""

from __future__ import annotations

import random
import re

import pytest
from neurosym_specs.types import StrType
from neurosym_verifiers.reading.data.values import Maybe, NoneValue, NotRead, Text
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE
from neurosym_verifiers.reading.inputs.texts import lengths_of
from neurosym_verifiers.reading.texts.automata import automaton_of
from neurosym_verifiers.reading.texts.characters import cells_of
from neurosym_verifiers.reading.texts.matching import groups_of, matches
from neurosym_verifiers.reading.texts.regular import REGULAR

ATOMS = ("a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", "[0-9]", r"[\d_]", r"[^\w-]", r"\.")
REPEATS = ("", "", "", "?", "*", "+", "{2}", "{1,3}", "{0,2}", "*?", "+?")
ODD = "ab1_-. \n\t\x1c\x85\u00aa\u00b2\u0663\uff12ß\u2028\U0001d7d8\x00"


def pattern(rng: random.Random, depth: int) -> str:
    """A random pattern, perhaps with groups."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(ATOMS) + rng.choice(REPEATS)
    inner = pattern(rng, depth - 1)
    match rng.randrange(5):
        case 0:
            return f"(?:{inner}|{pattern(rng, depth - 1)})" + rng.choice(REPEATS)
        case 1:
            return f"({inner})" + rng.choice(("", "?"))
        case 2:
            return f"(?a:{inner})"
        case _:
            return inner + pattern(rng, depth - 1)


def text(rng: random.Random) -> str:
    return "".join(rng.choice(ODD if rng.random() < 0.5 else "ab1 ") for _ in range(rng.randrange(6)))


def test_what_patterns_match_and_what_their_groups_hold() -> None:
    rng = random.Random(0)
    compared = with_groups = 0
    for _ in range(400):
        written = pattern(rng, 3)
        automaton = automaton_of(written)
        numbers = list(range(1, re.compile(written).groups + 1))
        for _ in range(12):
            subject = text(rng)
            found = re.fullmatch(written, subject)
            holds = matches(automaton.machine, cells_of(Text(subject)))
            assert holds == (TRUE if found else FALSE), (written, subject)
            compared += 1
            if found is None or not numbers:
                continue
            try:
                groups = groups_of(automaton, cells_of(Text(subject)), numbers)
            except NotRead:
                continue
            for number, group in zip(numbers, groups, strict=True):
                held = "".join(chr(code.constant or 0) for there, code in group.cells if there == TRUE)
                assert (None if group.missing == TRUE else held) == found.group(number), (written, subject)
                with_groups += 1
    assert compared >= 2500
    assert with_groups >= 80


@pytest.mark.parametrize("end", ["", "$", r"\Z"])
@pytest.mark.parametrize("begin", ["", "^"])
def test_matches_that_are_searched_for(begin: str, end: str) -> None:
    rng = random.Random(f"{begin}{end}")
    held = 0
    for _ in range(150):
        written = f"{begin}(?:{pattern(rng, 2)}){end}"
        for _ in range(12):
            subject = text(rng)
            for name in ("match", "search"):
                try:
                    found = REGULAR[f"re.{name}"]([Text(written), Text(subject)], {}, State({}), 1)
                except NotRead:
                    assert "(?a:" in written
                    continue
                truth = FALSE if isinstance(found, NoneValue) else TRUE
                if isinstance(found, Maybe):
                    truth = negated(found.missing)
                expected = getattr(re, name)(written, subject)
                assert truth == (FALSE if expected is None else TRUE), (name, written, subject)
                held += expected is not None
    assert held >= 400


@pytest.mark.parametrize(("function", "arguments"), [("search", ()), ("sub", ("",))])
def test_what_cpython_searches_with_other_flags_than_it_matches_is_not_read(
    function: str, arguments: tuple[str, ...]
) -> None:
    written = r"(?a:\S)"
    assert re.match(written, "\x85")
    assert automaton_of(written).has_scoped_flags
    with pytest.raises(NotRead):
        REGULAR[f"re.{function}"]([Text(written), *map(Text, arguments), Text("\x85")], {}, State({}), 1)


@pytest.mark.parametrize(
    ("type_", "lengths"),
    [
        (StrType(max_len=3), (0, 1, 2, 3)),
        (StrType(pattern="[A-Z][0-9]"), (2,)),
        (StrType(pattern="(?:ab){1,2}|c?"), (0, 1, 2, 4)),
        (StrType(pattern="(?:ab)*", max_len=5, min_len=1), (2, 4)),
        (StrType(pattern="a*"), None),
        (StrType(), None),
    ],
    ids=str,
)
def test_lengths_that_texts_of_a_type_may_have(type_: StrType, lengths: tuple[int, ...] | None) -> None:
    assert lengths_of(type_) == lengths


@pytest.mark.parametrize(
    "written", [r"(a)\1", "a(?=b)", "a(?<!b)", r"\ba", "(?i:a)", "(?m)^a", "a$|b", "(?>a|ab)", "a++", "(", "a{9999999}"]
)
def test_patterns_that_are_not_read(written: str) -> None:
    with pytest.raises(NotRead):
        automaton_of(written)


@pytest.mark.parametrize("written", ["(a*)(a*)", "(a|ab)(c|bc)?", "(a)+", "(?:a|(a))", "((a)|b)*", "(a?)?"])
def test_groups_that_depend_on_how_a_pattern_is_matched_are_not_read(written: str) -> None:
    with pytest.raises(NotRead):
        groups_of(automaton_of(written), cells_of(Text("ab")), [1])
