"""The profile "data": numpy and pandas, loaded before the root is emptied."""

import threading

import pytest
from neurosym_sandbox import (
    DATA_IMPORTS,
    BadValue,
    Jail,
    Limits,
    NumpyScalar,
    Program,
    Raised,
    Returned,
    SandboxUnavailable,
    _profiles,
    _reply,
    _wire,
)


def test_an_unknown_profile_is_an_error():
    with pytest.raises(ValueError, match="no profile 'moon'; there are: stdlib, data"):
        Jail(profile="moon")


def test_missing_packages_are_said(monkeypatch):
    monkeypatch.setattr(_profiles.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SandboxUnavailable, match="numpy is not installed; remedy: pip install numpy pandas"):
        Jail(profile="data")


def test_a_package_that_cannot_be_imported_is_said(monkeypatch, tmp_path):
    (tmp_path / "numpy.py").write_text("raise OSError('built for another machine')")
    monkeypatch.setattr(_profiles, "folders", lambda profile: [str(tmp_path)])
    with pytest.raises(SandboxUnavailable, match="numpy or pandas cannot be imported: OSError: built for another"):
        Jail(profile="data")


def test_a_package_that_starts_a_thread_is_refused(monkeypatch, tmp_path):
    thread = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"
    (tmp_path / "numpy.py").write_text(thread + "class random:\n    seed = print\n")
    (tmp_path / "pandas.py").write_text("")
    monkeypatch.setattr(_profiles, "folders", lambda profile: [str(tmp_path)])
    with pytest.raises(SandboxUnavailable, match="started 1 threads, and a process with threads cannot be forked"):
        Jail(profile="data")
    assert threading.active_count() == 1


NUMPY_BODIES = [
    b'["N","int8",128]',
    b'["N","uint8",-1]',
    b'["N","int64",true]',
    b'["N","bool",1]',
    b'["N","float32",["f","0x1.999999999999ap-4"]]',
    b'["N","float32",["f","0x1.0000000000000p+1000"]]',
    b'["N","float64",1]',
    b'["N","float128",["f","0x1.8000000000000p+0"]]',
    b'["N","object",1]',
    b'["N","str",1]',
    b'["N","str",["L"]]',
    b'["N","datetime64[x]",1]',
    b'["N","datetime64[ns]",["i","0x8000000000000000"]]',
    b'["N","int8",["N","int8",1]]',
    b'["N","int8"]',
    b'["N",1,1]',
]


@pytest.mark.parametrize("body", NUMPY_BODIES)
def test_malformed_scalars_are_refused(body):
    with pytest.raises(_wire.Malformed):
        _reply.value(_wire.parse(body))


def test_a_scalar_that_is_none_is_not_passed(jail):
    with jail.open(Program("def f(x): return x", "f")) as session:
        for bad in (NumpyScalar("int8", 128), NumpyScalar("float32", 1e300), NumpyScalar("moon", 1)):
            with pytest.raises(ValueError, match="of numpy"):
                session.call((bad,))
        outcome = session.call((NumpyScalar("int8", 1),))
        assert isinstance(outcome, BadValue)
        assert "no numpy" in outcome.reason


@pytest.fixture(scope="module")
def data():
    with Jail(profile="data") as jail:
        yield jail


def call(jail, source, *args):
    program = Program("import numpy as np, pandas as pd\n" + source, "f", imports=DATA_IMPORTS)
    with jail.open(program, Limits(memory_bytes=512 * 2**20)) as session:
        return session.call(args) if session.alive else session.loaded.outcome


