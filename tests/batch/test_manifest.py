"""What a manifest may say, and that whatever else it says is named with its line before anything runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neurosym.batch.manifest import BadLine, Entry, Given, read_manifest
from tests.batch.conftest import Manifest, job
from tests.cli.shared import Neurosym

SPEC = "late_fee.spec.toml"


def test_the_kinds_of_candidates(manifest: Manifest) -> None:
    path = manifest(
        {"id": "a", "spec": SPEC, "candidate": "right.py"},
        "",
        {"id": "b", "spec": SPEC, "text": "x = 1", "options": {"seed": 7, "mend": True}},
        {"id": "c", "spec": SPEC, "reply": "```python\n```"},
        {"id": "d", "spec": SPEC, "candidates": ["right.py", {"text": "", "name": "empty"}]},
    )
    assert list(read_manifest(path)) == [
        Entry(1, "a", SPEC, Given("right.py"), {}),
        Entry(3, "b", SPEC, Given(text="x = 1"), {"seed": 7, "mend": True}),
        Entry(4, "c", SPEC, Given(text="```python\n```", is_reply=True), {}),
        Entry(5, "d/1", SPEC, Given("right.py"), {}),
        Entry(5, "d/empty", SPEC, Given(text=""), {}),
    ]


def test_csv_says_the_same(folder: Path) -> None:
    path = folder / "jobs.csv"
    path.write_text(
        f'id,spec,candidate,text,seed,time_limit,proof\na,{SPEC},right.py,,7,0.5,false\n\nb,{SPEC},,"x\n= 1",,,\n'
    )
    assert list(read_manifest(path)) == [
        Entry(2, "a", SPEC, Given("right.py"), {"seed": 7, "time_limit": 0.5, "proof": False}),
        Entry(4, "b", SPEC, Given(text="x\n= 1"), {}),
    ]


BAD = {
    "{": "no JSON: ",
    "[]": "no JSON object but a list",
    "[" * 100_000: "nested too deeply",
    '{"id": "a", "id": "b"}': "the key 'id' is there twice",
    '{"id": "a", "spec": "s", "candidat": "c"}': "the key 'candidat' is unknown; did you mean candidate?",
    '{"spec": "s", "text": ""}': "id is missing",
    '{"id": 3, "spec": "s", "text": ""}': "id is a text, not a number",
    '{"id": "a", "spec": "s"}': "it has no candidate: give one of",
    '{"id": "a", "spec": "s", "text": "", "reply": ""}': "it has text and reply: give one of",
    '{"id": "a", "spec": "s", "text": null}': "text is a text, not null",
    '{"id": "a", "spec": "s", "candidates": []}': "candidates is a list of at least one",
    '{"id": "a", "spec": "s", "candidates": [3]}': "candidate 1 is a path or an object, not a number",
    '{"id": "a", "spec": "s", "candidates": ["a"], "text": ""}': "it has candidates, and beside them another",
    '{"id": "a", "spec": "s", "text": "", "options": []}': "options is an object, not a list",
    '{"id": "a", "spec": "s", "text": "", "options": {"sed": 1}}': "the option 'sed' is unknown; did you mean seed?",
    '{"id": "a", "spec": "s", "text": "", "options": {"seed": true}}': "the option seed is a whole number",
    '{"id": "a", "spec": "s", "text": "", "options": {"examples": 0}}': "the option examples is a whole number from 1",
    '{"id": "a", "spec": "s", "text": "", "options": {"time_limit": NaN}}': "the option time_limit is a number of",
    '{"id": "a", "spec": "s", "text": "", "options": {"proof": 1}}': "the option proof is true or false",
    '{"id": "a", "spec": "s", "text": "", "options": {"types": "most"}}': "the option types is one of",
    '{"id": "a", "spec": "s", "text": "", "options": {"script": "a b"}}': "the option script is the name of",
}


def test_bad_lines_are_named(manifest: Manifest) -> None:
    for number, (found, said) in enumerate(zip(read_manifest(manifest(*BAD)), BAD.values(), strict=True), 1):
        assert isinstance(found, BadLine)
        assert found.line == number
        assert said in found.why


def test_a_manifest_that_is_no_text(folder: Path) -> None:
    for name, data in (("jobs.jsonl", b'{"id": "\xff"}\n'), ("jobs.csv", b"id,spec,text\na,b,\xff\n")):
        (folder / name).write_bytes(data)
        (line,) = read_manifest(folder / name)
        assert isinstance(line, BadLine)
        assert line.why == "not UTF-8"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty: its first line names the columns (id, spec, candidate, "),
        ("id;spec;candidate\na;s;c\n", "line 1: the columns stand between ';'; save it with commas between them"),
        ("id,spek\n", "line 1: the column 'spek' is unknown; did you mean spec?"),
        ("id,id\n", "line 1: the column 'id' is there twice"),
        ('id,spec,text\na,"b"x,c\n', "is no CSV: "),
        ("id,spec,text\na,b,c,d\n", "line 2: 4 cells in 3 columns"),
    ],
)
def test_bad_csv(neurosym: Neurosym, folder: Path, text: str, said: str) -> None:
    (folder / "jobs.csv").write_text(text)
    ran = neurosym("batch", folder / "jobs.csv")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "(NS720)" in ran.err
    assert not (folder / "jobs.csv.run.sqlite").exists()


def test_what_only_the_files_tell_is_named_as_well(neurosym: Neurosym, manifest: Manifest, folder: Path) -> None:
    (folder / "bad.spec.toml").write_text("spec = 1\n")
    path = manifest(
        job("a"),
        job("a"),
        {"id": "b", "spec": SPEC, "candidate": "missing.py"},
        {"id": "c", "spec": SPEC, "candidate": "."},
        {"id": "d", "spec": "missing.spec.toml", "candidate": "right.py"},
        {"id": "e", "spec": "bad.spec.toml", "candidate": "right.py"},
        json.dumps(job("f"))[:-2] + '\\ud800"}',
    )
    ran = neurosym("batch", path)
    assert (ran.code, ran.out) == (2, "")
    for said in (
        "line 2: the id 'a' is that of line 1 as well",
        f"line 3: the candidate {folder / 'missing.py'} cannot be read: No such file or directory",
        f"line 4: the candidate {folder} cannot be read: Is a directory",
        "line 5: the spec cannot be used: missing.spec.toml: there is no such file",
        'line 6: the spec cannot be used: bad.spec.toml: the key "name" is missing',
        "line 7: its text holds half of a surrogate pair",
        "nothing was run; mend the manifest, or have neurosym batch leave these lines out (--skip-bad) (NS720)",
    ):
        assert said in ran.err
    assert not list(folder.glob("*.sqlite*"))


def test_many_bad_lines_are_counted(neurosym: Neurosym, manifest: Manifest) -> None:
    ran = neurosym("batch", manifest(*["{"] * 25))
    assert "line 10: " in ran.err
    assert "line 11: " not in ran.err
    assert "and 15 more bad lines" in ran.err


def test_a_missing_manifest(neurosym: Neurosym, folder: Path) -> None:
    ran = neurosym("batch", folder / "no.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert "no.jsonl cannot be read: No such file or directory (NS720)" in ran.err
    assert not list(folder.glob("*.sqlite*"))
