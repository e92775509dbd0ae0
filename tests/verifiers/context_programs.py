"""Random programs with contexts of decimal arithmetic: put into force, left in odd ways, given as arguments; and units of
``quantize`` whose exponent is not what it seems."""

# ruff: noqa: E501
from __future__ import annotations

import random
from collections.abc import Mapping

from tests.verifiers.list_programs import Filler
from tests.verifiers.programs import MODES
from tests.verifiers.programs import PRELUDE as _PRELUDE

PRELUDE = (
    _PRELUDE
    + """\
import decimal
from decimal import Context, getcontext, localcontext, setcontext

WIDE = Context(prec=60, rounding=ROUND_UP)
EVEN = Context(rounding=ROUND_HALF_EVEN)
BARE = Context(40)


def cents(p):
    return p.quantize(CENT)


def ones(p, unit=Decimal('2.5').quantize(Decimal(1))):
    with localcontext(rounding=ROUND_FLOOR):
        return p.quantize(Decimal(1)) + unit


def each(*ps):
    for p in ps:
        yield p.quantize(Decimal('0.1'))


"""
)

_FORMS: Mapping[str, tuple[str, ...]] = {
    "i": ("({i} + {i})", "({i} - {i})", "({i} * 3)", "({i} // 7)", "int({d})", "round({d})", "math.floor({d})", "math.ceil({d})", "({i} if {b} else {i})", "int({d} == {d})"),
    "d": (
        "({d} + {d})", "({d} - {d})", "({d} * {i})", "({d} * Decimal('0.35'))", "({d} / 8)", "(-{d})", "(+{d})", "abs({d})", "Decimal({i})", "({d} if {b} else {d})",
        "({d} / {i}).quantize({u})", "({d} / 7).quantize({u}, {m})", "({d} / 3 + {d} / 7).quantize({u}, {m})", "({d} / n).quantize({u}, rounding={m})",
        "{d}.quantize({u})", "{d}.quantize({u})", "{d}.quantize({u}, {m})", "{d}.quantize({u}, rounding={m})", "{d}.quantize({u}, context={c})", "{d}.quantize({u}, {m}, {c})", "{d}.quantize({d})",
        "{c}.quantize({d}, {u})", "{c}.quantize({c}.divide({d}, {i}), {u})", "{c}.divide({d}, 8)", "{c}.add({d}, {i})", "{c}.subtract({i}, {d})", "{c}.multiply({d}, {d})",
        "{c}.divide_int({d}, {i})", "{c}.remainder({d}, {i})", "{c}.plus({d})", "{c}.minus({d})", "{c}.abs({d})", "{c}.to_integral_value({d})", "{c}.create_decimal({d})", "{c}.create_decimal({i})", "{c}.normalize({d})",
        "round({d}, {k})", "round({d}, -1)", "{d}.normalize()", "{d}.scaleb({k})", "{d}.scaleb(-{k})", "{d}.to_integral_value()", "{d}.to_integral_value(rounding={m})", "{d}.to_integral_exact({m})", "{d}.to_integral()",
        "({d} // {i})", "({d} % {i})", "({d} // {d})", "({d} % {d})", "({i} % {d})", "divmod({d}, {i})[0]", "divmod({i}, {d})[1]", "max({d}, {d})", "min({d}, {i}) * Decimal(1)", "{d}.copy_abs()", "{d}.copy_negate()",
        "{d}.compare({d})", "({d} ** 2)", "cents({d})", "ones({d})", "ones({d}, {u})", "sum([{d}, {d}], Decimal(0))", "sum(each({d}, {d}))", "sum((z.quantize(Decimal(1)) for z in ({d}, {d})), Decimal(0))",
        "sum(map(cents, [{d}, {d}]))", "max([{d}, {d}], key=cents)", "sorted([{d}, {d}], key=lambda z: -cents(z))[0]", "{u}", "({d} * {u})", "Decimal({d})", "{d}.max({d})", "{d}.fma({d}, {i})", "{d}.remainder_near({d})",
    ),
    "u": ("CENT", "Decimal(1)", "Decimal('0.1')", "Decimal('1.000')", "Decimal('1E+1')", "Decimal('10').normalize()", "{u}.normalize()", "{u}.to_integral_value()", "{u}.scaleb({k})", "{u}.scaleb(-1)", "abs({u})", "(+{u})", "({u} if {b} else {u})", "max({u}, {u})", "({u} * {u})", "({u} / 10)", "{u}.quantize({u})", "Decimal({i})", "({d} - {d})", "round({u}, 1)", "Decimal((0, (1,), {k}))", "({u} // 1)", "({u} % 1)", "Decimal(100).normalize().to_integral_exact()", "Decimal(str(n))"),
    "b": ("({d} < {d})", "({d} == {d})", "({d} >= {i})", "({d} == {f})", "({f} < {d})", "({i} == {d} == {f})", "({d} != {f})", "on", "({d} in (0, 1, {d}))", "({d} in {{0: 1, {i}: 2}})", "(not {d})", "{d}.is_zero()", "({i} in ({d}, {f}))", "({d} == Fraction(1, 4))", "({f} == Fraction({i}, 4))", "{d}.is_signed()"),
    "f": ("0.1", "0.5", "2.675", "float({i})", "({i} / 4)", "({i} * 0.1)", "float({d})", "True"),
    "m": (*MODES, *MODES, *MODES, "None", "ROUND_05UP"),
    "c": ("WIDE", "EVEN", "BARE", "WIDE", "EVEN", "BARE", "Context(30, {m})", "Context(30, {m})", "Context(prec=28, rounding={m})", "Context(rounding={m})", "Context(prec=6)", "Context(prec=40, Emax=99)", "Context(prec=40, traps=[])", "getcontext()", "WIDE.copy()", "decimal.DefaultContext", "decimal.ExtendedContext", "(WIDE if {b} else EVEN)"),
    "p": ("28", "29", "50", "28 + n", "6"),
}  # fmt: skip
_LEAVES: Mapping[str, tuple[str, ...]] = {
    "i": ("x", "n", "x", "0", "3", "-7", "8"),
    "d": ("d", "d", "r", "(d / 8)", "(r / 4)", "Decimal('2.5')", "Decimal('-0.125')", "Decimal(0)", "(-d)"),
    "u": ("CENT", "CENT", "Decimal(1)", "Decimal('0.1')", "Decimal('0.001')"),
    "b": ("on", "(x > 0)", "(d < r)"),
    "f": ("0.5", "(x / 4)"),
    "m": MODES,
    "c": ("WIDE", "EVEN", "BARE", "Context(30, ROUND_CEILING)"),
    "p": ("28", "40"),
}
_STATEMENTS: tuple[str, ...] = (
    "{new:d} = {d}", "{new:i} = {i}", "{N:d} += {d}", "{N:d} = {d}", "{N:i} += {i}", "{new:u} = {u}", "if {b}:{B}", "if {b}:{B}else:{B}", "if {b}:\n    return {d}", "for z in ({d}, {d}):\n    {N:d} += cents(z){B}",
    "with localcontext() as ctx:\n    ctx.rounding = {m}{B}", "with localcontext() as ctx:\n    ctx.prec = {p}\n    ctx.rounding = {m}{B}", "with localcontext(prec={p}, rounding={m}):{B}", "with localcontext(rounding={m}) as ctx:{B}",
    "with localcontext({c}):{B}", "with localcontext({c}, rounding={m}):{B}", "with localcontext({c}) as ctx:\n    ctx.prec = {p}{B}", "with localcontext(ctx={c}):{B}", "with localcontext():{B}", "with localcontext() as ctx:\n    ctx.Emax = 99{B}", "with localcontext() as ctx:\n    ctx.traps[decimal.InvalidOperation] = False{B}",
    "with localcontext() as ctx:{B}    ctx.rounding = {m}{B}", "with localcontext(rounding={m}), localcontext(prec={p}):{B}", "with localcontext(rounding={m}):\n    {N:d} = {d}\n    with localcontext(rounding={m}):\n        {N:d} += {d}\n    {N:d} += {d}",
    "with localcontext(rounding={m}):\n    if {b}:\n        return {d}\n    {N:d} = {d}", "with localcontext(rounding={m}):\n    return {d}", "try:\n    with localcontext(rounding={m}):\n        {N:d} = {d}\n        {N:d} /= {i}\nexcept ArithmeticError:{B}", "try:\n    with localcontext(rounding={m}):\n        {N:i} = 5 // {i}{B}finally:\n    {N:d} += {d}",
    "for z in (1, 2, 3):\n    with localcontext(rounding={m}):\n        if z == {k}:\n            {C}\n        {N:d} += {d}\n    {N:d} += cents({d})", "while {N:d} > 40:\n    with localcontext(rounding={m}):\n        {N:d} = ({N:d} / 16).quantize({u})",
    "def g(p):\n    return p.quantize({u})\nwith localcontext(rounding={m}):\n    {N:d} += g({d})\n{N:d} += g({d})", "with localcontext(rounding={m}):\n    def g(p):\n        return p.quantize({u}) + {d}\n{N:d} += g({d})", "with localcontext(rounding={m}):\n    g = lambda p, q=cents({d}): cents(p)\n{N:d} += g({d})",
    "def g(p):\n    with localcontext(rounding={m}):\n        return {d} + cents(p)\n{N:d} += g({d}) - cents({d})", "def g():\n    with localcontext(rounding={m}):\n        yield cents({d})\n    yield cents({d})\nfor z in g():\n    {N:d} += z + cents({d})",
    "with localcontext(rounding={m}):\n    {N:d} = sum(each({d}, {d}), {N:d})", "with localcontext(rounding={m}):\n    for z in each({d}, {d}):\n        {N:d} += z", "with localcontext(rounding={m}):\n    zs = [cents(z) for z in ({d}, {d})]\n{N:d} += zs[0]", "with localcontext(rounding={m}):\n    zs = map(cents, ({d}, {d}))\n{N:d} += sum(zs)",
    "def g(ps):\n    with localcontext(rounding={m}):\n        return (cents(p) for p in ps)\n{N:d} += sum(g([{d}, {d}]))", "def g(ps):\n    with localcontext(rounding={m}):\n        return [cents(p) for p in ps]\n{N:d} += sum(g([{d}, {d}]))", "ctx = Context(prec={p}, rounding={m})\n{N:d} = ctx.quantize({d}, {u})\nwith localcontext(ctx):\n    {N:d} += cents({d})",
    "ctx = {c}\nwith localcontext(ctx) as other:\n    other.rounding = {m}\n    {N:d} += other.quantize({d}, {u}) - ctx.quantize({d}, {u})", "with localcontext() as ctx:\n    ctx.rounding = {m}\n{N:d} = ctx.quantize({d}, {u}) + cents({d})", "getcontext().prec = {p}", "getcontext().rounding = {m}", "setcontext({c})",
    "try:\n    {N:d} = {d} / {d}\nexcept (decimal.DivisionByZero, decimal.InvalidOperation):\n    {N:d} = cents({d})", "try:\n    {N:d} = {d} % {i}\nexcept decimal.InvalidOperation:\n    {N:d} = {N:d} + 1", "match {d}:\n    case 0 | 1:\n        {N:d} += 1\n    case 0.5:\n        {N:d} += 2\n    case Decimal() as z if z < {i}:\n        {N:d} += z\n    case _:\n        {N:d} -= 1",
)  # fmt: skip


