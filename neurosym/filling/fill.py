"""``fill``: a spec and a sketch in, the completed program with its verdict out."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from neurosym_sandbox import Level
from neurosym_specs import load_spec
from neurosym_specs.errors import NeurosymError, Place
from neurosym_specs.model import Spec
from neurosym_specs.sketch import Sketch
from neurosym_specs.sketch_reader import SketchError, read_sketch
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.environment import Confinement, check_versions

from neurosym import events, gate
from neurosym.admission import Required
from neurosym.diagnostics import Diagnostic
from neurosym.events import Listener, nobody_listens
from neurosym.filling.completing import complete
from neurosym.filling.result import FillResult
from neurosym.gate import Types
from neurosym.options import Options, codemods
from neurosym.preparing import Wanted, prepared
from neurosym.source import Source, name_of

SEARCH_S = 60.0
"""How long values are looked for, unless something else is said."""


def fill(
    spec: Spec | str | os.PathLike[str],
    sketch: Source | str | os.PathLike[str],
    *,
    effort: Effort | None = None,
    require: Required | str = Required.TESTED,
    sandbox: Level | str = Level.STANDARD,
    layers: Iterable[str] = (),
    types: Types | str = Types.SURE,
    deliver: bool = False,
    seconds: float = SEARCH_S,
    listener: Listener = nobody_listens,
) -> FillResult:
    """Completes a sketch, the path of a file or a ``Source``, so that nothing the spec says is found broken.

    ``seconds`` bounds the search for values. The verdict is that of ``verify`` on the completed program, but never
    PROVED where another filling would do as well or might. ``effort``, ``require``, ``sandbox``, ``layers``,
    ``types`` and ``deliver`` are those of ``verify``. Raises what ``verify`` raises, and ``SketchError`` for a sketch
    that is none.
    """
    begun = time.monotonic()
    effort, require, confinement = effort or Effort(), Required(require), Confinement(Level(sandbox), frozenset(layers))
    options = Options(Types(types), codemods(mend=False, deliver=deliver))
    loaded = spec if isinstance(spec, Spec) else load_spec(spec)
    read = sketch_from(sketch, loaded)
    check_versions(loaded)
    listener(events.Started(loaded, effort, require, (read.name,)))
    with prepared(
        loaded, effort, confinement, Wanted(True, options.types, rewrites=bool(options.rewrites)), listener
    ) as ready:
        completion = None
        if ready.fault is None and ready.bench is not None:
            completion = complete(loaded, ready.bench, read, options, seconds=seconds, emit=listener)
    result = FillResult(
        spec=loaded,
        effort=effort,
        require=require,
        confinement=confinement,
        spec_fault=ready.fault,
        completion=completion,
        preparation_s=ready.seconds,
        seconds=time.monotonic() - begun,
    )
    listener(events.FillFinished(result))
    return result


def sketch_from(sketch: Source | str | os.PathLike[str], spec: Spec) -> Sketch:
    """The sketch in a file or in memory, behind the caps and the killable parser that stand before a candidate.

    Raises ``SketchError``, also where it cannot be read.
    """
    name = name_of(sketch)
    found = gate.parsed(sketch)
    if isinstance(found, gate.Faulted):
        raise NeurosymError(f"the gate failed on {name}: {found.why} (NS901)")
    if isinstance(found, Diagnostic):
        raise SketchError(found.message, Place(name, f"line {found.line}" if found.line else ""), hint=found.hint)
    return read_sketch(found.text, spec, name)
