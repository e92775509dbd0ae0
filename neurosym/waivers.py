"""Waivers: somebody answers for using a candidate although a clause has not the verdict that is asked for.

A waiver changes no verdict. It changes what may be used, is shown wherever the verdict is, and ends on its day.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from neurosym_specs.errors import NeurosymError, Place, SpecError
from neurosym_specs.model import Spec
from neurosym_specs.obligations import Obligation, obligation_of, obligations
from neurosym_specs.verdicts import Failed, Proved, Refuted, Verdict

from neurosym.safe_text import says_something

IDLE = "NS744"
"""The code of a waiver that does nothing."""

_LARGEST_BYTES = 1_000_000
_NEEDED = ("spec", "clause", "owner", "reason", "expires")
_KEYS = (*_NEEDED, "candidate")
_SHOWN = ("clause", "owner", "reason", "expires", "candidate")


class WaiverFault(NeurosymError):
    """A file of waivers that cannot be used; ``str`` names the file, the waiver and the key."""

    exit_code = 2
    code = "NS743"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """Of a ``clause`` of the spec by that name; ``expires`` is its last day, in UTC.

    ``candidate``: the SHA-256 of the one text that it is for, as it came in; empty for any.
    """

    spec: str
    clause: str
    owner: str
    reason: str
    expires: date
    candidate: str = ""


def idle_in_words(waiver: Waiver, why: str) -> str:
    """What is said of a waiver that does nothing."""
    return f"the waiver of {waiver.clause} of {waiver.spec} by {waiver.owner} does nothing: {why}"


class Effect(StrEnum):
    """What a waiver does for a candidate."""

    WAIVED = "waived"
    EXPIRED = "expired"
    NOT_NEEDED = "not needed"
    NOT_WAIVABLE = "not waivable"


@dataclass(frozen=True, slots=True)
class Applied:
    """A waiver, and what it does for one candidate; ``why`` it does nothing, where it does not."""

    waiver: Waiver
    effect: Effect
    why: str = ""


@dataclass(frozen=True, slots=True)
class Waivers:
    """Those of a run, the day of it, and the file that they stand in."""

    given: tuple[Waiver, ...] = ()
    today: date = date.min
    file: str = ""

    def of(self, spec: Spec) -> Waivers:
        """Those of a spec."""
        return replace(self, given=tuple(each for each in self.given if each.spec == spec.name))

    def check(self, specs: Iterable[Spec]) -> None:
        """Raises ``WaiverFault`` for a waiver of a clause that none of the specs by its name has."""
        known = [*specs]
        for number, waiver in enumerate(self.given, start=1):
            named = [each for each in known if each.name == waiver.spec]
            if named and not any(waiver.clause == each.id for spec in named for each in obligations(spec)):
                try:
                    obligation_of(named[0], waiver.clause, Place(self.file, f"[[waiver]] {number}"))
                except SpecError as error:  # the spec is fine: what is said of it is not
                    raise WaiverFault(str(error)) from error

    def in_force(self, waiver: Waiver) -> bool:
        """Whether its last day is still to come, or is today."""
        return self.today <= waiver.expires

    def plain(self) -> dict[str, str]:
        """Each of them, and whether it is in force: all that decides what they do, to be stored and compared."""
        return {
            ", ".join(repr(getattr(each, key)) for key in _KEYS if key != "expires") + f", until {each.expires}":
            "in force" if self.in_force(each) else "expired"
            for each in self.given
        }  # fmt: skip

    def stored(self) -> dict[str, Any]:
        """As JSON values; ``waivers_of`` reads them back."""
        given = [{**asdict(each), "expires": each.expires.isoformat()} for each in self.given]
        return {"file": self.file, "today": self.today.isoformat(), "given": given}

    def applied(self, verdicts: Mapping[Obligation, Verdict], candidate_sha256: str) -> tuple[Applied, ...]:
        """What each of them does for a candidate with these verdicts; those for other texts are left out."""
        by_id = {obligation.id: verdict for obligation, verdict in verdicts.items()}
        mine = (each for each in self.given if each.candidate in ("", candidate_sha256))
        return tuple(self._applied(each, by_id[each.clause]) for each in mine if each.clause in by_id)

    def _applied(self, waiver: Waiver, verdict: Verdict) -> Applied:
        if not self.in_force(waiver):
            return Applied(waiver, Effect.EXPIRED, f"its last day was {waiver.expires}")
        match verdict:
            case Proved():
                return Applied(waiver, Effect.NOT_NEEDED, "the clause is proved")
            case Failed():
                return Applied(waiver, Effect.NOT_WAIVABLE, "this tool failed on it")
            case Refuted() if not waiver.candidate:
                why = "what is refuted is waived for one text only: candidate = its SHA-256"
                return Applied(waiver, Effect.NOT_WAIVABLE, why)
            case _:
                return Applied(waiver, Effect.WAIVED)


def waivers_of(stored: Mapping[str, Any]) -> Waivers:
    """What ``Waivers.stored`` wrote."""
    given = (Waiver(**{**each, "expires": date.fromisoformat(each["expires"])}) for each in stored["given"])
    return Waivers(tuple(given), date.fromisoformat(stored["today"]), stored["file"])


class Uses:
    """What the waivers of a run do, as its stored results say."""

    def __init__(self, waivers: Waivers) -> None:
        self._waivers = waivers
        self._met: dict[Waiver, tuple[bool, str]] = {}

    def meet(self, spec: str, applied: Mapping[str, Any]) -> None:
        """One of them, as the result of a candidate has it."""
        for each in self._waivers.given:
            same = (each.clause, each.owner, each.reason, each.expires.isoformat(), each.candidate)
            if each.spec == spec and same == tuple(applied[name] for name in _SHOWN):
                used, _ = self._met.get(each, (False, ""))
                self._met[each] = used or applied["effect"] == Effect.WAIVED.value, applied["why"]

    def idle(self, *, all_judged: bool) -> Iterator[tuple[Waiver, str]]:
        """Those that do nothing, and why. Unless ``all_judged``, one that was not met may be for something else."""
        for each in self._waivers.given:
            used, why = self._met.get(each, (False, ""))
            if not self._waivers.in_force(each):
                yield each, f"its last day was {each.expires}"
            elif not used and (why or all_judged):
                what = "such a candidate" if each.candidate else "a candidate of that spec"
                yield each, why or f"{what} was not judged"


def read_waivers(path: str | os.PathLike[str], today: date) -> Waivers:
    """The waivers in a file. Raises ``WaiverFault``."""
    name = os.path.basename(path)
    try:
        with open(path, "rb") as file:
            raw = file.read(_LARGEST_BYTES + 1)
        if len(raw) > _LARGEST_BYTES:
            raise WaiverFault(f"{path}: larger than {_LARGEST_BYTES:,} bytes, and no file of waivers is")
        read = tomllib.loads(raw.decode("utf-8"))
    except OSError as error:
        raise WaiverFault(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise WaiverFault(f"{path} is not UTF-8, and so no TOML") from error
    except (ValueError, RecursionError) as error:
        raise WaiverFault(f"{path} is not valid TOML: {error}") from error
    tables = read.get("waiver")
    if set(read) != {"waiver"} or not isinstance(tables, list):
        raise WaiverFault(f"{name}: it holds [[waiver]], once or several times, and nothing else")
    waivers = tuple(_waiver(table, f"{name}, [[waiver]] {number}") for number, table in enumerate(tables, start=1))
    return Waivers(waivers, today, name)


def _waiver(table: Any, where: str) -> Waiver:
    if not isinstance(table, dict):
        raise WaiverFault(f"{where}: a table is expected")
    for problem in _problems(table):
        raise WaiverFault(f"{where}: {problem}")
    texts = {key: table[key].strip() for key in _KEYS if key != "expires" and key in table}
    return Waiver(**texts, expires=table["expires"])


def _problems(table: Mapping[str, Any]) -> Iterator[str]:
    for key in table:
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1, cutoff=0.5)
            yield f"unknown key {key!r}; " + (f"did you mean {near[0]}?" if near else f"legal: {', '.join(_KEYS)}")
    for key in _missing(table):
        yield f"the key {key} is missing: a waiver names {', '.join(_NEEDED)}"
    for key in _KEYS:
        if key != "expires" and key in table and not (isinstance(table[key], str) and _says(key, table[key])):
            yield f"{key} is a text that says something, and not {table[key]!r:.60}"
    expires = table.get("expires")
    if isinstance(expires, datetime) or not isinstance(expires, date):
        shown = repr(expires) if isinstance(expires, str) else str(expires)
        yield f"expires is a day such as 2027-03-31, without quotes or a time, and not {shown:.60}"
    if "candidate" in table and not re.fullmatch("[0-9a-f]{64}", table["candidate"].strip()):
        yield "candidate is the SHA-256 of the text as it came in: 64 hexadecimal digits, as sha256sum shows it"


def _says(key: str, text: str) -> bool:
    """Who and why are for a reader; the others are compared with what there is."""
    return says_something(text) if key in ("owner", "reason") else bool(text.strip())


def _missing(table: Mapping[str, Any]) -> Iterable[str]:
    return (key for key in _NEEDED if key not in table)
