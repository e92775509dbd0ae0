"""The second solver's process: reads queries in SMT-LIB 2 from its standard input, answers with what cvc5 says."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from neurosym_verifiers.proof.messages import Script, receive, send


def answer(question: Script) -> str:
    """``sat``, ``unsat``, ``unknown``, or what was wrong, as cvc5 words it."""
    cvc5: Any = import_module("cvc5")  # an extra without types, and only this process needs it
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(question.milliseconds))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, question.text, "query")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += str(command.invoke(solver, parser.getSymbolManager()))
    return said.strip()


def main() -> None:
    """Answers until the standard input ends."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
    while True:
        try:
            question = receive(sys.stdin.buffer)
        except EOFError:
            return
        try:
            reply = answer(question)
        except (RecursionError, MemoryError, RuntimeError) as error:
            reply = f"{type(error).__name__}: {error}"
        send(sys.stdout.buffer, reply)


if __name__ == "__main__":
    main()
