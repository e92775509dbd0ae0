"""A checked module imports the rest of its package: it runs with it, is never proved, and follows its changes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from neurosym import Effort, Source, gate, load_spec, verify
from neurosym.cache import Cache
from neurosym.checking.own import Own, sha256_with
from neurosym.checking.plan import plan
from neurosym.checking.run import check
from neurosym.checking.settings import SettingsError, load_settings
from neurosym.source import OwnModule, OwnPackage
from tests.checking.conftest import replays
from tests.cli.shared import Neurosym

FEES = """from shop.scale import by_two
from . import rates


def twice(n):
    return by_two(n) * rates.ONE
"""


@pytest.fixture
def package(project: Path) -> Path:
    """The project's package, whose function needs two other modules of it; a proof is asked for."""
    folder = project / "src/shop"
    (folder / "fees.py").write_text(FEES)
    (folder / "scale.py").write_text("import math\n\n\ndef by_two(n):\n    return math.prod((2, n))\n")
    (folder / "rates.py").write_text("ONE = 1\n")
    (folder / "unused.py").write_text("import requests\n")
    settings = (project / "pyproject.toml").read_text().replace("proof = false", 'packages = ["shop"]')
    (project / "pyproject.toml").write_text(settings.replace("*.spec", "twice.spec"))
    return folder


def test_it_is_run_with_them_and_never_proved(neurosym: Neurosym, package: Path) -> None:
    first = neurosym("check", "--json")
    assert first.code == 0
    assert '"lacks": "a reading of what it imports of its own package"' in first.out
    assert "it is run with modules of its own package (shop, shop.rates, shop.scale): it can be tested" in first.out

    # What it can import is part of what its verdict depends on; what it cannot is not.
    (package / "unused.py").write_text("import rich\n")
    assert "TESTED     shop.fees:twice" in neurosym("check").out
    assert "cached" in neurosym("check").out
    (package / "rates.py").write_text("ONE = 2\n")
    files = ["junit.xml", "neurosym.sarif", "neurosym.md"]
    changed = neurosym("check", "--github", "--junit", files[0], "--sarif", files[1], "--markdown", files[2])
    assert changed.code == 1
    assert "REFUTED    shop.fees:twice" in changed.out

    # One command, in every report, runs the refutation again, with the modules that the function needs.
    ((*command, inputs, config, settings),) = replays(changed.out)
    assert command == ["replay", "specs/twice.spec.toml", "src/shop/fees.py", "--clause", "reference", "--inputs"]
    assert (config, settings) == ("--config", "pyproject.toml")
    again = neurosym(*command, inputs, config, settings)
    assert (again.code, "It still fails." in again.out) == (1, True)
    alone = neurosym(*command, inputs)
    assert (alone.code, "the module shop" in alone.out) == (1, True)
    for text in (changed.err, *(Path(each).read_text() for each in files)):
        assert "--config pyproject.toml" in text
    test = neurosym(*command, inputs, config, settings, "--write-test", "test_twice.py")
    assert test.code == 1
    module = runpy.run_path("test_twice.py")
    with pytest.raises(AssertionError):
        module["test_twice"](*module["CASES"][0])
    (package / "rates.py").write_text("ONE = 1\n")
    assert neurosym(*command, inputs, config, settings).code == 6
    module["test_twice"](*module["CASES"][0])
    assert "cached" in neurosym("check").out
    elsewhere = neurosym(
        "replay", "specs/twice.spec.toml", "specs/twice.spec.toml", *command[3:], inputs, config, settings
    )
    assert (elsewhere.code, "is no file of a module in" in elsewhere.err) == (2, True)
    (package / "__init__.py").write_text("from . import rates\nrates.ONE = 3\n")
    assert "REFUTED    shop.fees:twice" in neurosym("check").out


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("rates.py", "import requests\nONE = 1\n", "src/shop/rates.py, line 1: the module requests is outside of what"),
        ("rates.py", "ONE = eval('1')\n", "src/shop/rates.py, line 1: eval runs code that is made from text (NS410)"),
        ("rates.py", "from .more import ONE\n", "shop.more is no module that it may import of its own (NS402)"),
        ("rates.py", "ONE = (1\n", "src/shop/rates.py, line 1: "),
        ("__init__.py", "open('log')\n", "src/shop/__init__.py, line 1: open is called while the module is loaded"),
        ("scale.py", "from shop.rates import *\nimport typing\ntyping.sys.exit()\n", "typing.sys is the module sys"),
        ("fees.py", "from . import prices\n" + FEES, "cannot import name 'prices'"),
        ("fees.py", "from .prices import P\n" + FEES, "shop.prices is no module that it may import of its own"),
    ],
)
def test_what_it_imports_keeps_the_policy(package: Path, file: str, text: str, said: str) -> None:
    (package / file).write_text(text)
    settings = load_settings(package.parents[1] / "pyproject.toml")
    (subject,) = plan(settings).subjects
    assert subject.spec is not None
    raw = subject.file.read_bytes()
    source = Source(raw, "fees.py", package=Own(settings).around(subject.module, subject.file, raw))
    entry = gate.enter(source, subject.spec, gate.Types.OFF)
    if said.startswith("cannot"):  # a name of the package, as far as the text says; loading it tells
        assert isinstance(entry, gate.Passed)
        return
    assert isinstance(entry, gate.Stopped)
    assert said in entry.diagnostics[0].message
    assert entry.diagnostics[0].code == ("NS402" if file == "fees.py" else "NS403")


