"""What the zygote has imported before it locks itself away: afterwards there is no file system to import from."""

from __future__ import annotations

import contextlib
import gc
import importlib
import random
import sys
from datetime import datetime

from neurosym_sandbox.limits import DEFAULT_IMPORTS

_EXTRA_NAMES = """
    __future__ _strptime array base64 binascii cmath codecs collections.abc contextlib copy copyreg csv difflib
    encodings.ascii encodings.idna encodings.latin_1 encodings.utf_8 encodings.utf_16 encodings.utf_32 hashlib hmac
    importlib.abc inspect io json.decoder json.encoder keyword linecache locale pprint random reprlib struct
    textwrap time timeit tokenize traceback tracemalloc types unicodedata warnings weakref zlib
"""
EXTRA = _EXTRA_NAMES.split()
"""Loaded besides the default imports, because those load them late, or because a program may be allowed more."""

PURGED = frozenset(
    {"ctypes", "_ctypes", "socket", "_socket", "select", "selectors", "subprocess", "multiprocessing", "signal"}
)
"""Forgotten by the import system, though the zygote uses some of them; `resource` stays, `os.wait4` imports it."""


def preload() -> None:
    """Imports everything and runs what initialises itself on first use."""
    for name in (*sorted(DEFAULT_IMPORTS), *EXTRA):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    datetime.strptime("2024-02-29 12:30:00.5 +0100", "%Y-%m-%d %H:%M:%S.%f %z").strftime("%A %d %B %Y %j %U")
    compile("match x:\n case [1, *y] if f'{y!r:>3}': pass\n", "<warm up>", "exec")
    "\N{SNOWMAN}".encode("unicode_escape").decode("unicode_escape")
    eval(r"'\N{SNOWMAN}'.casefold()", {})


def seal(hash_seed: int) -> None:
    """Takes away the ways to import more, and freezes what is there so that forks share its pages."""
    sys.path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.meta_path.clear()
    sys.argv = [""]
    for name in list(sys.modules):
        if name.partition(".")[0] in PURGED | {"neurosym_sandbox", "__main__"}:
            del sys.modules[name]
    random.seed(hash_seed)
    gc.collect()
    gc.disable()
    gc.freeze()
