"""Patterns as automata, against Python's own ``re``: random patterns, and texts with odd characters."""

from __future__ import annotations

import random
import re

import pytest
from neurosym_verifiers.reading.automata import automaton_of
from neurosym_verifiers.reading.characters import cells_of
from neurosym_verifiers.reading.matching import groups_of, matches
from neurosym_verifiers.reading.terms import FALSE, TRUE
from neurosym_verifiers.reading.values import NotRead, Text

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
    for _ in range(800):
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
    assert compared >= 5000
    assert with_groups >= 200


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
