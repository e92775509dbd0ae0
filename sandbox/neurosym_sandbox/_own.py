"""Modules of a program's own package: handed in as texts, since a jail has no files to import from."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Mapping
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__builtins__ = {**vars(builtins)}  # type: ignore[assignment]  # ours alone, as in _wire


class OwnModules(Loader):
    """Finds and loads them for the import system, the program's own module among them: whoever imports that while it
    is loaded, or later, gets the one that runs.

    `texts` are the others, by dotted name, each with whether it is a package. `execute` runs the program in `module`;
    `builtins` are those that the others run with, so that they import as the program does.
    """

    def __init__(
        self,
        name: str,
        is_package: bool,
        texts: Mapping[str, tuple[str, bool]],
        module: ModuleType,
        execute: Callable[[], None],
    ) -> None:
        self.name = name
        self._is_package = is_package
        self._texts = texts
        self._module = module
        self._builtins = vars(module)["__builtins__"]
        self._execute = execute
        sys.meta_path.append(self)

    def has(self, name: str) -> bool:
        """Whether this is one of them."""
        return name == self.name or name in self._texts

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The import system asks where a module is."""
        if name == self.name:
            return ModuleSpec(name, self, is_package=self._is_package)
        found = self._texts.get(name)
        return None if found is None else ModuleSpec(name, self, is_package=found[1])

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The module to be executed; None for a new one."""
        return self._module if spec.name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Runs the module's text."""
        if module is self._module:
            self._execute()
            return
        names: dict[str, Any] = vars(module)
        names["__builtins__"] = self._builtins
        text, _ = self._texts[module.__name__]
        exec(compile(text, f"<{module.__name__}>", "exec", 0, True), names)


def absolute(name: str, package: object, level: int) -> str:
    """The name that a relative import of `level` dots means in a package; empty where it means none."""
    if level == 0:
        return name
    if not isinstance(package, str) or package.count(".") < level - 1 or not package:
        return ""
    base = package.rsplit(".", level - 1)[0]
    return f"{base}.{name}" if name else base
