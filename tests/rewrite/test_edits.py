"""The way back: every character that was kept leads to where it came from, whatever was done around it."""

from __future__ import annotations

import random

import pytest

from neurosym.rewrite.edits import Edit, Edited, SourceMap


def _random_edits(text: str, chance: random.Random) -> list[Edit]:
    cuts = sorted(chance.sample(range(len(text) + 1), k=min(len(text) + 1, 2 * chance.randint(0, 4))))
    pairs = zip(cuts[::2], cuts[1::2], strict=True)
    return [Edit(a, b, chance.choice(["", "x", "new\nlines\n", "\n"])) for a, b in pairs]


@pytest.mark.parametrize("seed", range(40))
def test_kept_characters_lead_back_to_themselves(seed: int) -> None:
    chance = random.Random(seed)
    original = "".join(chr(0x4E00 + n) if n % 7 else "\n" for n in range(60))  # no character twice, but line ends
    edited, text = [], original
    for _ in range(3):
        edited.append(Edited(text, _random_edits(text, chance)))
        text = edited[-1].text
    back = SourceMap(original, edited)
    rows, old = text.split("\n"), original.split("\n")
    for line, row in enumerate(rows, start=1):
        for column, character in enumerate(row, start=1):
            if character in original:
                at_line, at_column = back.place(line, column)
                assert at_column is not None
                assert old[at_line - 1][at_column - 1] == character
        first = next((c for c in row if c in original and not c.isspace()), None)
        if first is not None:
            assert first in old[back.place(line)[0] - 1]


def test_what_was_inserted_leads_to_where_it_was_inserted() -> None:
    back = SourceMap("a\nb\n", [Edited("a\nb\n", [Edit(2, 2, "new\n")])])
    assert back.place(2) == (2, None)
    assert back.place(2, 3) == (2, 1)
    assert back.place(3, 1) == (2, 1)


def test_no_edits_change_no_place() -> None:
    assert SourceMap("a\nb\n", []).place(2, 1) == (2, 1)
    assert SourceMap("a\n", []).place(99, 4) == (99, 4)


@pytest.mark.parametrize("edits", [[Edit(0, 2, "x"), Edit(1, 3, "y")], [Edit(2, 1, "x")], [Edit(0, 99, "x")]])
def test_edits_that_do_not_fit_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        Edited("abcd", edits)


def test_edits_at_one_place_are_made_in_their_order() -> None:
    assert Edited("ab", [Edit(1, 1, "x"), Edit(1, 1, "y")]).text == "axyb"
