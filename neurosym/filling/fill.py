"""``fill``: a spec and a sketch in, the completed program with its verdict out."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

from neurosym_sandbox import Level
from neurosym_specs import load_spec
from neurosym_specs.errors import Place
from neurosym_specs.model import Spec
from neurosym_specs.sketch import Sketch, SketchError, read_sketch
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.environment import Confinement, check_versions

from neurosym import events
from neurosym.admission import Required
from neurosym.events import Listener, nobody_listens
from neurosym.filling.completing import complete
from neurosym.filling.result import FillResult
from neurosym.gate import LIMIT_BYTES, Types
from neurosym.options import Options, codemods
from neurosym.preparing import Wanted, prepared
from neurosym.source import Source

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
    """The sketch in a file or in memory. Raises ``SketchError``, also where the file cannot be read."""
    if isinstance(sketch, Source):
        name, raw = sketch.name, sketch.code.encode() if isinstance(sketch.code, str) else sketch.code
    else:
        name = os.fspath(sketch)
        try:
            with Path(sketch).open("rb") as file:
                raw = file.read(LIMIT_BYTES + 1)
        except OSError as error:
            raise SketchError(f"it cannot be read: {error.strerror}", Place(name)) from error
    if len(raw) > LIMIT_BYTES:
        raise SketchError(f"it is longer than {LIMIT_BYTES:,} bytes", Place(name))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SketchError(f"it is no UTF-8: {error.reason} at byte {error.start}", Place(name)) from error
    return read_sketch(text, spec, name)
