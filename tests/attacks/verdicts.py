"""F: to be judged better than one is. A program that does not compute the answer must not be seen to return int 42."""

HARNESS = """
def harness():
    frame = sys._getframe()
    while "call_id" not in frame.f_locals: frame = frame.f_back
    return frame
def forge(body, length=None):
    length = len(body) if length is None else length
    os.write(3, length.to_bytes(4, "little") + harness().f_locals["call_id"] + body)
def wire(): return harness().f_globals["_wire"]
"""

_FORGE = HARNESS + "def f(x):\n    forge({0})\n    return 41\n"
_FORGE_AND_END = HARNESS + "def f(x):\n    forge({0})\n    os._exit(0)\n"
_VALUE = "import decimal, fractions, datetime, math, collections, enum, itertools\n{0}\ndef f(x): return {1}\n"
_RAISE = "{0}\ndef f(x): raise {1}\n"
_POISON = "import decimal, dataclasses, statistics\ndef f(x):\n    {0}\n    return 1\n"


def _values(*rows: tuple[str, str]) -> list[str]:
    return [_VALUE.format(*row) for row in rows]


PROGRAMS: dict[str, list[str]] = {
    "F01": _values(
        ("class Yes:\n    def __eq__(self, other): return True", "Yes()"),
        (
            "class Yes:\n    __eq__ = lambda s, o: True\n    __hash__ = lambda s: hash(42)\n    __int__ = lambda s: 42",
            "Yes()",
        ),
        ("class Yes(type):\n    __eq__ = lambda s, o: True\nclass Also(metaclass=Yes): pass", "Also"),
        ("class Yes:\n    __eq__ = lambda s, o: True", "[Yes()]"),
    ),
    "F02": _values(
        ("class I(int):\n    def __eq__(self, other): return True", "I(1)"),
        ("class I(int):\n    def __repr__(self): return '42'\n    __str__ = __repr__", "I(1)"),
        ("class I(int):\n    def __index__(self): return 42\n    __int__ = __index__", "I(42)"),
        ("class I(int, metaclass=type('M', (type,), {'__instancecheck__': lambda c, o: True})): pass", "I(42)"),
        ("class I(enum.IntFlag):\n    A = 42\n    B = 1", "I.A | I.B"),
    ),
    "F03": _values(
        ("class D(decimal.Decimal): pass", "D(42)"),
        ("class S(str):\n    def __eq__(self, other): return True", "S('x')"),
        ("class L(list):\n    def __iter__(self): return iter([42])", "L()"),
        ("class M(dict):\n    def items(self): return [(1, 42)]", "M()"),
        ("class F(float):\n    hex = lambda self: '0x1.5p+5'", "F(1)"),
        ("class T(tuple): pass", "T([42])"),
        ("", "collections.OrderedDict(a=1)"),
        ("", "collections.Counter('a')"),
    ),
    "F04": _values(
        ("", "42.0"),
        ("", "True"),
        ("", "decimal.Decimal(42)"),
        ("", "fractions.Fraction(42)"),
        ("", "'42'"),
        ("", "[42]"),
        ("", "b'42'"),
        ("", "(42,)"),
    ),
    "F05": _values(
        ("", "math.nan"),
        ("", "math.inf"),
        ("", "-0.0"),
        ("", "decimal.Decimal('sNaN')"),
        ("", "[math.nan]"),
        ("", "{math.nan: 1}"),
        ("", "decimal.Decimal('-Infinity')"),
    ),
    "F07": [
        _FORGE.format("b'[\"returned\",41,null]'"),
        _FORGE_AND_END.format("b'[\"returned\",41,null]'"),
        _FORGE_AND_END.format('b\'["loaded",["x"],1,1]\''),
        _FORGE_AND_END.format("b'[\"passed\"]'"),
        HARNESS + "def f(x):\n    frame = harness()\n    forge(b'[\"returned\",41,null]')\n    while True: pass\n",
    ],
    "F08": [
        "import gc\nimport re\ndef f(x):\n    token = re.compile(ORACLE + '[0-9a-f]{16}')\n"
        "    held = [o for o in gc.get_objects() if type(o) in (dict, list, tuple)]\n"
        "    texts = [v for o in held for v in (o.values() if type(o) is dict else o) if type(v) is str]\n"
        "    return 'ESCAPED' if any(map(token.search, texts)) else 1\n",
        "def f(x):\n    frame, seen = sys._getframe(), []\n    while frame:\n"
        "        seen.append(repr(frame.f_locals))\n"
        "        frame = frame.f_back\n"
        "    return 'ESCAPED' if any(w in ''.join(seen) for w in ('exp' + 'ected_', 'Sess' + 'ion')) else 1\n",
        "def f(x):\n    names = [n for n in sys.modules if 'neurosym' in n or 'pytest' in n or 'tests' in n]\n"
        "    return 'ESCAPED' if names else 1\n",
        "def f(x): return 'ESCAPED' if len(sys.argv) > 1 or [*os.environ] or len(sys.path) else 1\n",
        "def f(x):\n    for cls in _everything():\n"
        "        if cls.__module__.startswith(('tests', 'neurosym_specs', 'neurosym.')):"
        " return 'ESCAPED'\n    return 1\n",
    ],
    "F09": [
        "def f(x): os._exit(0)\n",
        "def f(x): libc._exit(0)\n",
        "def f(x): libc.exit(0)\n",
        "def f(x): syscall('exit_group', 0)\n",
        "os._exit(0)\ndef f(x): ...\n",
    ],
    "F10": [
        "def f(x): sys.exit(0)\n",
        "raise SystemExit(0)\n",
        "def f(x): raise SystemExit('42')\n",
        "class E(SystemExit):\n    code = 42\ndef f(x): raise E\n",
        "def f(x): exit_ = type('E', (SystemExit,), {'__init__': lambda s: None}); raise exit_()\n",
    ],
    "F11": [
        _RAISE.format("", "KeyboardInterrupt"),
        _RAISE.format("", "GeneratorExit"),
        _RAISE.format("class E(BaseException):\n    def __str__(self): raise self", "E"),
        _RAISE.format("class E(Exception):\n    def __str__(self): return 'x' * 10**6", "E"),
        _RAISE.format(
            "class S(str):\n    __getitem__ = lambda s, i: 1\nclass E(Exception):\n    __str__ = lambda s: S('')", "E"
        ),
        _RAISE.format(
            "class M(type):\n    __name__ = property(lambda c: 1 / 0)\nclass E(Exception, metaclass=M): pass", "E"
        ),
        _RAISE.format("", "BaseExceptionGroup('x', [KeyboardInterrupt()])"),
        _RAISE.format("class E(Exception):\n    __traceback__ = property(lambda s: 1 / 0)", "E"),
    ],
    "F12": [
        "import atexit\ndef f(x):\n    atexit.register(lambda: os.write(3, b'x'))\n    return 1\n",
        "class D:\n    def __del__(self): os.write(3, b'x')\nkept = D()\ndef f(x): return 1\n",
        "def f(x):\n    libc.atexit(libc.abort)\n    return 1\n",
    ],
    "F13": [
        HARNESS + "def f(x):\n    wire().to_bytes = lambda tree: b'[\"passed\"]'\n    return 1\n",
        HARNESS + "def f(x):\n    wire().Encoder.tree = lambda *a: ['returned', 'I', {}]\n    return 1\n",
        "def f(x):\n    sys.modules['json'].dumps = lambda *a, **k: '42'\n    return 41\n",
        *(
            f"def f(x):\n    vars(sys.modules['builtins'])[{name!r}] = lambda *a, **k: 42\n    return object()\n"
            for name in ("len", "type", "isinstance", "set", "callable", "hasattr", "int")
        ),
        HARNESS + "def f(x):\n    harness().f_globals['_frames'].pack = lambda *a: b''\n    return 1\n",
        HARNESS + "def f(x):\n    harness().f_globals['_send'] = harness().f_globals['_answer'] = None\n    return 1\n",
        HARNESS + "def f(x):\n    harness().f_globals['os'].write = lambda *a: 10**9\n    return 1\n",
    ],
    "F15": [
        _FORGE_AND_END.format('b\'["returned",{"a":1,"a":42},null]\''),
        _FORGE_AND_END.format('b\'{"status":"passed","status":"passed"}\''),
        _FORGE_AND_END.format('b\'["returned",["M",1,2,1,3],null]\''),
    ],
    "F16": [
        _FORGE_AND_END.format(body)
        for body in (
            "b'[\"returned\",NaN,null]'",
            "b'\\xff\\xfe'",
            'b\'["returned",["F",1],null]\'',
            "b'[\"returned\"]'",
            'b\'["returned",["i","42"],null]\'',
            "b'[\"returned\",42,null] '*2",
            "b''",
            "b'[' * 10**6",
            "b'[\"returned\",1e1,null]'",
            'b\'["returned",["?",42],null]\'',
        )
    ],
    "F18": [
        HARNESS + "def f(x): forge(b'', 0xFFFFFFFF)\n",
        HARNESS + "def f(x):\n    forge(b'', 100)\n    while True: pass\n",
        HARNESS + "import time\ndef f(x):\n    forge(b'', 100)\n    for _ in range(50):\n        os.write(3, b' ')\n"
        "        time.sleep(0.05)\n",
        "def f(x):\n    os.write(3, b'half')\n    os._exit(0)\n",
        HARNESS + "def f(x):\n    forge(b'[\"returned\",\"' + b'y' * 50_000_000)\n",
    ],
    "F19": [
        "def f(x): return 'a' * 100_000_000\n",
        "def f(x): return [0] * 10**7\n",
        "def f(x): return {n: n for n in range(10**6)}\n",
        "def f(x): return [['x' * 100] * 1000] * 1000\n",
        "def f(x): return bytes(20_000_000)\n",
    ],
    "F20": [
        *_values(
            ("", "1 << 33_000_000"),
            ("", "decimal.Decimal('1e999999999')"),
            ("", "decimal.Decimal((0, (1,) * 10**6, 0))"),
            ("", "fractions.Fraction(1 << 10**6, 3)"),
            ("", "[decimal.Decimal('1e-999999999')]"),
        ),
        _FORGE_AND_END.format('b\'["returned",["D","1E+999999999"],null]\''),
        _FORGE_AND_END.format("b'[\"returned\",[\"i\",\"0x' + b'f' * 10**6 + b'\"],null]'"),
        _FORGE_AND_END.format("b'[\"returned\",' + b'9' * 10**6 + b',null]'"),
        _FORGE_AND_END.format('b\'["returned",["F",1,["i","0x1\' + b\'0\' * 10**5 + b\'"]],null]\''),
    ],
    "F21": _values(
        ("", "itertools.count()"),
        ("", "(i for i in iter(int, 1))"),
        ("async def g(): ...", "g()"),
        ("", "range(10**12)"),
        ("", "map(int, '42')"),
        ("", "f"),
        ("", "iter([42])"),
        ("", "memoryview(b'42')"),
    ),
    "F22": [
        "def f(x):\n    l = []\n    l.append(l)\n    return l\n",
        "def f(x):\n    d = {}\n    d[1] = d\n    return d\n",
        "def f(x):\n    l = []\n    for _ in range(10**5): l = [l]\n    return l\n",
        "def f(x):\n    t = ()\n    for _ in range(200): t = (t, 1)\n    return t\n",
    ],
    "F24": [
        "def f(x): return '\\ud800\\0\\u202e\\x1b[31m'\n",
        "def f(x): raise ValueError('\\ud800\\0\\u202e\\x1b[2J\\r\\n::error::')\n",
        "def f(x):\n    raise type('E\\n\\x1b[31m', (Exception,), {})\n",
        "def f(x):\n    os.write(1, b'\\xff\\xfe\\x1b[31m\\0')\n    return 1\n",
        "class \u0410(Exception): pass\ndef f(x): raise \u0410('\\u2028\\u2029')\n",
    ],
    "F25": [
        "def f(x):\n    print('PASSED\\n::error file=x::y\\n##vso[task.complete result=Succeeded;]')\n    return 41\n",
        "def f(x):\n    print('[\"returned\",42,null]', flush=True)\n    return 41\n",
        'print(\'{"status": "passed", "value": 42}\')\ndef f(x): return 41\n',
        "def f(x):\n    os.write(2, b'exit 0\\n1 passed in 0.01s\\n')\n    return 41\n",
    ],
    "F26": [
        "def f(x):\n    x = 42\n    return 41\n",
        HARNESS + "def f(x):\n    harness().f_locals.clear()\n    return 41\n",
        "def f(x):\n    sys._getframe(1).f_locals['arguments'] = (42,)\n    return 41\n",
    ],
    "F27": [
        "calls = []\ndef f(x):\n    calls.append(x)\n    return 41 + 10 * len(calls)\n",
        "def f(x):\n    f.n = getattr(f, 'n', 0) + 1\n    return -f.n\n",
    ],
    "F28": [
        "import time\ndef f(x): return time.time_ns()\n",
        "import random\ndef f(x): return random.random()\n",
        "def f(x): return next(iter({'a', 'b', 'c', 'd'}))\n",
        "def f(x): return id(object())\n",
    ],
    "F29": [
        _POISON.format("decimal.getcontext().prec = 3"),
        _POISON.format("decimal.DefaultContext.prec = 3; decimal.setcontext(decimal.Context(prec=2))"),
        _POISON.format("vars(sys.modules['builtins'])['sum'] = lambda *a: 42"),
        _POISON.format("sys.modules['decimal'].Decimal = int"),
        _POISON.format("sys.modules.clear()"),
        _POISON.format(
            "sys.set_int_max_str_digits(0); sys.setrecursionlimit(100); statistics.mean.__globals__['random'].seed(5)"
        ),
        _POISON.format("ctypes.memset(id(1000) + 24, 0, 0); sys.modules['warnings'].simplefilter('error')"),
        _POISON.format("int.__add__; vars(sys.modules['builtins'])['__import__'] = None"),
    ],
    "F31": [
        "def f(x): return os.read(3, 1000).decode()\n",
        "def f(x):\n    while True: os.read(3, 10**6)\n",
        HARNESS + "def f(x):\n    harness().f_globals['_read_frame']()\n",
    ],
    "F32": [
        "def f(x):\n    os.close(3)\n    return 41\n",
        "def f(x):\n    os.close(3)\n    while True: pass\n",
        "def f(x):\n    os.close(0); os.close(1); os.close(2)\n    print('x', flush=True)\n    return 41\n",
        "def f(x): return attempt(lambda: os.dup2(1, 3))\n",
        "def f(x):\n    sys.stdout.close(); sys.stderr.close()\n    return 41\n",
        "def f(x): return attempt(lambda: syscall('shutdown', 3, 2))\n",
    ],
    "F34": [
        f"def g(): pass\ndef f(x):\n    c = g.__code__\n"
        f"    exec(c.replace(co_code={code}, co_stacksize=1))\n    return 41\n"
        for code in (
            "bytes(200)",
            "b'\\x64\\xff' * 100",
            "bytes(range(256))",
            "b'\\x97\\x00\\x01\\x00' * 50",
            "b'\\x7c\\x40\\x53\\x00'",
        )
    ],
    "F35": [
        "def f(x): return ctypes.string_at(0)\n",
        "def f(x): return ctypes.memset(id(int), 0, 400) and int('1')\n",
        "def f(x): libc.abort()\n",
        "def f(x): ctypes.cast(8, ctypes.POINTER(ctypes.c_int))[0] = 1\n",
        "def f(x):\n    os.write(3, b'half')\n    ctypes.string_at(0)\n",
    ],
    "F36": [
        f"import {name}\ndef f(x): return 42\n"
        for name in ("ctypes", "socket", "subprocess", "multiprocessing", "numpy", "os", "sys", "importlib", "signal")
    ]
    + [
        "def f(x): return attempt(lambda: sys.modules['builtins'].__import__('subprocess'))\n",
        "def f(x): return attempt(lambda: sys.modules['importlib'].reload(sys.modules['decimal']))\n",
        "import numpi\ndef f(x): return 42\n",
    ],
    "F37": [
        "def f(x): return attempt(lambda: check(libc.open(SECRET.encode(), 0)))\n",
        "def f(x):\n    for cls in _everything():\n        if cls.__name__ == '_PyCFuncPtr': break\n"
        "    return attempt(lambda: check(ctypes.CDLL(None, use_errno=True).mkdir((FOLDER + '/x').encode(), 7)))\n",
        "def f(x): return attempt(lambda: ctypes.CDLL(FOLDER + '/x.so'))\n",
    ],
    "F38": [
        "import time\ndef f(x):\n    end = time.process_time() + 0.02\n"
        "    while time.process_time() < end: pass\n    return 41\n",
        "import time\ndef f(x):\n    time.sleep(0.05)\n    return 41\n",
    ],
    "F39": [
        _RAISE.format("class TimedOut(Exception): pass", "TimedOut('cpu\\n::error::')"),
        _RAISE.format("class Returned(Exception): value = 42", "Returned(42)"),
        _RAISE.format("class ZeroDivisionError(Exception): pass", "ZeroDivisionError"),
        _RAISE.format(
            "class E(Exception): pass\nE.__module__ = 'neurosym_sandbox.errors'\nE.__qualname__ = 'JailLost'", "E"
        ),
        _RAISE.format("", "type('E\\nVERDICT: PROVED', (Exception,), {})('x')"),
    ],
}
