"""What an attack would like to reach on the host, and what it starts from inside: the operating system, found by
walking from `object` to the trusted code's own ctypes, as a real attack would. Nothing here rests on hiding names.
"""

from __future__ import annotations

import contextlib
import os
import platform
import secrets
import socket
import tempfile
from pathlib import Path

from neurosym_sandbox._call_table import NUMBERS

PRELUDE = f"""
import dataclasses
sys = dataclasses.sys
os = sys.modules["os"]
NUMBERS = {NUMBERS[platform.machine()]!r}
def _everything():
    todo, seen = [object], set()
    while todo:
        for cls in type.__subclasses__(todo.pop()):
            if cls not in seen:
                seen.add(cls)
                todo.append(cls)
    return seen
_filter = next(c for c in _everything() if c.__module__ == "neurosym_sandbox._seccomp" and c.__name__ == "Filter")
_syscall = _filter.install.__globals__["syscall"]
ctypes = _syscall.__globals__["ctypes"]
libc = _syscall.__globals__["_libc"]
def check(result):
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
def zero(result):
    if result: raise OSError(result, "not zero")
def syscall(name, *arguments):
    if name not in NUMBERS: raise OSError(38, "no such call here")
    return _syscall(NUMBERS[name], *arguments)
def once(pid):
    if pid == 0: syscall("exit_group", 0)
    if pid < 0: raise OSError(1, "no child")
def first(work, descriptors):
    for descriptor in descriptors:
        try: return work(descriptor)
        except OSError: pass
    raise OSError(9, "none works")
def vector(length):
    buffer = ctypes.create_string_buffer(8)
    kept.append(buffer)
    return ctypes.addressof(buffer).to_bytes(8, "little") + length.to_bytes(8, "little")
kept = []
def rights(descriptor):
    body = (20).to_bytes(8, "little") + (1).to_bytes(4, "little") * 2 + descriptor.to_bytes(8, "little")
    pieces = [ctypes.create_string_buffer(piece, 24) for piece in (vector(1), body)]
    kept.extend(pieces)
    at = [ctypes.addressof(piece).to_bytes(8, "little") for piece in pieces]
    return bytes(16) + at[0] + (1).to_bytes(8, "little") + at[1] + (24).to_bytes(8, "little") + bytes(8)
def connect(family, kind, address, protocol=0):
    return syscall("connect", syscall("socket", family, kind, protocol), address, len(address))
def socket_and(address):
    return syscall("socket", 1, 1, 0), address, len(address)
def unix(name):
    return (1).to_bytes(2, "little") + (name if isinstance(name, bytes) else name.encode() + b"\\0")
def patch_code():
    address = ctypes.cast(libc.getpid, ctypes.c_void_p).value
    memory = os.open("/proc/self/mem", os.O_RDWR)
    return os.pwrite(memory, ctypes.string_at(address, 4), address)
def attempt(work):
    try:
        work()
    except OSError as error:
        return "refused: " + (sys.modules["errno"].errorcode.get(error.errno) or str(error.errno))
    except (AttributeError, IndexError, StopIteration, ImportError, ProcessLookupError, RuntimeError) as error:
        return "refused: " + type(error).__name__
    return "ESCAPED"
"""


class Stage:
    """A folder with a secret, and sockets that listen; all open to everybody. A context manager."""

    def __init__(self) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="attacks-")
        self.folder = Path(self._temporary.name)
        self.folder.chmod(0o777)
        self.token = "canary-" + secrets.token_hex(8)
        self.oracle = "oracle-" + secrets.token_hex(8)
        self.secret = self.folder / "secret"
        self.secret.write_text(self.token)
        self.secret.chmod(0o644)
        self.listeners = [socket.create_server(("127.0.0.1", 0))]
        for address in (str(self.folder / "socket"), b""):
            self.listeners.append(socket.socket(socket.AF_UNIX))
            self.listeners[-1].bind(address)
            self.listeners[-1].listen()
        with contextlib.suppress(OSError):  # no IPv6 here
            self.listeners.append(socket.create_server(("::1", 0), family=socket.AF_INET6))
        os.chmod(self.folder / "socket", 0o777)
        for listener in self.listeners:
            listener.setblocking(False)
        self._was = self._look()

    def _look(self) -> tuple[object, ...]:
        """Mode, owner, size and time of change of everything here."""
        stats = [os.stat(self.folder / name) for name in sorted(os.listdir(self.folder))]
        return (
            sorted(os.listdir(self.folder)),
            [(each.st_mode, each.st_uid, each.st_size, each.st_mtime_ns, each.st_nlink) for each in stats],
        )

    def reached(self) -> str:
        """Says what of the host has been reached, or nothing."""
        for listener in self.listeners:
            try:
                connection, _ = listener.accept()
            except BlockingIOError:
                continue
            connection.close()
            return "connected to the host"
        now = self._look()
        if now != self._was:
            self._was = now
            return "changed files of the host"
        return ""

    def prelude(self) -> str:
        """The text that an attack starts from."""
        tcp = b"\x02\0" + self.listeners[0].getsockname()[1].to_bytes(2, "big")
        tcp6 = b"\x0a\0" + self.listeners[-1].getsockname()[1].to_bytes(2, "big") if len(self.listeners) > 3 else tcp
        return PRELUDE + (
            f"SECRET, FOLDER, PATH = {str(self.secret)!r}, {str(self.folder)!r}, {str(self.folder / 'socket')!r}\n"
            f"PORT, ABSTRACT = {self.listeners[0].getsockname()[1]}, {self.listeners[2].getsockname()!r}\n"
            f"TCP, TCP6 = {tcp + bytes((127, 0, 0, 1)) + bytes(8)!r}, {tcp6 + bytes(19) + bytes((1,)) + bytes(4)!r}\n"
            f"HOST, ORACLE = {os.getpid()}, 'oracle-'\n"
        )

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        for listener in self.listeners:
            listener.close()
        self._temporary.cleanup()
