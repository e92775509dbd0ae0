"""The trusted code that runs beside the candidate in a locked-in child: load, then answer calls until killed.

Nothing here is a security boundary. Once the candidate runs it may rewrite all of it; the kernel's layers and the
host's decoder hold without its help. It is here so that an honest candidate gets exact results and readable errors.
"""

from __future__ import annotations

import builtins
import calendar
import contextlib
import dataclasses
import decimal
import difflib
import enum
import graphlib
import inspect
import json
import os
import statistics
import sys
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType, TracebackType
from typing import Any, NoReturn

from neurosym_sandbox import _frames, _wire
from neurosym_sandbox._wire import Decoder, Encoder, TooLarge, Tree, Unfit

CHANNEL = 3
CANDIDATE = "<candidate>"
MODULE = "candidate"

_MEMORY = b'["memory"]'
_LARGE = b'["large"]'
_MAX_MESSAGE, _MAX_NAME, _MAX_BASES = 2000, 200, 32

_C_IMPORTS = frozenset(
    {"_strptime", "time", "datetime", "unicodedata", "copyreg", "warnings", "io", "_io", "re", "locale", "encodings",
     "collections", "traceback"}
)  # fmt: skip
"""Modules that C code imports in the name of whoever called it; `datetime.strptime` asks for `_strptime`."""

_VALUE_TYPES = (int, float, str, bytes, tuple, list, set, frozenset, dict, decimal.Decimal, BaseException)

_GENUINE: dict[str, type[BaseException]] = {
    name: item
    for module in (builtins, decimal, statistics, graphlib, json, calendar, dataclasses)
    for name, item in vars(module).items()
    if isinstance(item, type) and issubclass(item, BaseException)
}


