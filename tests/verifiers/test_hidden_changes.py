"""A candidate that changes its argument, and changes what stands around it so that nobody should notice.

What becomes of an argument only the candidate's own process can tell. The trusted code in there is made of functions
that were bound before the candidate came, with builtins of their own; what it uses of the standard library is written
in C or was taken out of reach. Each program here patches something that it can get at, and is REFUTED all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import FailureClass, Refuted
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement

TOTAL = """
spec = 1
name = "total"
[inputs]
xs = { type = "list[int]", max_len = 4 }
[output]
type = "int"
[reference]
value = "sum(xs)"
"""
SHARE = """
spec = 1
name = "share"
[inputs]
x = { type = "fraction", min = 0, max = 10, max_denominator = 12 }
[output]
type = "fraction"
[reference]
value = "x / 2"
"""
OWED = """
spec = 1
name = "owed"
[inputs]
line = { type = "record", as = "dataclass", fields = { cents = { type = "int", min = 0, max = 99 } } }
[output]
type = "int"
[reference]
value = "line.cents * 2"
"""
CHANGE = "def total(xs):\n    result = sum(xs)\n    xs.append(7)\n    return result\n"

BY_PATCHING = {
    "nothing": "",
    "the encoder of json": "import json\njson.JSONEncoder.encode = lambda self, value: '[]'\n",
    "the iterator of json": "import json\njson.JSONEncoder.iterencode = lambda *a, **k: iter(('null',))\n",
    "the parts of json": "import json\njson.encoder.c_make_encoder = None\njson.encoder.encode_basestring = str\n",
    "the decoder of json": (
        "import json\nplain = json.JSONDecoder.decode\n"
        "json.JSONDecoder.decode = lambda self, text, *rest: plain(self, text.replace('7', '0'), *rest)\n"
    ),
    "dumps and loads": "import json\njson.dumps = lambda *a, **k: 'null'\njson.loads = lambda *a, **k: None\n",
    "operator and functools": (
        "import operator, functools\noperator.eq = lambda a, b: True\nfunctools.reduce = lambda *a: 0\n"
    ),
    "its own builtins": "len = lambda value: 0\ntype = set = map = sorted = lambda *a: int\n",
    "the builtins": (
        "import dataclasses\nb = dataclasses.dataclass.__globals__['__builtins__']\nplain = dict(b)\n"
        "b['len'] = lambda v: 0\nb['set'] = lambda *a: plain['frozenset']({int})\nb['isinstance'] = lambda *a: True\n"
    ),
    "bytes that are equal to all": (
        "import dataclasses\nb = dataclasses.dataclass.__globals__['__builtins__']\n"
        "class Same(str):\n    def __eq__(self, other): return True\n    __hash__ = str.__hash__\nb['str'] = Same\n"
    ),
    "a codec": (
        "import dataclasses\nsys = dataclasses.dataclass.__globals__['sys']\n"
        "sys.modules['codecs'].encode = lambda *a: b''\nsys.modules['json'].JSONEncoder = None\n"
    ),
    "every module it can name": (
        "import dataclasses\nsys = dataclasses.dataclass.__globals__['sys']\n"
        "for name in ('json', 'json.encoder', 're', 'decimal', 'fractions', 'struct', 'binascii', 'datetime'):\n"
        "    for each in dir(sys.modules[name]):\n"
        "        if not each.startswith('__'): setattr(sys.modules[name], each, lambda *a, **k: None)\n"
    ),
    "decimal and fractions": (
        "import decimal, fractions\ndecimal.Decimal = fractions.Fraction = int\n"
        "fractions.Fraction.__eq__ = lambda a, b: True\n"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench(spec_from_toml(TOTAL), Effort(examples=20, proof=False)) as bench:
        yield bench


def refuted_class(bench: Bench, source: str) -> FailureClass | None:
    found = bench.judge(source)
    assert isinstance(found, Judgement), found
    verdict = next(verdict for obligation, verdict in found.verdicts.items() if obligation.id == "pure")
    return verdict.counterexample.failure if isinstance(verdict, Refuted) else None


@pytest.mark.parametrize("patched", BY_PATCHING)
def test_a_changed_argument_is_seen_whatever_was_patched(bench: Bench, patched: str) -> None:
    patch = BY_PATCHING[patched].replace(
        "decimal.Decimal = fractions.Fraction = int\nfractions.Fraction.__eq__",
        "plain = fractions.Fraction\ndecimal.Decimal = fractions.Fraction = int\nplain.__eq__",
    )
    assert refuted_class(bench, patch + CHANGE) is FailureClass.STATE


@pytest.mark.parametrize("patched", BY_PATCHING)
def test_a_patch_alone_is_nobodys_fault(bench: Bench, patched: str) -> None:
    if "builtins" in patched or "equal" in patched or "every" in patched or "fractions" in patched:
        pytest.skip("what is patched is the candidate's own loss")
    assert refuted_class(bench, BY_PATCHING[patched] + CHANGE.replace("    xs.append(7)\n", "")) is None


def test_the_parts_of_a_fraction_are_an_argument_too() -> None:
    change = "def share(x):\n    result = x / 2\n    x._numerator += 1\n    return result\n"
    hide = "import fractions\nfractions.Fraction.numerator = property(lambda self: self._numerator - 1)\n"
    with Bench(spec_from_toml(SHARE), Effort(examples=20, proof=False)) as bench:
        assert refuted_class(bench, change) is FailureClass.STATE
        assert refuted_class(bench, hide + change) is FailureClass.STATE


def test_a_field_that_is_no_longer_told_is_seen() -> None:
    change = (
        "def owed(line):\n    result = line.cents * 2\n    object.__setattr__(line, 'cents', 5)\n    return result\n"
    )
    hides = ("", "import dataclasses\ndataclasses.fields = lambda cls: ()\n")
    with Bench(spec_from_toml(OWED), Effort(examples=20, proof=False)) as bench:
        for hide in hides:
            assert refuted_class(bench, hide + change) is FailureClass.STATE
        drop = change.replace("    return", "    type(line).__dataclass_fields__.clear()\n    return")
        assert refuted_class(bench, drop) is FailureClass.STATE
