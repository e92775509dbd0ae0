"""Every example of the format's page runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from neurosym_specs import spec_from_toml
from neurosym_specs.errors import Place
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.expr.language import FUNCTIONS, METHODS, MODES
from neurosym_specs.expr.syntax import parse_expression
from neurosym_specs.model import DEFAULT_IMPORTS

PAGE = Path(__file__).parents[2] / "docs" / "spec-format.md"
TEXT = PAGE.read_text("utf-8")
ROUNDING_AND_DAYS = PAGE.with_name("finance") / "rounding-and-days.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


def completed(block: str) -> str:
    """A fragment with the tables that it leaves out."""
    if "spec " in block:
        return block
    head = 'spec = 1\nname = "f"\n'
    for table, rest in (("inputs", ""), ("output", 'type = "int"')):
        if f"[{table}]" not in block:
            block += f"\n[{table}]\n{rest}\n"
    return head + block


@pytest.mark.parametrize("block", blocks("toml"))
def test_toml(block: str) -> None:
    spec_from_toml(completed(block))


def test_the_first_spec_is_the_example(late_fee: str) -> None:
    assert blocks("toml")[0] == late_fee


def test_what_the_short_forms_stand_for() -> None:
    (block,) = (block for block in blocks("toml") if "order_free" in block)
    relations = spec_from_toml(completed(block)).relations
    said = re.findall(r"# (given|that): +(.*)", block)
    spelled: list[tuple[str, str]] = []
    for relation in relations:
        assert relation.given is not None
        spelled.append(("given", relation.given.text))
        if relation.short_form != "vary":
            spelled.append(("that", relation.that.text))
    plain = [(key, text.replace("(b.rate == 2 * a.rate\n)", "b.rate == 2 * a.rate")) for key, text in spelled]
    assert said == plain


def lines() -> list[tuple[str, str]]:
    """Each expression of the page, with the tables just above it that it speaks of."""
    found, above = [], ""
    for language, block in re.findall(r"```(toml|expression)\n(.*?)```", TEXT, flags=re.DOTALL):
        if language == "toml":
            above = block if "[define]" in block and "[inputs]" not in block else ""
        else:
            found += [(line, above) for line in block.splitlines()]
    for block in re.findall(r"```expression\n(.*?)```", ROUNDING_AND_DAYS.read_text("utf-8"), flags=re.DOTALL):
        found += [(line, "") for line in block.splitlines()]
    return found


@pytest.mark.parametrize(("line", "above"), lines())
def test_expressions(line: str, above: str) -> None:
    scope = Evaluator(spec_from_toml(completed(above))).bind({})
    assert scope.evaluate(parse_expression(line, Place())) is True


def test_the_page_names_the_whole_language() -> None:
    for word in (*FUNCTIONS, *METHODS, *MODES):
        assert re.search(rf"(?<!\w){word}\b", TEXT), word
    for module in DEFAULT_IMPORTS:
        assert re.search(rf"\b{module}\b", TEXT), module
