"""Programs on texts that are wrong for rare characters or lengths are never proved, and the right ones beside them are."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.solver import Solver

SPEC = """
spec = 1
name = "f"
[inputs]
s = {{ {type} }}
[output]
{output}
[policy]
imports = ["re", "string"]
{rest}
"""
ANY = 'type = "str", max_len = 4'
INT, BOOL, TEXT = 'type = "int"', 'type = "bool"', 'type = "str"'
DIGITS = "all(c in '0123456789' for c in s)"

# For each spec: the type of its input, its output, the clauses, a right body, and wrong ones.
FALSE: dict[str, tuple[str, str, str, str, list[str]]] = {
    "digits of ASCII": (
        ANY, BOOL, f'[reference]\nvalue = "len(s) > 0 and {DIGITS}"',
        "return s != '' and all('0' <= c <= '9' for c in s)",
        ["return s.isdigit()", "return s.isdecimal()", "found = re.fullmatch(r'\\d+', s)\nreturn found is not None",
         "return re.match(r'[0-9]+$', s) is not None", "return all(c.isdigit() for c in s)", "return all(c in '0123456789' for c in s)",
         "try:\n    int(s)\nexcept ValueError:\n    return False\nreturn True", "return s.isascii() and s.isalnum()"],
    ),
    "digits by a pattern": (
        ANY, BOOL, f'[reference]\nvalue = "len(s) > 0 and {DIGITS}"',
        "return re.fullmatch('[0-9]+', s) is not None",
        ["return re.fullmatch('[0-9]*', s) is not None", "return re.fullmatch('[0-9]+', s.strip()) is not None",
         "return re.fullmatch('[0-:]+', s) is not None", "return bool(re.match('^[0-9]+$', s))"],
    ),
    "their number": (
        ANY, INT, f'[[reject]]\nwhen = "len(s) == 0 or not {DIGITS}"\nraises = "ValueError"\n[reference]\nvalue = "int(s)"',
        "if s == '' or any(c not in string.digits for c in s):\n    raise ValueError(s)\nn = 0\nfor c in s:\n    n = n * 10 + ord(c) - 48\nreturn n",
        ["return int(s)", "if not s.isdigit():\n    raise ValueError(s)\nreturn int(s)", "if not s.isascii():\n    raise ValueError\nreturn int(s)",
         "if s == '' or any(c not in string.digits for c in s):\n    raise ValueError(s)\nn = 0\nfor c in s[:3]:\n    n = n * 10 + ord(c) - 48\nreturn n"],
    ),
    "a digit sum": (
        'type = "str", max_len = 4, alphabet = "0123456789"', INT, '[reference]\nvalue = "sum((ord(c) - 48) * (i + 1) for (i, c) in enumerate(s)) % 11"',
        "total = 0\nfor i, c in enumerate(s, 1):\n    total = (total + i * int(c)) % 11\nreturn total",
        ["total = 0\nfor i, c in enumerate(s):\n    total = (total + i * int(c)) % 11\nreturn total",
         "return sum(i * int(c) for i, c in enumerate(s, 1)) % 10", "return sum(int(c) for c in s) % 11"],
    ),
    "letters and digits by one number": (
        'type = "str", max_len = 3, pattern = "[A-Z0-9]*"', INT, '''[define]\n"number(c)" = "ord(c) - 55 if c in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' else ord(c) - 48"\n[reference]\nvalue = "sum(number(c) for c in s)"''',
        "return sum((string.digits + string.ascii_uppercase).index(c) for c in s)",
        ["return sum((string.digits + string.ascii_uppercase).index(c) for c in s[::-1][:2])", "return sum((string.digits + string.ascii_uppercase[1:]).find(c) for c in s)",
         "return sum(int(c) if c.isdigit() else ord(c) - 54 for c in s)", "return sum(ord(c) - 48 if c <= '9' else ord(c) - 55 for c in s if c != 'Q')"],
    ),
    "spaces around it": (
        ANY, TEXT, '[reference]\nvalue = "s.strip()"',
        "while s and s[0].isspace():\n    s = s[1:]\nwhile s and s[-1].isspace():\n    s = s[:-1]\nreturn s",
        ["return s.strip(' ')", "return s.strip(string.whitespace)", "return s.lstrip()", "return re.sub(r'\\s+', '', s)", "return s.strip()[:3]"],
    ),
    "in capitals": (
        'type = "str", max_len = 2, alphabet = "azıµA0"', TEXT, '[reference]\nvalue = "s.upper()"',
        "return ''.join('I' if c == 'ı' else chr(924) if c == 'µ' else chr(ord(c) - 32) if c.islower() else c for c in s)",
        ["return ''.join(chr(ord(c) - 32) if c.islower() else c for c in s)", "return ''.join(c if c == 'µ' else c.upper() for c in s)", "return s.lower()"],
    ),
}  # fmt: skip


def answers(of: tuple[str, str, str, str, list[str]], body: str) -> dict[str, set[str]]:
    """What the solver says of each obligation's claims; "unread" where there is none."""
    spec = spec_from_toml(SPEC.format(type=of[0], output=of[1], rest=of[2]))
    source = "import re\nimport string\n\n\ndef f(s):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    found: dict[str, set[str]] = {}
    with Solver() as solver:
        read = Reader(spec).claims(source, lambda c, b: solver.ask(c, b, seconds=20).verdict != "unsat")
        for obligation in read.unread:
            found.setdefault(obligation, set()).add("unread")
        for claim in read.claims:
            found.setdefault(claim.obligation, set()).add(solver.ask(claim.against, claim.bounds, seconds=20).verdict)
    return found


@pytest.mark.parametrize("name", FALSE)
def test_only_the_right_one_of_some_programs_on_texts_is_proved(name: str) -> None:
    of = FALSE[name]
    right = answers(of, of[3])
    assert right, name
    assert all(verdicts == {"unsat"} for verdicts in right.values()), right
    for body in of[4]:
        wrong = answers(of, body)
        assert any(verdicts != {"unsat"} for verdicts in wrong.values()), body
