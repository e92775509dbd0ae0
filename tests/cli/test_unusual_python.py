"""Right candidates in legal Python that few people write: none of them is turned away at the gate."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from neurosym_specs import load_spec

from neurosym import gate
from neurosym.source import Source
from tests.cli.shared import RIGHT

RENAMED = RIGHT.replace("def late_fee", "def fee")
SCRIPT = "\nif __name__ == '__main__':\n    import sys\n    print(late_fee(*sys.argv[1:]))\n"

CANDIDATES = {
    "bound in a tuple": RENAMED + "\nlate_fee, other = fee, 1\n",
    "bound with a star": RENAMED + "\nlate_fee, *others = [fee, 1]\n",
    "bound by a walrus": RENAMED + "\n(late_fee := fee)\n",
    "bound in a loop": RENAMED + "\nfor late_fee in [fee]:\n    pass\n",
    "an import for a script": RIGHT + SCRIPT,
    "an import for a type checker": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\n" + RIGHT,
    "UTF8": "# coding: UTF8\n# é\n" + RIGHT,
    "U8": "# coding: U8\n# é\n" + RIGHT,
    "utf_8": "# -*- coding: utf_8 -*-\n# é\n" + RIGHT,
    "ASCII, as us-ascii": "# vim: set fileencoding=us-ascii :\n" + RIGHT,
    "ASCII, as latin1": "# coding: latin1\n" + RIGHT,
    "ASCII, as windows-1252": "# coding: windows-1252\n" + RIGHT,
    "carriage returns": RIGHT.replace("\n", "\r"),
    "form feeds": "\f\n" + RIGHT.replace("\n    ", "\n\f    "),
}


@pytest.mark.parametrize("name", CANDIDATES)
def test_it_passes(name: str, spec: Path) -> None:
    entry = gate.enter(Source(CANDIDATES[name]), load_spec(spec))
    assert isinstance(entry, gate.Passed), entry


def test_a_byte_order_mark_passes(spec: Path) -> None:
    assert isinstance(gate.enter(Source(codecs.BOM_UTF8 + RIGHT.encode()), load_spec(spec)), gate.Passed)


@pytest.mark.parametrize(
    "code",
    [
        RENAMED + "\nf = lambda: (late_fee := fee)\n",
        RENAMED + "\ndef g():\n    late_fee, other = fee, 1\n",
        RENAMED + "\nprint(late_fee)\n",
    ],
)
def test_what_binds_another_scope_or_nothing_does_not(code: str, spec: Path) -> None:
    entry = gate.enter(Source(code), load_spec(spec))
    assert isinstance(entry, gate.Stopped)
    assert entry.diagnostics[0].code == "NS301"


def test_another_encoding_is_named_with_all_that_is_to_do(spec: Path) -> None:
    entry = gate.enter(Source(("# coding: latin-1\n# é\n" + RIGHT).encode("latin-1")), load_spec(spec))
    assert isinstance(entry, gate.Stopped)
    assert entry.diagnostics[0].hint == "save the file as UTF-8 and take the declaration of iso8859-1 out"
