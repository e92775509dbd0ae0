"""Every byte of a pack is decided by what is in it, so that whatever was done to it shows and is named."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from neurosym.evidence.container import DamagedPack, packed, unpacked
from neurosym.evidence.manifest import MANIFEST, check_manifest, manifest_of
from neurosym.generators.request import canonical

SMALL = {"a.txt": b"one\n", "b/ü.txt": b"", "c.json": b"{}"}


def _whole(members: dict[str, bytes]) -> bytes:
    return packed({**members, MANIFEST: manifest_of(members)})


def _read(raw: bytes) -> str:
    members = unpacked(raw)
    return check_manifest(members)


def _fault(raw: bytes) -> str:
    with pytest.raises(DamagedPack) as damage:
        _read(raw)
    return str(damage.value)


def test_the_same_members_make_the_same_bytes() -> None:
    assert packed(dict(reversed(SMALL.items()))) == packed(SMALL)
    assert unpacked(packed(SMALL)) == SMALL
    assert packed(unpacked(_whole(SMALL))) == _whole(SMALL)


def test_any_tool_reads_it() -> None:
    with zipfile.ZipFile(io.BytesIO(_whole(SMALL))) as file:
        assert file.testzip() is None
        assert {name: file.read(name) for name in SMALL} == SMALL


@pytest.mark.parametrize("change", [0x01, 0x80, 0xFF])
def test_every_altered_byte_is_found(change: int) -> None:
    raw = _whole(SMALL)
    for place in range(len(raw)):
        altered = bytearray(raw)
        altered[place] ^= change
        assert _fault(bytes(altered))


def test_every_cut_and_every_addition_is_found() -> None:
    raw = _whole(SMALL)
    for end in range(len(raw)):
        assert _fault(raw[:end])
    assert "byte" in _fault(raw + b"\0")
    assert "byte 0" in _fault(b"\0" + raw)
    assert "byte 0" in _fault(b"")


def test_the_member_that_was_altered_is_named() -> None:
    raw = bytearray(_whole(SMALL))
    raw[raw.index(b"one\n")] ^= 1
    assert _fault(bytes(raw)) == "the member a.txt was altered: its checksum is not that of what it holds"
    altered = {**SMALL, "a.txt": b"two\n", MANIFEST: manifest_of(SMALL)}
    assert _fault(packed(altered)) == "the member a.txt was altered: it is not what the manifest says"


def test_a_member_more_or_less_is_named() -> None:
    more = {**SMALL, "z.txt": b"", MANIFEST: manifest_of(SMALL)}
    assert _fault(packed(more)) == "the member z.txt is in it, and not in its manifest"
    less = {"a.txt": SMALL["a.txt"], MANIFEST: manifest_of(SMALL)}
    assert _fault(packed(less)) == "the member b/ü.txt is missing: the manifest lists it"
    assert _fault(packed(SMALL)) == "there is no manifest.json in it"


def test_an_edited_manifest_is_named() -> None:
    edited = manifest_of(SMALL).replace(b'"bytes": 4', b'"bytes": 5')
    said = "manifest.json was altered: its hash is not that of what it says"
    assert _fault(packed({**SMALL, MANIFEST: edited})) == said
    for other in (b"{}", b"[]", b"", b"\xff", b"[" * 100_000):
        assert _fault(packed({**SMALL, MANIFEST: other})).startswith("manifest.json is no manifest")
    endless = json.loads(manifest_of(SMALL))
    endless["members"][0]["bytes"] = float("inf")
    endless["sha256"] = hashlib.sha256(
        canonical({key: value for key, value in endless.items() if key != "sha256"}).encode()
    ).hexdigest()
    assert _fault(packed({**SMALL, MANIFEST: json.dumps(endless).encode()})).startswith("manifest.json is no manifest")
    later = manifest_of(SMALL).replace(b'"schema_version": 1', b'"schema_version": 9')
    assert _fault(packed({**SMALL, MANIFEST: later})) == "a pack of version 9, and this neurosym reads 1"


def test_a_member_that_is_there_twice_is_named() -> None:
    once, twice = packed({"a.txt": b"x"}), packed({"a.txt": b"y"})
    first, second = (each[: each.index(b"PK\x01\x02")] for each in (once, twice))
    assert _fault(first + second + once[len(first) :]) == f"the member a.txt is in it twice (byte {len(first)})"


@pytest.mark.parametrize(
    "name", ["../a", "/a", "a/../../b", "a//b", "./a", "C:a", "a\\b", "a\nb", "", "\u202ea", "x" * 500]
)
def test_a_name_that_leads_out_of_it_is_never_followed(name: str) -> None:
    with pytest.raises(ValueError, match=r"name"):
        packed({name: b""})
    encoded = name.encode()
    header = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 20, 0, 0, 0, 33, zlib.crc32(b""), 0, 0, len(encoded), 0)
    assert "name" in _fault(header + encoded)


def test_nothing_is_unpacked_that_could_grow(tmp_path: Path) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.txt", b"0" * 10_000_000)
    assert "header of a.txt" in _fault(bomb.getvalue())


def test_a_file_that_another_tool_packed_is_refused() -> None:
    other = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_whole(SMALL))) as whole, zipfile.ZipFile(other, "w") as file:
        for name in whole.namelist():
            file.writestr(name, whole.read(name))
    assert "is not as it was written" in _fault(other.getvalue())
