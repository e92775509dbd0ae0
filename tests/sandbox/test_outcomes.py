"""What a session tells about honest, broken and greedy programs."""

import sys
import time

import pytest
from neurosym_sandbox import (
    DEFAULT_IMPORTS,
    BadValue,
    Crashed,
    Exited,
    Jail,
    Limits,
    Loaded,
    LoadFailed,
    MemoryExceeded,
    OutputExceeded,
    Program,
    Raised,
    ResultExceeded,
    Returned,
    Tampered,
    TimedOut,
)

REACH_SYS = "import dataclasses\nsys = dataclasses.dataclass.__globals__['sys']\n"
REACH_OS = f"{REACH_SYS}os = sys.modules['os']\n"


def test_returns_the_value_and_what_was_printed(run):
    outcome = run("def f(x):\n    print('half of', x)\n    return x / 2", 21)
    assert isinstance(outcome, Returned)
    assert (outcome.value, outcome.stdout, outcome.stderr, outcome.output_cut) == (10.5, "half of 21\n", "", False)
    assert outcome.arguments_after is None
    assert 0 < outcome.usage.cpu_s < 0.1
    assert outcome.usage.peak_memory_bytes > 2**20


def test_loaded_describes_the_function(jail):
    def loaded(source: str) -> Loaded:
        with jail.open(Program(source, "f")) as session:
            assert isinstance(session.loaded, Loaded)
            return session.loaded

    simple = loaded("def f(a, /, b, c=1, *, d=2): ...\nprint('hello')")
    assert (simple.parameters, simple.required, simple.maximum, simple.stdout) == (("a", "b", "c"), 2, 3, "hello\n")
    assert loaded("def f(*rest): ...").maximum is None
    assert loaded("import functools\nf = functools.partial(lambda a, b: a, 1)").required == 1
    wrapped = "import functools\ndef g(a, b=2): ...\n@functools.wraps(g)\ndef f(*a, **k): return g(*a, **k)"
    assert loaded(wrapped).parameters == ("a", "b")


@pytest.mark.parametrize(
    ("source", "name", "line"),
    [
        ("def f(x):\n    return x / 0", "ZeroDivisionError", 2),
        ("def f(x):\n    return f(x)", "RecursionError", 2),
        ("import decimal\ndef f(x):\n    return decimal.Decimal('abc')", "InvalidOperation", 3),
        ("class Own(ValueError): pass\ndef f(x):\n    raise Own('no')", "Own", 3),
        ("class ValueError(Exception): pass\ndef f(x):\n    raise ValueError", "candidate.ValueError", 3),
        ("def f(x):\n    return sorted([1, 2], key=lambda y: y / 0)", "ZeroDivisionError", 2),
        ("def f(x):\n    return input()", "EOFError", 2),
        ("def f(x, y): ...", "TypeError", None),
        ("def f(x):\n    return open('/etc/passwd')", "PermissionError", 2),
        ("def f(x):\n    raise KeyboardInterrupt", "KeyboardInterrupt", 2),
    ],
)
def test_raised(run, source, name, line):
    outcome = run(source, 1)
    assert isinstance(outcome, Raised)
    assert (outcome.exception.name, outcome.exception.line) == (name, line)
    assert outcome.exception.bases[0] == name
    assert outcome.exception.bases[-1] == "BaseException"


def test_a_class_cannot_pass_for_another(run):
    source = """
class Meta(type):
    __name__ = property(lambda cls: "ValueError")
    __mro__ = property(lambda cls: (ValueError, Exception, BaseException, object))
class Own(Exception, metaclass=Meta): pass
def f():
    raise Own
"""
    outcome = run(source)
    assert isinstance(outcome, Raised)
    assert outcome.exception.bases == ("Own", "Exception", "BaseException")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("1 / 0", "loading it raised ZeroDivisionError: division by zero"),
        ("def f(x) return x", "loading it raised SyntaxError: expected ':'"),
        ("raise SystemExit", "loading it ends the process"),
        ("while True: pass", "loading it takes too long"),
        ("while True: print('x' * 10_000)", "loading it floods the output"),
    ],
)
def test_why_a_program_does_not_load(jail, source, reason):
    with jail.open(Program(source, "f"), Limits(load_time_s=0.3)) as session:
        assert isinstance(session.loaded, LoadFailed)
        assert session.loaded.reason.startswith(reason)


def test_bases_of_an_own_exception(run):
    outcome = run("class Own(ValueError): pass\ndef f():\n    raise Own('amount')")
    assert isinstance(outcome, Raised)
    assert outcome.exception.bases == ("Own", "ValueError", "Exception", "BaseException")
    assert outcome.exception.message == "amount"


