"""An exam: a folder for each task, with its spec and labelled candidates."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CORRECT, WRONG = "correct", "wrong"


@dataclass(frozen=True, slots=True)
class Task:
    """A spec and its candidates, with the label of each by its file's name."""

    name: str
    spec: Path
    candidates: tuple[Path, ...]
    labels: Mapping[str, str]


def tasks_in(folder: Path) -> Iterator[Task]:
    """The tasks of an exam, by name. A candidate without a label is labelled by its file's name.

    Raises ``ValueError`` for what is no such folder, and for a task whose labels cannot be read.
    """
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}")
    for place in sorted(each for each in folder.iterdir() if each.is_dir()):
        specs = sorted(place.glob("*.spec.toml"))
        if not specs:
            continue
        if len(specs) > 1:
            raise ValueError(f"{place.name} holds more than one spec")
        labels = _labels(place / "labels.json")
        named = {name for name in labels if (place / name).is_file()}
        found = {path.name for kind in (CORRECT, WRONG) for path in place.glob(f"{kind}_*.py")}
        files = tuple(place / name for name in sorted(named | found))
        yield Task(place.name, specs[0], files, {path.name: _label(path.name, labels) for path in files})


def chosen_of(tasks: Sequence[Task], wanted: str) -> list[Task]:
    """Those whose names, or beginnings of them, are ``wanted``, separated by commas; all for none.

    Raises ``ValueError`` for a name that no task has, and where there are no tasks at all.
    """
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    if not tasks:
        raise ValueError("no folder in it holds a spec")
    if not names:
        return [*tasks]
    chosen: list[Task] = []
    for name in names:
        found = [task for task in tasks if task.name == name] or [task for task in tasks if task.name.startswith(name)]
        if not found:
            near = difflib.get_close_matches(name, [task.name for task in tasks], n=1, cutoff=0.3)
            raise ValueError(f"there is no task {name}" + (f"; did you mean {near[0]}?" if near else ""))
        chosen += [task for task in found if task not in chosen]
    return chosen


def write_manifest(tasks: Sequence[Task], path: Path) -> dict[str, str]:
    """Writes the candidates of an exam as the jobs of a batch, and returns the labels by the jobs' ids, TASK/FILE."""
    labels: dict[str, str] = {}
    with path.open("w", encoding="utf-8") as file:
        for task in tasks:
            for candidate in task.candidates:
                name = f"{task.name}/{candidate.name}"
                labels[name] = task.labels[candidate.name]
                job = {"id": name, "spec": str(task.spec.absolute()), "candidate": str(candidate.absolute())}
                file.write(json.dumps(job) + "\n")
    return labels


def _labels(path: Path) -> dict[str, str]:
    """Labels by file name. An entry is the label itself or an object that has it, in an object or in a list."""
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    entries = content.get("candidates", content) if isinstance(content, dict) else content
    if isinstance(entries, list):
        entries = {entry["file"]: entry for entry in entries if isinstance(entry, dict) and "file" in entry}
    if not isinstance(entries, dict):
        raise ValueError(f"{path} holds no labels")
    labels = {name: entry.get("label") if isinstance(entry, dict) else entry for name, entry in entries.items()}
    return {name: label for name, label in labels.items() if label in (CORRECT, WRONG)}


def _label(name: str, labels: Mapping[str, str]) -> str:
    return labels.get(name) or (CORRECT if name.startswith(CORRECT) else WRONG)
