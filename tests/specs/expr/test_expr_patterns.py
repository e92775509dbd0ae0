"""Patterns mean what they mean in `re.fullmatch`, in linear time."""

from __future__ import annotations

import itertools
import re
import time
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from neurosym_specs.expr.budget import Budget, Meter
from neurosym_specs.expr.evaluate import BudgetExceeded
from neurosym_specs.expr.patterns import PatternError, compile_pattern

PATTERNS = [
    r"[A-Z]{2}[0-9]{2}[A-Z0-9 ]{10,40}|(.|\n){0,60}",
    r" ?[(-]?[0-9]{1,9}([.,][0-9]{1,3}){0,3}[)-]? ?|(.|\n){0,40}",
    r"a|b|",
    r"(a*)*b",
    r"(a|ab)(c|bcd)(d*)",
    r"^a$",
    r"a$\n?",
    r"\Aab\Z",
    r"\bab\b.*",
    r"a\Bb|a\b b",
    r"(?:a+a+)+b",
    r"[^\W\d_]+",
    r"\d{1,3}(\.\d{3})*,\d\d",
    r"(?s:.)*",
    r"(?a:\w+)\s*",
    r"(?a:\d*\s\D)",
    r"(?a:\b\w)\B.",
    r"(a?){3}a{3}",
    r"a{,2}b+?c*?",
    r"()*",
    r"(?P<n>a)+",
    r"[\s\S]",
    r"\x41\u0042",
    r"$",
    r"(^a|b$)+",
    r"[^a]*",
    r"(?x) a b ",
    r"[]a-]+",
    r"a{2,}",
]
TEXTS = ["".join(letters) for size in range(5) for letters in itertools.product("ab\n 1", repeat=size)]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_match_like_re(pattern: str) -> None:
    ours, theirs = compile_pattern(pattern), re.compile(pattern)
    for text in [*TEXTS, "AB", "é٣_", "a\x1c", "1.234,56", "GB82WEST12345698765432", "ab cd", "(1,234.56)", "\t"]:
        assert ours.matches(text) is (theirs.fullmatch(text) is not None), text


@st.composite
def patterns(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0:
        return draw(st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\w", r"\d", r"\s", r"\b", "^", "$", r"\Z", ""]))
    sub = patterns(depth - 1)
    match draw(st.integers(0, 4)):
        case 0:
            return f"{draw(sub)}{draw(sub)}"
        case 1:
            return f"(?:{draw(sub)}|{draw(sub)})"
        case 2:
            return f"({draw(sub)}){draw(st.sampled_from(['*', '+', '?', '{2}', '{1,2}', '*?', '{0,2}?']))}"
        case _:
            return draw(sub)


@settings(max_examples=600, deadline=None)
@given(patterns(), st.text(alphabet="ab1 \n", max_size=7))
def test_random_patterns_match_like_re(pattern: str, text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = re.fullmatch(pattern, text) is not None
    assert compile_pattern(pattern).matches(text) is expected


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(?=a)b", "look-around"),
        ("(?<!a)b", "look-around"),
        (r"(a)\1", "back-reference"),
        ("(?P<n>a)(?P=n)", "back-reference"),
        ("(a)?(?(1)b|c)", "conditional"),
        ("(?>a)b", "atomic"),
        ("a*+b", "possessive"),
        ("(?i)a", "both cases"),
        ("(?i:a)", "both cases"),
        ("(?m)^a$", "(?m)"),
        ("(a", "not a regular expression"),
        ("a{5000}", "states"),
        ("((a{60}){60}){60}", "states"),
        ("a" * 2000, "1,000"),
        ("(" * 450 + "a" + ")" * 449, "not a regular expression"),
    ],
)
def test_refused_patterns(pattern: str, said: str) -> None:
    with pytest.raises(PatternError) as caught:
        compile_pattern(pattern)
    assert said in str(caught.value)


def test_matching_is_linear_and_charged() -> None:
    started = time.process_time()
    assert not compile_pattern(r"(a|aa|a*)*b").matches("a" * 100_000)
    assert time.process_time() - started < 2
    with pytest.raises(BudgetExceeded):
        compile_pattern("a*").matches("a" * 1000, Meter(Budget(steps=500)))
