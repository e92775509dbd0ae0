"""Attacks by kind. Each program tries to get out and returns "ESCAPED" if it did; then an honest one must still work.

Where several layers stop an attack, it is tried again without each of them. The programs reach the operating system the
way a real one would: they walk from any object to the trusted code's own ctypes, so nothing here rests on hiding names.
"""

import os
import platform
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from neurosym_sandbox import (
    BadValue,
    Crashed,
    Exited,
    Jail,
    Level,
    Limits,
    LoadFailed,
    MemoryExceeded,
    Outcome,
    OutputExceeded,
    Program,
    Raised,
    ResultExceeded,
    Returned,
    Tampered,
    TimedOut,
)
from neurosym_sandbox._layer_names import SWITCHES
from neurosym_sandbox._seccomp import KILLED
from neurosym_sandbox._syscalls import ARCHITECTURES

NUMBERS = ARCHITECTURES[platform.machine()].numbers

WALK = f"""
import dataclasses
sys = dataclasses.sys
os = sys.modules["os"]
NUMBERS = {NUMBERS!r}
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
def syscall(name, *arguments):
    return _syscall(NUMBERS[name], *arguments)
def escaped(*attempts):
    for attempt in attempts:
        try:
            attempt()
        except (OSError, AttributeError):
            continue
        return "ESCAPED"
    return "refused"
"""


