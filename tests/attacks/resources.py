"""E: memory, time, output, descriptors, stack."""

_SWALLOW = "def f(x):\n    kept = []\n    while True:\n        try: kept.append({0})\n        except {1}: pass\n"
_REPEAT = "def f(x): return attempt(lambda: [{0} for _ in range(64)])\n"

PROGRAMS: dict[str, list[str]] = {
    "E01": [
        "def f(x): return len(bytes(10**10))\n",
        "def f(x):\n    kept = []\n    while True: kept.append(bytearray(10**6))\n",
        "def f(x): return len('a' * 10**10)\n",
        "def f(x): return len([0] * 10**9)\n",
        "def f(x):\n    d = {}\n    while True: d[len(d)] = bytes(2000)\n",
        "def f(x):\n    s = {'a'}\n    while True: s |= {i for i in range(len(s) * 2)}\n",
        "def f(x):\n    got = attempt(lambda: [syscall('mmap', 0, 2**30, 3, 0x22, -1, 0) for _ in range(64)])\n"
        "    if got != 'ESCAPED': raise MemoryError\n",
    ],
    "E02": [
        _SWALLOW.format("bytearray(10**6)", "MemoryError"),
        _SWALLOW.format("[0] * 10**5", "BaseException"),
        _SWALLOW.format("'a' * 10**6 + str(len(kept))", "MemoryError"),
    ],
    "E03": [
        "def f(x):\n    while True: pass\n",
        "import itertools\ndef f(x):\n    for i in itertools.count(): x += i % 2\n",
        "def f(x):\n    try:\n        while True: pass\n    finally: f(x)\n",
        "while True: pass\n",
    ],
    "E04": [
        "def f(x): return 7 ** (10 ** 8)\n",
        "def f(x): return sum(iter(int, 1))\n",
        "import itertools\ndef f(x): return max(itertools.repeat(1))\n",
        "import decimal\ndef f(x):\n    decimal.getcontext().prec = 10**8\n    return decimal.Decimal(2).sqrt() > 1\n",
        "def f(x): return ('a' * 10**6).count('a' * 500_000 + 'b' + 'a' * 400_000) + sum(range(10**11))\n",
    ],
    "E05": [
        "import re\ndef f(x): return re.match('(a+)+$', 'a' * 60 + 'b')\n",
        "import re\ndef f(x): return re.match('(a|aa)+$', 'a' * 60 + 'b')\n",
        "import re\ndef f(x): return re.search(r'(.*)*(.*)*(.*)*=z', 'x' * 40)\n",
    ],
    "E06": [
        "def f(x):\n    sys.set_int_max_str_digits(0)\n    return len(str(7 ** 3_000_000))\n",
        "def f(x):\n    sys.set_int_max_str_digits(0)\n    return int('9' * 3_000_000) % 7\n",
    ],
    "E07": [
        "def f(x):\n    while True: print('x' * 1000)\n",
        "def f(x):\n    while True: os.write(1, b'x' * 65536)\n",
        "def f(x):\n    for _ in range(10**9): sys.stdout.write('a')\n",
        "while True: print('x' * 1000)\ndef f(x): ...\n",
    ],
    "E08": [
        "def f(x):\n    while True: os.write(2, b'x' * 65536)\n",
        "def f(x):\n    while True: print('x' * 1000, file=sys.stderr, flush=True)\n",
    ],
    "E09": [
        *(
            _REPEAT.format(call)
            for call in (
                "os.dup(0)",
                "os.dup2(0, 100)",
                "os.pipe()",
                "os.memfd_create('x')",
                "os.eventfd(0)",
                "syscall('epoll_create1', 0)",
                "syscall('timerfd_create', 1, 0)",
                "syscall('fcntl', 0, 0, 10)",
            )
        ),
    ],
    "E10": [
        "def f(x): return f(x)\n",
        "class A:\n    def __repr__(self): return repr(self)\ndef f(x): return repr(A())\n",
        "class A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\ndef f(x): return A().y\n",
        "import json\ndef f(x):\n    deep = []\n    for _ in range(10**5): deep = [deep]\n"
        "    return json.dumps(deep)\n",
    ],
    "E11": [
        "def f(x):\n    sys.setrecursionlimit(10**9)\n    t = ()\n    for _ in range(200_000): t = (t,)\n"
        "    return repr(t)\n",
        "def f(x):\n    sys.setrecursionlimit(10**9)\n    class A:\n        def __eq__(a, b): return [a] == [b]\n"
        "    return A() == A()\n",
        "import functools\ndef f(x):\n    sys.setrecursionlimit(10**9)\n    g = len\n"
        "    for _ in range(100_000): g = functools.partial(g.__call__)\n    return g()\n",
    ],
    "E12": [
        "x = " + "(" * 5000 + ")" * 5000 + "\ndef f(x): ...\n",
        "def f(x): return eval('-' * 1_000_000 + '1')\n",
        "def f(x): return eval('(' * 150 + 'x' + ',)' * 150 + ' and ' + '[' * 10**6)\n",
        "import ast\ndef f(x): return ast.literal_eval('-' * 400_000 + '1')\n",
        "def f(x): return compile('if 1:\\n' + ''.join(' ' * n + 'if 1:\\n' for n in range(1, 3000)), 'x', 'exec')\n",
        "def f(x): return eval('+'.join(['x'] * 10**6))\n",
    ],
    "E13": [
        "import time\ndef f(x): time.sleep(10**6)\n",
        "def f(x): syscall('nanosleep', (10**6).to_bytes(16, 'little'), 0)\n",
        "def f(x): syscall('futex', bytes(4), 0, 0, 0, 0, 0)\n",
        "def f(x):\n    while True: syscall('clock_nanosleep', 0, 0, (9).to_bytes(16, 'little'), 0)\n",
    ],
    "E15": [
        "class K:\n    def __hash__(self): return 1\ndef f(x): return len({K() for n in range(10**5)})\n",
        "def f(x): return len({n * (2**61 - 1) for n in range(10**5)})\n",
        "class S(str):\n    __hash__ = lambda self: 7\ndef f(x): return len({S(n): n for n in range(10**5)})\n",
    ],
    "E16": [
        "def f(x):\n    lock = sys.modules['_thread'].allocate_lock()\n    while True: lock.acquire()\n",
        "def f(x):\n    lock = sys.modules['_thread'].allocate_lock()\n    lock.acquire()\n"
        "    lock.acquire(True, 10**6)\n",
    ],
    "E17": [
        "class D:\n    def __del__(self):\n        while True: pass\nd = D()\ndef f(x): return 1\n",
        "class D:\n    def __del__(self):\n        while True: pass\ndef f(x):\n    D()\n    return 1\n",
        "class D:\n    def __del__(self): kept.append(D())\nkept = []\ndef f(x):\n    D()\n    kept.clear()\n"
        "    return len(kept)\n",
        "import gc\ndef f(x):\n    gc.callbacks.append(lambda *a: [0] * 10)\n    gc.collect()\n    return 1\n",
    ],
    "E19": [
        "#" * 50_000_000 + "\ndef f(x): ...\n",
        "x = [" + "1, " * 1_000_000 + "]\ndef f(x): ...\n",
        "x = [" + "1, " * 300_000 + "]\ndef f(x): return 1\n",
    ],
}
