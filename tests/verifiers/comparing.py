"""Random programs, the reading against CPython: one loop for all kinds of programs that need no shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from neurosym_specs.model import Spec
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.reading.data.values import NotRead


def compared(
    write: Callable[[], tuple[str, str]],
    specs: Mapping[str, Spec],
    draw: Callable[[], dict[str, Any]],
    by_python: Callable[[dict[str, Any], Mapping[str, Any]], Any],
    by_reading: Callable[[Run, Spec, Mapping[str, Any]], Any],
    *,
    programs: int,
    inputs_each: int,
) -> tuple[int, int]:
    """How many pairs were compared, and how many programs were read; fails on the first disagreement.

    ``write`` gives a program and the kind of its result, by which ``specs`` has its spec; ``draw`` gives inputs.
    """
    pairs = read = 0
    for _ in range(programs):
        source, kind = write()
        try:
            run = Reader(specs[kind]).run(source)
        except NotRead:
            continue
        read += 1
        namespace: dict[str, Any] = {"__name__": __name__}  # which dataclasses look up
        exec(compile(source, "program", "exec"), namespace)
        for _ in range(inputs_each):
            inputs = draw()
            expected, found = by_python(namespace, inputs), by_reading(run, specs[kind], inputs)
            assert found == expected, f"{inputs}\n{source}\nCPython: {expected}\nread: {found}"
            assert isinstance(found[1], bool) == isinstance(expected[1], bool)
            pairs += 1
    return pairs, read
