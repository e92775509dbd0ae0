"""Who vouches for a pack: OpenSSH's own signatures, by the maker or by another."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from neurosym.evidence.container import packed
from neurosym.evidence.manifest import MANIFEST, manifest_of
from tests.cli.shared import Neurosym

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no OpenSSH here")

CHECKER, MAKER = "checker@example.com", "A. Maker"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the keys of two people, and the list of both."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("checker", "maker", "stranger"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    public = {name: (folder / f"{name}.pub").read_text() for name in ("checker", "maker")}
    (folder / "allowed").write_text(f'{CHECKER} {public["checker"]}"{MAKER}" {public["maker"]}')
    return folder


@pytest.fixture
def pack(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "pack.zip"))


def test_a_checker_signs_and_anybody_sees_who_did(neurosym: Neurosym, pack: Path, keys: Path) -> None:
    signed = neurosym("sign", pack, "--key", keys / "checker")
    assert signed.code == 0, signed.err
    assert "owner   A. Maker\n" in signed.out
    assert "REFUTED  reply.py  refused\n" in signed.out
    found = neurosym("verify-signature", pack, "--allowed-signers", keys / "allowed", "--checker")
    assert found.code == 0, found.err
    assert f"Signed by {CHECKER}." in found.out
    assert "does not name the owner" not in found.out
    only_her = keys / "only_her"
    only_her.write_text(f"{CHECKER} {(keys / 'checker.pub').read_text()}")
    found = neurosym("verify-signature", pack, "--allowed-signers", only_her, "--checker")
    assert (found.code, "does not name the owner A. Maker: that two people" in " ".join(found.out.split())) == (0, True)
    by_itself = ["ssh-keygen", "-Y", "verify", "-f", keys / "allowed", "-I", CHECKER, "-n", "neurosym-evidence", "-s"]
    subprocess.run([*by_itself, f"{pack}.sig"], input=pack.read_bytes(), check=True, capture_output=True)
    named = neurosym("verify-signature", pack, "--allowed-signers", keys / "allowed", "--signer", MAKER)
    assert (named.code, "(NS742)" in named.err) == (1, True)


def test_maker_and_checker_are_two(neurosym: Neurosym, pack: Path, keys: Path) -> None:
    neurosym("sign", pack, "--key", keys / "maker")
    found = neurosym("verify-signature", pack, "--allowed-signers", keys / "allowed")
    assert (found.code, "maker and checker are one person" in " ".join(found.out.split())) == (0, True)
    found = neurosym("verify-signature", pack, "--allowed-signers", keys / "allowed", "--checker")
    assert (found.code, "another one has to check it" in found.err) == (1, True)


@pytest.mark.parametrize(
    "listed", [f'"bob,{MAKER}"', '"*"', '"bob" {key}"A. M?ker"', f'"bob" {{key}}"{MAKER}"', '"bob,a. maker"']
)
def test_a_key_that_is_also_the_owners_is_no_checkers(
    neurosym: Neurosym, pack: Path, keys: Path, tmp_path: Path, listed: str
) -> None:
    neurosym("sign", pack, "--key", keys / "maker")
    public = (keys / "maker.pub").read_text()
    allowed = tmp_path / "allowed"
    allowed.write_text(f"{listed.replace('{key}', public)} {public}")
    ran = neurosym("verify-signature", pack, "--allowed-signers", allowed)
    assert (ran.code, "a key of the owner of the run" in " ".join(ran.out.split())) == (0, True)
    for signer in ([], ["--signer", "bob"]):
        ran = neurosym("verify-signature", pack, "--allowed-signers", allowed, "--checker", *signer)
        assert (ran.code, "another one has to check it" in ran.err) == (1, True)


def test_another_pack_or_key_or_no_signature_is_not_signed(
    neurosym: Neurosym, pack: Path, made: Path, keys: Path, tmp_path: Path
) -> None:
    asked = ("--allowed-signers", keys / "allowed")
    missing = neurosym("verify-signature", pack, *asked)
    assert (missing.code, "there is no signature to read" in missing.err) == (1, True)
    neurosym("sign", pack, "--key", keys / "stranger")
    stranger = neurosym("verify-signature", pack, *asked)
    assert (stranger.code, "is none that" in stranger.err) == (1, True)
    again = neurosym("sign", pack, "--key", keys / "checker")
    assert (again.code, "is there already" in again.err) == (2, True)
    other = tmp_path / "other.sig"
    assert neurosym("sign", pack, "--key", keys / "checker", "--signature", other).code == 0
    assert neurosym("verify-signature", pack, *asked, "--signature", other).code == 0
    signature = other.read_text()
    other.write_text(signature.replace(signature.splitlines()[2][:8], "AAAAAAAA"))
    broken = neurosym("verify-signature", pack, *asked, "--signature", other)
    assert (broken.code, "(NS742)" in broken.err) == (1, True)
    other.write_text("")
    empty = neurosym("verify-signature", pack, *asked, "--signature", other)
    assert (empty.code, "is no signature: " in empty.err) == (1, True)
    other.write_text(signature)
    (tmp_path / "past").write_text(f'{CHECKER} valid-before="20250101" {(keys / "checker.pub").read_text()}')
    past = neurosym("verify-signature", pack, "--allowed-signers", tmp_path / "past", "--signature", other)
    assert (past.code, "key has expired" in past.err) == (1, True)
    raw = bytearray(pack.read_bytes())
    raw[500] ^= 1
    pack.write_bytes(raw)
    altered = neurosym("verify-signature", pack, *asked, "--signature", other)
    assert (altered.code, "(NS741)" in altered.err) == (2, True)
    assert neurosym("sign", pack, "--key", keys / "checker", "--signature", tmp_path / "x").code == 2


def test_a_whole_pack_that_is_not_the_signed_one(
    neurosym: Neurosym, pack: Path, keys: Path, members: dict[str, bytes]
) -> None:
    neurosym("sign", pack, "--key", keys / "checker")
    changed = {name: data for name, data in members.items() if name != MANIFEST} | {"README.txt": b"other\n"}
    pack.write_bytes(packed({**changed, MANIFEST: manifest_of(changed)}))
    found = neurosym("verify-signature", pack, "--allowed-signers", keys / "allowed")
    assert (found.code, "no valid signature" in found.err) == (1, True)


def test_without_ssh_keygen_it_says_so(
    neurosym: Neurosym, pack: Path, keys: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = neurosym("sign", pack, "--key", keys / "checker")
    assert (ran.code, "there is no ssh-keygen here" in ran.err) == (4, True)
    assert not Path(f"{pack}.sig").exists()


def test_a_key_that_cannot_sign(neurosym: Neurosym, pack: Path, tmp_path: Path) -> None:
    ran = neurosym("sign", pack, "--key", tmp_path / "gone")
    assert (ran.code, "does not sign with" in ran.err) == (4, True)
