"""The trusted code that runs beside the candidate in a locked-in child: load, then answer calls until killed.

Nothing here is a security boundary. Once the candidate runs it may rewrite all of it; the kernel's layers and the
host's decoder hold without its help. It is here so that an honest candidate gets exact results and readable errors.
"""

from __future__ import annotations

import builtins
import contextlib
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NoReturn

from neurosym_sandbox import _frames, _wire
from neurosym_sandbox._classes import Classes, ConstructorRaised
from neurosym_sandbox._describe import (
    CANDIDATE,
    MAX_MESSAGE,
    MODULE,
    MRO_OF,
    class_name,
    exact,
    line_of,
    message,
    signature,
)
from neurosym_sandbox._importer import Importer
from neurosym_sandbox._own import OwnModules
from neurosym_sandbox._preload import DATA_PACKAGES
from neurosym_sandbox._wire import Decoder, Encoder, TooLarge, Tree, Unfit

__builtins__ = {**vars(builtins)}  # type: ignore[assignment]  # ours alone, as in _wire

CHANNEL = 3

_MEMORY = b'["memory"]'
_LARGE = b'["large"]'
_MAX_BASES = 32


class Stage:
    """The namespace that a program will run in, set up in the zygote: copying 150 builtins costs a child 0.2 ms."""

    def __init__(self) -> None:
        self.importer = Importer()
        self.numpy = sys.modules.get("numpy")
        if self.numpy is not None:
            self.importer.packages = DATA_PACKAGES
        self.module = ModuleType(MODULE)
        vars(self.module)["__builtins__"] = {**vars(builtins), "__import__": self.importer}
        sys.modules[MODULE] = self.module  # dataclasses and typing look classes' modules up there


class Candidate:
    """One program on its stage."""

    def __init__(
        self, stage: Stage, source: str, function: str, prelude: str, result_bytes: int, package: Any = None
    ) -> None:
        self._importer = stage.importer
        self._namespace = vars(stage.module)
        if package is not None:
            name, is_package, others = package
            texts = {each: (text, is_one) for each, text, is_one in others}
            self._importer.own = OwnModules(name, is_package, texts, stage.module, self._execute)
        self._source, self._prelude, self._function_name = source, prelude, function
        self._classes = Classes(self._namespace, stage.numpy)
        self._limit = result_bytes + _frames.OVERHEAD_BYTES
        self._function: Any = None

    def load(self) -> bytes:
        """Executes prelude and candidate; returns the reply."""
        kind = "prelude"
        try:
            exec(compile(self._prelude, "<prelude>", "exec", 0, True), self._namespace)
            self._importer.trusting = False
            kind = "raised"
            if self._importer.own is None:
                self._execute()
            else:
                self._importer(self._importer.own.name)  # what is around it is loaded first, as everywhere
            self._function = self._namespace.get(self._function_name)
            if self._function is None:
                return self._body(["no function", f"the program defines no function {self._function_name!r}"])
            if not callable(self._function):
                return self._body(["no function", f"{self._function_name!r} is not callable"])
            return self._body(["loaded", *signature(self._function)])
        except BaseException as error:
            return self._failure(kind, error, None)

    def _execute(self) -> None:
        exec(compile(self._source, CANDIDATE, "exec", 0, True), self._namespace)

    def call(self, request: bytes) -> bytes:
        """Calls the function with the encoded arguments; returns the reply."""
        decoder = Decoder(self._classes)
        try:
            arguments = decoder.value(_wire.parse(request))
        except _wire.Malformed as error:
            return self._body(["bad", exact(f"arguments: {error}", MAX_MESSAGE)])
        except ConstructorRaised as error:
            return self._failure("raised", error.error, None)
        mutable = not set(map(type, arguments)) <= _wire.SCALARS
        before = self._encode(arguments) if decoder.saw_declared else request
        try:
            value = self._function(*arguments)
        except BaseException as error:
            if isinstance(error, (MemoryError, SystemExit)):
                arguments = None
            after = self._changes(arguments, before) if mutable and arguments is not None else None
            return self._failure("raised", error, after)
        try:
            tree = Encoder(self._classes).tree(value)
        except Unfit as error:
            return self._body(["bad", exact(f"result: {error}", MAX_MESSAGE)])
        return self._body(["returned", tree, self._changes(arguments, before) if mutable else None])

    def _encode(self, arguments: object) -> bytes:
        return _wire.to_bytes(Encoder(self._classes).tree(arguments))

    def _changes(self, arguments: object, before: bytes) -> Tree:
        """Returns the arguments' tree when they no longer encode to the bytes `before`, else None."""
        try:
            tree = Encoder(self._classes).tree(arguments)
        except Unfit as error:
            raise Unfit(f"arguments after the call: {error}") from None
        return None if _wire.to_bytes(tree) == before else tree

    def _body(self, reply: Tree) -> bytes:
        body = _wire.to_bytes(reply)
        return body if len(body) <= self._limit else _LARGE

    def _failure(self, kind: str, error: BaseException, after: Tree) -> bytes:
        if isinstance(error, MemoryError):
            return _MEMORY
        if isinstance(error, SystemExit):
            code = error.code
            known = code is None or (type(code) is int and abs(code) < 2**31)
            return self._body(["exit", code if known else 1])
        cls = type(error)
        bases = [class_name(base) for base in MRO_OF(cls)[:_MAX_BASES] if base is not object]
        return self._body([kind, class_name(cls), bases, message(error), line_of(error), after])


def _read_exactly(data: bytes, count: int) -> bytes:
    while len(data) < count:
        more = os.read(CHANNEL, max(count - len(data), 65536))
        if not more:
            os._exit(0)
        data += more
    return data


def _read_frame() -> tuple[bytes, bytes]:
    data = _read_exactly(b"", _frames.HEADER.size)
    length, call_id = _frames.HEADER.unpack_from(data)
    return call_id, _read_exactly(data, _frames.HEADER.size + length)[_frames.HEADER.size :]


def _send(call_id: bytes, body: bytes) -> None:
    rest = memoryview(_frames.pack(call_id, body))
    while rest:
        rest = rest[os.write(CHANNEL, rest) :]


def _answer(work: Callable[[], bytes], flush: tuple[Callable[[], None], ...]) -> bytes:
    try:
        body = work()
    except MemoryError:
        body = _MEMORY
    except TooLarge:
        body = _LARGE
    except (Unfit, RecursionError) as error:
        body = _wire.to_bytes(["bad", exact(str(error), MAX_MESSAGE)])
    except Exception as error:  # a property or a hash of the program's own classes, asked while its result was read
        body = _wire.to_bytes(["bad", f"result: reading it raised {class_name(type(error))}"])
    for each in flush:
        with contextlib.suppress(BaseException):  # closed or replaced by the candidate: its own loss
            each()
    return body


def serve(stage: Stage) -> NoReturn:
    """Loads the program that the first frame holds, then answers one call per frame; never returns."""
    flush = (sys.stdout.flush, sys.stderr.flush)
    call_id, body = _read_frame()
    source, function, prelude, imports, result_bytes, package = _wire.parse(body)
    stage.importer.allowed |= frozenset(imports)
    candidate = Candidate(stage, source, function, prelude, result_bytes, package)
    _send(call_id, _answer(candidate.load, flush))
    while True:
        call_id, body = _read_frame()
        _send(call_id, _answer(lambda: candidate.call(body), flush))  # noqa: B023  # called at once