class Host:
    """Things on the host that an attack would like to reach, and their addresses for the attack's text."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.chmod(0o777)
        self.secret = folder / "secret"
        self.secret.write_text("canary-secret-59a1")
        self.secret.chmod(0o644)
        self.reached: list[object] = []
        self.listeners = [
            socket.create_server(("127.0.0.1", 0)),
            socket.socket(socket.AF_UNIX),
            socket.socket(socket.AF_UNIX),
        ]
        self.port = self.listeners[0].getsockname()[1]
        self.path = str(folder / "socket")
        self.listeners[1].bind(self.path)
        os.chmod(self.path, 0o777)
        self.listeners[2].bind(b"")
        self.abstract = self.listeners[2].getsockname()
        for listener in self.listeners:
            listener.listen()
            listener.setblocking(False)

    def untouched(self) -> bool:
        for listener in self.listeners:
            try:
                connection, _ = listener.accept()
            except BlockingIOError:
                continue
            connection.close()
            return False
        return (
            sorted(os.listdir(self.folder)) == ["secret", "socket"] and self.secret.read_text() == "canary-secret-59a1"
        )

    def text(self) -> str:
        return (
            f"SECRET, FOLDER, PORT, PATH, ABSTRACT, HOST = {str(self.secret)!r}, {str(self.folder)!r}, {self.port}, "
            + (f"{self.path!r}, {self.abstract!r}, {os.getpid()}\n")
        )

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    with tempfile.TemporaryDirectory() as folder:
        host = Host(Path(folder))
        yield host
        host.close()


WITHOUT = [(), ("namespaces",), ("landlock",), ("namespaces", "landlock"), ("unprivileged_user",), ("seccomp",)]


@pytest.fixture(
    scope="module", params=WITHOUT, ids=lambda without: "without " + "+".join(without) if without else "all"
)
def weakened(request) -> Iterator[Jail]:
    """A jail with some layers left out."""
    with Jail(without=request.param, level=Level.WEAK) as jail:
        yield jail


def attack(jail: Jail, source: str, host: Host | None = None, limits: Limits = Limits()) -> Outcome:  # noqa: B008
    prelude = WALK + (host.text() if host else "")
    with jail.open(Program(source, "f", prelude=prelude), limits) as session:
        if isinstance(session.loaded, LoadFailed):
            assert session.loaded.outcome is not None, session.loaded.reason
            outcome = session.loaded.outcome
        else:
            outcome = session.call((21,))
    with jail.open(
        Program("import decimal\ndef f(x): return x * 2, decimal.getcontext().prec, sum([1])", "f")
    ) as session:
        honest = session.call((21,))
        assert isinstance(honest, Returned)
        assert honest.value == (42, 28, 1)
    return outcome


def got_out(outcome: Outcome) -> bool:
    return isinstance(outcome, Returned) and outcome.value == "ESCAPED"


FILES = {
    "A01 open": "escaped(lambda: open(SECRET).read(), lambda: open('/etc/passwd').read())",
    "A02 raw openat": "escaped(lambda: syscall('openat', -100, SECRET.encode(), 0, 0))",
    "A03 write": "escaped(lambda: open(FOLDER + '/x', 'w'), lambda: open('/dev/shm/x', 'w'), lambda: open('x', 'w'))",
    "A04 list": "escaped(lambda: next(iter(os.listdir('/')), 0) or os.open('', 0), lambda: next(os.scandir(FOLDER)))",
    "A06 links": "escaped(lambda: os.symlink('/etc', FOLDER + '/x'), lambda: os.link(SECRET, FOLDER + '/x'))",
    "A07 change": "escaped(lambda: os.rename(SECRET, FOLDER + '/x'), lambda: os.unlink(SECRET), "
    "lambda: os.chmod(SECRET, 0), lambda: os.chown(SECRET, 1, 1), lambda: os.utime(SECRET))",
    "A08 proc": "escaped(*(lambda n=n: open('/proc/self/' + n).read() for n in ('environ', 'maps', 'status')))",
    "A09 proc mem": "escaped(lambda: open('/proc/self/mem', 'r+b'))",
    "A10 proc of others": "escaped(lambda: open(f'/proc/{HOST}/environ'), lambda: open('/proc/1/root/etc/passwd'))",
    "A13 devices": "escaped(lambda: os.mknod(FOLDER + '/x', 0o20666, os.makedev(1, 3)), lambda: open('/dev/tty'))",
    "A16 fill": "escaped(lambda: os.truncate(SECRET, 2**30), lambda: open(FOLDER + '/x', 'wb'))",
    "A17 openat2": "escaped(lambda: syscall('openat2', -100, SECRET.encode(), (ctypes.c_uint64 * 3)(), 24))",
    "C03 exec": "escaped(lambda: os.execv('/bin/sh', ['sh']), lambda: os.posix_spawn('/bin/sh', ['sh'], {}))",
    "D19 identity": "escaped(lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]))",
}


@pytest.mark.parametrize("name", FILES)
def test_files(weakened, host, name):
    outcome = attack(weakened, f"def f(x): return {FILES[name]}", host)
    assert not got_out(outcome), outcome
    assert host.untouched()


OPEN_DOORS = ["A01 open", "A02 raw openat", "A03 write", "A04 list", "A07 change", "A08 proc", "A17 openat2"]


@pytest.mark.parametrize("name", OPEN_DOORS)
def test_the_same_attacks_get_out_where_there_is_no_jail(name):
    """Shows that it is the layers that stop them, not a mistake in the attack."""
    with tempfile.TemporaryDirectory() as folder, Jail(without=SWITCHES, level=Level.WEAK) as nothing:
        host = Host(Path(folder))
        assert got_out(attack(nothing, f"def f(x): return {FILES[name]}", host))
        host.close()


CONNECT = """
def connect(address, length):
    family = 2 if length == 16 else 1
    s = syscall('socket', family, 1, 0)
    syscall('connect', s, address, length)
def unix(name):
    name = name if isinstance(name, bytes) else name.encode() + b'\\0'
    return (1).to_bytes(2, 'little') + name, 2 + len(name)
