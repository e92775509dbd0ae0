"""The algebra's process: questions about real numbers, one after the other.

It is ended from outside where an answer takes too long; what it says is then not known.
"""

from __future__ import annotations

import sys

from neurosym_verifiers.algebra.deciding import Contradiction, shown
from neurosym_verifiers.algebra.messages import Decide, Decided
from neurosym_verifiers.algebra.polynomials import TooComplex
from neurosym_verifiers.proof.messages import receive, send

_DEEPEST = 20_000


def decided(question: Decide) -> Decided:
    try:
        return Decided(shown(question.test, question.answer, question.domain))
    except Contradiction as contradiction:
        return Decided(False, str(contradiction))
    except (TooComplex, RecursionError):
        return Decided(False)


def main() -> None:
    """Answers until the asker closes its end."""
    sys.setrecursionlimit(_DEEPEST)
    while True:
        try:
            question = receive(sys.stdin.buffer)
        except EOFError:
            return
        send(sys.stdout.buffer, answered(question))


def answered(question: object) -> object:
    """The answer to one question."""
    match question:
        case Decide():
            return decided(question)
        case _:
            raise AssertionError(f"no question: {type(question).__name__}")


if __name__ == "__main__":
    main()
