"""What a program gets when it says `import`."""

from __future__ import annotations

import builtins
import difflib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from neurosym_sandbox._faces import Faces
from neurosym_sandbox._own import OwnModules, absolute

_import = builtins.__import__

_C_IMPORTS = frozenset(
    {"_strptime", "time", "datetime", "unicodedata", "copyreg", "warnings", "io", "_io", "re", "locale", "encodings",
     "collections", "traceback"}
)  # fmt: skip
"""Modules that C code imports in the name of whoever called it; `datetime.strptime` asks for `_strptime`."""


class Importer:
    """The `__import__` of the candidate: its allow-list, with a message that names what it may use instead.

    While it is `trusting`, for the prelude, it hands out whatever is loaded, and always to C code of `packages`. The
    program's `own` modules are imported as everywhere.
    """

    def __init__(self) -> None:
        self.allowed = frozenset({"__future__"})
        self.trusting = True
        self.packages: frozenset[str] = frozenset()
        self.own: OwnModules | None = None
        self._faces: Faces | None = None

    def __call__(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> ModuleType:
        if self.own is not None and self.own.has(absolute(name, (globals or {}).get("__package__"), level)):
            return _import(name, globals, locals, fromlist, level)
        top = name.partition(".")[0]
        from_c = type(fromlist) is list and (name in _C_IMPORTS or top in self.packages)
        if not (self.trusting or from_c or self._is_allowed(name)) or level:
            near = difflib.get_close_matches(top, sorted(self.allowed), n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else f"allowed: {', '.join(sorted(self.allowed))}"
            raise ImportError(f"module {name!r} is not allowed here; {hint}", name=name)
        try:
            module = _import(name, globals, locals, fromlist, level)
        except ModuleNotFoundError:
            if name in sys.modules or not self._is_allowed(name):
                raise
            raise ImportError(f"module {name!r} is allowed but is not loaded in this jail", name=name) from None
        if self.trusting or from_c:
            return module
        if self._faces is None:
            self._faces = Faces(self._is_allowed, self.packages)
        return self._faces.of(module)

    def _is_allowed(self, name: str) -> bool:
        """Whether the module, or a package around it, is one of those allowed."""
        parts = name.split(".")
        return any(".".join(parts[:size]) in self.allowed for size in range(1, len(parts) + 1))