"""
NETWORK = {
    "B01 tcp": "escaped(lambda: connect(b'\\x02\\0' + PORT.to_bytes(2, 'big') + b'\\x7f\\0\\0\\1' + bytes(8), 16))",
    "B03 abstract": "escaped(lambda: connect(*unix(ABSTRACT)))",
    "B04 path": "escaped(lambda: connect(*unix(PATH)))",
}


@pytest.mark.parametrize("name", NETWORK)
def test_network(weakened, host, name):
    outcome = attack(weakened, CONNECT + f"def f(x): return {NETWORK[name]}", host)
    assert not got_out(outcome), outcome
    assert host.untouched()


PROCESSES = {
    "C05 kill": "escaped(lambda: os.kill(HOST, 0), lambda: os.kill(HOST, 9))",
    "C06 pidfd": "escaped(lambda: syscall('pidfd_open', HOST, 0))",
    "C07 ptrace": "escaped(lambda: syscall('ptrace', 16, HOST, 0, 0))",
    "C08 read memory": "escaped(lambda: syscall('process_vm_readv', HOST, 0, 0, 0, 0, 0))",
}


@pytest.mark.parametrize("name", NETWORK)
def test_the_network_is_there_where_there_is_no_jail(name):
    with tempfile.TemporaryDirectory() as folder, Jail(without=SWITCHES, level=Level.WEAK) as nothing:
        host = Host(Path(folder))
        assert got_out(attack(nothing, CONNECT + f"def f(x): return {NETWORK[name]}", host))
        assert not host.untouched()
        host.close()


@pytest.mark.parametrize("name", PROCESSES)
def test_processes(weakened, host, name):
    outcome = attack(weakened, f"def f(x): return {PROCESSES[name]}", host)
    if name == "C08 read memory" and weakened.level is Level.WEAK:
        pytest.skip("a read of nothing succeeds without seccomp")
    assert not got_out(outcome), outcome


# -- what only seccomp refuses, on a full jail ------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in KILLED if name in NUMBERS])
def test_calls_that_are_never_innocent_kill(jail, name):
    outcome = attack(jail, f"def f(x): return syscall({name!r}, 0, 0, 0, 0, 0, 0)")
    assert isinstance(outcome, Crashed)
    assert outcome.signal_name == "SIGSYS"


REFUSED = {
    "A11 descriptors": "[fd for fd in range(5, 64) if not escaped(lambda: os.read(fd, 1)) == 'refused'] or 'refused'",
    "A15 memfd": "escaped(lambda: syscall('memfd_create', b'x', 0))",
    "B05 netlink": "escaped(lambda: syscall('socket', 16, 3, 0))",
    "C01 fork": "escaped(lambda: os.fork())",
    "C02 clone": "escaped(*(lambda n=n: syscall(n, 17, 0, 0, 0, 0) for n in {'clone', 'fork', 'vfork'} & {*NUMBERS}))",
    "C02 clone3": "escaped(lambda: syscall('clone3', (ctypes.c_uint64 * 8)(), 64))",
    "C11 scheduling": "escaped(lambda: os.nice(-5), lambda: os.sched_setaffinity(0, {0}))",
    "D18 prctl": "escaped(*(lambda o=o: syscall('prctl', o, 0, 0, 0, 0) for o in (1, 4, 22, 35, 38)))",
    "D20 mmap": "escaped(lambda: syscall('mmap', 0, 4096, 7, 0x22, -1, 0))",
    "D20 mprotect": "escaped(lambda: syscall('mprotect', syscall('mmap', 0, 4096, 3, 0x22, -1, 0), 4096, 5))",
    "D21 ioctl": "escaped(lambda: syscall('ioctl', 0, 0x5412, b'x'), lambda: syscall('ioctl', 1, 0x5413, bytes(8)))",
    "E09 descriptors": "escaped(lambda: os.dup(0), lambda: os.pipe())",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(jail, name):
    outcome = attack(jail, f"def f(x): return {REFUSED[name]}")
    assert isinstance(outcome, Returned), outcome
    assert outcome.value == "refused"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="an entry of x86")
def test_foreign_entries_kill(jail):
    for number in (0x40000000 + 39, 0x40000000 + 520):
        outcome = attack(jail, f"def f(x): return _syscall({number})")
        assert isinstance(outcome, Crashed)
        assert outcome.signal_name == "SIGSYS"


# -- resources and the protocol ---------------------------------------------------------------------------------------

HARNESS = """
def harness():
    frame = sys._getframe()
    while "call_id" not in frame.f_locals: frame = frame.f_back
    return frame
