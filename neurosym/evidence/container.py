"""A zip file of which every byte is decided by the members' names and contents, so that each altered one shows.

The members are stored as they are, in the order of their names, with one date and no remarks. Reading takes nothing
else: the file must be, byte for byte, what these members make. So there is nothing to unpack that could grow, no second
member of a name, no hidden bytes between or behind the members. Any tool that reads zip files reads it.

The format: PKWARE, APPNOTE.TXT 6.3.9, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.16 (its end).
"""

from __future__ import annotations

import struct
import unicodedata
import zlib
from collections.abc import Iterator, Mapping

from neurosym_specs.errors import NeurosymError

LARGEST_BYTES = 512 * 2**20
_LONGEST_NAME = 400
_MOST_MEMBERS = 20_000

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_ENTRY = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_LOCAL_MARK, _ENTRY_MARK, _END_MARK = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_VERSION, _MADE_ON_UNIX, _UTF_8, _STORED = 20, (3 << 8) | 20, 0x800, 0
_TIME, _DATE = 0, (1 << 5) | 1  # the first moment that the format knows: 1980-01-01 00:00
_MODE = 0o100644 << 16


class DamagedPack(NeurosymError):
    """An evidence pack that is not as it was written; ``str`` names the member or the byte where that shows."""

    exit_code = 2
    code = "NS741"


def packed(members: Mapping[str, bytes]) -> bytes:
    """The file of these members. Raises ``ValueError`` for a name or a size that no pack may have."""
    for name in members:
        if fault := name_fault(name):
            raise ValueError(f"{name!r}: {fault}")
    if len(members) > _MOST_MEMBERS or sum(map(len, members.values())) > LARGEST_BYTES:
        raise ValueError(f"a pack holds at most {_MOST_MEMBERS:,} members and {LARGEST_BYTES // 2**20} MiB")
    parts: list[bytes] = []
    for name in sorted(members):
        parts += [_local(name, members[name]), members[name]]
    return b"".join([*parts, _directory({name: members[name] for name in sorted(members)})])


def unpacked(raw: bytes) -> dict[str, bytes]:
    """The members of a file that ``packed`` made. Raises ``DamagedPack``, which names the first byte that is not so."""
    members: dict[str, bytes] = {}
    at, last = 0, ""
    while raw[at : at + 4] == _LOCAL_MARK:
        name, data, after = _member(raw, at)
        if name in members:
            raise DamagedPack(f"the member {name} is in it twice (byte {at:,})")
        if name < last:
            raise DamagedPack(f"the member {name} (byte {at:,}) does not stand in the order of names")
        members[name] = data
        at, last = after, name
        if len(members) > _MOST_MEMBERS:
            raise DamagedPack(f"more than {_MOST_MEMBERS:,} members")
    if not members:
        raise DamagedPack("no evidence pack: it does not begin as one (byte 0)")
    tail, expected = raw[at:], _directory(members)
    if tail != expected:
        place = next((i for i, (a, b) in enumerate(zip(tail, expected, strict=False)) if a != b), len(expected))
        if len(tail) < len(expected) and tail == expected[: len(tail)]:
            raise DamagedPack(f"it is cut off at byte {len(raw):,}, in the directory behind the members")
        raise DamagedPack(f"byte {at + place:,} is not as it was written: it is in {_part(members, place)}")
    return members


def name_fault(name: str) -> str:
    """What is wrong with a member's name; empty where it is a path below the pack and nothing else."""
    parts = name.split("/")
    if not name or len(name.encode("utf-8", "surrogatepass")) > _LONGEST_NAME:
        return "no name of a member"
    if any(part in ("", ".", "..") for part in parts) or "\\" in name or ":" in name:
        return "a name that leads out of the pack"
    if any(unicodedata.category(char)[0] == "C" for char in name):
        return "a name with characters that cannot be shown"
    return ""


def _member(raw: bytes, at: int) -> tuple[str, bytes, int]:
    """The member whose header begins there, and where it ends."""
    if len(raw) < at + _LOCAL.size:
        raise DamagedPack(f"it is cut off at byte {len(raw):,}, in the header of a member")
    *_, size, _, name_bytes, more = _LOCAL.unpack_from(raw, at)
    start = at + _LOCAL.size + name_bytes
    try:
        name = raw[at + _LOCAL.size : start].decode("utf-8")
    except UnicodeDecodeError:
        raise DamagedPack(f"the name of the member at byte {at:,} is not UTF-8") from None
    if fault := name_fault(name):
        raise DamagedPack(f"the member at byte {at:,} has {fault}")
    data = raw[start : start + size]
    expected = _local(name, data)
    found = raw[at:start]
    if more or len(data) != size or found != expected:
        place = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), 28)
        if 14 <= place < 18 and len(data) == size:
            raise DamagedPack(f"the member {name} was altered: its checksum is not that of what it holds")
        raise DamagedPack(f"byte {at + place:,} is not as it was written: it is in the header of {name}")
    return name, data, start + size


def _local(name: str, data: bytes) -> bytes:
    encoded = name.encode()
    crc, size = zlib.crc32(data), len(data)
    head = _LOCAL.pack(_LOCAL_MARK, _VERSION, _flags(name), _STORED, _TIME, _DATE, crc, size, size, len(encoded), 0)
    return head + encoded


def _directory(members: Mapping[str, bytes]) -> bytes:
    entries, at = [*_entries(members)], sum(len(_local(n, d)) + len(d) for n, d in members.items())
    size = sum(map(len, entries))
    return b"".join([*entries, _END.pack(_END_MARK, 0, 0, len(entries), len(entries), size, at, 0)])


def _entries(members: Mapping[str, bytes]) -> Iterator[bytes]:
    at = 0
    for name, data in members.items():
        encoded, size = name.encode(), len(data)
        yield _ENTRY.pack(
            _ENTRY_MARK, _MADE_ON_UNIX, _VERSION, _flags(name), _STORED, _TIME, _DATE, zlib.crc32(data), size, size,
            len(encoded), 0, 0, 0, 0, _MODE, at,
        ) + encoded  # fmt: skip
        at += len(_local(name, data)) + size


def _flags(name: str) -> int:
    return 0 if name.isascii() else _UTF_8


def _part(members: Mapping[str, bytes], place: int) -> str:
    """What of the directory a place in it belongs to."""
    for name, entry in zip(members, _entries(members), strict=True):
        if place < len(entry):
            return f"the directory's entry of {name}"
        place -= len(entry)
    return "the end of the directory"
