"""How long ``neurosym check`` takes on a project of 40 functions: fresh, unchanged, and with one module changed.

    python benchmarks/check.py [--cached N] [--json]

The project is generated: eight modules of five functions each, with a spec for each function. Every figure is of a
whole new process, from start to exit. Where others use the machine, wall time says little: the processor time of the
process and its children is beside it, and the load average is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

MODULES, CHANGED = 8, "shop/part3.py"
FUNCTIONS = ("fee", "band", "net", "shares", "points")
CACHED_TARGET_S = 1.0

_SPECS = {
    "fee": """
[inputs]
amount = {{ type = "decimal", places = 2, min = "0.00", max = "1000000.00" }}
[output]
type = "decimal"
places = 2
[reference]
value = "clamp(round(amount * 0.0{k}5, 2, half_up), {k}, 7{k})"
""",
    "band": """
[inputs]
score = {{ type = "int", min = 0, max = 1000 }}
[output]
type = "int"
[reference]
value = "1 if score < 1{k}0 else 2 if score < 5{k}0 else 3"
""",
    "net": """
[inputs]
price = {{ type = "decimal", places = 2, min = "0.00", max = "10000.00" }}
percent = {{ type = "int", min = 0, max = 100 }}
[output]
type = "decimal"
places = 2
[reference]
value = "round(price * (100 - percent) / 10{k}, 2, half_even)"
""",
    "shares": """
[inputs]
cents = {{ type = "int", min = 0, max = 100000 }}
people = {{ type = "int", min = 1, max = {k} }}
[output]
type = "list[int]"
[reference]
value = "[cents // people + (1 if i < cents % people else 0) for i in range(people)]"
""",
    "points": """
[inputs]
age = {{ type = "int", min = 0, max = 3650 }}
member = {{ type = "bool" }}
[output]
type = "int"
[[relation]]
id = "more days, no fewer points"
monotone = {{ age = "up" }}
[reference]
value = "age // {k} * (2 if member else 1)"
""",
}
_CODE = """from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal


def fee{k}(amount: Decimal) -> Decimal:
    fee = (amount * Decimal("0.0{k}5")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return min(max(fee, Decimal({k})), Decimal(7{k}))


def band{k}(score: int) -> int:
    if score < 1{k}0:
        return 1
    return 2 if score < 5{k}0 else 3


def net{k}(price: Decimal, percent: int) -> Decimal:
    return (price * (100 - percent) / 10{k}).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)


def shares{k}(cents: int, people: int) -> list[int]:
    share, left = divmod(cents, people)
    return [share + 1] * left + [share] * (people - left)


def points{k}(age: int, member: bool) -> int:
    points = age // {k}
    return 2 * points if member else points
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Time neurosym check on a generated project.", allow_abbrev=False)
    parser.add_argument("--cached", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        project, cache = Path(folder) / "project", Path(folder) / "cache"
        write_project(project)
        fresh = _timed(project, cache)
        cached = min((_timed(project, cache) for _ in range(options.cached)), key=lambda each: each["wall_s"])
        changed = project / CHANGED
        changed.write_text(changed.read_text() + "\n# changed\n")
        one_module = _timed(project, cache)
        size = sum(each.stat().st_size for each in cache.iterdir())
    figures = {
        "functions": MODULES * len(FUNCTIONS),
        "fresh": fresh,
        "cached": cached,
        "one module changed": one_module,
        "cache_bytes": size,
        "load": os.getloadavg()[0],
    }
    if options.json:
        print(json.dumps(figures, indent=2))
        return 0
    print(f"{figures['functions']} functions in {MODULES} modules; load average {figures['load']:.1f}")
    for name, each in (("fresh", fresh), ("cached", cached), ("one module changed", one_module)):
        print(f"{name:<20}{each['wall_s']:8.2f} s wall {each['cpu_s']:8.2f} s processor  exit {each['exit']:.0f}")
    print(f"cache {size / 1024:,.0f} KiB; cached in under {CACHED_TARGET_S:g} s: {cached['wall_s'] < CACHED_TARGET_S}")
    return 0


def write_project(folder: Path) -> None:
    """A project whose functions are all right."""
    (folder / "shop").mkdir(parents=True)
    (folder / "shop/__init__.py").touch()
    tables = ['[tool.neurosym]\nsource = "."\ntime_limit = 60\n']
    for k in range(1, MODULES + 1):
        specs = folder / f"specs/part{k}"
        specs.mkdir(parents=True)
        (folder / f"shop/part{k}.py").write_text(_CODE.format(k=k))
        for name in FUNCTIONS:
            head = f'spec = 1\nname = "{name}{k}"\n'
            (specs / f"{name}{k}.spec.toml").write_text(head + _SPECS[name].format(k=k))
        tables.append(f'[[tool.neurosym.check]]\nspecs = "specs/part{k}/*.spec.toml"\nmodule = "shop.part{k}"\n')
    (folder / "pyproject.toml").write_text("\n".join(tables))


def _timed(project: Path, cache: Path) -> Mapping[str, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    command = [sys.executable, "-m", "neurosym", "check", "--quiet"]
    compiled = {"PYTHONPYCACHEPREFIX": str(cache.with_name("compiled"))}  # which is the first run's work
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, **compiled, "NEUROSYM_CACHE_DIR": str(cache)}
    ran = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode:
        print(ran.stdout + ran.stderr, file=sys.stderr)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall_s": wall, "cpu_s": cpu, "exit": float(ran.returncode)}


if __name__ == "__main__":
    sys.exit(main())
