"""The short forms of a relation, spelled out."""

from __future__ import annotations

import pytest
from neurosym_specs import SpecError, spec_from_toml
from neurosym_specs.model import Relation

HEAD = """
spec = 1
name = "f"
[inputs]
x = "int"
y = "decimal"
xs = "list[int]"
word = "str | none"
[output]
type = "%s"
[[relation]]
"""


def relation(text: str, output: str = "decimal", more: str = "") -> Relation:
    return spec_from_toml(HEAD % output + text + "\n" + more).relations[0]


def spelled(text: str, output: str = "decimal", more: str = "") -> tuple[str, str]:
    read = relation(text, output, more)
    return ("" if read.given is None else read.given.text, read.that.text)


def test_vary() -> None:
    assert spelled('vary = ["x", "word"]\nthat = "a.result == b.result"') == (
        "a.y == b.y and a.xs == b.xs",
        "a.result == b.result",
    )
    assert spelled('vary = ["x", "y", "xs", "word"]\nthat = "a.result == b.result"')[0] == ""
    three = spelled('runs = ["a", "b", "c"]\nvary = ["y", "xs", "word"]\nthat = "a.result == c.result"')
    assert three[0] == "a.x == b.x == c.x"
    assert spelled('vary = ["y", "xs", "word"]\ngiven = "a.y > 1 or b.y > 1"\nthat = "True"')[0] == (
        "(a.y > 1 or b.y > 1\n) and a.x == b.x"
    )


def test_monotone() -> None:
    others = "a.xs == b.xs and a.word == b.word"
    assert spelled('monotone = { x = "up" }') == (f"a.x <= b.x and a.y == b.y and {others}", "a.result <= b.result")
    assert spelled('monotone = { x = "down" }') == (f"b.x <= a.x and a.y == b.y and {others}", "a.result <= b.result")
    assert spelled('monotone = { x = "up", y = "down" }')[0] == (
        f"((a.x <= b.x and a.y == b.y) or (b.y <= a.y and a.x == b.x)) and {others}"
    )


def test_order_free() -> None:
    assert spelled('order_free = ["xs"]') == (
        "same_items(a.xs, b.xs) and a.x == b.x and a.y == b.y and a.word == b.word",
        "a.result == b.result",
    )
    assert relation('order_free = "xs"').varied == ("xs",)


def test_a_tolerance_of_the_reference_widens_what_they_claim() -> None:
    reference = '[reference]\nvalue = "y"\nabs_tol = "0.01"'
    assert spelled('order_free = ["xs"]', more=reference)[1] == "abs(a.result - b.result) <= (1 / 50)"
    assert spelled('monotone = { x = "up" }', more=reference)[1] == "a.result <= b.result + (1 / 50)"
    relative = '[reference]\nvalue = "y"\nrel_tol = "0.5"'
    assert spelled('monotone = { x = "up" }', more=relative)[1] == (
        "a.result <= b.result + (2 * max(abs(a.result), abs(b.result)))"
    )
    lists = '[reference]\nvalue = "[y]"\nabs_tol = "0.01"'
    assert spelled('order_free = ["xs"]', "list[decimal]", lists)[1] == "approx(a.result, b.result)"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('vary = ["z"]\nthat = "True"', 'unknown input "z"'),
        ("vary = []\nthat = 'True'", "array of names"),
        ('vary = ["x"]', 'the key "that" is missing'),
        ('monotone = { x = "upp" }', 'unknown direction "upp" .*did you mean "up"'),
        ('monotone = { xs = "up" }', 'the input "xs" has no order'),
        ('monotone = { word = "up" }', 'the input "word" has no order'),
        ('monotone = { x = "up" }\nthat = "True"', "monotone says itself what must hold"),
        ('order_free = ["x"]', 'the input "x" is no list'),
        ('order_free = ["xs"]\nvary = ["x"]', "two short forms"),
        ('order_free = ["xs"]\nruns = ["a", "b", "c"]', "two runs, not of 3"),
        ('runs = ["a"]\nthat = "True"', "two to ten names"),
        ('runs = ["a", "a"]\nthat = "True"', "repeats a name"),
        ('runs = ["a", "floor"]\nthat = "True"', "word of the expression language"),
    ],
)
def test_faults(text: str, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        relation(text)
