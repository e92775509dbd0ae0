"""The zygote below somebody else's jail: bubblewrap, where it is installed and works."""

import shutil
import subprocess

import pytest
from neurosym_sandbox import Crashed, Jail, Level, Program, Raised, Returned, SandboxUnavailable

from tests.attacks.catalogue import ATTACKS
from tests.attacks.judge import run_all

BARE = ["bwrap", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
BUBBLEWRAP = [*BARE, "--unshare-all"]

works = (
    shutil.which("bwrap") and subprocess.run([*BUBBLEWRAP, "true"], capture_output=True, check=False).returncode == 0
)
needs_bubblewrap = pytest.mark.skipif(not works, reason="bubblewrap is not installed, or does not work here")


def test_a_command_that_is_not_there_is_said():
    with pytest.raises(SandboxUnavailable, match="'moonjail' of the external jail is not installed"):
        Jail(external=["moonjail"])


def test_a_command_that_fails_is_said():
    with pytest.raises(SandboxUnavailable, match="did not start: it ended with status 1"):
        Jail(external=["false"])


def test_a_command_that_keeps_nothing_away_is_not_external():
    with Jail(external=["env"]) as jail:
        assert jail.level is Level.STANDARD
        with pytest.raises(SandboxUnavailable, match="would be standard here, and external is required"):
            Jail(external=["env"], level=Level.EXTERNAL)


@needs_bubblewrap
@pytest.mark.parametrize("command", [BUBBLEWRAP, [*BUBBLEWRAP, "--bind", "{folder}", "{folder}"]], ids=["fd", "path"])
def test_below_bubblewrap(command):
    with Jail(external=command, level=Level.EXTERNAL) as jail:
        assert jail.level is Level.EXTERNAL
        active = {layer.name for layer in jail.layers if layer.active}
        assert active >= {"seccomp", "rlimits", "no_new_privs", "network_namespace", "pid_namespace", "mount_namespace"}
        with jail.open(Program("def f(x): return x * 2", "f")) as session:
            outcome = session.call((21,))
            assert isinstance(outcome, Returned)
            assert outcome.value == 42
            assert outcome.usage.cpu_s > 0
            assert outcome.usage.peak_memory_bytes > 2**20
        with jail.open(Program("def f(): return open('/etc/passwd').read()", "f")) as session:
            assert isinstance(session.call(()), Raised)


@needs_bubblewrap
def test_the_network_of_the_host_is_seen_through_half_a_jail():
    with Jail(external=[*BARE, "--unshare-pid", "--unshare-user"]) as jail:
        assert jail.level is Level.STANDARD
        network = next(layer for layer in jail.layers if layer.name == "network_namespace")
        assert (network.active, network.detail) == (False, "its canary got through")


@needs_bubblewrap
def test_the_attacks_below_bubblewrap():
    attacks = [attack for attack in ATTACKS if attack.number == 1 and attack.section in "ABCD"]
    with Jail(external=BUBBLEWRAP) as jail:
        assert [each for each in run_all(jail, attacks) if each.reached] == []


def test_the_outcome_of_a_call_that_kills_is_the_same(jail):
    with jail.open(
        Program("import dataclasses\ndef f(): dataclasses.dataclass.__globals__['sys'].modules['os'].chroot('/')", "f")
    ) as session:
        assert isinstance(session.call(()), Crashed)
