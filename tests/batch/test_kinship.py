"""Texts that are the same code, texts that are not, and results that are those of another candidate's, line by line."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from neurosym import verify
from neurosym.batch.kinship import code_sha256, line_map
from neurosym.reports.json import document_of, dump
from neurosym.source import Source
from tests.batch.conftest import QUICK, Manifest
from tests.batch.scripted import QUICK_SETTINGS
from tests.cli.shared import RIGHT, WRONG, Neurosym

PROGRAM = '''
"""A module."""
from decimal import Decimal as D

def f(a: D, b: "int | None" = None) -> D:
    """Adds."""
    if b is None: return a
    return a + (b * D("1.0"))
'''
SAME = """from decimal import (
    Decimal as D,
)


def f(a: D, b: 'int | None' = None) -> D:  # a remark

    if b is None:
        return a
    # another
    return (
        a + b*D("1.0")
    )
"""


def _sha256(text: str) -> str:
    return code_sha256(text.encode())


def test_layout_comments_and_docstrings_do_not_matter() -> None:
    assert _sha256(PROGRAM) == _sha256(SAME) != ""
    assert line_map(PROGRAM, SAME) == {5: 6}  # the others are several lines there
    assert line_map(SAME, PROGRAM) == {1: 3, 2: 3, 3: 3, 6: 5, 8: 7, 9: 7, 11: 8, 12: 8, 13: 8}


CHANGES = [
    ("1.0", "1.00"),
    ('a + (b * D("1.0"))', '(a + b) * D("1.0")'),
    (" b ", " c "),
    ("is None", "is not None"),
    ("    return a + ", "    '''a text'''\n    return a + "),
    ("def f", "async def f"),
    *[("= None)", f"= {default})") for default in ("0", "0.0", "-0.0", "-0", "False", "0j", "''", "b''", "u''", "()")],
    ("def f", "class C:\n    '''text'''\n    x = 1\ndef f"),
    ("def f", "class C:\n    '''another text'''\n    x = 1\ndef f"),
    *[
        ("return a\n", f"return {value}\n")
        for value in ("f'{b=}'", "f'{b = }'", "f'{b!r}'", "f'{b}'", "a, b", "[a, b]")
    ],
    ("return a\n", "pass\n"),
]


def test_what_can_matter_makes_another_code() -> None:
    texts = [PROGRAM, *(PROGRAM.replace(before, after) for before, after in CHANGES)]
    found = [_sha256(each) for each in texts]
    assert all(found)
    assert len(set(found)) == len(set(texts)) == len(CHANGES) + 1


@pytest.mark.parametrize(
    "looks",
    [
        "x = f.__doc__",
        "x = f.__code__.co_firstlineno",
        "x = getattr(f, name)",
        "x = vars(f)",
        "x = '{0.__doc__}'.format(f)",
        "x = template.format(f)",
        "x = '{:{0.x}}'.format(f)",
        "x = str.format('{0.__doc__}', f)",
        "x = '{0.__doc__}'.format_map(m)",
        "from operator import attrgetter",
        "from inspect import getsource",
        "import traceback",
        "import dataclasses\nx = dataclasses.inspect",
        "from dataclasses import sys",
        "from dataclasses import *",
        "import collections\nx = collections._sys",
        "import functools as t\nx = t.update_wrapper",
        "from . import other",
        "global __doc__",
        "x = error.__traceback__",
        "x = made.gi_frame",
        "match f:\n    case object(__doc__=d): pass",
        "x = a is b",
        "x = open(p)",
        "match f:\n    case M(d): pass",  # whatever M's __match_args__ name
        "match enum:\n    case object(sys=s): pass",
        "x = ('__doc__',)",
        "from functools import singledispatch",
        "import functools\n@functools.singledispatchmethod\ndef g(): pass",
        "from typing import ForwardRef as R",
        "from dataclasses import make_dataclass",
        "x = type('C', (), {name: int})",
        "import enum as self\nx = self.sys",
        "def g(self): return self._sys",
        "x = b.getattr(f, name)",
        "from operator import is_",
        "class C(metaclass=M): pass",
        "class C(**given): pass",
        "from enum import EnumMeta",
        "x = y.__class__",
        "x = __file__",
        "def f(:",
    ],
)
def test_what_may_look_at_its_own_text_has_no_kin(looks: str) -> None:
    assert _sha256(looks + "\n") == ""
    assert _sha256("x = '{0:.2f}'.format(y) if y is None else self._rate\n")


RIGHT_TOO = RIGHT.replace("    if balance", '    """The fee."""\n    # nobody owes less than nothing\n    if balance')
WRONG_TOO = WRONG.replace("    if days", "\n    # the grace period\n    if days").replace("fee = (", "fee = ( ")
ON_ONE_LINE = WRONG.replace("10:\n        return", "10: return")
UNTYPED = RIGHT.replace("def late_fee", "import os  # neurosym: ignore\n\n\ndef late_fee")
DISPATCHED = """
from functools import singledispatch
{right}

