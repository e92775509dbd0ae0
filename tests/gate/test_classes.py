"""A class of the signature that is defined again: with the given fields it is the same, with others it is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from neurosym_specs import load_spec
from neurosym_specs.model import Spec

from neurosym import Source, Standing, gate, verify
from neurosym.gate import Types

SPEC = """
spec = 1
name = "split_it"
[types.Part]
type = "record"
fields = { net = { type = "int", min = 0, max = 100 }, tax = { type = "int", min = 0, max = 100 } }
[inputs]
part = { type = "list[Part]", max_len = 3 }
[output]
type = "list[Part]"
max_len = 3
[[ensure]]
that = "len(result) == len(part)"
"""
HEAD = "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Part:\n"
TAIL = "\n\ndef split_it(part: list[Part]) -> list[Part]:\n    return part\n"


@pytest.fixture
def spec(tmp_path: Path) -> Spec:
    path = tmp_path / "split_it.spec.toml"
    path.write_text(SPEC)
    return load_spec(path)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ('    net: int\n    tax: int\n    note: str = ""\n', "with note, which the spec's Part does not have"),
        ("    net: int\n", "without tax, which the spec's Part has"),
        ("    net: int\n    vat: int\n", "with vat, which the spec's Part does not have and without tax, which"),
    ],
)
def test_other_fields_are_named(spec: Spec, fields: str, said: str) -> None:
    entry = gate.enter(Source(HEAD + fields + TAIL), spec, Types.OFF)
    assert isinstance(entry, gate.Stopped)
    (found,) = entry.diagnostics
    assert (found.code, found.line, found.column) == ("NS309", 5, 1)
    assert said in found.message


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "    net: int\n    tax: int\n" + TAIL,
        HEAD + "    tax: int\n    net: int\n    UNIT: ClassVar[int] = 1\n    def total(self): return 1\n" + TAIL,
        HEAD.replace("Part", "Other") + "    net: int\n" + TAIL,
        HEAD.replace("Part:", "Part(Base):") + "    net: int\n" + TAIL,
    ],
)
def test_the_same_fields_pass(spec: Spec, text: str) -> None:
    entry = gate.enter(Source(text), spec, Types.OFF)
    assert not isinstance(entry, gate.Stopped) or all(each.code != "NS309" for each in entry.diagnostics)


def test_a_class_defined_again_just_as_it_is_given_is_right(spec: Spec) -> None:
    (found,) = verify(spec, Source(HEAD + "    net: int\n    tax: int\n" + TAIL)).candidates
    assert found.standing in (Standing.TESTED, Standing.PROVED)
