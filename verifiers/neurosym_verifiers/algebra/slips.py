"""Known slips: what was done to the right formula so that it is the one that was written.

Each slip is a change of the reference; it is the slip where the changed reference has the candidate's normal form. That
is an identity like any other, on the domain where both are defined. The first that fits is named, the plainest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations

from neurosym_verifiers.algebra.expressions import Expr, Num, Op, Sym, num, parts, replaced, symbols
from neurosym_verifiers.algebra.normal_forms import Sign, normal_forms, same
from neurosym_verifiers.algebra.polynomials import TooComplex

_ONE = num(1)
_MOST_SYMBOLS = 6

_FACTORS: Mapping[Fraction, str] = {
    Fraction(-1): "the sign is turned",
    Fraction(12): "a yearly figure where a monthly one is due",
    Fraction(1, 12): "a monthly figure where a yearly one is due",
    Fraction(100): "a percentage where a fraction is due",
    Fraction(1, 100): "a fraction where a percentage is due",
    Fraction(10_000): "basis points where a fraction is due",
    Fraction(1, 10_000): "a fraction where basis points are due",
    Fraction(365, 360): "a year of 360 days where one of 365 is due",
    Fraction(360, 365): "a year of 365 days where one of 360 is due",
    Fraction(1_000): "thousands where ones are due",
    Fraction(1, 1_000): "ones where thousands are due",
}
_PER_YEAR = {
    Fraction(12): "monthly",
    Fraction(4): "quarterly",
    Fraction(2): "half-yearly",
    Fraction(52): "weekly",
    Fraction(365): "daily",
}


def slip(found: Expr, right: Expr, sign: Sign, whole: Mapping[str, bool]) -> str:
    """The slip in words, empty if it is none of these. Both expressions are without roundings.

    ``whole``: by symbol, whether it stands for whole numbers.
    """
    for words, changed in _changes(found, right, whole):
        try:
            if same(found, changed, sign):
                return words
        except TooComplex:
            continue
    return _constant(found, right, sign) or _backwards(found, right, sign)


def _changes(found: Expr, right: Expr, whole: Mapping[str, bool]) -> Iterator[tuple[str, Expr]]:
    names = sorted(symbols(right) | symbols(found))[:_MOST_SYMBOLS]
    yield "the sign is turned", Op("neg", (right,))
    for name in names:
        if whole.get(name):
            yield f"one too many: `{name} + 1` where `{name}` is due", _with(right, name, Op("+", (Sym(name), _ONE)))
            yield f"one too few: `{name} - 1` where `{name}` is due", _with(right, name, Op("-", (Sym(name), _ONE)))
    for base in _bases(right):
        due = "payments in advance, at the start of each period, where they are due in arrears, at its end"
        yield due, Op("*", (right, base))
        arrears = "payments in arrears, at the end of each period, where they are due in advance, at its start"
        yield arrears, Op("/", (right, base))
    yield from _compounding(right)
    for factor, words in _FACTORS.items():
        yield f"{words}, in the whole result", Op("*", (num(factor), right))
    for factor, words in _FACTORS.items():
        for name in names:
            yield f"{words}: `{name}`", _with(right, name, Op("*", (num(factor), Sym(name))))
    for words, changed in _frequencies(right, names):
        yield words, changed


def _with(expr: Expr, name: str, by: Expr) -> Expr:
    return replaced(expr, {Sym(name): by})


def _powers(expr: Expr) -> list[Op]:
    return [each for each in parts(expr) if isinstance(each, Op) and each.name == "**" and not _known(each.args[1])]


def _known(expr: Expr) -> bool:
    return isinstance(expr, Num) or (isinstance(expr, Op) and all(map(_known, expr.args)))


def _bases(expr: Expr) -> list[Expr]:
    """What is raised to a power that varies: one and a rate, as a rule."""
    return list(dict.fromkeys(each.args[0] for each in _powers(expr)))


def _compounding(right: Expr) -> Iterator[tuple[str, Expr]]:
    """Other ways in which interest may grow: each changes all powers at once."""
    yield "simple interest where compound interest is due", _each_power(right, _simple)
    yield "simple interest where compound interest is due", _each_power(right, _simple_discount)
    yield "simple interest where continuous interest is due", _each_exponential(right, lambda x: Op("+", (_ONE, x)))
    yield "continuous interest where periodic interest is due", _each_power(right, _continuous)
    yield "discounted where it is to be compounded, or the reverse", _each_power(right, _turned)


def _each_power(expr: Expr, change: Callable[[Expr, Expr], Expr]) -> Expr:
    return replaced(expr, {each: change(*each.args) for each in _powers(expr)})


def _each_exponential(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    exponentials = [each for each in parts(expr) if isinstance(each, Op) and each.name == "exp"]
    return replaced(expr, {each: change(each.args[0]) for each in exponentials})


def _simple(base: Expr, exponent: Expr) -> Expr:
    return Op("+", (_ONE, Op("*", (Op("-", (base, _ONE)), exponent))))


def _simple_discount(base: Expr, exponent: Expr) -> Expr:
    return Op("/", (_ONE, _simple(base, Op("neg", (exponent,)))))


def _continuous(base: Expr, exponent: Expr) -> Expr:
    return Op("exp", (Op("*", (Op("-", (base, _ONE)), exponent)),))


def _turned(base: Expr, exponent: Expr) -> Expr:
    return Op("**", (base, Op("neg", (exponent,))))


def _frequencies(right: Expr, names: list[str]) -> Iterator[tuple[str, Expr]]:
    """Periods of another length: a rate for them, and so many of them."""
    for rate, count in permutations(names, 2):
        for times, words in _PER_YEAR.items():
            changed = replaced(
                right,
                {Sym(rate): Op("*", (num(times), Sym(rate))), Sym(count): Op("*", (num(1 / times), Sym(count)))},
            )
            yield f"yearly compounding where {words} is due", changed
            changed = replaced(
                right,
                {Sym(rate): Op("*", (num(1 / times), Sym(rate))), Sym(count): Op("*", (num(times), Sym(count)))},
            )
            yield f"{words} compounding where yearly is due", changed


def _constant(found: Expr, right: Expr, sign: Sign) -> str:
    """A factor or a summand that is a number."""
    try:
        (one, other), _ = normal_forms((found, right), sign, split=False)
        ratio = (one / other).number if other.num.parts else None
        apart = (one - other).number
    except TooComplex:
        return ""
    if ratio is not None:
        return f"always {_shown(ratio)} times the right value"
    return f"always {_shown(abs(apart))} too {'much' if apart > 0 else 'little'}" if apart else ""


def _shown(number: Fraction) -> str:
    return str(number) if number.denominator < 1_000_000 else f"about {float(number):.6g}"


def _backwards(found: Expr, right: Expr, sign: Sign) -> str:
    """Where the candidate compounds and the reference does not."""
    try:
        if any(same(_each_power(found, change), right, sign) for change in (_simple, _simple_discount)):
            return "compound interest where simple interest is due"
        if same(_each_exponential(found, lambda x: Op("+", (_ONE, x))), right, sign):
            return "continuous interest where simple interest is due"
        base = _periodic(found)
        if base is not None and same(base, right, sign):
            return "continuous interest where periodic interest is due"
        logs: dict[Expr, Expr] = {
            each: Op("log", each.args) for each in parts(found) if isinstance(each, Op) and each.name in _OTHER_LOGS
        }
        if logs and same(replaced(found, logs), right, sign):
            return "a logarithm to another base where the natural one is due"
    except TooComplex:
        pass
    return ""


_OTHER_LOGS = ("log10", "log2")


def _periodic(expr: Expr) -> Expr | None:
    """``exp(rate * time)`` as ``(1 + rate) ** time``, for a product of two symbols."""
    by: dict[Expr, Expr] = {}
    for each in parts(expr):
        match each:
            case Op(name="exp", args=(Op(name="*", args=(Sym() as rate, Sym() as time)),)):
                by[each] = Op("**", (Op("+", (_ONE, rate)), time))
    return replaced(expr, by) if by else None
