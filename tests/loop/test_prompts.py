"""Prompts: the templates pass their linter, what is sent is complete and in words, and the linter finds faults."""

from __future__ import annotations

import ast
import contextlib
import json
import re
from pathlib import Path

import pytest
from neurosym_specs import library, spec_from_json
from neurosym_specs.describe import describe

from neurosym import Source, Spec, gate, load_spec
from neurosym.fences import code_blocks
from neurosym.prompts import TemplateFault, first_messages, names, repair_messages, usable_template
from neurosym.prompts.cards import card, cards_for
from neurosym.prompts.lint import faults
from neurosym.prompts.shots import nearest
from neurosym.prompts.template import FOLDER, Template, read_template
from tests.cli.shared import Neurosym

ROOT = Path(__file__).parents[2]
SPECS = sorted([*ROOT.glob("examples/*/*.spec.toml"), *(library.spec_path(name) for name in library.names())])


@pytest.mark.parametrize("name", names())
def test_our_own_templates_have_no_fault(name: str) -> None:
    assert faults(read_template(name)) == ()


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_spec_gives_a_whole_prompt(name: str, path: Path) -> None:
    spec = load_spec(path)
    messages = first_messages(spec, usable_template(name), shots=0)
    assert [message.role for message in messages] == ["system", "user"]
    text = messages[-1].text
    assert spec.problem.strip() in text
    assert describe(spec).signature in text
    for value in (*spec.inputs, *(" or ".join(each.raises) for each in spec.rejects)):
        assert value in text
    assert "```python" in text
    assert "\n\n\n\n" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_no_expression_that_gives_the_answer_is_sent(path: Path) -> None:
    """Neither the reference nor what it is made of, but where the problem itself says it; short ones are words."""
    spec = load_spec(path)
    text = "\n".join(message.text for message in first_messages(spec, usable_template("plain-1")))
    expressions = [*spec.lets.values(), *(each.body for each in spec.definitions.values())]
    if spec.reference is not None:
        expressions += [each for each in (spec.reference.value, spec.reference.where) if each is not None]
    expressions += [each.that for each in spec.ensures] + [each.that for each in spec.relations]
    for expression in expressions:
        if len(expression.text.strip()) > 12 and expression.text.strip() not in spec.problem:
            assert expression.text.strip() not in text


def test_the_worked_example_is_another_spec_and_right_in_form() -> None:
    for path in SPECS:
        spec = load_spec(path)
        (shot,) = nearest(spec, 1)
        assert shot.spec.name != spec.name
        _, _, answered, _ = first_messages(spec, usable_template("plain-1"), shots=1)
        (block,) = code_blocks(answered.text)
        entry = gate.enter(Source(block.of(answered.text)), shot.spec)
        assert isinstance(entry, gate.Passed), (shot.spec.name, entry)


def test_more_worked_examples_come_nearest_last() -> None:
    spec = load_spec(library.spec_path("vat_split"))
    messages = first_messages(spec, usable_template("plain-1"), shots=3)
    assert len(messages) == 2 + 2 * 3
    wanted = [shot.spec.name for shot in reversed(nearest(spec, 3))]
    asked = [re.match(r"Write the function (\w+)", message.text) for message in messages if message.role == "user"]
    assert [each and each[1] for each in asked] == [*wanted, "vat_split"]


def test_the_rounding_of_the_rule_is_in_words(spec: Spec) -> None:
    text = first_messages(spec, usable_template("plain-1"), shots=0)[-1].text
    assert "half_up: ties away from zero; decimal.ROUND_HALF_UP" in text
    assert "half_even" not in text


def test_cards_say_what_is_installed() -> None:
    import decimal

    found = card("decimal.Decimal.quantize")
    assert found is not None
    assert found.signature == "(exp, rounding=None, context=None)"
    assert found.says
    assert decimal.Decimal.quantize.__doc__ is not None
    assert str(card("decimal.ROUND_HALF_UP")) == "decimal.ROUND_HALF_UP = 'ROUND_HALF_UP'"
    assert card("decimal.Decimal.quantise") is None
    assert card("os.system") is None


