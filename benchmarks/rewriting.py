"""Whether gate and rewriting come through whatever programs they meet, what mending is good for, and how long it takes.

    python benchmarks/rewriting.py [--exam FOLDER] [--count N] [--corpora FOLDER] [--replies FOLDER] [--types] [--json]

Three kinds of texts: those of ``--exam`` (a folder for each task, with a spec and candidates) with faults put into
them, ``--count`` of them; programs found in the JSON lines below ``--corpora``, as many again, drawn at random; and
replies of models, ``gN.reply.txt`` in folders called as the tasks of ``--exam``. Each goes through the gate (its type
checker with ``--types`` only), through every codemod, and through the gate again. What counts: an exception, a process
that gave no answer, a codemod that failed; the exit code is 1 if there was any. Mending that finds something to do in
what it mended (a fence in a fence) is counted.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from neurosym_specs import load_spec
from neurosym_specs.model import Spec

from neurosym import Source, gate
from neurosym.gate import Types
from neurosym.rewrite import Group, RewriteFault, names_of, rewrite
from neurosym.safe_text import safe_text
from neurosym.source import Delivered, sha256_of

EXAM = Path(__file__).parents[1] / "tests" / "exam"
MEND = names_of(Group.MEND)
OTHERS = [name for group in Group if group is not Group.MEND for name in names_of(group)]


@dataclass
class Seen:
    """What became of the texts of one kind."""

    texts: int = 0
    passed: int = 0
    passed_mended: int = 0
    mended: Counter[str] = field(default_factory=Counter)
    codes_mended: Counter[str] = field(default_factory=Counter)
    unsettled: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Lead programs through gate and rewriting.", allow_abbrev=False)
    parser.add_argument("--exam", type=Path, default=EXAM)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--replies", type=Path)
    parser.add_argument("--types", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    chance = random.Random(options.seed)
    tasks = {path.parent.name: load_spec(path) for path in sorted(options.exam.glob("*/*.spec.toml"))}
    types = Types.SURE if options.types else Types.OFF
    kinds = {"generated": _lead(_generated(options.exam, tasks, options.count, chance), types)}
    if options.corpora:
        kinds["recorded"] = _lead(_recorded(options.corpora, tasks, options.count, chance), types)
    if options.replies:
        kinds["replies"] = _lead(_replies(options.replies, tasks), types)
    document = {"schema_version": 1, "load_average": os.getloadavg()[0], **{k: _document(v) for k, v in kinds.items()}}
    if options.json:
        print(json.dumps(document, indent=2))
    else:
        _show(document)
    return 1 if any(seen.faults for seen in kinds.values()) else 0


def _lead(texts: Iterator[tuple[Spec, str]], types: Types) -> Seen:
    seen = Seen()
    for spec, text in texts:
        seen.texts += 1
        try:
            _one(spec, text, types, seen)
        except Exception:
            seen.faults.append(traceback.format_exc(limit=-2) + text[:200])
    return seen


def _one(spec: Spec, text: str, types: Types, seen: Seen) -> None:
    entry = gate.enter(Source(text), spec, types)
    if isinstance(entry, gate.Faulted):
        seen.faults.append(entry.why)
    seen.passed += isinstance(entry, gate.Passed)
    if entry.source is None:
        return
    begun = time.perf_counter()
    found = rewrite(entry.source, spec, MEND)
    seen.seconds.append(time.perf_counter() - begun)
    if isinstance(found, RewriteFault):
        seen.faults.append(found.why)
        return
    seen.faults += found.failed
    seen.mended.update(each.name for each in found.rewrites)
    if not found.rewrites and found.source is not entry.source:
        seen.faults.append("nothing was to do, and the text is another")
    after = gate.enter(Source(found.source.text), spec, types) if found.rewrites else entry
    seen.passed_mended += isinstance(after, gate.Passed)
    if isinstance(after, gate.Stopped):
        seen.codes_mended[after.diagnostics[0].code] += 1
    again = rewrite(found.source, spec, MEND)
    seen.unsettled += isinstance(again, RewriteFault) or bool(again.rewrites)
    source = Delivered("", found.source.text, sha256_of(found.source.text.encode()))
    other = rewrite(source, spec, OTHERS, options={"result": "answer", "values": {"rate": "1"}})
    seen.faults += [other.why] if isinstance(other, RewriteFault) else other.failed


def _generated(folder: Path, tasks: dict[str, Spec], count: int, chance: random.Random) -> Iterator[tuple[Spec, str]]:
    """Candidates with up to three faults of the kinds that models and their couriers make."""
    texts = [
        (name, path.read_text(encoding="utf-8")) for name in tasks for path in sorted((folder / name).glob("*.py"))
    ]
    for _ in range(count):
        name, text = chance.choice(texts)
        for _ in range(chance.randint(0, 3)):
            text = chance.choice(_FAULTS)(text, chance)
        yield tasks[name], text


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)]


def _drop_a_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    del lines[chance.randrange(len(lines))]
    return "\n".join(lines)


def _insert_a_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines) + 1)
    indent = " " * chance.choice((0, 4, 8))
    lines.insert(at, indent + chance.choice(_LINES))
    return "\n".join(lines)


def _drop_characters(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.randint(1, 4) :]


def _wrap(text: str, chance: random.Random) -> str:
    fence = chance.choice(("```", "~~~", "````"))
    close = chance.choice((f"{fence}\nIt works.\n", "", fence))
    return f"Here is the code:\n\n{fence}{chance.choice(('python', '', 'py'))}\n{text}\n{close}"


def _other_lines(text: str, chance: random.Random) -> str:
    return text.replace("\n", chance.choice(("\r\n", "\r", "\n\f", "\n\n")))


_LINES = """
    print("x", 1.5)
    x = float(input())
    This is a sentence and no code.
    if __name__ == "__main__": print(1)
    ```python
    value = round(1.005 * 3, 2)
    for n in range(3): total += n
    while True: pass
    é = "\\N{SNOWMAN}" "日本"; print(é)
    return (yield)
    async def f(): await g()
    match x:
    lambda: (yield)
    global total
    @decorator
    x: int = hole("rate", 1)
    f"{x!r:>{width}} {y=}"
    \tx = 1
    raise ValueError from None
    del a, b
    with open("x") as f, open("y"): pass
    a = b = c, *d = 1, 2
    import os, sys; from math import *
""".strip("\n").split("\n")
_LINES = [line[4:] for line in _LINES]
_FAULTS = [_cut, _drop_a_line, _insert_a_line, _insert_a_line, _drop_characters, _wrap, _other_lines]


def _recorded(folder: Path, tasks: dict[str, Spec], count: int, chance: random.Random) -> Iterator[tuple[Spec, str]]:
    """Texts of JSON lines that look like programs, as many from each file, judged by any of the specs."""
    files = sorted(folder.rglob("*.jsonl.gz"))
    specs = list(tasks.values())
    for path in files:
        found = list(dict.fromkeys(text for row in _rows(path) for text in _texts(row) if _is_program(text)))
        for text in chance.sample(found, min(len(found), count // len(files) + 1)):
            yield chance.choice(specs), text


def _rows(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list() if value and all(isinstance(each, str) for each in value):
            yield "\n".join(value)
        case list():
            for each in value:
                yield from _texts(each)
        case dict():
            for each in value.values():
                yield from _texts(each)
        case _:
            pass


def _is_program(text: str) -> bool:
    return "\n" in text and ("def " in text or " = " in text)


def _replies(folder: Path, tasks: dict[str, Spec]) -> Iterator[tuple[Spec, str]]:
    for path in sorted(folder.glob("*/*.reply.txt")):
        if path.parent.name in tasks:
            yield tasks[path.parent.name], path.read_text(encoding="utf-8")


def _document(seen: Seen) -> dict[str, Any]:
    ordered = sorted(seen.seconds) or [0.0]
    return {
        "texts": seen.texts,
        "pass_the_gate": seen.passed,
        "pass_the_gate_when_mended": seen.passed_mended,
        "mended_by": dict(seen.mended.most_common()),
        "turned_away_when_mended": dict(seen.codes_mended.most_common()),
        "mending_does_not_come_to_rest": seen.unsettled,
        "faults": len(seen.faults),
        "examples": seen.faults[:10],
        "mending_ms": {
            "p50": round(1000 * ordered[len(ordered) // 2], 2),
            "p95": round(1000 * ordered[int(len(ordered) * 0.95)], 2),
            "max": round(1000 * ordered[-1], 2),
        },
    }


def _show(document: dict[str, Any]) -> None:
    print(f"load average {document['load_average']:.1f}")
    for kind, found in document.items():
        if not isinstance(found, dict):
            continue
        print(f"\n{kind}: {found['texts']:,} texts")
        print(f"  pass the gate     {found['pass_the_gate']:,}; mended {found['pass_the_gate_when_mended']:,}")
        print(f"  mended by         {found['mended_by']}")
        print(f"  still turned away {found['turned_away_when_mended']}")
        print(f"  mending           {found['mending_ms']} ms")
        print(f"  faults            {found['faults']}; does not come to rest {found['mending_does_not_come_to_rest']}")
        for each in found["examples"]:
            print("   ", safe_text(each, limit=600))


if __name__ == "__main__":
    sys.exit(main())
