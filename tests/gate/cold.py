"""mypy as anybody runs it: a cold process on files, with the gate's configuration or with plain options."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from neurosym.gate._types.worker import CONFIG

PLAIN = [
    "--config-file=",
    "--strict",
    "--no-site-packages",
    "--no-incremental",
    "--cache-dir=/dev/null",
    "--show-column-numbers",
    "--no-error-summary",
]
CONFIGURED = [f"--config-file={CONFIG}"]


def cold_mypy(folder: Path, texts: Sequence[str], options: Sequence[str] = CONFIGURED) -> list[list[str]]:
    """What one cold run says of each text. A fault that ends a run is searched for by halves."""
    names = [f"p{place}" for place in range(len(texts))]
    for name, text in zip(names, texts, strict=True):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *(f"{name}.py" for name in names)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 2:  # a blocking error: nothing is known of the others
        if len(texts) == 1:
            return [done.stdout.splitlines()]
        half = len(texts) // 2
        return [*_alone(folder, texts[:half], options, 0), *_alone(folder, texts[half:], options, half)]
    said: dict[str, list[str]] = {name: [] for name in names}
    for line in done.stdout.splitlines():
        said[line.split(".py:")[0]].append(line)
    return [said[name] for name in names]


def _alone(folder: Path, texts: Sequence[str], options: Sequence[str], first: int) -> list[list[str]]:
    """A part of the texts in a folder of its own, its names as in the whole."""
    inner = folder / f"from{first}"
    inner.mkdir()
    found = cold_mypy(inner, texts, options)
    return [
        [line.replace(f"p{place}.py:", f"p{place + first}.py:", 1) for line in lines]
        for place, lines in enumerate(found)
    ]