class Importer:
    """The `__import__` of the candidate: its allow-list, with a message that names what it may use instead.

    While it is `trusting`, for the prelude, it hands out whatever is loaded.
    """

    def __init__(self) -> None:
        self.allowed = frozenset({"__future__"})
        self.trusting = True

    def __call__(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        from_c = type(fromlist) is list and name in _C_IMPORTS
        if not (self.trusting or from_c or top in self.allowed) or level:
            near = difflib.get_close_matches(top, sorted(self.allowed), n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else f"allowed: {', '.join(sorted(self.allowed))}"
            raise ImportError(f"module {name!r} is not allowed here; {hint}", name=name)
        try:
            return builtins.__import__(name, globals, locals, fromlist, level)
        except ModuleNotFoundError:
            if name in sys.modules or top not in self.allowed:
                raise
            raise ImportError(f"module {name!r} is allowed but is not loaded in this jail", name=name) from None


class ConstructorRaised(Exception):
    """A class of the program raised while an argument was built; carries what it raised."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


class Classes:
    """The classes that the program declares at its top level, found by name; `_wire.Declared` on the jail's side."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace

    def encode(self, value: object, encoder: Encoder, depth: int) -> Tree:
        cls: Any = type(value)
        instance: Any = value
        if self.namespace.get(cls.__name__, self) is cls:
            if isinstance(cls, enum.EnumMeta):
                if cls.__members__.get(instance._name_) is value:
                    return ["E", cls.__name__, instance._name_]
                raise Unfit(f"a combination of members of the enum {cls.__name__}")
            if cls.__bases__ == (tuple,) and type(getattr(cls, "_fields", None)) is tuple:
                return self._fields(cls, "namedtuple", zip(cls._fields, instance, strict=True), encoder, depth)
            if "__dataclass_fields__" in vars(cls) and not issubclass(cls, _VALUE_TYPES):
                names = [field.name for field in dataclasses.fields(cls)]
                missing = [name for name in names if not hasattr(instance, name)]
                if missing:
                    raise Unfit(f"a {cls.__name__} without its field {missing[0]}")
                return self._fields(
                    cls, "dataclass", ((name, getattr(instance, name)) for name in names), encoder, depth
                )
        raise Unfit(_what(cls))

    def _fields(self, cls: Any, kind: str, fields: Any, encoder: Encoder, depth: int) -> Tree:
        tree: list[Tree] = ["I", cls.__name__, kind]
        for name, value in fields:
            encoder.enter(1, depth)
            tree += (name, encoder.tree(value, depth + 1))
        return tree

    def enum_member(self, class_name: str, name: str) -> object:
        cls = self.namespace.get(class_name)
        if not isinstance(cls, enum.EnumMeta) or name not in cls.__members__:
            raise _wire.Malformed(f"the program declares no enum {class_name} with a member {name}")
        return cls.__members__[name]

    def instance(self, class_name: str, kind: str, fields: tuple[tuple[str, object], ...]) -> object:
        cls = self.namespace.get(class_name)
        names = tuple(name for name, _ in fields)
        if kind == "namedtuple" and isinstance(cls, type) and getattr(cls, "_fields", None) == names:
            return self._construct(cls, dict(fields), {})
        if kind == "dataclass" and isinstance(cls, type) and dataclasses.is_dataclass(cls):
            declared = {field.name: field for field in dataclasses.fields(cls)}
            if declared.keys() == set(names):
                given = {name: value for name, value in fields if declared[name].init}
                later = {name: value for name, value in fields if not declared[name].init}
                return self._construct(cls, given, later)
        raise _wire.Malformed(f"the program declares no {kind} {class_name} with the fields {', '.join(names)}")

    def _construct(self, cls: Callable[..., Any], given: dict[str, object], later: dict[str, object]) -> object:
        try:
            instance = cls(**given)
            for name, value in later.items():
                object.__setattr__(instance, name, value)
        except BaseException as error:
            raise ConstructorRaised(error) from None
        return instance


def _what(cls: type) -> str:
    name = _exact(cls.__name__, _MAX_NAME)
    for base in cls.__mro__[1:]:
        if base in _VALUE_TYPES:
            return f"a value of type {name}, a subclass of {base.__name__}; only exactly {base.__name__} is passed"
    return f"a value of type {name}, which cannot be passed"


class Stage:
    """The namespace that a program will run in, set up in the zygote: copying 150 builtins costs a child 0.2 ms."""

    def __init__(self) -> None:
        self.importer = Importer()
        self.module = ModuleType(MODULE)
        vars(self.module)["__builtins__"] = {**vars(builtins), "__import__": self.importer}
        sys.modules[MODULE] = self.module  # dataclasses and typing look classes' modules up there


class Candidate:
    """One program on its stage."""

    def __init__(self, stage: Stage, source: str, function: str, prelude: str, result_bytes: int) -> None:
        self._importer = stage.importer
        self._namespace = vars(stage.module)
        self._source, self._prelude, self._function_name = source, prelude, function
        self._classes = Classes(self._namespace)
        self._limit = result_bytes + _frames.OVERHEAD_BYTES
        self._function: Any = None

    def load(self) -> bytes:
        """Executes prelude and candidate; returns the reply."""
        kind = "prelude"
        try:
            exec(compile(self._prelude, "<prelude>", "exec", 0, True), self._namespace)
            self._importer.trusting = False
            kind = "raised"
            exec(compile(self._source, CANDIDATE, "exec", 0, True), self._namespace)
            self._function = self._namespace.get(self._function_name)
            if self._function is None:
                return self._body(["no function", f"the program defines no function {self._function_name!r}"])
            if not callable(self._function):
                return self._body(["no function", f"{self._function_name!r} is not callable"])
            return self._body(["loaded", *_signature(self._function)])
        except BaseException as error:
            return self._failure(kind, error, None)

    def call(self, request: bytes) -> bytes:
        """Calls the function with the encoded arguments; returns the reply."""
        decoder = Decoder(self._classes)
        try:
            arguments = decoder.value(_wire.parse(request))
        except _wire.Malformed as error:
            return self._body(["bad", _exact(f"arguments: {error}", _MAX_MESSAGE)])
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
            return self._body(["bad", _exact(f"result: {error}", _MAX_MESSAGE)])
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
        bases = [_class_name(base) for base in cls.__mro__[:_MAX_BASES] if base is not object]
        return self._body([kind, _class_name(cls), bases, _message(error), _line(error), after])


def _exact(text: str, limit: int) -> str:
    """Returns at most `limit` characters as an exact str, whatever subclass was given."""
    return str.__getitem__(text, slice(0, limit)) if isinstance(text, str) else "?"


def _class_name(cls: type) -> str:
    name = _exact(cls.__name__, _MAX_NAME)
    return f"{MODULE}.{name}" if _GENUINE.get(name, cls) is not cls else name


def _message(error: BaseException) -> str:
    try:
        return _exact(str(error), _MAX_MESSAGE)
    except BaseException as second:
        return f"<its __str__ raised {_class_name(type(second))}>"


def _line(error: BaseException) -> int | None:
    line: int | None = None
    traceback: TracebackType | None = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == CANDIDATE:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    if line is None and isinstance(error, SyntaxError) and error.filename == CANDIDATE:
        line = error.lineno
    return line if type(line) is int and 0 < line < 2**31 else None


def _signature(function: Any) -> tuple[list[str], int, int | None]:
    """Returns names of positional parameters, how many have no default, and how many are taken at most."""
    if type(function) is FunctionType and not hasattr(function, "__wrapped__"):
        code = function.__code__
        names = list(code.co_varnames[: code.co_argcount])
        return names, len(names) - len(function.__defaults__ or ()), None if code.co_flags & 4 else len(names)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [], 0, None
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = sum(p.default is p.empty for p in positional)
    variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return [_exact(p.name, _MAX_NAME) for p in positional], required, None if variadic else len(positional)


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
        body = _wire.to_bytes(["bad", _exact(str(error), _MAX_MESSAGE)])
    except Exception as error:  # a property or a hash of the program's own classes, asked while its result was read
        body = _wire.to_bytes(["bad", f"result: reading it raised {_class_name(type(error))}"])
    for each in flush:
        with contextlib.suppress(BaseException):  # closed or replaced by the candidate: its own loss
            each()
    return body


def serve(stage: Stage) -> NoReturn:
    """Loads the program that the first frame holds, then answers one call per frame; never returns."""
    flush = (sys.stdout.flush, sys.stderr.flush)
    call_id, body = _read_frame()
    source, function, prelude, imports, result_bytes = _wire.parse(body)
    stage.importer.allowed |= frozenset(imports)
    candidate = Candidate(stage, source, function, prelude, result_bytes)
    _send(call_id, _answer(candidate.load, flush))
    while True:
        call_id, body = _read_frame()
        _send(call_id, _answer(lambda: candidate.call(body), flush))  # noqa: B023  # called at once
