"""What a worker does, wherever it is: it is equipped once with the specs, and judges one order after the other."""

from __future__ import annotations

import os
import secrets
import socket
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from neurosym_specs.errors import NeurosymError
from neurosym_specs.model import Spec
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.environment import Confinement, EnvironmentFault

from neurosym.admission import Required
from neurosym.batch.faults import packed, unpacked
from neurosym.batch.messages import LATE
from neurosym.batch.outline import Outline, outline_of
from neurosym.batch.sharing import can_be_shared, taken_over
from neurosym.events import nobody_listens
from neurosym.gate import Types
from neurosym.identity import tools
from neurosym.options import Options
from neurosym.pipeline import judge
from neurosym.preparing import Ready, Wanted, prepared
from neurosym.reports.json import document_of, dump
from neurosym.result import CandidateResult, NotRun, ToolFault, VerifyResult, standing_of
from neurosym.source import Source
from neurosym.waivers import Waivers


@dataclass(frozen=True, slots=True)
class Kit:
    """What every order needs, sent to a worker once.

    The specs by their paths, how candidates are confined, what they must reach, the tools of whoever asks, how many
    ``benches`` are kept warm, and what is waived.
    """

    specs: Mapping[str, Spec]
    confinement: Confinement
    require: Required
    tools: Mapping[str, str]
    benches: int = 4
    waivers: Waivers = field(default_factory=Waivers)
    name: str = field(default_factory=lambda: secrets.token_hex(8))


@dataclass(frozen=True, slots=True)
class Order:
    """One job for a worker that has the ``kit`` of this name.

    ``gate_only``: nothing is run. ``limit_s``: the wall time after which it gives up. ``sibling``: the packed result of
    a candidate with the same code, which is taken over where that is sure.
    """

    kit: str
    spec: str
    source: Source
    effort: Effort
    options: Options
    limit_s: float
    gate_only: bool = False
    sibling: bytes | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an order: the stored result, packed, and its row. ``is_shared``: it is that of the sibling."""

    outline: Outline
    document: bytes
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class PassedGate:
    """The candidate passed the gate, and no more was asked for."""


class Benches:
    """The benches of the specs that were asked for last, each prepared once and closed when others are wanted more."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: OrderedDict[tuple[str, Effort], tuple[ExitStack, Ready]] = OrderedDict()

    def get(self, path: str, spec: Spec, effort: Effort, confinement: Confinement, types: Types) -> Ready:
        """The bench of a spec under an effort. Raises ``EnvironmentFault``."""
        key = path, effort
        if key not in self._open:
            while len(self._open) >= self._most:
                self._open.popitem(last=False)[1][0].close()
            stack = ExitStack()
            wanted = Wanted(candidates=True, types=types)
            self._open[key] = stack, stack.enter_context(prepared(spec, effort, confinement, wanted, nobody_listens))
        self._open.move_to_end(key)
        return self._open[key][1]

    def close(self) -> None:
        """Ends all that they started."""
        while self._open:
            self._open.popitem()[1][0].close()


_equipped: dict[str, tuple[Kit, Benches]] = {}
"""What this process was equipped with, by the kits' names: a worker of a cluster may serve several runs."""
_unfit: dict[str, WorkersUnfit] = {}
_one_at_a_time = threading.Lock()


class WorkersUnfit(EnvironmentFault):
    """Workers that are not there, or whose Python, packages or neurosym are not those of whoever asks."""

    code = "NS820"


def equip(kit: Kit) -> None:
    """Makes this process a worker. Raises ``WorkersUnfit`` where its tools are not those of whoever asks."""
    try:
        check_tools(kit.tools, tools(), socket.gethostname())
    except WorkersUnfit as unfit:
        _unfit[kit.name] = unfit
        raise
    dismiss(kit.name)
    _equipped[kit.name] = kit, Benches(kit.benches)


def dismiss(name: str) -> None:
    """Ends what this process started for the kit of this name, when it is not at one of its orders any more."""
    _, benches = _equipped.pop(name, (None, None))
    if benches is not None:
        threading.Thread(target=_close, args=(benches,), daemon=True).start()


def _close(benches: Benches) -> None:
    with _one_at_a_time:
        benches.close()


