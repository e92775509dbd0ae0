"""Programs by the hundred, right and wrong: those of the exam and the examples, and faults put into them."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

_LINES = """
    amount: Decimal = 0
    rate = {}
    value = Decimal("1.5") * 1.5
    total = sum([1, "2"])
    unknown_name + 1
    "abc".strp()
    len(1, 2)
    round(1.5, digits=2)
    found: list[int] = [str(each) for each in range(3)]
    lambda x: x + y
    None + 1
    for each in 5: pass
    print(Decimal("1").quantise(Decimal("0.01")))
    x = max([], default=None) + 1
    def inner(a, b=[]): return a.foo + b
    import time; time.sleep("a")
    import textwrap; textwrap.dedent(3)
    class Local: x: int = "a"
    date.today() - 1
    reveal_type(1)
    a, b = 1
    del a
    assert isinstance(1, str), undefined
    try: int("x")
    with open("x") as file: file.red()
    return 1
""".strip("\n").split("\n")
_LINES = [line[4:] for line in _LINES if not line.strip().startswith("try:")]


def bases() -> list[str]:
    """The texts of the candidates that come with the project."""
    paths = [*(ROOT / "tests" / "exam").glob("*/*.py"), *(ROOT / "examples").glob("*/*.py")]
    return [path.read_text(encoding="utf-8") for path in sorted(paths)]


def programs(count: int, seed: int = 0) -> list[str]:
    """``count`` different programs that parse, in random order: each base as it is, the rest with faults."""
    chance = random.Random(seed)
    texts = bases()
    chance.shuffle(texts)
    found = dict.fromkeys(texts[: max(1, count // 4)])
    while len(found) < count:
        text = chance.choice(texts)
        for _ in range(chance.randint(1, 3)):
            text = chance.choice(_FAULTS)(text, chance)
        if _compiles(text):
            found[text] = None
    order = list(found)
    chance.shuffle(order)
    return order


def _compiles(text: str) -> bool:
    try:
        compile(text, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _drop_an_import(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    places = [n for n, line in enumerate(lines) if line.startswith(("import ", "from "))]
    if places:
        del lines[chance.choice(places)]
    return "\n".join(lines)


def _rename(text: str, chance: random.Random) -> str:
    """One use of a name is misspelt."""
    uses = [node for node in _nodes(text) if isinstance(node, ast.Name | ast.Attribute)]
    if not uses:
        return text
    node = chance.choice(uses)
    end = node.end_col_offset or 0
    return _put(text, node.end_lineno or 0, end, end, "x")


def _annotate_otherwise(text: str, chance: random.Random) -> str:
    places = [each for node in _nodes(text) if isinstance(node, ast.arg) and (each := node.annotation)]
    places += [node.returns for node in _nodes(text) if isinstance(node, ast.FunctionDef) and node.returns]
    if not places:
        return text
    place = chance.choice(places)
    word = chance.choice(["int", "str", "float", "Decimal", "list[int]", "None", "Nonsense", "dict", "int | None"])
    return _put(text, place.lineno, place.col_offset, place.end_col_offset or 0, word)


def _annotate_nothing(text: str, chance: random.Random) -> str:
    places = [node for node in _nodes(text) if isinstance(node, ast.arg) and node.annotation]
    if not places:
        return text
    arg = chance.choice(places)
    return _put(text, arg.lineno, arg.col_offset, arg.end_col_offset or 0, arg.arg)


def _drop_an_argument(text: str, chance: random.Random) -> str:
    places = [node for node in _nodes(text) if isinstance(node, ast.Call) and node.args]
    if not places:
        return text
    call = chance.choice(places)
    call.args.pop()
    return _put(text, call.lineno, call.col_offset, call.end_col_offset or 0, ast.unparse(call))


def _another_constant(text: str, chance: random.Random) -> str:
    places = [node for node in _nodes(text) if isinstance(node, ast.Constant) and node.lineno == node.end_lineno]
    if not places:
        return text
    node = chance.choice(places)
    word = chance.choice(["None", "1.5", "'a'", "[]", "0", "{}", "b'a'", "True"])
    return _put(text, node.lineno, node.col_offset, node.end_col_offset or 0, word)


def _insert_a_line(text: str, chance: random.Random) -> str:
    functions = [node for node in _nodes(text) if isinstance(node, ast.FunctionDef)]
    if not functions:
        return text
    statement = chance.choice(chance.choice(functions).body)
    lines = text.split("\n")
    lines.insert(statement.lineno - 1, " " * statement.col_offset + chance.choice(_LINES))
    return "\n".join(lines)


def _put(text: str, line: int, start: int, end: int, word: str) -> str:
    lines = text.split("\n")
    row = lines[line - 1].encode()
    lines[line - 1] = (row[:start] + word.encode() + row[end:]).decode("utf-8", "replace")
    return "\n".join(lines)


def _nodes(text: str) -> Iterator[ast.AST]:
    try:
        yield from ast.walk(ast.parse(text))
    except (SyntaxError, ValueError):
        return


_FAULTS: list[Callable[[str, random.Random], str]] = [
    _drop_an_import,
    _rename,
    _annotate_otherwise,
    _annotate_nothing,
    _drop_an_argument,
    _another_constant,
    _insert_a_line,
]
