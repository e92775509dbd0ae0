"""Code taken out of markdown fences in one pass: wrapped, indented, in lists and quotes, with fences of its own."""

from __future__ import annotations

import ast
import random

import pytest

from neurosym.fences import code_blocks
from tests.rewrite.conftest import Rewritten

CODE = "def late_fee(a, b):\n    return a\n"


def _indented(by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in CODE.splitlines())


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _quoted(by: str) -> str:
    return "".join(f"{by}{line}\n" for line in CODE.splitlines())


REPLIES = {
    "wrapped": f"```\n```python\n{CODE}```\n```\n",
    "wrapped, with text inside": f"```\n\n```python\n{CODE}```\nThat is all.\n```\n",
    "wrapped as Python": f"```python\n```python\n{CODE}```\n```\n",
    "wrapped, by more marks": f"````markdown\nText.\n```python\n{CODE}```\n````\n",
    "wrapped, by as many marks": f"```markdown\nText.\n```python\n{CODE}```\nText.\n```\n",
    "wrapped, no language": f"````\nText that is no code.\n```\n{CODE}```\n````\n",
    "wrapped three times": f"``````md\n`````md\n````md\n```\n{CODE}```\n````\n`````\n``````\n",
    "tildes around backticks": f"~~~\n```py\n{CODE}```\n~~~\n",
    "backticks around tildes": f"```\n~~~\n{CODE}~~~\n```\n",
    "tildes": f"~~~~python\n{CODE}~~~~~\nText.\n",
    "tildes inside of tildes": f"~~~~\nText of it.\n~~~\n{CODE}~~~\n~~~~\n",
    "indented": f"  ```python\n{_indented(2)}  ```\n",
    "indented otherwise": f"  ```python\n{CODE}```\n",
    "in a list": f"1. Here it is:\n\n   ```python\n{_indented(3)}   ```\n2. Done.\n",
    "deep in a list": f"10) Here it is:\n    - as code\n\n      ```\n{_indented(6)}      ```\n",
    "in a list, wrapped": f"- ````md\n  ```py\n{_indented(2)}  ```\n  ````\n",
    "behind the mark of a list": f"- ```python\n{_indented(2)}  ```\n",
    "behind the mark of a list, not indented": f"- ```python\n{CODE}```\n",
    "never closed": f"Text.\n```python\n{CODE}",
    "in a quote": f"> Here it is:\n> ```python\n{_quoted('> ')}> ```\n",
    "in a quote that ends": f"> ```python\n{_quoted('> ')}\nNot quoted any more.\n",
    "in a list in quotes": f"> > 1. ~~~\n{_quoted('> >    ')}> >    ~~~\n",
    "beside a fence of another language": f"```json\n{{}}\n```\n```python\n{CODE}```\n~~~ text\n```\n~~~\n",
    "line ends of Windows": f"```\n```python\n{CODE}```\n```\n".replace("\n", "\r\n"),
}
"""Replies whose code is ``CODE``."""

WITH_FENCES = {
    "with a fence in it": "```",
    "with tildes in it": "~~~",
    "with a fence and its language in it": "```python",
    "with an indented fence in it": "    ```",
}


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_one_pass_is_enough(rewritten: Rewritten, reply: str) -> None:
    found = rewritten(reply, "fences")
    assert found.replace("\r\n", "\n") == CODE
    assert rewritten(found, "fences") == found


@pytest.mark.parametrize("marks", ["```", "~~~"])
@pytest.mark.parametrize("fence", WITH_FENCES.values(), ids=WITH_FENCES)
def test_a_fence_in_a_docstring_is_part_of_the_code(rewritten: Rewritten, fence: str, marks: str) -> None:
    code = (
        f'def late_fee(a, b):\n    """The fee.\n\n{fence}\nlate_fee(1, 2)\n{fence.rstrip("python")}\n    """\n'
        "    return a\n"
    )
    assert (
        rewritten(f"It:\n{marks}python\n{code}{marks}\nUse it:\n{marks}\nlate_fee(1, 2)\n{marks}\n", "fences") == code
    )
    assert rewritten(code, "fences") == code


@pytest.mark.parametrize(
    "text",
    [
        "A list:\n\n- one\n\n      ```\n      late_fee(1)\n      ```\n",  # a block by its indentation
        "```text\n```python\n" + CODE + "```\n",  # the inner fence is text
        "`````` `\n" + CODE,
    ],
)
def test_what_is_no_fence_is_left_alone(rewritten: Rewritten, text: str) -> None:
    assert rewritten(text, "fences") == text


def test_it_comes_to_rest_on_whatever_is_written() -> None:
    """Blocks lie in the text, in order, and a text of one block has the same code when it is wrapped again."""
    pieces = [
        "```",
        "```python",
        "~~~",
        "````md",
        "> ```",
        "- ```",
        "  ```",
        "    ```",
        "x = 1",
        '"""',
        "  y = 2",
        "> z",
        "",
    ]
    for seed in range(3_000):
        chosen = random.Random(seed).choices(pieces, k=12)
        text = "\n".join(chosen)
        blocks = code_blocks(text, _is_python)
        ends = [end for block in blocks for piece in block.pieces for end in piece]
        assert ends == sorted(ends), text
        assert all(block.of(text).strip() for block in blocks), text
        assert all(text.count("\n", 0, block.pieces[0][0]) + 1 == block.line for block in blocks), text


@pytest.mark.parametrize(
    "line", ["```", "```python", "~~~ md", "> ```py", "- ```", "1. " * 50 + "```", "> " * 50 + "~~~", "````\n```x\n~~~"]
)
def test_many_fences_take_no_time_to_speak_of(line: str) -> None:
    tried: list[str] = []
    code_blocks(f"{line}\nx = (\n" * 10_000, lambda text: bool(tried.append(text)))
    assert len(tried) <= 50
