"""The ninth step: what makes equal calls give other results, named with its line."""

from __future__ import annotations

import ast

from neurosym.diagnostics import Note
from neurosym.gate._names import Names
from neurosym.gate._place import MOST_SHOWN, note, place_of

_CLOCK = "reads the clock"
_CHANCE = "draws at random"
_MACHINE = "reads the machine that it runs on"
_MEMORY = "depends on where values lie in memory"
_SEED = "differs from process to process for texts"

_IMPURE = {
    "datetime.datetime.now": _CLOCK,
    "datetime.datetime.today": _CLOCK,
    "datetime.datetime.utcnow": _CLOCK,
    "datetime.date.today": _CLOCK,
    "datetime.datetime.fromtimestamp": _MACHINE,
    "datetime.date.fromtimestamp": _MACHINE,
    "time": _CLOCK,
    "random": _CHANCE,
    "secrets": _CHANCE,
    "uuid.uuid1": _CHANCE,
    "uuid.uuid4": _CHANCE,
    "os.urandom": _CHANCE,
    "os.environ": _MACHINE,
    "os.getenv": _MACHINE,
    "os.getcwd": _MACHINE,
    "os.getpid": _MACHINE,
    "os.cpu_count": _MACHINE,
    "platform": _MACHINE,
    "socket": _MACHINE,
    "sys.argv": _MACHINE,
    "sys.platform": _MACHINE,
    "locale": _MACHINE,
    "builtins.id": _MEMORY,
    "builtins.hash": _SEED,
    "builtins.open": _MACHINE,
    "builtins.input": "reads what somebody types",
}


def find_impure(tree: ast.Module, names: Names) -> tuple[Note, ...]:
    """A note for each use of a clock, chance, the environment, ``id`` or ``hash``, the first ten."""
    found: list[Note] = []
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    uses = (node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute) and id(node) not in inner)
    for node in sorted(uses, key=place_of):
        name = names.dotted(node)
        if name is None or not isinstance(getattr(node, "ctx", None), ast.Load):
            continue
        parts = name.split(".")
        for size in range(len(parts), 0, -1):
            why = _IMPURE.get(".".join(parts[:size]))
            if why is not None and not (size == len(parts) == 1):  # a module alone does nothing
                found.append(note(node, "NS420", f"{name.removeprefix('builtins.')} {why}"))
                break
    return tuple(found[:MOST_SHOWN])
