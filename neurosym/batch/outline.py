"""What a stored result comes to in one row: enough to count, to sort and to say why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SPEC_FAULT = "SPEC FAULT"
_WORST_FIRST = (1, 2, 70, 4, 3, 5, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """``verdict`` is that of the candidate, or ``SPEC FAULT``; ``failure`` its class, ``code`` the page about it, each
    empty where it failed in nothing; ``says``: why, in a line. ``exit_code`` is what ``neurosym verify`` would have
    returned; ``seconds`` the candidate's own time."""

    verdict: str
    failure: str
    code: str
    admission: str
    exit_code: int
    seconds: float
    says: str


def outline_of(document: Mapping[str, Any]) -> Outline:
    """The row for the document of a run with one candidate."""
    fault = document["spec_fault"]
    if fault is not None:
        says = f"{fault['clause']}: {fault['message']}"
        return Outline(verdict=SPEC_FAULT, failure="spec", code=fault["code"], admission="", seconds=0.0, says=says,
                       exit_code=document["exit_code"])  # fmt: skip
    (candidate,) = document["candidates"]
    failure, code, says = _why(candidate)
    return Outline(
        verdict=candidate["verdict"],
        failure=failure,
        code=code,
        admission=candidate["admission"],
        exit_code=document["exit_code"],
        seconds=candidate["seconds"],
        says=says,
    )


def worst(codes: list[int]) -> int:
    """The exit code that counts for several jobs; for none, that of nothing to check."""
    known = [code for code in _WORST_FIRST if code in codes]
    return known[0] if known else 5


def _why(candidate: Mapping[str, Any]) -> tuple[str, str, str]:
    """Class, code and a line about what is wrong with a candidate, or what kept it from more."""
    if candidate["diagnostics"]:
        first = candidate["diagnostics"][0]
        return first["class"], first["code"], _at(first)
    if candidate.get("error") is not None:
        return "tool", "NS901", candidate["error"]
    for each in candidate["obligations"]:
        match each["verdict"]:
            case "REFUTED":
                case_ = each["counterexample"]
                said = f"{'; '.join(case_['calls'])}: expected {case_['expected']}, actual {case_['actual']}"
                return case_["class"], each["code"], f"{each['id']}: {said}"
            case "ERROR":
                return "tool", "NS901", f"{each['id']}: {each['error']}"
            case _:
                pass
    if candidate["objections"]:
        first = candidate["objections"][0]
        return first["class"], first["code"], _at(first)
    return _open(candidate) if candidate["admission"] != "admitted" else ("", "", "")


def _open(candidate: Mapping[str, Any]) -> tuple[str, str, str]:
    """What keeps a candidate, of which nothing is known to be wrong, from being accepted."""
    for each in candidate["obligations"]:
        match each["verdict"]:
            case "UNKNOWN":
                why = each["reason"] + (f", {each['detail']}" if each["detail"] else "")
            case "VACUOUS":
                why = f"nothing to check: {each['detail']}"
            case "TESTED":
                why = "not proved" + (f", it lacks {each['lacks']}" if each["lacks"] else "")
            case _:
                continue
        return "", "NS520", f"{each['id']}: {why}"
    return "", "", ""


def _at(diagnostic: Mapping[str, Any]) -> str:
    line = diagnostic["line"]
    return diagnostic["message"] if line is None else f"line {line}: {diagnostic['message']}"