@pytest.mark.parametrize(
    "source",
    [
        "class E(Exception):\n    def __str__(self): raise self\ndef f(): raise E",
        "class S(str):\n    def __getitem__(self, i): return 'x' * 10**6\n"
        "class E(Exception):\n    def __str__(self): return S('y')\ndef f(): raise E",
        "def f(): raise ValueError('z' * 10**6)",
        "f = lambda: exec('raise type(\"N\" * 10**5, (Exception,), {})')",
    ],
)
def test_texts_of_exceptions_are_bounded(run, source):
    outcome = run(source)
    assert isinstance(outcome, Raised)
    assert len(outcome.exception.message) <= 2000
    assert len(outcome.exception.name) <= 250


def test_syntax_error_names_the_line(jail):
    with jail.open(Program("x = 1\ndef f(:\n  pass", "f")) as session:
        assert isinstance(session.loaded, LoadFailed)
        assert isinstance(session.loaded.outcome, Raised)
        assert (session.loaded.outcome.exception.name, session.loaded.outcome.exception.line) == ("SyntaxError", 2)
        assert not session.alive
        with pytest.raises(ValueError, match="ended"):
            session.call(())


@pytest.mark.parametrize(("source", "reason"), [("x = 1", "defines no function 'f'"), ("f = 1", "not callable")])
def test_no_function(jail, source, reason):
    with jail.open(Program(source, "f")) as session:
        assert isinstance(session.loaded, LoadFailed)
        assert session.loaded.outcome is None
        assert reason in session.loaded.reason


def test_a_prelude_that_fails_says_so(jail):
    with jail.open(Program("def f(): ...", "f", prelude="1 / 0")) as session:
        assert isinstance(session.loaded, LoadFailed)
        assert "prelude" in session.loaded.reason


def test_too_long_a_source_is_refused_by_the_host(jail):
    with jail.open(Program("#" * (2**20 + 1), "f")) as session:
        assert isinstance(session.loaded, LoadFailed)
        assert "1,048,577 bytes" in session.loaded.reason


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(): raise SystemExit(3)", 3),
        ("def f(): raise SystemExit", None),
        ("def f(): raise SystemExit('bye')", 1),
        (REACH_OS + "def f(): os._exit(0)", 0),
        ("raise SystemExit(0)", 0),
    ],
)
def test_exits(run, source, expected):
    outcome = run(source)
    assert isinstance(outcome, Exited)
    assert outcome.code == expected


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("def f():\n    while True: pass", "cpu"),
        ("def f(): return 7 ** (10 ** 8)", "cpu"),
        ("import re\ndef f(): return re.match('(a+)+$', 'a' * 60 + 'b')", "cpu"),
        ("import time\ndef f(): time.sleep(60)", "wall"),
        ("while True: pass", "cpu"),
        (
            REACH_SYS + "lock = sys.modules['_thread'].allocate_lock()\ndef f():\n    while True: lock.acquire()",
            "wall",
        ),
    ],
)
def test_times_out(run, source, kind):
    started = time.monotonic()
    outcome = run(source, limits=Limits(time_s=0.1, load_time_s=0.1), imports=DEFAULT_IMPORTS | {"time"})
    assert isinstance(outcome, TimedOut)
    assert outcome.kind == kind
    assert time.monotonic() - started < 1.1 + 0.4  # the wall limit, and what a busy machine adds


@pytest.mark.parametrize(
    "source",
    [
        "def f(): return len(bytes(10**10))",
        "def f():\n    a = []\n    while True: a.append(bytearray(10**6))",
        "def f(): return len([0] * 10**9)",
        "x = 'a' * 10**10\ndef f(): ...",
        "def f(): raise MemoryError",
    ],
)
def test_memory(run, source):
    assert isinstance(run(source, limits=Limits(memory_bytes=64 * 2**20)), MemoryExceeded)


def test_memory_within_the_limit_is_given(run):
    outcome = run("def f(): return len(bytearray(200 * 2**20))")
    assert isinstance(outcome, Returned)
    assert outcome.usage.peak_memory_bytes > 200 * 2**20


def test_stack_overflow_is_a_crash(run):
    source = REACH_SYS + "def f():\n    sys.setrecursionlimit(10**9)\n    x = ()\n"
    outcome = run(source + "    for _ in range(10**6): x = (x,)\n    return repr(x)", limits=Limits(time_s=10))
    if sys.version_info >= (3, 12):  # CPython counts C calls itself from then on
        assert isinstance(outcome, Raised)
        assert outcome.exception.name == "RecursionError"
    else:
        assert isinstance(outcome, Crashed)
        assert outcome.signal_name == "SIGSEGV"


