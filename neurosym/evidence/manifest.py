"""The list of what is in a pack, with the hash of each member and of the list itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from neurosym.evidence.container import DamagedPack
from neurosym.generators.request import canonical
from neurosym.source import sha256_of

MANIFEST = "manifest.json"
SCHEMA_VERSION = 1
_KEYS = {"schema_version", "kind", "members", "sha256"}


def manifest_of(members: Mapping[str, bytes]) -> bytes:
    """The manifest of these members. It changes with any byte of any of them, so that its hash names them all."""
    listed = [
        {"name": name, "bytes": len(members[name]), "sha256": sha256_of(members[name])} for name in sorted(members)
    ]
    content: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "kind": "evidence", "members": listed}
    return (json.dumps({**content, "sha256": _sha256(content)}, indent=1) + "\n").encode()


def check_manifest(members: Mapping[str, bytes]) -> str:
    """The manifest's own hash, where it lists just what is there. Raises ``DamagedPack``, which names what is not."""
    if MANIFEST not in members:
        raise DamagedPack(f"there is no {MANIFEST} in it")
    listed, own = _read(members[MANIFEST])
    for name in sorted({*members} - {MANIFEST} - {*listed}):
        raise DamagedPack(f"the member {name} is in it, and not in its manifest")
    for name, (size, sha256) in listed.items():
        if name not in members:
            raise DamagedPack(f"the member {name} is missing: the manifest lists it")
        if len(members[name]) != size or sha256_of(members[name]) != sha256:
            raise DamagedPack(f"the member {name} was altered: it is not what the manifest says")
    if manifest_of({name: members[name] for name in listed}) != members[MANIFEST]:
        raise DamagedPack(f"{MANIFEST} is not as it was written")
    return own


def _read(raw: bytes) -> tuple[dict[str, tuple[int, str]], str]:
    try:
        document = json.loads(raw)
        version = document.get("schema_version")
        if document.get("kind") == "evidence" and version != SCHEMA_VERSION:
            raise DamagedPack(f"a pack of version {version}, and this neurosym reads {SCHEMA_VERSION}")
        if set(document) != _KEYS or document["kind"] != "evidence":
            raise ValueError("it lacks what a manifest has")
        content = {key: value for key, value in document.items() if key != "sha256"}
        if document["sha256"] != _sha256(content):
            raise DamagedPack(f"{MANIFEST} was altered: its hash is not that of what it says")
        listed = {str(each["name"]): (int(each["bytes"]), str(each["sha256"])) for each in document["members"]}
        if len(listed) != len(document["members"]):
            raise DamagedPack(f"{MANIFEST} lists a member twice")
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise DamagedPack(f"{MANIFEST} is no manifest: {error}") from error
    return listed, str(document["sha256"])


def _sha256(content: object) -> str:
    return hashlib.sha256(canonical(content).encode()).hexdigest()
