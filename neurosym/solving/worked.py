"""Worked examples out of a user's own folder: specs with their implementations beside them, each found right first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from neurosym_specs import load_spec
from neurosym_specs.errors import NeurosymError
from neurosym_specs.model import Spec
from neurosym_verifiers.bench import Effort

from neurosym.admission import Admission, Required
from neurosym.pipeline import verify
from neurosym.prompts.shots import Shot, nearest_of

_EFFORT = Effort(examples=50, proof=False)
_MOST_FILES = 2_000
_SUFFIXES = (".spec.toml", ".spec.json")


class WorkedFault(NeurosymError):
    """A worked example that cannot be used: which, and what is wrong with it."""

    exit_code = 2
    code = "NS708"


def worked_examples(folder: str, spec: Spec, count: int) -> tuple[Shot, ...]:
    """The examples of a folder, with those below it, that are nearest to ``spec``: at most ``count``, never it itself.

    An example is a spec with a file of the same name beside it: ``vat.spec.toml``, ``vat.py``. Each that is taken is
    judged by its own spec before, as ``verify`` does without proofs: what is shown to a model as right is right.
    Raises ``WorkedFault`` where the folder has none, or one that is not accepted; ``SpecError`` for a spec that cannot
    be read.
    """
    if not Path(folder).is_dir():
        raise WorkedFault(f"there is no folder {folder} with worked examples")
    pairs = {str(path): code for path, code in _pairs(Path(folder))}
    if not pairs:
        raise WorkedFault(
            f"{folder} has no worked example: a spec NAME.spec.toml with its implementation NAME.py beside it"
        )
    shots = [Shot(load_spec(path), _text(code)) for path, code in pairs.items()]
    chosen = nearest_of(spec, shots, count)
    for shot in chosen:
        code = pairs[shot.spec.path]
        (found,) = verify(shot.spec, code, effort=_EFFORT).candidates or (None,)
        if found is None or found.admission(Required.TESTED) is not Admission.ADMITTED:
            said = "its spec contradicts itself" if found is None else f"it is {found.standing.value}"
            raise WorkedFault(
                f"the worked example {code} is not right by its own spec: {said}; "
                f"neurosym verify {shot.spec.path} {code} says why"
            )
    return chosen


def _pairs(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Specs with their implementations, in the order of their names."""
    found = sorted(path for path in folder.rglob("*.spec.*") if path.name.endswith(_SUFFIXES))
    for path in found[:_MOST_FILES]:
        code = path.with_name(path.name[: path.name.rindex(".spec.")] + ".py")
        if code.is_file():
            yield path, code


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkedFault(f"the worked example {path} cannot be read: {error}") from error
