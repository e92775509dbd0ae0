"""Closed forms in two shapes, from textbooks and the documentation of libraries: equal pairs, and pairs with a slip.

Each is a small spec (its inputs, the right value in the spec's language, a tolerance) and the body of a candidate. The
formulas are common property; ``source`` says where each shape is printed.
"""

from __future__ import annotations

from dataclasses import dataclass

RATE = '{ type = "float", min = "0.001", max = "0.3" }'
SMALL_RATE = '{ type = "float", min = "0.0001", max = "0.05" }'
PERIODS = '{ type = "int", min = 1, max = 120 }'
MONTHS = '{ type = "int", min = 1, max = 60 }'
FEW_YEARS = '{ type = "int", min = 1, max = 10 }'
YEARS = '{ type = "int", min = 1, max = 40 }'
AMOUNT = '{ type = "float", min = "1.0", max = "1000000.0" }'
PERCENT = '{ type = "float", min = "0.1", max = "30.0" }'
POINTS = '{ type = "int", min = 1, max = 3000 }'
TIME = '{ type = "float", min = "0.25", max = "40.0" }'

BODIE = "Bodie, Kane, Marcus: Investments"
BREALEY = "Brealey, Myers, Allen: Principles of Corporate Finance"
FABOZZI = "Fabozzi: Fixed Income Mathematics"
HULL = "Hull: Options, Futures, and Other Derivatives"
KELLISON = "Kellison: The Theory of Interest"
NUMPY = "numpy-financial, its documentation of"
ODF = "OpenFormula 1.3, part 4, the function"


@dataclass(frozen=True, slots=True)
class Pair:
    """``slip``: a part of the words in which the slip is to be named; empty where both are equal."""

    name: str
    source: str
    inputs: dict[str, str]
    right: str
    body: str
    slip: str = ""
    require: str = ""
    decimal: bool = False

    @property
    def spec(self) -> str:
        """The spec, as its file says it."""
        kind = "decimal" if self.decimal else "float"
        inputs = "\n".join(f"{name} = {type_}" for name, type_ in self.inputs.items())
        require = f"[[require]]\nthat = {self.require!r}\n" if self.require else ""
        return f"""
spec = 1
name = "{self.name}"
[inputs]
{inputs}
[output]
type = "{kind}"
{require}
[reference]
value = "{self.right}"
abs_tol = "0.000001"
rel_tol = "0.0000001"
"""

    @property
    def code(self) -> str:
        """The candidate."""
        types = {name: type_.split('"')[1] for name, type_ in self.inputs.items()}
        python = {"int": "int", "float": "float", "decimal": "Decimal"}
        given = ", ".join(f"{name}: {python[type_]}" for name, type_ in types.items())
        imports = "from decimal import Decimal" if self.decimal else "import math"
        lines = "\n".join(f"    {line}" for line in self.body.strip().splitlines())
        result = "Decimal" if self.decimal else "float"
        return f"{imports}\n\n\ndef {self.name}({given}) -> {result}:\n{lines}\n"


_LOAN = {"principal": AMOUNT, "rate": SMALL_RATE, "periods": PERIODS}
_ANNUITY = {"payment": AMOUNT, "rate": SMALL_RATE, "periods": PERIODS}
_SUM = {"principal": AMOUNT, "rate": RATE, "years": YEARS}
_DECIMAL = {
    "principal": '{ type = "decimal", min = "1.00", max = "1000000.00", places = 2 }',
    "rate": '{ type = "decimal", min = "0.001", max = "0.200", places = 3 }',
    "years": YEARS,
}

