"""A program that is a module of a package: it imports what it was given of that, as Python does, and nothing else."""

from __future__ import annotations

import pytest
from neurosym_sandbox import Jail, LoadFailed, Module, Package, Program, Raised, Returned

RATES = Module("shop.rates", "from . import scale\nfrom decimal import Decimal\nRATE = Decimal('0.5') * scale.BY\n")
MODULES = (
    Module("shop", "from shop.fees import fee\nNAME = 'shop'\n", is_package=True),
    RATES,
    Module("shop.scale", "BY = 2\ndef log():\n    import math\n    return math.log\n"),
    Module("shop.deep", "", is_package=True),
    Module("shop.deep.inner", "from ..rates import RATE as same\n"),
)


@pytest.fixture(scope="module")
def jail() -> object:
    with Jail() as jail:
        yield jail


def _run(jail: Jail, source: str, imports: str = "decimal math", name: str = "shop.fees") -> object:
    package = Package(name, MODULES)
    program = Program(source, "fee", imports=frozenset(imports.split()), package=package)
    with jail.open(program) as session:
        return session.loaded if isinstance(session.loaded, LoadFailed) else session.call(())


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("from .rates import RATE\ndef fee(): return RATE == 1", True),
        ("from shop.rates import RATE\ndef fee(): return RATE == 1", True),
        ("import shop.rates as r\ndef fee(): return r.RATE == 1", True),
        ("import shop.rates\ndef fee(): return shop.rates.RATE == 1", True),
        ("from . import rates, scale\ndef fee(): return (rates.scale is scale)", True),
        ("def fee():\n    from .rates import RATE\n    return RATE == 1", True),
        ("def fee():\n    import shop\n    return shop.NAME", "shop"),
        ("def fee():\n    import shop.fees\n    return shop.fees.fee is fee", True),
        ("def fee():\n    from shop import fee as same\n    return same is fee", True),
        ("from .scale import *\ndef fee(): return BY", 2),
        ("from .deep.inner import same\nfrom .rates import RATE\ndef fee(): return same is RATE", True),
    ],
)
def test_its_own_modules_are_imported_as_everywhere(jail: Jail, source: str, value: object) -> None:
    outcome = _run(jail, source)
    assert isinstance(outcome, Returned), outcome
    assert outcome.value == value


def test_a_module_may_be_a_package_itself(jail: Jail) -> None:
    rates = Module("shop.fees.rates", "RATE = 3\n")
    package = Package("shop.fees", (Module("shop", "", is_package=True), rates), is_package=True)
    program = Program("from .rates import RATE\nfrom .. import fees\ndef fee(): return RATE", "fee", package=package)
    with jail.open(program) as session:
        outcome = session.call(())
    assert isinstance(outcome, Returned)
    assert outcome.value == 3


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("from .prices import PRICE\ndef fee(): return PRICE", "module 'prices' is not allowed here"),
        ("import shop.prices\ndef fee(): return 1", "module 'shop.prices' is not allowed here"),
        ("from ... import os\ndef fee(): return 1", "is not allowed here"),
        ("__package__ = 'os'\nfrom . import path\ndef fee(): return 1", "is not allowed here"),
        ("import os\ndef fee(): return 1", "module 'os' is not allowed here"),
        ("from .rates import RAT\ndef fee(): return 1", "cannot import name 'RAT' from 'shop.rates'"),
    ],
)
def test_nothing_else_is(jail: Jail, source: str, said: str) -> None:
    loaded = _run(jail, source)
    assert isinstance(loaded, LoadFailed)
    assert said in loaded.reason


def test_what_its_modules_import_is_held_to_the_same_list(jail: Jail) -> None:
    outcome = _run(jail, "from . import scale\ndef fee(): return scale.log()(1)", imports="decimal")
    assert isinstance(outcome, Raised)
    assert outcome.exception.message.startswith("module 'math' is not allowed here")


def test_all_texts_together_have_a_bound(jail: Jail) -> None:
    package = Package("shop.fees", (Module("shop", "#" * 2**20, is_package=True),))
    with jail.open(Program("def fee(): return 1", "fee", package=package)) as session:
        assert isinstance(session.loaded, LoadFailed)
        assert "at most" in session.loaded.reason