def test_a_float_in_another_module_is_objected_to(package: Path, tmp_path: Path) -> None:
    spec = tmp_path / "specs/twice.spec.toml"
    spec.write_text(spec.read_text().replace('type = "int", min', 'type = "decimal", places = 0, min'))
    modules = (OwnModule("shop", "", "", is_package=True), OwnModule("shop.rates", "rates.py", "RATE = 0.5\n"))
    source = Source("from .rates import RATE\ndef twice(n): return n\n", package=OwnPackage("shop.fees", modules))
    entry = gate.enter(source, load_spec(spec), gate.Types.OFF)
    assert isinstance(entry, gate.Passed)
    (objection,) = entry.objections
    assert objection.message.startswith("in rates.py, line 1, which it imports: ")


def test_all_that_can_be_imported_is_in_the_hash(package: Path) -> None:
    """However an import is written, a change of the module changes the hash."""
    ways = [
        "from .scale import by_two", "from . import scale", "import shop.scale", "from shop import scale as s",
        "from.scale import*", "from \\\n . import \\\n scale", "import ｓhop.ｓcale", "from shop.deep.inner import x",
        "def twice(n):\n    from shop.scale import by_two\n", "from shop.deep import *",
    ]  # fmt: skip
    (package / "deep").mkdir()
    (package / "deep/__init__.py").write_text("__all__ = ['inner']\n")
    (package / "deep/inner.py").write_text("from ..scale import by_two as x\n")
    settings = load_settings(package.parents[1] / "pyproject.toml")
    scale = (package / "scale.py").read_text()
    for way in ways:
        raw = way.encode()
        (package / "scale.py").write_text(scale)
        before = sha256_with(raw, Own(settings).around("shop.fees", package / "fees.py", raw))
        (package / "scale.py").write_text(scale + "# changed\n")
        after = sha256_with(raw, Own(settings).around("shop.fees", package / "fees.py", raw))
        assert before != after, way
    alone = b"def twice(n): return 2 * n  # of the shopkeeper\n"
    assert Own(settings).around("shop.fees", package / "fees.py", alone) is None


def test_a_module_that_stands_alone_is_proved_as_ever(package: Path) -> None:
    (package / "fees.py").write_text("def twice(n):\n    return 2 * n\n")
    settings = load_settings(package.parents[1] / "pyproject.toml")
    with Cache() as cache:
        (found,) = check(plan(settings).subjects, settings, cache)
    assert found.result.candidates[0].verdict == "PROVED"


@pytest.mark.parametrize(
    ("packages", "said"),
    [
        ('["decimal"]', "decimal is called like a module that is not of the project"),
        ('["shops"]', "there is no package shops in"),
        ('["shop/fees"]', '"shop/fees" is no name of a module'),
        ('"shop"', '"shop" is no list'),
    ],
)
def test_packages_that_cannot_be_named(neurosym: Neurosym, package: Path, packages: str, said: str) -> None:
    settings = package.parents[1] / "pyproject.toml"
    settings.write_text(settings.read_text().replace('["shop"]', packages))
    ran = neurosym("check")
    assert ran.code == 2
    assert said in ran.err


def test_no_module_stands_in_the_place_of_pythons_own(package: Path) -> None:
    with pytest.raises(ValueError, match="json would stand in the place"):
        OwnPackage("shop.fees", (OwnModule("json", "json.py", ""),))


@pytest.mark.slow
def test_a_candidate_with_a_package_is_judged_by_the_library_too(package: Path, tmp_path: Path) -> None:
    modules = (OwnModule("shop", "", "", is_package=True), OwnModule("shop.rates", "rates.py", "TWO = 3\n"))
    source = Source("from .rates import TWO\ndef twice(n): return TWO * n\n", package=OwnPackage("shop.f", modules))
    effort = Effort(examples=1, time_limit_s=60, proof=False)
    result = verify(tmp_path / "specs/twice.spec.toml", source, effort=effort, slices=True, fix=True)
    assert result.candidates[0].standing.value == "REFUTED"
    assert result.candidates[0].explanation is None


def test_a_module_called_like_one_of_pythons_own_cannot_import_what_is_of_the_project(package: Path) -> None:
    settings = load_settings(package.parents[1] / "pyproject.toml")
    (package.parent / "json.py").write_text("from shop.rules import rate\n")
    with pytest.raises(SettingsError, match="json is called like a module that is not of the project"):
        Own(settings).around("json", package.parent / "json.py", b"from shop.rules import rate\n")
