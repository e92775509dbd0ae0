"""Which layers hold, what a jail without some of them is called, and what is said when one is missing."""

import subprocess
import sys
from pathlib import Path

import pytest
from neurosym_sandbox import Jail, Level, Program, Returned, SandboxUnavailable
from neurosym_sandbox._layer_names import MANDATORY, NAMESPACE_LAYERS, OPTIONAL, SWITCHES

SANDBOX = str(Path(__file__).resolve().parents[2] / "sandbox")


def honest(jail: Jail) -> object:
    with jail.open(Program("def f(x): return x * 2", "f")) as session:
        outcome = session.call((21,))
        assert isinstance(outcome, Returned)
        return outcome.value


def test_the_level_follows_from_the_layers(jail):
    active = {layer.name for layer in jail.layers if layer.active}
    assert active >= MANDATORY
    assert (jail.level is Level.STRONG) == (active >= {layer.name for layer in jail.layers} - OPTIONAL)
    assert all(bool(layer.remedy) is not layer.active for layer in jail.layers)
    assert all(layer.detail for layer in jail.layers)
    assert jail.level.value in jail.describe()
    assert all(layer.name in jail.describe() for layer in jail.layers)


@pytest.mark.parametrize("name", sorted(SWITCHES - MANDATORY - OPTIONAL))
def test_without_an_optional_layer_the_jail_is_standard(name):
    with Jail(without=[name]) as jail:
        assert jail.level is Level.STANDARD
        missing = {layer.name for layer in jail.layers if not layer.active}
        assert missing >= (NAMESPACE_LAYERS if name == "namespaces" else {name})
        assert honest(jail) == 42
    with pytest.raises(SandboxUnavailable, match="left out on request"):
        Jail(without=[name], level=Level.STRONG)


@pytest.mark.parametrize("name", sorted(MANDATORY))
def test_without_a_mandatory_layer_it_has_to_be_asked_for(name):
    with pytest.raises(SandboxUnavailable, match=f"would be weak here.*{name}"):
        Jail(without=[name])
    with Jail(without=[name], level=Level.WEAK) as jail:
        assert jail.level is Level.WEAK
        assert honest(jail) == 42


@pytest.mark.parametrize("name", sorted(OPTIONAL))
def test_what_holds_nothing_in_is_no_part_of_the_level(name):
    with Jail(level=Level.STANDARD) as full, Jail(without=[name], level=Level.STANDARD) as jail:
        assert jail.level is full.level
        assert not next(layer for layer in jail.layers if layer.name == name).active
        assert honest(jail) == 42


@pytest.mark.parametrize("name", ["landlock", *sorted(OPTIONAL)])
def test_a_required_layer_that_is_missing_is_said_with_the_remedy(name):
    with pytest.raises(SandboxUnavailable, match=f"lacks what is required.*{name}: left out on request; remedy: "):
        Jail(without=[name], require=[name])


def test_required_layers_that_hold(jail):
    with Jail(require=[layer.name for layer in jail.layers if layer.active]) as same:
        assert honest(same) == 42


def test_an_unknown_layer_is_an_error():
    with pytest.raises(ValueError, match="no layer moat can be left out"):
        Jail(without=["moat"])
    with pytest.raises(ValueError, match="no layer moat can be required"):
        Jail(require=["moat"])


def test_a_machine_without_namespaces_gives_standard_and_the_reason(tmp_path):
    """The kernel itself is made to refuse: a process without that right, told by its own limit on namespaces."""
    script = f"""
import sys
sys.path.insert(0, {SANDBOX!r})
from neurosym_sandbox import Jail
with Jail() as jail:
    print(jail.describe())
"""
    limits = Path("/proc/sys/user/max_net_namespaces")
    unshare = ["unshare", "--user", "--map-root-user", "sh", "-c", f'echo 0 > {limits} && exec "$@"', "sh"]
    probe = subprocess.run([*unshare, "true"], capture_output=True, text=True, check=False)
    if probe.returncode:
        pytest.skip(f"cannot limit namespaces here: {probe.stderr.strip()}")
    result = subprocess.run([*unshare, sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "level: standard" in result.stdout
    assert "NO   network_namespace: [Errno 28] unshare: No space left on device" in result.stdout


ORDINARY = f"""
import sys
sys.path.insert(0, {SANDBOX!r})
from neurosym_sandbox import Jail, Program
with Jail() as jail, jail.open(Program("def f(x): return x * 2", "f")) as session:
    print(jail.describe())
    print(session.call((21,)).value)
"""


def test_an_ordinary_user_gets_the_same_jail(jail):
    try:
        result = subprocess.run(
            ["/usr/bin/python3", "-c", ORDINARY], user=12345, group=12345, extra_groups=[], cwd="/",
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except (PermissionError, FileNotFoundError) as error:
        pytest.skip(f"cannot become an ordinary user here: {error}")
    if "No module named" in result.stderr or "SyntaxError" in result.stderr:
        pytest.skip("the system's Python cannot read or run this package")
    assert result.returncode == 0, result.stderr
    assert f"level: {jail.level.value}" in result.stdout
    assert result.stdout.strip().endswith("42")