def test_output_is_cut_and_a_flood_ends_the_call(run):
    limits = Limits(output_bytes=10)
    outcome = run("def f(): print('x' * 100)", limits=limits)
    assert isinstance(outcome, Returned)
    assert (outcome.stdout, outcome.output_cut) == ("x" * 10, True)
    assert isinstance(run("def f():\n    while True: print('x' * 100)", limits=limits), OutputExceeded)
    flood = REACH_OS + "def f():\n    while True: os.write(2, b'x' * 100)"
    assert isinstance(run(flood, limits=limits), OutputExceeded)


def test_output_before_death_is_kept(run):
    outcome = run(REACH_OS + "def f():\n    print('last words', flush=True)\n    os._exit(1)")
    assert isinstance(outcome, Exited)
    assert outcome.stdout == "last words\n"


@pytest.mark.parametrize("source", ["def f(): return 'a' * 10**6", "def f(): return [0] * 10**6"])
def test_large_results(run, source):
    assert isinstance(run(source, limits=Limits(result_bytes=1000)), ResultExceeded)


@pytest.mark.parametrize(
    "source",
    [
        "class I(int): pass\ndef f(): return I(1)",
        "import decimal\nclass D(decimal.Decimal): pass\ndef f(): return D(1)",
        "class S(str): pass\ndef f(): return [S('a')]",
        "class L(list): pass\ndef f(): return L()",
        "import collections\ndef f(): return collections.Counter('aab')",
        "class Yes:\n    def __eq__(self, other): return True\ndef f(): return Yes()",
        "def f():\n    yield 1",
        "async def f(): ...",
        "def f(): return f",
        "def f(): return 1j",
        "def f():\n    l = []\n    l.append(l)\n    return l",
        "def f(): return 10 ** 200_000",
        "import decimal\ndef f(): return decimal.Decimal('1e999999')",
        "import dataclasses\ndef f():\n    @dataclasses.dataclass\n    class Local: x: int\n    return Local(1)",
        "import enum\nclass P(enum.Flag):\n    A = 1\n    B = 2\ndef f(): return P.A | P.B",
        "import dataclasses\n@dataclasses.dataclass(eq=False)\nclass P: x: list\ndef f(): return {P([])}",
        "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\n    def __getattribute__(self, n): 1 / 0\n"
        "def f(): return P(1)",
    ],
)
def test_values_outside_the_closed_set(run, source):
    assert isinstance(run(source), BadValue)


def test_a_session_goes_on_after_results_and_exceptions_only(jail):
    source = "def f(x):\n    if x == 0: 1 / 0\n    if x == 2: raise SystemExit\n    return object() if x == 1 else x"
    with jail.open(Program(source, "f")) as session:
        kinds = [type(session.call((x,))) for x in (5, 0, 1, 6, 2)]
        assert kinds == [Returned, Raised, BadValue, Returned, Exited]
        assert not session.alive


def test_changed_arguments_are_reported(run):
    outcome = run("def f(items, n):\n    items.append(n)\n    return n", [1], 2)
    assert isinstance(outcome, Returned)
    assert outcome.arguments_after == ([1, 2], 2)
    outcome = run("def f(items):\n    items.clear()\n    raise ValueError", {"a": 1})
    assert isinstance(outcome, Raised)
    assert outcome.arguments_after == ({},)
    outcome = run("def f(items):\n    items.append(2)\n    items.pop()", [1])
    assert isinstance(outcome, Returned)
    assert outcome.arguments_after is None
    assert isinstance(run("def f(items):\n    items.append(f)", [1]), BadValue)


def test_imports(run, jail):
    outcome = run("import numpy\ndef f(): ...")
    assert isinstance(outcome, Raised)
    assert outcome.exception.name == "ImportError"
    assert "'numpy' is not allowed" in outcome.exception.message
    assert "numbers" in outcome.exception.message
    outcome = run("import decimals\ndef f(): ...")
    assert isinstance(outcome, Raised)
    assert "did you mean decimal" in outcome.exception.message
    for name in sorted(DEFAULT_IMPORTS | {"__future__"}):
        outcome = run(f"import {name}\ndef f(): return 1")
        assert isinstance(outcome, Returned), (name, outcome)
    assert isinstance(run("import os\ndef f(): ..."), Raised)
    assert isinstance(run("import collections.abc\ndef f(): return 1"), Returned)
    outcome = run("import numpy\ndef f(): ...", imports=frozenset({"numpy"}))
    assert isinstance(outcome, Raised)
    assert "not loaded in this jail" in outcome.exception.message
    assert isinstance(run("def f(): return os.name", prelude="import os"), Returned)


