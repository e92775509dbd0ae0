"""Which versions a spec's code is for."""

import pytest
from neurosym_specs.versions import fits, is_constraint


@pytest.mark.parametrize(
    ("version", "text", "expected"),
    [
        ("3.11.7", "3.11", True),
        ("3.11.7", "3.1", False),
        ("3.11.7", "3", True),
        ("3.11.7", "3.11.*", True),
        ("3.11.7", ">=3.11,<3.14", True),
        ("3.11.7", ">=3.11, <3.11.7", False),
        ("3.14.0rc1", ">=3.13", True),
        ("3.14.0rc1", ">=3.14", False),
        ("2.1.3", "~=2.0", True),
        ("3.0.0", "~=2.0", False),
        ("2.1.3", "!=2.1.3", False),
        ("2.1.3", "", True),
        ("not a version", ">=1", False),
        ("2.1.3", "three", False),
    ],
)
def test_what_fits(version, text, expected):
    assert fits(version, text) is expected


@pytest.mark.parametrize("text", ["three", "3.x", ">=3.x", ">=", "=>3", "3.11 3.12", ">>3"])
def test_what_says_no_range(text):
    assert not is_constraint(text)
