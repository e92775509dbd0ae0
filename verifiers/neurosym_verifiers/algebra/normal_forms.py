"""Normal forms of expressions with powers, exponentials and logarithms: rational functions over atoms.

An atom is a symbol, a prime's or a polynomial's power with a symbolic exponent, or a logarithm of one. The laws that
are used hold on the real numbers where every logarithm's argument and every base of such a power is positive, which
whoever asks has to show for the expressions themselves; each further condition is asked of ``sign``:

    b**(x + y) = b**x * b**y      (b**x)**y = b**(x*y)      exp(x*log(b)) = b**x      log(b**x) = x*log(b)
    (c*b)**x = c**x * b**x        log(c*b) = log(c) + log(b)                          for a number c > 0
    log1p(x) = log(1 + x)         expm1(x) = exp(x) - 1       sqrt(b) = b**(1/2)

Two expressions with one normal form are equal wherever both are defined: the atoms are treated as independent, so
what is an identity in them is one of the numbers that they stand for. The converse does not hold: different normal
forms say nothing. Example: ``(1 + r/12)**(12*t)`` and ``exp(12*t*log((12 + r)/12))`` are both ``A**12 * B**-12 *
C**-24`` with the atoms ``A = (r + 12)**t``, ``B = 3**t`` and ``C = 2**t``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from neurosym_verifiers.algebra.expressions import Expr
from neurosym_verifiers.algebra.polynomials import ONE, Poly, Product, Rational, TooComplex, atom, constant, factors
from neurosym_verifiers.algebra.rational_reading import RationalReading
from neurosym_verifiers.algebra.steps import step_of

Sign: TypeAlias = Callable[[Poly], int]
"""1 or -1 where a polynomial over symbols surely has that sign, else 0."""

_EULER = "e"
_MOST_EXPANDED = 40
_LARGEST_PRIME = 100_000


@dataclass(frozen=True, slots=True)
class PowerAtom:
    """``base ** (exponent / over / parts)``; None for Euler's number. The base itself has an empty exponent over 1."""

    base: Rational | None
    exponent: Product
    over: Poly
    parts: int

    @property
    def share(self) -> Rational:
        """What its exponent is."""
        return Rational(_of(self.exponent), self.over * constant(self.parts))


