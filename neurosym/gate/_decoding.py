"""The second step: bytes become text, as Python itself would read them, and in UTF-8 only."""

from __future__ import annotations

import codecs
import io
import tokenize
from dataclasses import dataclass

from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic, Note
from neurosym.source import Delivered, sha256_of

_ASCII_COMPATIBLE = ("ascii", "iso-8859-", "iso8859-", "latin-1", "cp1252")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text, and what was noticed about its encoding."""

    source: Delivered
    notes: tuple[Note, ...]


def decode(raw: bytes, name: str) -> Decoded | Diagnostic:
    """The text of ``raw``. A byte order mark is accepted and noted; a NUL byte or another encoding is not."""
    nul = raw.find(b"\0")
    if nul >= 0:
        return Diagnostic(
            "NS105",
            FailureClass.ENCODING,
            f"this is a binary file: byte {nul:,} is NUL",
            hint=_kind_of_binary(raw),
        )
    notes: tuple[Note, ...] = ()
    body = raw
    if raw.startswith(codecs.BOM_UTF8):
        body = raw[len(codecs.BOM_UTF8) :]
        notes = (Note("NS110", "the file begins with a byte order mark; it is not part of the code", 1),)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        return Diagnostic(
            "NS106",
            FailureClass.ENCODING,
            f"this is not UTF-8: byte 0x{body[error.start]:02x} at offset {error.start:,}",
            line=line,
            source_line=body.split(b"\n")[line - 1].decode("utf-8", "backslashreplace"),
            hint="save the file as UTF-8" + _and_undeclare(_declared_encoding(body)),
        )
    declared = _declared_encoding(body)
    if declared != "utf-8" and not (text.isascii() and declared.startswith(_ASCII_COMPATIBLE)):
        # Python would read other characters, or other code, than what is judged here.
        return Diagnostic(
            "NS106",
            FailureClass.ENCODING,
            f"the file declares the encoding {declared!r}",
            line=1,
            source_line=text.split("\n")[0],
            hint="save the file as UTF-8" + _and_undeclare(declared),
        )
    return Decoded(Delivered(name, text, sha256_of(raw)), notes)


def _declared_encoding(body: bytes) -> str:
    """By its usual name, whichever of its names stands there; ``utf-8`` if none is declared."""
    try:
        return codecs.lookup(tokenize.detect_encoding(io.BytesIO(body).readline)[0]).name.removesuffix("-sig")
    except (SyntaxError, LookupError):
        return "unknown"


def _and_undeclare(declared: str) -> str:
    return "" if declared in ("utf-8", "unknown") else f" and take the declaration of {declared} out"


def _kind_of_binary(raw: bytes) -> str:
    kinds = {
        b"\x7fELF": "a compiled program",
        b"PK\x03\x04": "a zip archive or an office document",
        b"\x89PNG": "a picture",
        b"\x1f\x8b": "a gzip archive",
        b"%PDF": "a PDF",
        b"\xff\xfe": "a text in UTF-16: save it as UTF-8",
        b"\xfe\xff": "a text in UTF-16: save it as UTF-8",
    }
    found = next((kind for magic, kind in kinds.items() if raw.startswith(magic)), "")
    if not found and raw[2:4] == b"\r\n" and b"\0" in raw[:64]:
        found = "compiled Python"
    return f"it looks like {found}" if found else "a candidate is Python source in UTF-8"
