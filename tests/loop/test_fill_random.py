"""Against brute force: sketches with two holes of a few values each, and specs of a few examples drawn at random.

Every filling is run on every input here in this process. What keeps all examples must be found if there is any; nothing
may be said to be decided, and nothing proved, where two of those compute different functions.
"""

from __future__ import annotations

import random
from itertools import product

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.sketch_reader import read_sketch
from neurosym_verifiers.bench import Bench, Effort

from neurosym import Standing
from neurosym.filling.completing import complete
from neurosym.filling.result import Settled

BODIES = (
    "return x * hole('a') + hole('b')",
    "return hole('a') if x < hole('b') else x",
    "return min(x, hole('a')) + max(x, hole('b'))",
    "return (x + hole('a')) // (hole('b') + 1)",
    "return x - hole('a') if x % (hole('b') + 1) == 0 else x",
    "return int(str(x * hole('a'))) + hole('b')",
    "return sum(i for i in range(hole('a')) if i < x) + hole('b')",
    "return hole('a') if hole('c', between=(x, hole('b'))) else 3",
)
RANGE, INPUTS = range(7), range(13)
OPERATORS = ("<", "<=", ">", ">=", "==", "!=")


def _functions(body: str) -> dict[tuple[int, int, str], tuple[int, ...]]:
    """By filling what the sketch gives for every input."""
    found = {}
    for a, b, c in product(RANGE, RANGE, OPERATORS if "'c'" in body else ("",)):
        text = body.replace("hole('c', between=(x, hole('b')))", f"x {c} {b}")
        text = text.replace("hole('a')", str(a)).replace("hole('b')", str(b))
        names: dict[str, object] = {}
        exec(f"def f(x):\n    {text}\n", names)
        found[a, b, c] = tuple(names["f"](x) for x in INPUTS)  # type: ignore[operator]  # a function of this test
    return found


def _spec(examples: list[tuple[int, int]]) -> str:
    holes = "".join(f'[[hole]]\nname = "{name}"\ntype = "int"\nmin = 0\nmax = {max(RANGE)}\n' for name in "ab")
    worked = "".join(f"[[example]]\nin = {{ x = {x} }}\nout = {y}\n" for x, y in examples)
    inputs = f'[inputs]\nx = {{ type = "int", min = 0, max = {max(INPUTS)} }}\n'
    return f'spec = 1\nname = "f"\n{inputs}[output]\ntype = "int"\n{worked}{holes}'


@pytest.mark.slow
@pytest.mark.parametrize("body", BODIES)
def test_against_brute_force(body: str) -> None:
    chance = random.Random(body)
    functions = _functions(body)
    for number in range(4):
        values = chance.choice([*functions.values()])
        examples = [(x, values[x]) for x in sorted(chance.sample(INPUTS, number + 1))]
        if number == 3:
            examples[0] = examples[0][0], examples[0][1] + chance.choice((1, 40))
        fits = {given for given in functions.values() if all(given[x] == y for x, y in examples)}
        spec = spec_from_toml(_spec(examples))
        with Bench(spec, Effort(examples=20, time_limit_s=60.0)) as bench:
            done = complete(spec, bench, read_sketch(f"def f(x: int) -> int:\n    {body}\n", spec, "s.py"))
        said = (body, examples, done.values, done.standing, done.settled, done.why)
        if not fits:
            assert done.result is None, said
            continue
        assert done.result is not None, said
        a, b = int(done.values["a"]), int(done.values["b"])
        assert functions[a, b, done.values.get("c", "")] in fits, said
        if len(fits) > 1:
            assert done.settled in (Settled.OPEN, Settled.NOT_KNOWN), said
            assert done.standing is not Standing.PROVED, said
        if done.settled is Settled.OPEN:
            assert len(fits) > 1, said
