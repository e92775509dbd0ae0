"""The specs that contracts were read as, for a person who wants to go on from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from neurosym.admission import EXIT_CODES, Admission
from neurosym.checking.plan import Subject
from neurosym.safe_text import safe_text


def write_specs(subjects: Sequence[Subject], stream: TextIO) -> int:
    """Writes the spec of each function, below a line that names its file, and returns the exit code.

    A function that cannot be judged has no spec: what is not read of it stands there as remarks of TOML. The code is 0
    where all contracts of all functions are in the specs.
    """
    whole = bool(subjects)
    for place, subject in enumerate(subjects):
        contracts = subject.contracts
        if contracts is None:
            continue
        stream.write("\n" if place else "")
        stream.write(f"# {safe_text(subject.function)}.spec.toml\n")
        if contracts.toml:
            stream.write(contracts.toml)
        else:
            stream.write("# There is no spec: what these contracts say is not read.\n")
            for each in contracts.unread:
                said = f"line {each.line}: {each.text}: {each.why}"
                stream.write(f"# {safe_text(said, limit=1_000)}\n")
        whole = whole and not contracts.unread and not contracts.allowed
    if not subjects:
        return EXIT_CODES[Admission.NOTHING_TO_CHECK]
    return EXIT_CODES[Admission.ADMITTED if whole else Admission.UNDECIDED]