PROGRAMS = {
    "int(np.arange(x).sum()) // 5": 42,
    "round(np.linalg.det(np.array([[2.0, 0.0], [0.0, 21.0]])))": 42,
    "np.linalg.solve(np.eye(2) * 0.5, np.array([x, 1.0])).tolist()": [42.0, 2.0],
    "(np.ones((200, 200)) @ np.ones((200, 200)))[0, 0].item()": 200.0,
    "np.random.default_rng(7).integers(0, 100, 3).tolist()": [94, 62, 68],
    "np.busday_count('2024-01-01', '2024-02-28').item()": 42,
    "pd.DataFrame({'k': ['a', 'b', 'a'], 'v': [1, 2, 3]}).groupby('k')['v'].sum().to_dict()": {"a": 4, "b": 2},
    "pd.date_range('2024-01-31', periods=2, freq='ME').strftime('%Y-%m-%d').tolist()": ["2024-01-31", "2024-02-29"],
    "pd.Series([1.0, None, 3.0]).fillna(0).cumsum().tolist()": [1.0, 1.0, 4.0],
    "pd.DataFrame({'a': [1, 2]}).merge(pd.DataFrame({'a': [2], 'b': [42]}), on='a')['b'].tolist()": [42],
    "pd.DataFrame({'a': [1, 2], 'b': [3, 4]}).query('a > 1').to_dict('list')": {"a": [2], "b": [4]},
    "pd.to_datetime('29.02.2024', format='%d.%m.%Y').to_pydatetime().day": 29,
    "len(repr(pd.DataFrame({'a': [1.5]}).describe())) > 10": True,
}


@pytest.mark.parametrize("expression", PROGRAMS)
def test_calculations_with_numpy_and_pandas(data, expression):
    outcome = call(data, f"def f(x): return {expression}", 21)
    assert isinstance(outcome, Returned), outcome
    assert outcome.value == PROGRAMS[expression]
    assert {call.name for call in outcome.refused} <= {"ioctl"}  # pandas asks for the width of the terminal


@pytest.mark.parametrize(
    ("expression", "dtype", "value"),
    [
        ("np.int64(42)", "int64", 42),
        ("np.uint8(255)", "uint8", 255),
        ("np.float64(-0.0)", "float64", -0.0),
        ("np.float32(0.5)", "float32", 0.5),
        ("np.float16(0.5)", "float16", 0.5),
        ("np.bool_(True)", "bool", True),
        ("np.str_('a')", "str", "a"),
        ("np.bytes_(b'a')", "bytes", b"a"),
        ("np.datetime64('2024-02-29')", "datetime64[D]", 19782),
        ("np.timedelta64(3, 'h')", "timedelta64[h]", 3),
        ("np.datetime64('NaT', 'ns')", "datetime64[ns]", -(2**63)),
        ("pd.Series([1, 2]).sum()", "int64", 3),
    ],
)
def test_scalars_of_numpy_keep_their_type(data, expression, dtype, value):
    outcome = call(data, f"def f(): return {expression}")
    assert isinstance(outcome, Returned), outcome
    assert outcome.value == NumpyScalar(dtype, value)
    assert type(outcome.value.value) is type(value)
    back = call(data, "def f(x): return x", outcome.value)
    assert isinstance(back, Returned)
    assert back.value == outcome.value


def test_arrays_and_frames_are_named_with_what_to_return(data):
    for expression, hint in {
        "np.ones(2)": "tolist",
        "pd.DataFrame()": "to_dict",
        "np.longdouble(1)": "float128",
    }.items():
        outcome = call(data, f"def f(): return {expression}")
        assert isinstance(outcome, BadValue)
        assert hint in outcome.reason or "longdouble" in outcome.reason


def test_each_session_draws_the_same_numbers(data):
    first, second = (call(data, "def f(): return float(np.random.rand())") for _ in range(2))
    assert isinstance(first, Returned)
    assert isinstance(second, Returned)
    assert first.value == second.value


def test_numpy_is_no_way_to_files(data):
    for expression in ("np.load('/etc/passwd')", "np.fromfile('/etc/passwd')", "pd.read_csv('/etc/passwd')"):
        outcome = call(data, f"def f(): return {expression}")
        assert isinstance(outcome, Raised)
        assert "OSError" in outcome.exception.bases
        assert [each.name for each in outcome.refused][:1] == ["openat"]
