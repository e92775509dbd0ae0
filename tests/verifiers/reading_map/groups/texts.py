"""Texts, enums, regular expressions."""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from tests.verifiers.reading_map.rows import Group, Row, rows

METHODS = (
    "upper()",
    "lower()",
    "title()",
    "strip()",
    "lstrip(' ')",
    "rstrip()",
    "replace('1', '2')",
    "zfill(4)",
    "rjust(4)",
    "ljust(4, '.')",
    "removeprefix('a')",
)
TESTS = ("isdigit()", "isalpha()", "isalnum()", "isupper()", "isspace()", "startswith('a')", "endswith(('1', '-'))")

GROUPS = (
    Group(
        "str: of choices",
        (
            *rows("str", "word", "'ab'", "'ab' if on else word", "unit", "max(word, 'b')"),
            *rows("bool", "word == 'ab'", "word != 'b'", "word < 'b'", "word in ('ab', 'no')", "unit == 'day'"),
            *rows("bool", "word is None", "not word", "'b' in word", "word.startswith('a')", "word == text"),
            *rows("str", "word + '!'", "word * 2", "word[0]", "word[1:]", "word.upper()", "f'{word}-1'", "word.strip()"),
            Row("len(word)", "int"),
        ),
        "Texts that are one of a few.",
    ),
    Group(
        "str: any text",
        (
            *rows("str", "text", "code"),
            *rows("bool", "text == 'a1'", "text < 'a'", "'1' in text", "not text", "text in ('a', 'B1')"),
            *rows("str", "text + '!'", "text * 2", "text[0]", "text[-1]", "text[:2]", "text[::-1]", "code[1]"),
            *(Row(f"text.{method}", "str") for method in METHODS),
            *(Row(f"text.{test}", "bool") for test in TESTS),
            *rows("int", "len(text)", "text.find('1')", "text.index('1')", "text.count('a')", "int(text)", "int(code[1])"),
            *rows("int", "ord(code[0])", "sum(int(c) for c in text if c.isdigit())", "int('42') + x", "int('  -7') + x"),
            Row("int('٣') + x", "int", "a digit of another script"),
            *rows("list[str]", "text.split('-')", "text.split()", "list(text)", "text.splitlines()"),
            *rows("str", "'-'.join(words)", "chr(65 + n)", "text.partition('-')[0]", "text.partition('-' if n > 3 else ' ')[2]", "''.join(reversed(text))"),
            Row("for c in text:\n    if c == '1':\n        return True\nreturn False", "bool"),
        ),
    ),
    Group(
        "Texts of values",
        (
            *rows("str", "f'{x}'", "f'{x:03d}'", "f'{x:,}'", "f'{fee:.2f}'", "f'{word!r}'", "'%d' % x", "'{}'.format(x)"),
            Row(
                "if x < 0:\n    raise ValueError(f'no {x}')\nreturn x",
                "int",
                "the message of an exception",
                where="where it is made of texts and names",
                elsewhere="if x < 0:\n    raise ValueError(f'no {x:.2f}')\nreturn x",
            ),
        ),
    ),
    Group(
        "re",
        (
            *rows("bool", "re.fullmatch('[A-Z][0-9]', code) is not None", "bool(re.match('a+', text))"),
            *rows("bool", "re.search('[0-9]', text) is None", "bool(re.fullmatch('a|B', word))"),
            Row("re.sub('[^0-9]', '', text)", "str"),
            Row("re.fullmatch('([A-Z])([0-9])', code).group(2)", "str"),
            Row("re.findall('[0-9]', text)", "list[str]"),
            Row("bool(PATTERN.match(text))", "bool", module="import re\nPATTERN = re.compile('[a-z]')"),
        ),
    ),
    Group(
        "Enum",
        (
            *rows("Grade", "grade", "Grade.LOW", "Grade.TOP if on else grade", ("Grade(n)", "raises `ValueError`")),
            *rows("Grade", "Grade['LOW']", "Grade(grade)", "max(Grade, key=lambda g: g.value)"),
            *rows("bool", "grade == Grade.LOW", "grade is Grade.TOP", "grade is not Grade.TOP", "grade in (Grade.LOW, Grade.MID)"),
            *rows("bool", "grade != Grade.MID", "grade == 0", "grade in {Grade.LOW}"),
            Row("grade.value", "int"),
            Row("grade.name", "str"),
            Row("{Grade.LOW: 1, Grade.MID: 2, Grade.TOP: 3}[grade]", "int"),
            Row("[g.value for g in Grade if g is not grade]", "list[int]"),
            Row("len(Grade) + grade.value", "int"),
            Row(
                "(Side.LEFT if x < 0 else Side.RIGHT) is Side.LEFT",
                "bool",
                "of the program's own",
                module="class Side(Enum):\n    LEFT = 'l'\n    RIGHT = 'r'",
            ),
            Row("Level.LOW + x", "int", module="class Level(IntEnum):\n    LOW = 1\n    HIGH = 2"),
            Row("Level.LOW", "int", "a result that is a number and more", module="class Level(IntEnum):\n    LOW = 1"),
            Row("{'ab': x, 'b': y}[Side.LEFT]", "int", "a text as well", module="class Side(str, Enum):\n    LEFT = 'ab'\n    RIGHT = 'b'"),
            Row(
                "Side.of(x).value",
                "int",
                "with a function of the class",
                module="class Side(Enum):\n    LEFT = 1\n    RIGHT = 2\n\n    @classmethod\n    def of(cls, a):\n        return cls(2) if a > 0 else cls.LEFT",
            ),
            Row(
                "Side.LEFT.sign + x",
                "int",
                "with a method or property",
                module="class Side(Enum):\n    LEFT = 1\n\n    @property\n    def sign(self):\n        return self.value",
            ),
            Row(
                "match grade:\n    case Grade.LOW:\n        return 1\n    case _:\n        return 2",
                "int",
                "as a pattern",
            ),
        ),
    ),
)