def test_what_c_code_imports_late_is_there(run):
    source = """
import datetime, decimal, fractions, json, re, statistics, string, calendar
def f():
    when = datetime.datetime.strptime("2024-02-29 10:11", "%Y-%m-%d %H:%M")
    assert datetime.date.today().year > 2000
    assert "\\N{SNOWMAN}" == "☃" and f"{decimal.Decimal('1234.5'):,.2f}" == "1,234.50"
    assert "Café".encode("latin-1").decode("latin-1") == "Café"
    assert format(1234567, "n") and f"{when:%A}" == "Thursday"
    assert statistics.NormalDist(0, 1).cdf(0) == 0.5 and calendar.month(2024, 2)
    assert json.loads(json.dumps({"a": [1.5, None]})) == {"a": [1.5, None]} and re.sub(r"\\w", "x", "ab") == "xx"
    assert string.Template("$a").substitute(a=1) == "1"
    return when
"""
    outcome = run(source)
    assert isinstance(outcome, Returned), outcome


def test_each_session_is_pristine(jail, run):
    poison = REACH_SYS + "import decimal, statistics\n"
    poison += (
        "def f():\n    decimal.getcontext().prec = 3\n    decimal.setcontext(decimal.Context(prec=2))\n"
        "    sys.modules['builtins'].sum = None\n    sys.set_int_max_str_digits(0)\n"
        "    statistics.mean.__globals__['random'].seed(5)\n"
    )
    look = REACH_SYS + (
        "import decimal, statistics\ndef f():\n    return (decimal.getcontext().prec, sum([1, 2]), "
        "sys.get_int_max_str_digits(), statistics.mean.__globals__['random'].random(), hash('a'))"
    )
    before, _, after = run(look), run(poison), run(look)
    assert isinstance(before, Returned)
    assert isinstance(after, Returned)
    assert before.value == after.value
    assert after.value[:3] == (28, 3, 4300)  # type: ignore[index]


def test_the_hash_seed_is_the_callers():
    def hashes(seed: int) -> object:
        with Jail(hash_seed=seed) as jail, jail.open(Program("def f(): return hash('a')", "f")) as session:
            outcome = session.call(())
            assert isinstance(outcome, Returned)
            return outcome.value

    assert hashes(1) == hashes(1) != hashes(2)


@pytest.mark.parametrize(
    "source",
    [
        "def f(): os.write(3, b'x' * 40)",
        "def f():\n    os.write(3, b'\\0' * 12)\n    return 1",
        "def f():\n    os.close(3)\n    while True: pass",
        "def f():\n    os.write(3, b'\\xff' * 3)\n    os._exit(0)",
    ],
)
def test_tampering(run, source):
    outcome = run(REACH_OS + source)
    assert isinstance(outcome, Tampered), outcome


def test_a_second_answer_is_noticed(jail):
    steal = """
import dataclasses
sys = dataclasses.dataclass.__globals__['sys']
def f():
    frame = sys._getframe()
    while "call_id" not in frame.f_locals: frame = frame.f_back
    forged = b'["returned",1,null]'
    sys.modules["os"].write(3, len(forged).to_bytes(4, "little") + frame.f_locals["call_id"] + forged)
    return 2
"""
    with jail.open(Program(steal, "f")) as session:
        first = session.call(())
        if isinstance(first, Returned):  # the forgery arrived alone: it is what "this program returned"
            assert first.value == 1
            first = session.call(())
        assert isinstance(first, Tampered)


def test_a_frame_that_promises_four_gigabytes(run):
    source = """
import dataclasses
sys = dataclasses.dataclass.__globals__['sys']
def f():
    frame = sys._getframe()
    while "call_id" not in frame.f_locals: frame = frame.f_back
    sys.modules["os"].write(3, b"\\xff\\xff\\xff\\xff" + frame.f_locals["call_id"])
"""
    assert isinstance(run(source), ResultExceeded)


def test_threads_do_not_start(run):
    source = REACH_SYS + "def f():\n    return sys.modules['_thread'].start_new_thread(print, ())"
    outcome = run(source)
    assert isinstance(outcome, Raised)
    assert outcome.exception.name == "RuntimeError"


def test_the_caller_is_told_about_arguments_that_cannot_be_passed(jail):
    with jail.open(Program("def f(x): return x", "f")) as session:
        for bad in (object(), 1j, type("I", (int,), {})(1)):
            with pytest.raises(ValueError, match="arguments"):
                session.call((bad,))
        with pytest.raises(ValueError, match="tuple"):
            session.call([1])  # type: ignore[arg-type]
        assert isinstance(session.call((1,)), Returned)


def test_limits_are_checked():
    with pytest.raises(ValueError, match=r"Limits\.time_s"):
        Limits(time_s=0)
