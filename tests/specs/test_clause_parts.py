"""Which named parts of a spec a clause uses, directly and through others."""

from __future__ import annotations

from neurosym_specs.describe import describe
from neurosym_specs.loader import spec_from_toml

_SPEC = """
spec = 1
name = "f"
[inputs]
n = { type = "int", min = 0, max = 9 }
[output]
type = "int"
[data]
step = 3
unused = 7
[let]
once = "n * step"
twice = "plus(once, once)"
[define]
"plus(x, y)" = "x + y"
[[require]]
id = "small"
that = "once < 20"
[reference]
value = "twice + 1"
[[ensure]]
id = "direct"
when = "n > 2"
that = "result >= n"
[[relation]]
id = "grows"
given = "a.once <= b.once"
that = "a.result <= b.result"
"""


def test_each_clause_names_what_its_formula_rests_on() -> None:
    described = describe(spec_from_toml(_SPEC))
    found = {each.id: each.defined for each in (*described.promises, *described.obligations) if each.formal}
    once = ("where step = 3", "where once = n * step")
    assert found == {
        "small": ("once < 20", *once),
        "reference": ("twice + 1", *once, "where twice = plus(once, once)", "where plus(x, y) = x + y"),
        "ensure: direct": ("when n > 2", "result >= n"),
        "relation: grows": ("given a.once <= b.once", "a.result <= b.result", *once),
    }
