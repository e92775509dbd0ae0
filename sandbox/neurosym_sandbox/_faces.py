"""The modules that a program gets when it imports: all that they define, and none of the modules that they import.

`typing.sys`, `dataclasses.types`, `json.codecs`: a module of the standard library holds others, and an import list that
names the one means not the others. A face is a copy of a module's names without them; what a program assigns to a face
changes nothing for anybody else. Nothing here is a security boundary (a program can walk from any function to its
globals); it keeps the import list true, and the trusted code beside the program out of the way of careless patches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

_LEFT_OUT = frozenset({"__builtins__", "__loader__", "__spec__", "__path__", "__file__", "__cached__"})


class Faces:
    """Makes faces, one for each module. They take the place of the modules for whoever imports from then on.

    `is_allowed` says whether a module may be reached by its name. Those of `whole` packages are handed out as they are:
    they import their own parts late, and from everywhere.
    """

    def __init__(self, is_allowed: Callable[[str], bool], whole: frozenset[str]) -> None:
        self._is_allowed = is_allowed
        self._whole = whole
        self._faces: dict[str, ModuleType] = {}

    def of(self, module: ModuleType) -> ModuleType:
        """Returns the module's face; the face of a face is itself."""
        name = module.__name__
        if name.partition(".")[0] in self._whole:
            return module
        known = self._faces.get(name)
        if known is not None:
            return known
        face = self._faces[name] = ModuleType(name)
        names = vars(face)
        for each, value in vars(module).items():
            if not isinstance(value, ModuleType):
                if each not in _LEFT_OUT:
                    names[each] = value
            elif self._is_part(name, each, value) or self._is_allowed(value.__name__):
                names[each] = self.of(value)
        if sys.modules.get(name) is module:
            sys.modules[name] = face  # dataclasses compares what it finds here with what the program has
        return face

    def _is_part(self, package: str, name: str, value: ModuleType) -> bool:
        """Whether this is a package's own module, such as `os.path`, whatever it is called elsewhere."""
        return sys.modules.get(f"{package}.{name}") is value
