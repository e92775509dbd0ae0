"""JUnit XML: a suite for each candidate, a case for each clause.

Refuted is a failure, a fault of this tool an error; what is not decided at the required level is skipped, with its
reason, and never passes. What keeps a candidate from being judged, or from being used whatever its verdict, is a case
of its own that fails. Which verdict a case passed with is its ``system-out``.

The file has what Jenkins' schema (xunit-plugin, ``junit-10.xsd``) has: strict readers refuse one attribute more.
"""

from __future__ import annotations

from xml.etree import ElementTree

from neurosym.reports.document import Candidate, Clause, Failed, Judged, Refuted, Result
from neurosym.reports.findings import NO_CONTRACTS, Level, undecided_code
from neurosym.reports.saying import reached, verdict_of, waiver_of, waivers_in_words, what_happened, why
from neurosym.reports.sections import Report, Section, report_of
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_text

_COUNTED = ("failure", "error", "skipped")


def junit(result: Result) -> str:
    """The document."""
    return junit_of(report_of(result))


def junit_of(report: Report) -> str:
    """The document about several results. What is accepted is skipped, with the reason: it is not passed."""
    top = ElementTree.Element("testsuites", name=_safe(f"neurosym: {report.name}"))
    for section in report.sections:
        _add_section(top, section)
    for remark in report.remarks:
        if remark.code == NO_CONTRACTS and remark.level is not Level.NOTE:
            suite = _suite(top, remark.file)
            _skip(ElementTree.SubElement(suite, "testcase", classname="neurosym", name="contracts"), remark.message)
            _count(suite)
    for name in ("tests", "failures", "errors"):
        top.set(name, str(sum(int(suite.get(name, "0")) for suite in top)))
    ElementTree.indent(top)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(top, encoding="unicode") + "\n"


def _add_section(top: ElementTree.Element, section: Section) -> None:
    result = section.result
    if result.spec_fault is not None:
        suite = _suite(top, result.spec.path or result.spec.name)
        case = _case(suite, result, "spec")
        message = f"{result.spec_fault.clause}: {result.spec_fault.message}"
        _add(case, "error", f"SPEC FAULT {result.spec_fault.code}", message)
        _skip_all(suite, result, "no candidate was judged: the spec contradicts itself")
        _count(suite)
    for candidate in result.candidates:
        suite = _suite(top, candidate.name)
        suite.set("time", "0.000" if section.reached else f"{candidate.seconds:.3f}")
        _fill(suite, candidate, section)
        _count(suite)


def _fill(suite: ElementTree.Element, candidate: Candidate, section: Section) -> None:
    result = section.result
    facts = {
        "verdict": candidate.verdict,
        "admission": candidate.admission,
        "sha256": candidate.sha256,
        "spec.sha256": result.spec.sha256,
        **({"cached": section.reached.isoformat(timespec="seconds")} if section.reached else {}),
    }
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in facts.items():
        ElementTree.SubElement(properties, "property", name=name, value=_safe(value))
    for waiver in waivers_in_words(candidate):
        ElementTree.SubElement(properties, "property", name="waiver", value=_safe(waiver))
    for assumed in section.assumed:
        ElementTree.SubElement(properties, "property", name="assumed", value=safe_text(assumed, limit=8_000))
    gate = _case(suite, result, "gate")
    for kind, found in (("REJECTED", candidate.diagnostics), ("not accepted", candidate.objections)):
        for each in found:
            if accepted := section.why_accepted(each.code):
                _skip(gate, f"{each.code}, accepted: {accepted}")
                continue
            where = f"line {each.line}: {each.source_line}" if each.line is not None else ""
            _add(gate, "failure", f"{kind} {each.code}", "\n".join(part for part in (each.message, where) if part))
    if candidate.error is not None:
        _add(gate, "error", "NS901", candidate.error)
    for obligation in candidate.obligations:
        _judge(_case(suite, result, obligation.id), obligation, candidate, section)
    if not candidate.obligations:
        _skip_all(suite, result, "nothing was run")


def _judge(case: ElementTree.Element, obligation: Judged, candidate: Candidate, section: Section) -> None:
    result = section.result
    waiver = waiver_of(obligation, candidate)
    code = obligation.code if isinstance(obligation, Refuted) else undecided_code(obligation)
    if not reached(obligation, result) and (accepted := section.why_accepted(code, obligation.id)):
        _skip(case, f"{verdict_of(obligation)}, accepted: {accepted}")
        return
    match obligation:
        case Refuted(counterexample=found):
            text = "\n".join([obligation.text, *obligation.formal, *(f"source: {each}" for each in obligation.source)])
            line = f"\nline {found.line}" if found.line is not None else ""
            waived = f"\n{waiver}" if waiver else ""
            replay = f"\nrun it again: {obligation.replay}" if obligation.replay else ""
            _add(
                case,
                "failure",
                f"REFUTED {obligation.code}",
                f"{what_happened(obligation)}\n{text}{line}{replay}{waived}",
            )
        case Failed(error=error):
            _add(case, "error", "NS901", error)
        case _ if not reached(obligation, result):
            said = f", {waiver}" if waiver else ""
            _skip(case, f"{verdict_of(obligation)}{said}: {why(obligation)}")
        case _:
            ElementTree.SubElement(case, "system-out").text = _safe(f"{verdict_of(obligation)}: {why(obligation)}")


def _skip_all(suite: ElementTree.Element, result: Result, why_not: str) -> None:
    clauses: tuple[Clause, ...] = result.spec.clauses
    for clause in clauses:
        _skip(_case(suite, result, clause.id), why_not)


def _skip(case: ElementTree.Element, why_not: str) -> None:
    if case.find("skipped") is None:
        ElementTree.SubElement(case, "skipped", message=_safe(why_not))


def _suite(top: ElementTree.Element, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(top, "testsuite", name=_safe(name))


def _case(suite: ElementTree.Element, result: Result, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=_safe(result.spec.name), name=_safe(name))


def _add(case: ElementTree.Element, tag: str, kind: str, text: str) -> None:
    """A case has one failure or error at most in what readers of JUnit know: more of them go into the first's text."""
    shown = safe_text(text, limit=8_000 + MAX_COMMAND_CHARS, multiline=True)
    first = case.find(tag)
    if first is not None:
        first.text = f"{first.text}\n{safe_text(kind)}: {shown}"
        return
    message = _safe(text.split("\n", 1)[0])
    ElementTree.SubElement(case, tag, type=safe_text(kind), message=message).text = shown


def _count(suite: ElementTree.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for tag, name in zip(_COUNTED, ("failures", "errors", "skipped"), strict=True):
        suite.set(name, str(sum(case.find(tag) is not None for case in cases)))


def _safe(text: str) -> str:
    return safe_text(text, limit=1_000)
