"""What is rewritten before anything runs, and the gate once more for what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import FailureClass

from neurosym import gate
from neurosym.diagnostics import Diagnostic, Note, Step
from neurosym.options import Options
from neurosym.rewrite import RewriteFault, Rewriting, rewrite
from neurosym.rewrite.runtime_checks import left_out
from neurosym.source import Source

Enter = Callable[[Source], gate.Entry]


def rewritten(entry: gate.Entry, spec: Spec, options: Options, enter: Enter) -> tuple[gate.Entry, Rewriting | None]:
    """The entry of the rewritten text, and how it was rewritten; the entry as it was, where there is nothing to do.

    ``enter`` leads through the gate, the rewritten text like any other; its positions are those of that text. A
    rewriting that made a text unfit that was fit is dropped. The steps of both ways through the gate are kept, in
    their order.
    """
    source = entry.source
    if source is None or isinstance(entry, gate.Faulted):
        return entry, None
    found = rewrite(source, spec, options.rewrites, options={"result": options.script})
    if isinstance(found, RewriteFault):
        return _noted(entry, f"it was not rewritten: {found.why}"), None
    steps = (*entry.steps, Step("rewrite", found.seconds))
    if found.failed:
        entry = _noted(entry, f"a rewriting failed: {'; '.join(found.failed)}")
    if not found.rewrites:
        return replace(_about_script(entry, options), steps=steps), None
    if unchecked := left_out(spec) if any(each.name == "contract" for each in found.rewrites) else ():
        entry = _noted(entry, f"not checked at run time: {', '.join(unchecked)}", "NS561")
    again = enter(Source(found.source.text, source.name))
    steps = (*steps, *again.steps)
    if isinstance(again, gate.Stopped) and isinstance(entry, gate.Passed):
        reason = again.diagnostics[0].message
        return _noted(replace(entry, steps=steps), f"it was not rewritten: then {reason}"), None
    if isinstance(again, gate.Stopped) and _is_unread(again) and _is_unread(entry) and not _is_out(found, again):
        return replace(entry, steps=steps), None  # the message about the text as it came says more
    kept = tuple(note for note in entry.notes if note.code in ("NS110", "NS560", "NS561"))
    return replace(_about_script(again, options), steps=steps, notes=(*kept, *again.notes)), found


def _about_script(entry: gate.Entry, options: Options) -> gate.Entry:
    """The entry of a program that is neither the function nor a script with the result that was asked for."""
    if options.script and isinstance(entry, gate.Stopped) and any(d.code == "NS301" for d in entry.diagnostics):
        lacks = Diagnostic(
            "NS308",
            FailureClass.SIGNATURE,
            f"the script gives no value to {options.script} at its top level",
            hint=f"assign the result to {options.script}, or name the variable that holds it",
        )
        return replace(entry, diagnostics=(lacks,))
    return entry


def _is_out(found: Rewriting, again: gate.Stopped) -> bool:
    """Whether the code was taken out of its fences, so that what is wrong now is wrong with the code itself."""
    return again.diagnostics[0].code != "NS213" and any(each.name == "fences" for each in found.rewrites)


def _is_unread(entry: gate.Entry) -> bool:
    """Whether its text did not even become a tree."""
    return isinstance(entry, gate.Stopped) and entry.diagnostics[0].code < "NS3"


def _noted(entry: gate.Entry, message: str, code: str = "NS560") -> gate.Entry:
    return replace(entry, notes=(*entry.notes, Note(code, message)))
