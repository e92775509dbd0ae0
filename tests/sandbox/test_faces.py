"""What an import gives: what the module defines, and none of the modules that it uses itself."""

import importlib
import sys
from types import ModuleType

import pytest
from neurosym_sandbox import DEFAULT_IMPORTS, Raised, Returned


@pytest.mark.parametrize("name", sorted(DEFAULT_IMPORTS))
def test_no_module_that_may_be_imported_leads_to_one_that_may_not(run, name):
    source = (
        f"import {name}\ndef f():\n    seen, todo, found = set(), [{name}], []\n"
        "    while todo:\n        module = todo.pop()\n        if id(module) in seen: continue\n"
        "        seen.add(id(module))\n        found.append(module.__name__)\n"
        "        todo += [v for v in vars(module).values() if type(v) is type(module)]\n"
        "    return sorted(found)\n"
    )
    outcome = run(source)
    assert isinstance(outcome, Returned), outcome
    assert all(each.partition(".")[0] in DEFAULT_IMPORTS for each in outcome.value)


@pytest.mark.parametrize("name", sorted(DEFAULT_IMPORTS))
def test_a_face_has_all_that_the_module_defines(run, name):
    module = importlib.import_module(name)
    public = [each for each in getattr(module, "__all__", dir(module)) if not each.startswith("__")]
    public = [each for each in public if not isinstance(getattr(module, each, None), ModuleType)]
    outcome = run(
        f"import {name}\ndef f(names): return [each for each in names if not hasattr({name}, each)]\n", public
    )
    assert isinstance(outcome, Returned)
    assert outcome.value == []


@pytest.mark.parametrize(
    "line",
    [
        "from typing import sys",
        "from dataclasses import inspect",
        "import dataclasses; dataclasses.sys",
        "import typing as t; getattr(t, 's' + 'ys')",
        "import typing; vars(typing)['sys']",
        "import typing; typing.__builtins__",
        "import json; json.codecs",
        "import json.decoder as d; d.scanner.sys",
        "import operator, typing; operator.attrgetter('sys.modules')(typing)",
        "import enum; enum.bltns.eval",
    ],
)
def test_what_a_module_uses_is_not_there(run, line):
    outcome = run(f"def f():\n    {line}\n")
    assert isinstance(outcome, Raised)
    assert outcome.exception.name in ("ImportError", "AttributeError", "KeyError")


def test_a_policy_may_allow_more(run):
    source = "import typing, copy\ndef f(): return typing.copyreg is not None if hasattr(typing, 'copyreg') else 1\n"
    assert run(source, imports=DEFAULT_IMPORTS | {"copy"}).value == 1
    assert run("import copy\ndef f(): return copy.deepcopy([1])\n", imports=frozenset({"copy"})).value == [1]
    assert run("import os\ndef f(): return os.path.join('a', 'b')\n", imports=frozenset({"os"})).value == "a/b"
    dotted = frozenset({"collections.abc"})
    assert run("from collections.abc import Sized\ndef f(): return isinstance([], Sized)\n", imports=dotted).value
    assert isinstance(run("from collections import Counter\ndef f(): ...\n", imports=dotted), Raised)


def test_what_is_assigned_to_a_module_stays_with_the_program(run):
    source = (
        "import math, statistics\nmath.sqrt = statistics.fsum = lambda *a: 0\n"
        "def f(): return math.sqrt(4), statistics.mean([1.0, 2.0])\n"
    )
    assert run(source).value == (0, 1.5)


def test_what_looks_modules_up_finds_them(run):
    source = """
from __future__ import annotations
import dataclasses
import typing
import typing as t
from dataclasses import KW_ONLY, InitVar, dataclass
@dataclass
class Item:
    shared: typing.ClassVar[int] = 3
    also: t.ClassVar[int] = 4
    price: int
    extra: dataclasses.InitVar[int] = 1
    _: dataclasses.KW_ONLY
    discount: int = 0
class Row(typing.NamedTuple):
    a: int
class Options(typing.TypedDict):
    b: int
def f():
    names, hints = [each.name for each in dataclasses.fields(Item)], typing.get_type_hints(Row)
    return names, Item(2, discount=1).price, hints == {"a": int}, sorted(Options.__required_keys__)
"""
    outcome = run(source)
    assert isinstance(outcome, Returned), outcome
    assert outcome.value == (["price", "discount"], 2, True, ["b"])


def test_python_itself_shares_modules_like_that():
    """What these tests are about: without faces `typing.sys` is there."""
    import typing

    assert typing.sys is sys  # type: ignore[attr-defined]
