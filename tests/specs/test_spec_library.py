"""The library's specs agree with themselves and with the implementations beside them."""

from __future__ import annotations

import pytest
from neurosym_specs import SpecError, load_spec
from neurosym_specs.describe import describe, render
from neurosym_specs.library import implementation_path, names, spec_path

from tests.specs.spec_judge import Judge


def test_what_there_is() -> None:
    assert len(names()) >= 14
    assert list(names()) == sorted(names())
    with pytest.raises(SpecError, match="the library has no spec 'late'"):
        spec_path("late")


@pytest.mark.parametrize("name", names())
def test_it_is_reviewed(name: str) -> None:
    spec = load_spec(spec_path(name))
    assert spec.title
    assert spec.problem
    assert spec.source
    assert spec.version
    assert spec.reference is not None
    assert len(spec.ensures) >= 2
    assert len(spec.examples) >= 3
    for clause in (*spec.ensures, *spec.relations, *spec.rejects):
        assert not clause.id.startswith(("ensure ", "relation ", "reject ")), f"{clause.id} has no id of its own"
    assert all(len(line) <= 80 for line in render(describe(spec)).splitlines())


@pytest.mark.parametrize("name", names())
def test_spec_and_implementation_agree(name: str) -> None:
    Judge(load_spec(spec_path(name)), implementation_path(name)).judge(cases=40)
