"""Preparations that are kept: whoever judges by a spec once mostly judges by it again.

What is kept depends on nothing but its key: all that the spec says (not where it lies), the seed, and how many inputs
are drawn. A spec whose reference is a program is prepared anew each time, since its answers come out of a process.
Each thread keeps its own, because what was prepared is for one user at a time.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
from collections import OrderedDict
from dataclasses import replace

from neurosym_specs.model import Spec

from neurosym_verifiers.preparation import Preparation, prepare

MOST = 8
"""So many are kept in each thread; the one that was not used for longest goes first."""


class _Kept(threading.local):
    def __init__(self) -> None:
        self.by_key: OrderedDict[bytes, Preparation] = OrderedDict()


_kept = _Kept()


def prepared_once(spec: Spec, *, seed: int, examples: int) -> Preparation:
    """What ``prepare`` makes of a spec without a Python reference; its spec may be another that says the same."""
    key = hashlib.sha256(pickle.dumps((replace(spec, path=""), seed, examples))).digest()
    found = _kept.by_key.get(key)
    if found is None:
        found = _kept.by_key[key] = prepare(spec, None, None, seed=seed, examples=examples)
        if len(_kept.by_key) > MOST:
            _kept.by_key.popitem(last=False)
    _kept.by_key.move_to_end(key)
    return found