@dataclass(slots=True)
class Atoms:
    """What the atoms of normal forms are: shared by expressions that are compared. ``parts``: into how many the
    exponents of a power are cut, so that each is a whole number of them."""

    powers: dict[str, PowerAtom] = field(default_factory=dict)
    logarithms: dict[str, Rational] = field(default_factory=dict)
    roundings: dict[str, tuple[str, Rational]] = field(default_factory=dict)
    parts: dict[tuple[str, Product, Poly], int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there are any beside symbols."""
        return bool(self.powers or self.logarithms or self.roundings)


def normal_forms(exprs: tuple[Expr, ...], sign: Sign, *, split: bool) -> tuple[list[Rational], Atoms]:
    """The normal forms of expressions without roundings, over common atoms. Raises ``TooComplex``.

    ``split``: whether bases and arguments are split into irreducible factors, where ``sign`` knows theirs.
    """
    atoms = Atoms()
    while True:
        before = dict(atoms.parts)
        forms = _Forms(atoms, sign, split)
        found = [forms.rational(expr) for expr in exprs]
        if atoms.parts == before:
            return found, atoms
        atoms.powers.clear()
        atoms.logarithms.clear()
        atoms.roundings.clear()


def same(a: Expr, b: Expr, sign: Sign) -> bool:
    """Whether both have one normal form."""
    if a == b:
        return True
    for split in (False, True):
        try:
            (one, other), atoms = normal_forms((a, b), sign, split=split)
        except TooComplex:
            continue
        if one.same(other) or not _reduced(one.num * other.den - other.num * one.den, atoms).parts:
            return True
    return False


def _reduced(poly: Poly, atoms: Atoms) -> Poly:
    """With ``(b ** (1/n)) ** n`` put in as ``b``."""
    roots = {name: each for name, each in atoms.powers.items() if not each.exponent and each.over == ONE}
    roots = {name: root for name, root in roots.items() if root.base is not None and root.base.den == ONE}
    for name, root in roots.items():
        while poly.degree(name) >= root.parts:
            parts: dict[Product, Fraction] = {}
            total = Poly(parts)
            for product, coefficient in poly.parts.items():
                powers = dict(product)
                times = powers.get(name, 0) // root.parts
                powers[name] = powers.get(name, 0) - times * root.parts
                rest = Poly({tuple(sorted((n, p) for n, p in powers.items() if p)): coefficient})
                for _ in range(times):
                    assert root.base is not None
                    rest = rest * root.base.num
                total = total + rest
            poly = total
    return poly


class _Forms(RationalReading):
    def __init__(self, atoms: Atoms, sign: Sign, split: bool) -> None:
        super().__init__()
        self._atoms = atoms
        self._sign = sign
        self._split = split

    # Powers

    def _root(self, of: Rational) -> Rational:
        return self._power(of, Rational(constant(Fraction(1, 2))))

    def _power(self, base: Rational, exponent: Rational) -> Rational:
        number = exponent.number
        if number is not None and number.denominator == 1 and abs(number) <= _MOST_EXPANDED:
            return base.power(int(number))
        if not base.num.parts:
            raise TooComplex("a power of zero")
        result = Rational(ONE)
        for poly, times in self._positive_factors(base):
            result = result * self._power_of(poly, exponent * Rational(constant(times)))
        for name, power in self._powers_in(base):
            inner = self._atoms.powers[name]
            result = result * self._power_of(inner.base, exponent * inner.share * Rational(constant(power)))
        return result

    def _power_of(self, base: Rational | None, exponent: Rational) -> Rational:
        """A positive base to a power: a product over the parts of the exponent."""
        if base is not None and base.number == 1:
            return Rational(ONE)
        top, over = _over_one(exponent)
        result = Rational(ONE)
        for product, coefficient in top.parts.items():
            result = result * self._power_atom(base, product, over, coefficient)
        return result

    def _power_atom(self, base: Rational | None, product: Product, over: Poly, coefficient: Fraction) -> Rational:
        result = Rational(ONE)
        if not product and over == ONE and base is not None:
            whole = int(coefficient // 1)
            if abs(whole) > _MOST_EXPANDED:
                raise TooComplex("a large power")
            result = base.power(whole)
            coefficient -= whole
            if not coefficient:
                return result
        key = (_EULER if base is None else base.name, product, over)
        parts = self._atoms.parts[key] = lcm(self._atoms.parts.get(key, 1), coefficient.denominator)
        name = f"({key[0]})^({_of(product).name}/({over.name})/{parts})"
        self._atoms.powers[name] = PowerAtom(base, product, over, parts)
        times = int(coefficient * parts)
        factor = Rational(atom(name)).power(abs(times))
        return result * factor if times > 0 else result / factor

    def _positive_factors(self, base: Rational) -> list[tuple[Rational, int]]:
        """Positive parts with powers, of which a positive base is the product, but for the powers in it."""
        found: list[tuple[Rational, int]] = []
        num, den = self._without_powers(base.num), self._without_powers(base.den)
        number = num.content / den.content
        found += _primes(number)
        num, den = num.over(num.content), den.over(den.content)
        if den.leading < 0:
            num, den = -num, -den
        if self._split:
            split = self._irreducible(num, den)
            if split is not None:
                return found + split
        if den.constant is None and (num.constant is not None or num.name < den.name):
            if num.leading < 0:
                num, den = -num, -den
            return [*found, (Rational(den, num), -1)]
        return [*found, (Rational(num, den), 1)]

    def _irreducible(self, num: Poly, den: Poly) -> list[tuple[Rational, int]] | None:
        """Irreducible factors, each turned so that it is positive; None where a sign is not known, or where there is a
        number other than 1 that is left over."""
        found: list[tuple[Rational, int]] = []
        left = Fraction(1)
        for poly, direction in ((num, 1), (den, -1)):
            parts = factors(poly)
            if parts is None:
                return None
            for part, power in parts:
                value = part.constant
                if value is not None:
                    left *= value ** (power * direction)
                    continue
                sign = self._sign(part)
                if sign == 0:
                    return None
                if sign < 0:
                    left *= (-1) ** power
                positive = part if sign > 0 else -part
                left *= positive.content ** (power * direction)
                found.append((Rational(positive.over(positive.content)), power * direction))
        if left <= 0:
            return None
        return [*found, *_primes(left)]

    def _without_powers(self, poly: Poly) -> Poly:
        """A polynomial divided by the powers that all its parts share: these are positive."""
        shared = dict(self._shared(poly))
        if not shared:
            return poly
        parts: dict[Product, Fraction] = {}
        for product, coefficient in poly.parts.items():
            rest = ((name, power - shared.get(name, 0)) for name, power in product)
            parts[tuple((name, power) for name, power in rest if power)] = coefficient
        return Poly(parts)

    def _shared(self, poly: Poly) -> list[tuple[str, int]]:
        products = [dict(product) for product in poly.parts]
        names = [name for name in products[0] if name in self._atoms.powers]
        least = [(name, min(product.get(name, 0) for product in products)) for name in names]
        return [(name, power) for name, power in least if power]

    def _powers_in(self, base: Rational) -> list[tuple[str, int]]:
        return [*self._shared(base.num), *((name, -power) for name, power in self._shared(base.den))]

    # Roundings to decimals: what is rounded alike is one number

    def _apply(self, name: str, args: list[Rational]) -> Rational:
        if step_of(name) is None:
            return super()._apply(name, args)
        label = f"{name}({args[0].name})"
        self._atoms.roundings[label] = (name, args[0])
        return Rational(atom(label))

    # Exponentials and logarithms

    def _exponential(self, of: Rational) -> Rational:
        top, over = _over_one(of)
        result = Rational(ONE)
        for product, coefficient in top.parts.items():
            logs = [name for name, power in product if name in self._atoms.logarithms and power == 1]
            if len(logs) == 1:
                base = self._atoms.logarithms[logs[0]]
                rest = tuple((name, power) for name, power in product if name != logs[0])
                result = result * self._power_of(base, Rational(Poly({rest: coefficient}), over))
            else:
                result = result * self._power_atom(None, product, over, coefficient)
        return result

    def _logarithm(self, of: Rational) -> Rational:
        if not of.num.parts:
            raise TooComplex("the logarithm of zero")
        result = Rational(Poly({}))
        for poly, times in self._positive_factors(of):
            result = result + Rational(self._log_atom(poly) * constant(times))
        for name, power in self._powers_in(of):
            inner = self._atoms.powers[name]
            factor = inner.share * Rational(constant(power))
            result = result + (factor if inner.base is None else factor * Rational(self._log_atom(inner.base)))
        return result

    def _log_atom(self, of: Rational) -> Poly:
        if of.number == 1:
            return Poly({})
        name = f"log({of.name})"
        self._atoms.logarithms[name] = of
        return atom(name)


def _of(product: Product) -> Poly:
    return Poly({product: Fraction(1)})


def _over_one(exponent: Rational) -> tuple[Poly, Poly]:
    """Numerator and denominator, the latter 1 if it is a number."""
    number = exponent.den.constant
    return (exponent.num, exponent.den) if number is None else (exponent.num.over(number), ONE)


def _primes(number: Fraction) -> list[tuple[Rational, int]]:
    """The prime factors of a positive number with their powers; a factor too large to split counts as one."""
    found: dict[int, int] = {}
    for whole, direction in ((number.numerator, 1), (number.denominator, -1)):
        prime = 2
        while whole > 1:
            if prime * prime > whole or prime > _LARGEST_PRIME:
                found[whole] = found.get(whole, 0) + direction
                break
            while whole % prime == 0:
                found[prime] = found.get(prime, 0) + direction
                whole //= prime
            prime += 1
    return [(Rational(constant(prime)), times) for prime, times in found.items() if times]