class ContextWriter(Filler):
    """Writes one random program over the inputs of ``programs.SPEC``."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, _FORMS, _LEAVES)

    def program(self) -> tuple[str, str]:
        """The source, and the kind of its result."""
        self._names = {kind: [] for kind in _FORMS} | {"d": ["t"], "i": ["k"]}
        self._kind = self._rng.choice("dddib")
        lines = ["t = d / 8", "k = x"]
        for _ in range(self._rng.randint(1, 3)):
            lines += self._statement(2).splitlines()
        lines.append(f"return {self.expression(self._kind, 2)}")
        body = "\n".join("    " + line for line in lines)
        kind = {"d": "decimal", "i": "int", "b": "bool"}[self._kind]
        return f"{PRELUDE}def f(x, n, d, r, day, on, grade):\n{body}\n", kind

    def _result(self) -> str:
        return self.expression(self._kind, 1)

    def _block(self, depth: int, indent: str = "    ", *, loop: bool = False) -> str:
        if loop:
            return self._rng.choice(("break", "continue", f"return {self.expression('d', 1)}"))
        before = {kind: list(names) for kind, names in self._names.items()}
        lines = [line for _ in range(self._rng.randint(1, 2)) for line in self._statement(depth - 1).splitlines()]
        self._names = before
        return "\n" + "".join(f"{indent}{line}\n" for line in lines)

    def _statement(self, depth: int) -> str:
        form = self._rng.choice(_STATEMENTS)
        while depth <= 0 and "{B}" in form:
            form = self._rng.choice(_STATEMENTS)
        return self._filled(form, depth, 2)