def test_cards_are_of_modules_that_are_allowed() -> None:
    spec = load_spec(library.spec_path("age_on"))
    assert any(each.name.startswith("calendar.") for each in cards_for(spec))
    narrow = spec_from_json(
        {
            "spec": 1,
            "name": "f",
            "problem": "the median of dates",
            "inputs": {"d": "date"},
            "output": "int",
            "policy": {"imports": ["datetime"]},
        }
    )
    assert {each.name.split(".")[0] for each in cards_for(narrow)} == {"datetime"}


def _template(**changed: str) -> Template:
    template = read_template("plain-1")
    return Template("plain-1", {**template.parts, **{f"{part}.md": text for part, text in changed.items()}}, "")


@pytest.mark.parametrize(
    ("part", "text", "said"),
    [
        ("task", "{{ reference }}", "it asks for reference, which it cannot have"),
        ("task", "Write {{ name }}.", "it leaves out signature"),
        ("task", "{% for each in inputs %}", "line 1"),
        ("system", "Hello.", "leaves out opening"),
        ("repair", "{{ headline }}\n```python\n{{ facts }}{{ keep }}{{ opening }}", "line 2: a fence"),
        ("system", "{{ opening }} \n", "line 1: spaces at the end"),
        ("system", "{{ opening }}\u202e\n", "cannot be seen"),
        ("system", "{{ opening }}" + "x" * 9_000, "8,000 are enough"),
    ],
)
def test_the_linter_finds_what_is_wrong(part: str, text: str, said: str) -> None:
    assert any(said in fault for fault in faults(_template(**{part: text})))


def test_a_template_without_a_version_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "mine"
    own.mkdir()
    for path in (FOLDER / "plain-1").iterdir():
        (own / path.name).write_text(path.read_text())
    with pytest.raises(TemplateFault, match="call it mine-1"):
        usable_template(str(own))
    own.rename(tmp_path / "mine-2")
    assert usable_template(str(tmp_path / "mine-2")).name == "mine-2"
    (tmp_path / "mine-2" / "repair.md").unlink()
    with pytest.raises(TemplateFault, match=r"no repair\.md"):
        usable_template(str(tmp_path / "mine-2"))


def test_a_template_reaches_nothing_outside_of_its_facts() -> None:
    for text in ("{{ opening.__class__.__mro__ }}", "{{ ''.__class__.__subclasses__() }}"):
        rendered = _template(system=text)
        with contextlib.suppress(TemplateFault):
            assert "class" not in rendered.render("system.md", {"opening": "x"})


def test_the_last_reply_goes_back_as_it_came_but_not_without_end() -> None:
    sent = repair_messages((), usable_template("steps-1"), "x" * 100_000, "It is wrong.", ("a fact",), "")
    assert len(sent[0].text) == 40_000
    assert "- a fact" in sent[1].text
    assert "which step is wrong" in sent[1].text


def test_prompt_prints_what_would_be_sent(neurosym: Neurosym, spec_path: Path) -> None:
    ran = neurosym("prompt", spec_path, "--shots", "0")
    assert ran.code == 0
    assert ran.out.startswith("[system]\n")
    assert "\n[user]\nWrite the function late_fee: Late fee on an overdue balance.\n" in ran.out
    assert "0.015" not in ran.out
    document = json.loads(neurosym("prompt", spec_path, "--json").out)
    assert (document["schema_version"], document["kind"]) == (1, "prompt")
    assert [each["role"] for each in document["messages"]] == ["system", "user", "assistant", "user"]
    assert document["template"]["name"] == "plain-1"
    ast.parse(code_blocks(document["messages"][2]["text"])[0].of(document["messages"][2]["text"]))


def test_prompt_with_a_template_that_is_none(neurosym: Neurosym, spec_path: Path) -> None:
    ran = neurosym("prompt", spec_path, "--template", "plain")
    assert ran.code == 2
    assert "did you mean plain-1?" in ran.err
    assert "NS703" in ran.err