def helper() -> None:
    {first}
    pass

@singledispatch
def shown(value: object) -> Decimal:
    return Decimal(1)

@shown.register
def _(value: "int if helper.__doc__ else str") -> Decimal:
    return Decimal(0)
"""
"""Right with a docstring, wrong without: ``singledispatch`` evaluates an annotation that reads it."""
REGISTERED = RIGHT.replace("    return min(", "    return shown(1) + min(")
DOCUMENTED, BARE = (DISPATCHED.format(right=REGISTERED, first=each) for each in ("'''x'''", "# x"))
JOBS = {"right": RIGHT, "right too": RIGHT_TOO, "wrong": WRONG, "wrong too": WRONG_TOO, "on one line": ON_ONE_LINE,
        "untyped": UNTYPED, "documented": DOCUMENTED, "bare": BARE}  # fmt: skip


def _without_times(value: Any) -> Any:
    """A document without what differs between any two runs, and the command that names the store of one of them."""
    if isinstance(value, dict):
        timed = ("seconds", "gate", "preparation_seconds", "cpu_seconds", "wall_seconds", "peak_memory_bytes", "replay")
        return {name: _without_times(each) for name, each in value.items() if name not in timed}
    return [_without_times(each) for each in value] if isinstance(value, list) else value


def test_a_result_that_is_shared_is_what_the_candidate_would_have_had(neurosym: Neurosym, manifest: Manifest) -> None:
    path = manifest(*({"id": name, "spec": "late_fee.spec.toml", "text": text} for name, text in JOBS.items()))
    options = [each for each in QUICK if each != "--no-explain"]
    ran = neurosym("batch", path, *options, "--workers", "1", "--jsonl", path.with_name("out.jsonl"))
    assert ran.code == 1, ran.err
    assert "3 jobs of the same code as another in another layout, read and not run again\n" in ran.out
    shared = {each["id"]: each for each in map(json.loads, path.with_name("out.jsonl").read_text().splitlines())}
    assert {name: line["same_code_as"] for name, line in shared.items() if line["same_code_as"]} == {
        "right too": "right",
        "wrong too": "wrong",
        "on one line": "wrong",
    }
    assert (shared["documented"]["verdict"], shared["bare"]["verdict"]) == ("TESTED", "REFUTED")
    sources = [Source(text, name) for name, text in JOBS.items()]
    effort = QUICK_SETTINGS.asked.effort
    alone = verify(path.with_name("late_fee.spec.toml"), *sources, effort=effort, types="off")
    for candidate in json.loads(dump(document_of(alone)))["candidates"]:
        line = shared[candidate["name"]]
        assert _without_times(line["result"]["candidates"][0]) == _without_times(candidate)
        assert line["verdict"] == candidate["verdict"]
        assert (f" {shlex.quote(line['id'])} " in (line["replay"] or "")) == (line["verdict"] == "REFUTED")
    assert shared["wrong"]["result"]["candidates"][0]["explanation"]["steps"]
