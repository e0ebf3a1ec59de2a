"""Values options with QuantLib: each line of standard input is an option, each line of output what QuantLib makes of it."""

import json
import math
import sys

import QuantLib as ql

ACCURACY = 1e-12
STEPS_MAX = 10000


def implied(kind, strike, forward, price):
    try:
        return ql.blackFormulaImpliedStdDev(kind, strike, forward, price, 1.0, 0.0, ql.nullDouble(), ACCURACY, STEPS_MAX)
    except RuntimeError:
        return None


for line in sys.stdin:
    option = json.loads(line)
    forward, strike, years, vol = (option[name] for name in ("forward", "strike", "years", "vol"))
    kind = ql.Option.Call if option["right"] == "C" else ql.Option.Put
    deviation = vol * math.sqrt(years)
    calculator = ql.BlackCalculator(ql.PlainVanillaPayoff(kind, strike), forward, deviation, 1.0)
    price = calculator.value()
    found = implied(kind, strike, forward, price)
    values = {
        "price": price,
        "delta": calculator.deltaForward(),
        "gamma": calculator.gammaForward(),
        "vega": calculator.vega(years) / 100,
        "theta": calculator.theta(forward, years) / 365,
        "iv": None if found is None else found / math.sqrt(years),
    }
    print(json.dumps(values))
