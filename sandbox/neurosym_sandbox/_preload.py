"""What the zygote has imported before it locks itself away: afterwards there is no file system to import from."""

from __future__ import annotations

import contextlib
import gc
import importlib
import random
import sys
import warnings
from datetime import datetime

from neurosym_sandbox.limits import DEFAULT_IMPORTS

_EXTRA_NAMES = """
    __future__ _strptime array base64 binascii cmath codecs collections.abc contextlib copy copyreg csv difflib
    encodings.ascii encodings.idna encodings.latin_1 encodings.utf_8 encodings.utf_16 encodings.utf_32 hashlib hmac
    importlib.abc inspect io json.decoder json.encoder keyword linecache locale pprint random reprlib struct
    textwrap time timeit tokenize traceback tracemalloc types unicodedata warnings weakref zlib
"""
EXTRA = _EXTRA_NAMES.split()
"""Loaded besides the default imports, because those load them late, or because a program may be allowed more."""

_DATA_NAMES = """
    numpy numpy.linalg numpy.fft numpy.random numpy.ma numpy.polynomial numpy.lib.stride_tricks numpy.typing
    pandas pandas.tseries.offsets pandas.tseries.frequencies pandas.tseries.holiday pandas.api.types pandas.errors
    zoneinfo dateutil.parser dateutil.relativedelta dateutil.tz dateutil.rrule
"""
DATA_PACKAGES = frozenset({"numpy", "pandas", "dateutil", "zoneinfo", "pytz", "tzdata"})
"""Packages that C code of theirs imports in the name of the candidate."""

_ACCELERATORS = ("pyarrow", "numexpr", "bottleneck", "numba")
"""What pandas uses where it is installed. They start threads, and results would depend on what else a machine has."""

_DATA_WARM_UP = """
import numpy as np, pandas as pd
a = np.arange(6.0).reshape(2, 3)
np.linalg.solve(np.eye(2), np.ones(2)); np.linalg.inv(np.eye(2)); np.linalg.lstsq(a, np.ones(2), rcond=None)
np.fft.rfft(a); np.random.default_rng(1).normal(size=3); np.random.RandomState(1).rand(2); np.percentile(a, 50)
np.unique(a); np.sort(a); np.einsum("ij->i", a); np.ma.masked_invalid(a).mean(); np.polynomial.Polynomial([1, 2])(1)
np.quantile(a, 0.5); np.interp(1, [0, 2], [0, 4]); np.cumsum(a); np.busday_count("2024-01-01", "2024-02-01"); repr(a)
np.datetime64("2024-01-01") + np.timedelta64(1, "D"); np.isclose(a, a); np.array(["a"]).astype(str)
d = pd.DataFrame({"k": ["a", "b", "a"], "v": [1.5, 2.5, 3.5], "t": pd.date_range("2024-01-31", periods=3, freq="ME")})
d.groupby("k")["v"].agg(["sum", "mean"]); d.groupby("k").apply(len, include_groups=False); d.merge(d, on="k")
d.pivot_table(index="k", values="v", aggfunc="sum"); d.sort_values("v"); d.describe(); d.to_dict("records"); repr(d)
d.set_index("t").resample("ME")["v"].sum(); d["v"].rolling(2).mean(); d["v"].cumsum(); d["v"].quantile(0.5)
pd.to_datetime(["2024-02-29", "2024-03-01"]); pd.to_datetime("29.02.2024", format="%d.%m.%Y"); pd.concat([d, d])
pd.Timestamp("2024-02-29 10:00").tz_localize("UTC"); pd.cut(d["v"], 2); pd.Series(["x"]).str.upper(); d.isna().sum()
pd.Timestamp("2024-01-31") + pd.offsets.MonthEnd(1); pd.Categorical(["a"]); d.drop_duplicates(); d.query("v > 2")
d["v"].ewm(span=2).mean(); d.melt(id_vars="k", value_vars=["v"]); d["k"].value_counts(); d["t"].dt.year; d.T
d.corr(numeric_only=True)
"""
"""What initialises itself, or imports more, when it is first used; each line may fail on its own."""

PURGED = frozenset(
    {"ctypes", "_ctypes", "socket", "_socket", "select", "selectors", "subprocess", "multiprocessing", "signal"}
)
"""Forgotten by the import system, though the zygote uses some of them; `resource` stays, `os.wait4` imports it."""


def preload_data(folders: list[str], seed: int) -> None:
    """Imports numpy and pandas from the folders, and runs what they load late. Raises ImportError."""
    sys.path += folders
    for name in _ACCELERATORS:
        sys.modules[name] = None  # type: ignore[assignment]  # as if it were not installed
    importlib.import_module("numpy")
    importlib.import_module("pandas")
    for name in _DATA_NAMES.split():
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    namespace: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for statement in _DATA_WARM_UP.replace("\n", ";").split(";"):
            with contextlib.suppress(Exception):  # another version has it otherwise
                exec(statement.strip(), namespace)
    sys.modules["numpy"].random.seed(seed)


def preload() -> None:
    """Imports everything and runs what initialises itself on first use."""
    for name in (*sorted(DEFAULT_IMPORTS), *EXTRA):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    datetime.strptime("2024-02-29 12:30:00.5 +0100", "%Y-%m-%d %H:%M:%S.%f %z").strftime("%A %d %B %Y %j %U")
    compile("match x:\n case [1, *y] if f'{y!r:>3}': pass\n", "<warm up>", "exec")
    "\N{SNOWMAN}".encode("unicode_escape").decode("unicode_escape")
    eval(r"'\N{SNOWMAN}'.casefold()", {})


def seal(hash_seed: int) -> None:
    """Takes away the ways to import more, and freezes what is there so that forks share its pages."""
    sys.path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.meta_path.clear()
    sys.argv = [""]
    for name in list(sys.modules):
        if name.partition(".")[0] in PURGED | {"neurosym_sandbox", "__main__"}:
            del sys.modules[name]
    random.seed(hash_seed)
    gc.collect()
    gc.disable()
    gc.freeze()
