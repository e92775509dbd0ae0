"""The algebra's process: questions about real numbers, one after the other.

It is ended from outside where an answer takes too long; what it says is then not known.
"""

from __future__ import annotations

import sys

from neurosym_verifiers.algebra.deciding import Contradiction, How, how_shown, sign_on
from neurosym_verifiers.algebra.enclosures import precision
from neurosym_verifiers.algebra.expressions import Domain, Expr, exact
from neurosym_verifiers.algebra.messages import Decide, Decided, Name, Simplify
from neurosym_verifiers.algebra.polynomials import TooComplex
from neurosym_verifiers.algebra.slips import slip
from neurosym_verifiers.algebra.steps import as_errors
from neurosym_verifiers.proof.messages import receive, send

_DEEPEST = 20_000


def decided(question: Decide) -> Decided:
    try:
        how = how_shown(question.test, question.answer, question.domain)
        return Decided(how is not None, where_nearest=how is How.WHERE_NEAREST)
    except Contradiction as contradiction:
        return Decided(False, str(contradiction))
    except (TooComplex, RecursionError):
        return Decided(False)


def named(found: Expr, right: Expr, domain: Domain) -> str:
    """The words of a known slip; empty if it is none."""
    whole = {name: of.whole for name, of in domain.ranges.items()}
    try:
        with precision():
            return slip(exact(as_errors(found)), exact(as_errors(right)), sign_on(domain), whole)
    except (TooComplex, RecursionError):
        return ""


def simplified(found: Expr, right: Expr) -> tuple[str, str]:
    """The ratio and the difference; whatever SymPy raises is no answer."""
    from neurosym_verifiers.algebra.sympy_shapes import shapes  # SymPy is loaded only for this

    try:
        return shapes(exact(as_errors(found)), exact(as_errors(right)))
    except Exception:
        return "", ""


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
        case Name(found=found, right=right, domain=domain):
            return named(found, right, domain)
        case Simplify(found=found, right=right):
            return simplified(found, right)
        case _:
            raise AssertionError(f"no question: {type(question).__name__}")


if __name__ == "__main__":
    main()