EQUAL = [
    Pair("future_value", f"{KELLISON}, section 1.5", _SUM, "principal * (1 + rate) ** years",
         "return principal * math.exp(years * math.log1p(rate))"),
    Pair("present_value", f"{BREALEY}, chapter 2", _SUM, "principal / (1 + rate) ** years",
         "return principal * (1 + rate) ** -years"),
    Pair("annuity_present_value", f"{BREALEY}, section 2.2", _ANNUITY,
         "payment * (1 - 1 / (1 + rate) ** periods) / rate",
         "discount = math.pow(1 + rate, -periods)\nreturn payment / rate * (1 - discount)"),
    Pair("loan_payment", f"{NUMPY} pmt", _LOAN, "principal * rate / (1 - (1 + rate) ** -periods)",
         "growth = (1 + rate) ** periods\nreturn principal * rate * growth / (growth - 1)"),
    Pair("annuity_future_value", f"{NUMPY} fv", _ANNUITY, "payment * ((1 + rate) ** periods - 1) / rate",
         "return payment * math.expm1(periods * math.log1p(rate)) / rate"),
    Pair("annuity_due", f"{KELLISON}, section 3.3", _ANNUITY,
         "payment * (1 - (1 + rate) ** -periods) / rate * (1 + rate)",
         "return payment * (1 + rate - (1 + rate) ** (1 - periods)) / rate"),
    Pair("number_of_payments", f"{NUMPY} nper", {"principal": AMOUNT, "rate": SMALL_RATE, "payment": AMOUNT},
         "-log(1 - principal * rate / payment) / log(1 + rate)",
         "return -math.log1p(-principal * rate / payment) / math.log1p(rate)",
         require="payment >= 1.01 * principal * rate"),
    Pair("effective_rate", f"{ODF} EFFECT", {"nominal": RATE, "periods": '{ type = "int", min = 1, max = 52 }'},
         "(1 + nominal / periods) ** periods - 1",
         "return math.expm1(periods * math.log1p(nominal / periods))"),
    Pair("nominal_rate", f"{ODF} NOMINAL", {"effective": RATE, "periods": '{ type = "int", min = 1, max = 52 }'},
         "periods * (exp(log(1 + effective) / periods) - 1)",
         "return periods * math.expm1(math.log1p(effective) / periods)"),
    Pair("continuous_growth", f"{HULL}, section 4.4", {"principal": AMOUNT, "rate": RATE, "time": TIME},
         "principal * exp(rate * time)", "return principal * math.exp(rate) ** time"),
    Pair("balance_after", f"{KELLISON}, section 5.2", {**_LOAN, "payment": AMOUNT},
         "principal * (1 + rate) ** periods - payment * ((1 + rate) ** periods - 1) / rate",
         "level = payment / rate\nreturn level + (principal - level) * (1 + rate) ** periods",
         require="payment <= 0.5 * principal * rate and rate >= 0.001"),
    Pair("average_growth", f"{ODF} RRI", {"first": AMOUNT, "last": AMOUNT, "years": YEARS},
         "exp(log(last / first) / years) - 1", "return (last / first) ** (1 / years) - 1"),
    Pair("doubling_time", f"{KELLISON}, section 2.5", {"rate": RATE}, "log(2) / log(1 + rate)",
         "return math.log(2) / math.log1p(rate)"),
    Pair("periods_to_reach", f"{ODF} PDURATION", {"rate": RATE, "present": AMOUNT, "future": AMOUNT},
         "(log(future) - log(present)) / log(1 + rate)", "return math.log(future / present) / math.log1p(rate)",
         require="future >= 1.01 * present"),
    Pair("growing_annuity", f"{BREALEY}, section 2.3",
         {"payment": AMOUNT, "rate": RATE, "growth": '{ type = "float", min = "0.0", max = "0.1" }', "years": YEARS},
         "payment / (rate - growth) * (1 - (1 + growth) ** years / (1 + rate) ** years)",
         "return payment * (1 - ((1 + growth) / (1 + rate)) ** years) / (rate - growth)",
         require="rate >= growth + 0.01"),
    Pair("annual_volatility", f"{HULL}, section 15.4", {"variance": RATE, "held": PERIODS},
         "sqrt(variance * held)", "return math.sqrt(variance) * held ** 0.5"),
    Pair("bond_price", f"{FABOZZI}, chapter 6",
         {"coupon": AMOUNT, "face": AMOUNT, "rate": SMALL_RATE, "periods": PERIODS},
         "coupon * (1 - (1 + rate) ** -periods) / rate + face * (1 + rate) ** -periods",
         "discount = (1 + rate) ** -periods\nreturn coupon / rate * (1 - discount) + face * discount"),
    Pair("net_present_value", f"{NUMPY} npv", {"a": AMOUNT, "b": AMOUNT, "c": AMOUNT, "rate": RATE},
         "a + b / (1 + rate) + c / (1 + rate) ** 2", "return a + (b + c / (1 + rate)) / (1 + rate)"),
    Pair("decimal_future_value", f"{KELLISON}, section 1.5", _DECIMAL, "principal * (1 + rate) ** years",
         "return principal * (1 + rate) ** years", decimal=True),
    Pair("decimal_loan_payment", f"{NUMPY} pmt", _DECIMAL, "principal * rate / (1 - (1 + rate) ** -years)",
         "growth = (1 + rate) ** years\nreturn principal * rate * growth / (growth - 1)", decimal=True),
]  # fmt: skip

