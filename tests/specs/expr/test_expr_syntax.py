"""Reading expressions: what is refused, with which words, and that numbers are exact."""

from __future__ import annotations

import ast
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from neurosym_specs.errors import SpecError
from neurosym_specs.expr.syntax import parse_expression

from tests.specs.expr.expr_support import PLACE, expression


def constant(text: str) -> object:
    tree = expression(text).tree
    assert isinstance(tree, ast.Constant)
    return tree.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.015", Fraction(15, 1000)),
        ("1e-3", Fraction(1, 1000)),
        ("1_000.50", Fraction(2001, 2)),
        ("1.5E+2", 150),
        (".5", Fraction(1, 2)),
        ("5.", 5),
        ("0.1000000000000000055511151231257827", Fraction(1000000000000000055511151231257827, 10**34)),
        ("1e400", 10**400),
        ("0x1f", 31),
        ("0b101", 5),
        ("0", 0),
        ("2.50", Fraction(5, 2)),
    ],
)
def test_numbers_are_exact(text: str, value: object) -> None:
    read = constant(text)
    assert read == value
    assert type(read) is type(value)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=0, max_value=10**30))
def test_every_decimal_is_read_exactly(number: object) -> None:
    assert constant(str(number)) == Fraction(str(number))


def test_numbers_after_letters_outside_ascii() -> None:
    tree = expression("'äöü𝔘' + 0.25").tree
    assert isinstance(tree, ast.BinOp)
    assert isinstance(tree.right, ast.Constant)
    assert tree.right.value == Fraction(1, 4)


@pytest.mark.parametrize(
    "text",
    [
        "\n\n  x +\n\n  y\n",
        "x \\\n + y",
        "x \\  \n + y \\\n",
        "x + # the other\n y",
        "  x + y",
        "x +\ty\r\n",
    ],
)
def test_lines_break_anywhere(text: str) -> None:
    assert ast.unparse(expression(text).tree) == "x + y"


def test_the_mode_05up_is_read() -> None:
    tree = expression("round('ä05up', 2, 05up)").tree
    assert isinstance(tree, ast.Call)
    mode = tree.args[2]
    assert isinstance(mode, ast.Name)
    assert mode.id == "05up"
    assert isinstance(tree.args[0], ast.Constant)
    assert tree.args[0].value == "ä05up"


REFUSED = [
    ("", "empty"),
    ("   \n", "empty"),
    ("x & y", "write `and`"),
    ("x | y", "write `or`"),
    ("x ^ 2", "`**`"),
    ("x << 2", "2 ** n"),
    ("~x", "`not`"),
    ("x @ y", "zip"),
    ("x && y", "write `and`"),
    ("x || y", "write `or`"),
    ("!x", "write `not`"),
    ("x = 1", "'==' instead of '='"),
    ("x === 1", "write `==`"),
    ("x <> 1", "write `!=`"),
    ("x => 1", "not p or q"),
    ("x ? 1 : 2", "x if condition else y"),
    ("x ≤ 1", "write `<=`"),
    ("x × 2", "write `*`"),
    ("“a”", "plain quotes"),
    ("lambda y: y", "[define]"),
    ("(y := 3)", "[let]"),
    ("f'{x}'", "f-string"),
    ("b'x'", "bytes"),
    ("1j", "complex"),
    ("...", "constant"),
    ("[*xs]", "join lists with +"),
    ("{**a}", "dict comprehension"),
    ("f(**a)", "one by one"),
    ("x is 3", "write `==`"),
    ("x is not y", "write `!=`"),
    ("x.__class__", "no attribute"),
    ("x._hidden", "no attribute"),
    ("xs[0](1)", "named function"),
    ("[i async for i in xs]", "async"),
    ("[i for xs[0] in ys]", "name or a tuple of names"),
    ("await x", "await"),
    ("(yield x)", "yield"),
    ("x y", "operator or a comma"),
    ("x +", "not complete"),
    ("x == ", "not complete"),
    ("if x", "invalid syntax"),
    ("import os", "invalid syntax"),
    ("x; y", "[let]"),
    ("a) + (b", "never opened"),
    ("(a", "never closed"),
    ("(a]", "closes a `(`"),
    ("'abc", "quote"),
    ("1if x else 2", "runs into a name"),
    ("007", "leading zeros"),
    ("$x", "currency"),
    ("x\0y", "NUL"),
    ("'\ud800'", "surrogate"),
    ("9" * 2000, "1,000 digits"),
    ("1e99999999999", "1,000 digits"),
    ("1e-5000", "1,000 digits"),
    ("(" * 10_000 + ")" * 10_000, "nested more than"),
    ("[" * 10_000, "nested more than"),
    ("-" * 10_000 + "1", "in a row"),
    ("not " * 3_000 + "x", "in a row"),
    ("1" + "+1" * 1_000, "nested more than"),
    ("[" + "x," * 2_990 + "]", "parts"),
    ("x " * 10_001, "20,000"),
    ("x," * 9_000, "words and signs"),
    ("1 if x else " * 200 + "2", "nested more than"),
    ("x" + "**x" * 200, "nested more than"),
    ("x" + ".y" * 200, "nested more than"),
    ("x" + "[0]" * 200, "nested more than"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED, ids=[text[:20] for text, _ in REFUSED])
def test_refusals_say_what_to_write(text: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_expression(text, PLACE)
    message = str(caught.value)
    assert said in message
    assert message.startswith("case.spec.toml, [let], x: ")
    assert len(message) < 400


def test_columns_refer_to_the_text() -> None:
    with pytest.raises(SpecError, match=r"`y & z` \(line 2, column 5\)"):
        parse_expression("x or\n    y & z", PLACE)
    with pytest.raises(SpecError, match=r"`y & z` \(column 7\)"):
        parse_expression("['ä', y & z]", PLACE)
    with pytest.raises(SpecError, match=r"`y & z` \(column 2\)"):
        parse_expression(" y & z", PLACE)


def is_read(text: str) -> bool:
    """Whether a text is an expression; what is raised otherwise is a message for its writer."""
    try:
        parse_expression(text, PLACE)
    except SpecError as error:
        return not str(error)
    return True


WORDS = "( ) [ ] { } x 1 .5 + - ** not and or if else for in , : . lambda 'a' == < = 05up"


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    is_read(text)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=40))
def test_any_words_are_read_or_refused(words: list[str]) -> None:
    is_read(" ".join(words))