def check_tools(wanted: Mapping[str, str], found: Mapping[str, str], place: str) -> None:
    """Raises ``WorkersUnfit`` with what differs between what is ``wanted`` and what a worker at ``place`` has."""
    differing = [
        f"{name} is {_version(found.get(name))}, here {_version(wanted.get(name))}"
        for name in sorted({*found, *wanted})
        if found.get(name) != wanted.get(name)
    ]
    if differing:
        raise WorkersUnfit(
            f"the worker at {place} has other tools, whose answers may differ: {'; '.join(differing)}; install the same"
        )


def kit_of(name: str) -> Kit:
    """The kit of this name. Raises ``EnvironmentFault`` where this process was never given it, or is unfit for it."""
    if name not in _equipped:
        raise _unfit.get(name) or EnvironmentFault("this worker was never told the specs of the run")
    return _equipped[name][0]


def perform(order: Order) -> Answer | PassedGate:
    """Judges one candidate. Whatever a candidate or the tool does becomes an answer; raises ``EnvironmentFault`` where
    the sandbox cannot be had, and ends this process where it takes longer than it may."""
    kit = kit_of(order.kit)
    with _one_at_a_time, _at_most(order.limit_s):
        benches = _equipped[order.kit][1]
        spec = kit.specs[order.spec]
        try:
            if order.gate_only:
                result = judge(spec, None, order.source, order.options)
                return PassedGate() if result.outcome == NotRun() else answer_of(kit, order, result, None)
            if (shared := _shared(kit, order)) is not None:
                return shared
            ready = benches.get(order.spec, spec, order.effort, kit.confinement, order.options.types)
            judged = None
            if not ready.fault:
                judged = judge(spec, ready.bench, order.source, order.options, waivers=kit.waivers)
            return answer_of(kit, order, judged, ready)
        except NeurosymError:
            benches.close()  # whatever is half prepared: the next order begins anew
            raise
        except Exception as error:
            benches.close()
            return fault_answer(kit, order, f"{type(error).__name__}: {error}", traceback.format_exc())


def answer_of(kit: Kit, order: Order, result: CandidateResult | None, ready: Ready | None) -> Answer:
    """What is known of a candidate, as ``neurosym verify`` would store it."""
    document = document_of(
        VerifyResult(
            spec=kit.specs[order.spec],
            effort=order.effort,
            require=kit.require,
            confinement=kit.confinement,
            spec_fault=ready.fault if ready else None,
            candidates=(result,) if result else (),
            preparation_s=ready.seconds if ready else 0.0,
        )
    )
    return Answer(outline_of(document), packed(dump(document)))


def _shared(kit: Kit, order: Order) -> Answer | None:
    """What is known of an order's sibling, as what is known of its candidate, which only passes the gate; None where it
    must be judged itself, as where the spec has waivers: they may be of one text only."""
    if order.sibling is None or kit.waivers.of(kit.specs[order.spec]).given:
        return None
    sibling = unpacked(order.sibling)
    if not can_be_shared(sibling):
        return None
    gated = judge(kit.specs[order.spec], None, order.source, order.options)
    answer = answer_of(kit, order, gated, None)
    if gated.outcome != NotRun():
        return answer
    document = taken_over(sibling, unpacked(answer.document))
    return None if document is None else Answer(outline_of(document), packed(dump(document)), is_shared=True)


def fault_answer(kit: Kit, order: Order, message: str, trace: str = "") -> Answer:
    """A fault of the tool, as what is known of a candidate: nothing."""
    outcome = ToolFault(message, trace)
    standing = standing_of(outcome, kit.specs[order.spec])
    result = CandidateResult(name=order.source.name, source=None, outcome=outcome, standing=standing)
    return answer_of(kit, order, result, None)


@contextmanager
def _at_most(seconds: float, give_up: Callable[[int], None] = os._exit) -> Iterator[None]:
    """Ends this process if the block takes longer: what hangs in it cannot be ended in another way."""
    timer = threading.Timer(seconds, give_up, [LATE])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _version(text: str | None) -> str:
    return (text.split(" |")[0][:40] if text else "") or "not installed"
