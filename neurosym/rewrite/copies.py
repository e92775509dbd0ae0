"""How the copies that explain are run: what is defined before them, and the function of theirs that is called."""

from __future__ import annotations

from neurosym.rewrite.codemod import Group

ENTRY = {Group.TRACE: "neurosym_traced", Group.FUEL: "neurosym_fuelled"}
"""The function that calls the candidate's, and then tells."""

MOST_STEPS = 400
MOST_CHARACTERS = 120
CALLS_PER_ROUND = 10
"""A function may be called so many times as often as a loop may go round: a loop is named before what it calls."""

_TRACE = f"""
def neurosym_steps(entry):
    import datetime, decimal, fractions
    plain = (int, bool, str, float, decimal.Decimal, fractions.Fraction, datetime.date)
    steps = []

    def note(line, name, value):
        if len(steps) < {MOST_STEPS}:
            exact = type(value) in plain
            if exact and type(value) is not bool:
                exact = len(repr(value)) <= {MOST_CHARACTERS}
            steps.append((line, name, exact, value if exact else repr(value)[:{MOST_CHARACTERS}]))
        return value

    def traced(*arguments):
        steps.clear()
        try:
            globals()[entry](*arguments)
        except Exception:
            pass
        return list(steps)

    return note, traced
"""

_FUEL = """
def neurosym_budget(entry, rounds):
    counts = {}

    class OutOfFuel(BaseException):
        pass

    def burn(line, weight, inner):
        counts[line] = counts.get(line, 0) + weight
        for each in inner:
            counts[each] = 0
        if counts[line] > rounds:
            raise OutOfFuel(line)

    def fuelled(*arguments):
        counts.clear()
        try:
            globals()[entry](*arguments)
        except OutOfFuel as spent:
            return spent.args[0], rounds + 1
        except Exception:
            pass
        return 0, 0

    return burn, fuelled
"""


def prelude(group: Group, function: str, rounds: int) -> str:
    """What stands before a copy: the functions that it calls, and its entry."""
    if group is Group.TRACE:
        return f"{_TRACE}\nneurosym_note, {ENTRY[group]} = neurosym_steps({function!r})\n"
    return f"{_FUEL}\nneurosym_burn, {ENTRY[group]} = neurosym_budget({function!r}, {rounds})\n"