SLIPS = [
    Pair("one_period_more", f"{KELLISON}, section 1.5", _SUM, "principal * (1 + rate) ** years",
         "return principal * (1 + rate) ** (years + 1)", slip="one too many: `years + 1`"),
    Pair("one_period_less", f"{BREALEY}, section 2.2", _ANNUITY, "payment * (1 - (1 + rate) ** -periods) / rate",
         "return payment * (1 - (1 + rate) ** (1 - periods)) / rate", slip="one too few: `periods - 1`"),
    Pair("annual_for_monthly", f"{NUMPY} fv", {"payment": AMOUNT, "rate": RATE, "months": MONTHS},
         "payment * ((1 + rate / 12) ** months - 1) / (rate / 12)",
         "return payment * ((1 + rate) ** months - 1) / rate",
         slip="a yearly figure where a monthly one is due: `rate`"),
    Pair("monthly_for_annual", f"{KELLISON}, section 1.5", _SUM, "principal * (1 + rate) ** years",
         "return principal * (1 + rate / 12) ** years", slip="a monthly figure where a yearly one is due: `rate`"),
    Pair("percent_for_fraction", f"{ODF} FV",
         {"principal": AMOUNT, "percent": PERCENT, "years": FEW_YEARS},
         "principal * (1 + percent / 100) ** years", "return principal * (1 + percent) ** years",
         slip="a percentage where a fraction is due: `percent`"),
    Pair("fraction_for_percent", f"{ODF} FV", _SUM, "principal * (1 + rate) ** years",
         "return principal * (1 + rate / 100) ** years", slip="a fraction where a percentage is due: `rate`"),
    Pair("points_for_fraction", f"{FABOZZI}, chapter 2", {"principal": AMOUNT, "points": POINTS, "years": FEW_YEARS},
         "principal * (1 + points / 10000) ** years", "return principal * (1.0 + points) ** years",
         slip="basis points where a fraction is due: `points`"),
    Pair("points_as_percent", f"{FABOZZI}, chapter 2", {"principal": AMOUNT, "points": POINTS, "years": FEW_YEARS},
         "principal * (1 + points / 10000) ** years", "return principal * (1 + points / 100) ** years",
         slip="a percentage where a fraction is due: `points`"),
    Pair("turned_sign", f"{NUMPY} pmt", _LOAN, "-(principal * rate / (1 - (1 + rate) ** -periods))",
         "return principal * rate / (1 - (1 + rate) ** -periods)", slip="the sign is turned"),
    Pair("advance_for_arrears", f"{NUMPY} pv, when='begin'", _ANNUITY, "payment * (1 - (1 + rate) ** -periods) / rate",
         "return payment * (1 - (1 + rate) ** -periods) / rate * (1 + rate)", slip="payments in advance"),
    Pair("arrears_for_advance", f"{NUMPY} pv, when='begin'", _ANNUITY,
         "payment * (1 - (1 + rate) ** -periods) / rate * (1 + rate)",
         "return payment * (1 - (1 + rate) ** -periods) / rate", slip="payments in arrears"),
    Pair("simple_for_compound", f"{KELLISON}, sections 1.4 and 1.5", _SUM, "principal * (1 + rate) ** years",
         "return principal * (1 + rate * years)", slip="simple interest where compound interest is due"),
    Pair("compound_for_simple", f"{KELLISON}, sections 1.4 and 1.5", _SUM, "principal * (1 + rate * years)",
         "return principal * (1 + rate) ** years", slip="compound interest where simple interest is due"),
    Pair("simple_discount", f"{KELLISON}, section 1.6", _SUM, "principal / (1 + rate) ** years",
         "return principal / (1 + rate * years)", slip="simple interest where compound interest is due"),
    Pair("continuous_for_periodic", f"{HULL}, section 4.4", _SUM, "principal * (1 + rate) ** years",
         "return principal * math.exp(rate * years)", slip="continuous interest where periodic interest is due"),
    Pair("yearly_for_monthly", f"{KELLISON}, section 1.8", {**_SUM, "years": FEW_YEARS},
         "principal * (1 + rate / 12) ** (12 * years)",
         "return principal * (1 + rate) ** years", slip="yearly compounding where monthly is due"),
    Pair("compounded_for_discounted", f"{BREALEY}, chapter 2", _SUM, "principal * (1 + rate) ** -years",
         "return principal * (1 + rate) ** years", slip="discounted where it is to be compounded, or the reverse"),
    Pair("other_logarithm", f"{KELLISON}, section 2.5", {"growth": '{ type = "float", min = "1.5", max = "9.0" }'},
         "log(growth)", "return math.log10(growth)", slip="a logarithm to another base"),
    Pair("growth_for_rate", f"{ODF} EFFECT", {"nominal": RATE, "periods": YEARS},
         "(1 + nominal / periods) ** periods - 1", "return (1 + nominal / periods) ** periods",
         slip="always 1 too much"),
    Pair("year_of_360", f"{FABOZZI}, chapter 3", {"principal": AMOUNT, "rate": RATE, "held": PERIODS},
         "principal * rate * held / 365", "return principal * rate * held / 360",
         slip="a year of 360 days where one of 365 is due"),
]  # fmt: skip
PAIRS = [*EQUAL, *SLIPS]