def forge(body):
    os.write(3, len(body).to_bytes(4, "little") + harness().f_locals["call_id"] + body)
"""

PROGRAMS = {
    "C12 thread bomb": ("def f(x):\n    while True: sys.modules['_thread'].start_new_thread(f, (1,))", Raised),
    "C14 own signal handlers": (
        "def f(x):\n    for s in range(1, 65): libc.signal(s, 1)\n    while True: pass",
        TimedOut,
    ),
    "C15 stop itself": ("def f(x):\n    os.kill(0, 19)", Raised),
    "E02 swallow MemoryError": (
        "def f(x):\n    kept = []\n    while True:\n        try: kept.append(bytearray(10**6))\n"
        "        except MemoryError: pass",
        TimedOut,
    ),
    "E06 digits": ("def f(x):\n    sys.set_int_max_str_digits(0)\n    return len(str(7 ** 2_000_000))", TimedOut),
    "E12 nested source": ("x = " + "(" * 5000 + ")" * 5000, (Raised, MemoryExceeded, Crashed)),
    "E12 compile bomb": ("def f(x): return eval('-' * 1_000_000 + '1')", (Raised, MemoryExceeded, Crashed, TimedOut)),
    "E15 hash flood": (
        "class K:\n    def __init__(self, n): self.n = n\n    def __hash__(self): return 1\n"
        "def f(x): return len({K(n) for n in range(10**5)})",
        TimedOut,
    ),
    "E17 __del__": (
        "class D:\n    def __del__(self):\n        while True: pass\nd = D()\ndef f(x): return 1",
        Returned,
    ),
    "F07 forged answer": (HARNESS + "def f(x):\n    forge(b'[\"returned\",1,null]')\n    os._exit(0)", Returned),
    "F08 nothing to find": (
        "def f(x):\n    text = repr([f.f_locals for f in _frames()])\n    return 'oracle' in text or '42' in text\n"
        "def _frames():\n    f = sys._getframe()\n    while f:\n        yield f\n        f = f.f_back",
        Returned,
    ),
    "F12 atexit": ("import atexit\ndef f(x): return 1", Raised),
    "F13 patched json": (
        "def f(x):\n    wire = sys._getframe(1).f_globals['_wire']\n"
        "    wire.to_bytes = lambda tree: b'[\"passed\"]'\n    return 1",
        Tampered,
    ),
    "F13 patched type": (
        "def f(x):\n    sys.modules['builtins'].type = lambda v: int\n    return object()",
        (Tampered, BadValue, Exited),
    ),
    "F16 not UTF-8": (HARNESS + "def f(x): forge(b'\\xff\\xfe')", Tampered),
    "F16 NaN": (HARNESS + "def f(x): forge(b'[\"returned\",NaN,null]')", Tampered),
    "F15 duplicate keys": (HARNESS + 'def f(x): forge(b\'["returned",{"a":1,"a":2},null]\')', Tampered),
    "F18 slow loris": (
        HARNESS + "def f(x):\n    os.write(3, b'd\\0\\0\\0' + harness().f_locals['call_id'])\n    while True: pass",
        TimedOut,
    ),
    "F19 huge string": ("def f(x): return 'a' * (100 * 2**20)", (ResultExceeded, MemoryExceeded, TimedOut)),
    "F19 huge list": ("def f(x): return [None] * 10**7", ResultExceeded),
    "F20 huge int": ("def f(x): return 1 << 40_000_000", BadValue),
    "F22 deep": ("def f(x):\n    for _ in range(10**5): x = [x]\n    return x", BadValue),
    "F25 stdout imitates": ("def f(x): print('[\"returned\",42,null]\\n::error::PASSED'); raise ValueError", Raised),
    "F31 read ahead": ("def f(x): return len(os.read(3, 100))", TimedOut),
    "F32 dup over": ("def f(x):\n    os.close(3)\n    os.close(1)\n    return 42", (Tampered, Exited)),
    "F34 bytecode": (
        "def g(): pass\ng.__code__ = g.__code__.replace(co_code=bytes([100, 255] * 50), co_consts=())\n"
        "def f(x): return g()",
        (Crashed, Raised, BadValue, MemoryExceeded, TimedOut),
    ),
    "F35 segfault in the middle": ("def f(x):\n    os.write(3, b'half')\n    ctypes.string_at(0)", Crashed),
    "F18 half an answer": ("def f(x):\n    os.write(3, b'half')\n    os._exit(0)", Tampered),
    "F35 segfault": ("def f(x): return ctypes.string_at(0)", Crashed),
    "F39 imitates the host": ("class TimedOut(Exception): pass\ndef f(x): raise TimedOut('cpu\\n::error::')", Raised),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(jail, name):
    source, expected = PROGRAMS[name]
    outcome = attack(jail, source, limits=Limits(time_s=0.3, memory_bytes=128 * 2**20))
    assert isinstance(outcome, expected), outcome
    assert not (isinstance(outcome, Returned) and outcome.value == 42)


def test_noise_on_the_result_channel_is_an_outcome(jail):
    """Whatever bytes a program sends, before its answer, instead of it, or with the right id, the host names it."""
    source = HARNESS + (
        "import random\ndef f(seed):\n    chance = random.Random(seed)\n"
        "    noise = chance.randbytes(chance.choice([1, 11, 12, 13, 40, 5000]))\n"
        "    if chance.random() < 0.5: noise = noise[:4] + harness().f_locals['call_id'] + noise\n"
        "    if chance.random() < 0.5: noise = len(noise).to_bytes(4, 'little') + noise[4:]\n"
        "    os.write(3, noise)\n    if chance.random() < 0.3: os._exit(chance.randrange(3))\n    return 42"
    )
    program = Program(source, "f", prelude=WALK + "import random", imports=frozenset({"random"}))
    kinds = set()
    for seed in range(60):
        with jail.open(program, Limits(time_s=0.05)) as session:
            outcome = session.call((seed,))
            assert isinstance(outcome, Tampered | ResultExceeded | TimedOut | Exited), outcome
            kinds.add(type(outcome))
    assert Tampered in kinds


def test_a_flood_does_not_grow_the_host(jail):
    before = int(Path("/proc/self/statm").read_text().split()[1])
    source = "def f(x):\n    while True: os.write(1, b'x' * 65536)"
    assert isinstance(attack(jail, source), OutputExceeded)
    source = HARNESS + "def f(x):\n    forge(b'[\"returned\",\"' + b'y' * 100_000_000)"
    assert isinstance(attack(jail, source), ResultExceeded)
    assert int(Path("/proc/self/statm").read_text().split()[1]) - before < 16 * 2**20 // 4096


def test_nothing_of_the_hosts_environment_is_inside(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "canary-7d2e")
    source = """
def f(x):
    environ = ctypes.c_void_p.in_dll(libc, "environ").value
    pointers = ctypes.cast(environ, ctypes.POINTER(ctypes.c_char_p)) if environ else []
    found = []
    for number in range(100):
        if not pointers or not pointers[number]: break
        found.append(pointers[number].decode())
    return found + sorted(os.environ)
"""
    with Jail() as jail:
        outcome = attack(jail, source)
    assert isinstance(outcome, Returned)
    assert "canary-7d2e" not in repr(outcome.value)


def test_the_jail_works_from_a_thread_that_ends():
    """The kernel's parent-death signal means the thread, not the process: the launcher must not use it on the host."""
    jails: list[Jail] = []
    thread = threading.Thread(target=lambda: jails.append(Jail()))
    thread.start()
    thread.join()
    with jails[0] as jail:
        assert isinstance(attack(jail, "def f(x): return 1"), Returned)
