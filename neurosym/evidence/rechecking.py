"""A pack once more: the same question to the same bytes, here, without a model and without a network."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from neurosym_sandbox import Level
from neurosym_specs import load_spec
from neurosym_specs.errors import SpecError
from neurosym_specs.model import Spec
from neurosym_verifiers.environment import Confinement

from neurosym.admission import Required
from neurosym.events import Listener, nobody_listens
from neurosym.evidence.comparing import Agreement, Compared, compared
from neurosym.evidence.container import DamagedPack
from neurosym.evidence.pack import Pack
from neurosym.pipeline import judge_all
from neurosym.reports.document import Result
from neurosym.reports.live import stored
from neurosym.source import Source

_SPEC = "spec/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recheck:
    """What came of a pack here. ``lost`` and ``won``: layers of the sandbox that held there only, and here only."""

    pack: Pack
    records: tuple[Compared, ...]
    lost: tuple[str, ...] = ()
    won: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 where every verdict is the same, whatever it is; 1 where one differs, 3 where the clock kept one out."""
        found = {each.agreement for each in self.records}
        if Agreement.DIFFERS in found:
            return 1
        return 3 if found & {Agreement.CUT_THERE, Agreement.CUT_HERE} else 0


def recheck(
    pack: Pack,
    *,
    time_limit_s: float | None = None,
    sandbox: Level = Level.STANDARD,
    listener: Listener = nobody_listens,
) -> Recheck:
    """Judges the candidates of a pack again, and compares. ``time_limit_s``: another backstop than there.

    ``sandbox``: the least level here. What a stranger's pack asks for can raise it, and not lower it.

    Raises ``DamagedPack`` where what is in it cannot be asked, ``EnvironmentFault`` where this machine cannot.
    """
    asked = pack.asked
    effort = asked.effort if time_limit_s is None else replace(asked.effort, time_limit_s=time_limit_s)
    given = [(Source(pack.members[each.member], each.name, path=each.path), each.options) for each in asked.candidates]
    try:
        level = max(Level(asked.sandbox), sandbox, key=lambda each: each.rank)
        require, confinement = Required(asked.require), Confinement(level, frozenset(asked.layers))
    except ValueError as error:
        raise DamagedPack(f"{pack.path}: what was asked for is not known here: {error}") from error
    with _spec(pack) as spec:
        here = stored(judge_all(spec, given, effort, require, confinement, listener=listener))
    held, holds = _layers(pack.result), _layers(here)
    records = compared(pack.result, here, same_code=pack.same_code)
    return Recheck(pack=pack, records=records, lost=tuple(sorted(held - holds)), won=tuple(sorted(holds - held)))


@contextmanager
def _spec(pack: Pack) -> Iterator[Spec]:
    """The spec of a pack, loaded from its own bytes; named as it was there."""
    with tempfile.TemporaryDirectory(prefix="neurosym-") as folder:
        try:
            for name in (each for each in pack.members if each.startswith(_SPEC)):
                path = Path(folder, name)  # a member's name leads nowhere but down: the container sees to it
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(pack.members[name])
            loaded = load_spec(Path(folder, pack.asked.spec))
        except (SpecError, OSError) as error:
            raise DamagedPack(f"{pack.path}: the spec in it cannot be used: {error}") from error
        yield replace(loaded, path=pack.asked.spec_path)


def _layers(result: Result) -> frozenset[str]:
    """The layers of the sandbox that held for every candidate that ran; none where none did."""
    held = [frozenset(each.sandbox.layers) for each in result.candidates if each.sandbox is not None]
    return frozenset.intersection(*held) if held else frozenset()
