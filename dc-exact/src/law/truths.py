#!/usr/bin/env python3
"""Writes truths.txt: values of the functions of `Law` to 128 bits, by mpmath.

A line is the function, the bits of x, and m and q: the value is at least m 2^q, and below (m + 1) 2^q, or just m 2^q after `=`.
"""

import struct

from mpmath import mp, mpf, acos, acosh, asin, asinh, atan, atanh, cos, cosh, erf, erfc, exp, gamma, log, loggamma, pi, sin, sinh, sqrt, tan, tanh, workprec
from mpmath.libmp import to_man_exp

mp.prec = 7000

EPS = 2.0**-52
TINY = [5e-324, 3.7e-311, 4.1e-91, 7.3e-91, 1.7e-40, 1.3e-6]
UNIT = [0.0078, 0.0079, 0.11, 0.2499, 0.2501, 0.2999, 0.3001, 0.35, 0.5, 0.6180339, 0.75, 1 - EPS / 2]
MORE = [1.0, 1 + EPS, 1.28, 1.99, 2.0, 2.01, 3.3, 7.8, 20.6]
WIDE = [39.9, 40.1, 199.0, 201.5, 345.6, 701.7, 799.5, 801.0]
HUGE = [1.9e9, 2.0**52 - 0.5, 1.1 * 2.0**99, 1.3 * 2.0**100, 1.7e200, 1.797e308]


def both(xs):
    return [0.0] + [s * x for x in xs for s in (1.0, -1.0)]


ALL = both(TINY[::2] + UNIT[::3] + MORE[::3] + WIDE)
FAR = both([2.0**-320, 1.7e-40, 0.0021, 0.2999, 0.3001, 0.35, 1.0, 1.28, 12.6, 39.9, 201.5, 701.7, 1999.5])
CIRCLE = both(TINY[:3] + [1.3e-6, 0.5, 0.785, 0.786, 1.57, 1.5708, 3.1, 3.3, 4.7, 355.0, 725.7078, 8191.3])
HALF_TURNS = both([5e-324, 7.3e-91, 1.3e-6, 0.2, 0.25, 0.3, 0.4999, 0.5001, 0.75, 0.99, 1.0, 1.25, 1.3, 2.6, 7.4, 1000.25, 1e6 + 0.125])
INSIDE = both(TINY[1:5] + UNIT[::2] + [1 - EPS / 2, 1.0])
ABOVE = TINY[:3] + [1e-40] + UNIT + MORE + [10.0, 1000.0] + HUGE[2:]
LN = TINY[:2] + [0.0078, 0.25, 0.984, 0.985, 1 - EPS / 2, 1.0, 1 + EPS, 1.015, 1.016, 2.0, 3.3, 10.0, 100.0, 1e22, 1e23, 1.7e200, 1.797e308]
LN1P = both(TINY[:4] + [0.0078, 0.25, 0.3, 0.5, 1 - EPS / 2]) + [1.0, 3.0, 7.0, 9.0, 99.0, 3.3, 1e15 - 1, 1.9e9, 1e22, 1.797e308]
TURNED = both(TINY[:4] + [0.11, 0.2999, 0.75, 1.0, 1.28, 3.3, 40.1, 1.1 * 2.0**99, 1.3 * 2.0**100, 1.7e200])
BELL = both([2.0**-320, 7.3e-91, 1.3e-6, 0.11, 0.5, 0.99, 1.0, 1.28, 1.99, 2.01, 3.3, 5.8, 20.6, 39.9]) + [-40.1]

# Next to 1, 2, the extremum, the poles and, by some digits, the zeros of the logarithm.
GAMMA = TINY[::2] + [0.11, 0.4999, 0.5, 0.5001, 0.75, 1 - EPS / 2, 1.0, 1 + EPS, 1.0001, 1.28, 1.4616, 1.46163214, 1.4617, 1.4999, 1.5001, 1.99, 2 - EPS, 2.0, 2 + 2 * EPS, 2.01, 3.0, 3.3, 4.0, 7.8, 12.5, 18.9, 19.4, 19.6, 20.0, 20.6, 22.0, 23.0, 30.0, 57.3, 100.5, 170.6]
GAMMA += [-x for x in GAMMA if x != int(x)] + [-2.4, -2.457, -2.6, -2.75, -3.1, -3.14, -3.9, -4.04, -4.5, -9.0000001, -9.9999999, -21.5, -22.000001]
CURVES = both(TINY + UNIT + MORE + [0.003, 0.0031308, 0.0031309, 0.04, 0.04045, 0.040451, 1.7e200]) + [0.0031308 * (1 + EPS), 0.04045 * (1 + EPS)]


def ln_gamma(x):
    return log(abs(gamma(x))) if abs(x) < 300 else loggamma(x) if x > 0 else log(pi / abs(sin(pi * x))) - loggamma(1 - x)


def inner(xs):
    return [x for x in xs if abs(x) < 1]


LAWS = {
    "exp": (exp, FAR),
    "exp2": (lambda x: mpf(2) ** x, FAR + [-1.0, 52.0, 3999.5, -3999.5]),
    "exp10": (lambda x: mpf(10) ** x, [x for x in FAR if abs(x) < 800] + [1.0, 22.0, 23.0, -3.0, 799.5, -799.5]),
    "expm1": (lambda x: exp(x) - 1, FAR),
    "exp2m1": (lambda x: mpf(2) ** x - 1, FAR),
    "exp10m1": (lambda x: mpf(10) ** x - 1, [x for x in FAR if abs(x) < 800]),
    "ln": (log, LN),
    "log2": (lambda x: log(x) / log(mpf(2)), LN),
    "log10": (lambda x: log(x) / log(mpf(10)), LN),
    "log1p": (lambda x: log(1 + x), LN1P),
    "log2p1": (lambda x: log(1 + x) / log(mpf(2)), LN1P),
    "log10p1": (lambda x: log(1 + x) / log(mpf(10)), LN1P),
    "recip": (lambda x: 1 / x, [x for x in both(TINY[2:] + UNIT[::4] + MORE[::2] + HUGE[:5]) if x]),
    "sqrt": (sqrt, ABOVE),
    "recip-sqrt": (lambda x: 1 / sqrt(x), ABOVE),
    "cbrt": (lambda x: mpf(x) ** (mpf(1) / 3) if x > 0 else -((-mpf(x)) ** (mpf(1) / 3)), [x for x in both(TINY[:4] + UNIT[::4] + MORE[::3] + [7.9, 8.0, 8.1] + HUGE[2:]) if x]),
    "sin": (sin, CIRCLE),
    "cos": (cos, CIRCLE),
    "tan": (tan, CIRCLE),
    "sinpi": (lambda x: sin(pi * x), HALF_TURNS),
    "cospi": (lambda x: cos(pi * x), HALF_TURNS),
    "tanpi": (lambda x: tan(pi * x), HALF_TURNS),
    "asin": (asin, INSIDE),
    "acos": (acos, INSIDE),
    "atan": (atan, TURNED),
    "asinpi": (lambda x: asin(x) / pi, INSIDE),
    "acospi": (lambda x: acos(x) / pi, INSIDE),
    "atanpi": (lambda x: atan(x) / pi, TURNED),
    "sinh": (sinh, FAR),
    "cosh": (cosh, FAR),
    "tanh": (tanh, FAR),
    "asinh": (asinh, TURNED),
    "acosh": (acosh, MORE + [1.0001, 40.1] + HUGE),
    "atanh": (atanh, inner(INSIDE + [0.0078, 0.0079, -0.0078, -0.0079])),
    "erf": (erf, BELL),
    "erfc": (erfc, BELL),
    "sigmoid": (lambda x: 1 / (1 + exp(-x)), FAR),
    "logit": (lambda x: log(x / (1 - x)), [x for x in TINY + UNIT if 0 < x < 1]),
    "softplus": (lambda x: log(1 + exp(x)), FAR + [-199.0]),
    "silu": (lambda x: x / (1 + exp(-x)), FAR + [-1.2784, -1.2785, -1.2784645]),
    "gelu": (lambda x: x * erfc(-x / sqrt(mpf(2))) / 2, [x for x in FAR if abs(x) < 39] + [-0.75178, -0.7518, -0.7517915, -38.4, 56.4, 57.0, 1999.5]),
    "mish": (lambda x: x * tanh(log(1 + exp(x))), FAR + [-1.19242, -1.19244, -1.1924312]),
    "tgamma": (gamma, GAMMA + [171.6, 171.7, 199.7, -199.7, -182.5]),
    "lgamma": (ln_gamma, [x for x in GAMMA if x not in (-22.000001,)] + [199.7, -199.7, -1000.3, -1e15 - 0.125, 1.9e9, 1.1 * 2.0**99, 1.7e200, 1.797e308]),
    "srgb-to-linear": (lambda x: x * 25 / 323 if x <= 0.04045 else ((200 * x + 11) / 211) ** (mpf(12) / 5), CURVES),
    "srgb-from-linear": (lambda x: x * 323 / 25 if x <= 0.0031308 else (211 * x ** (mpf(5) / 12) - 11) / 200, CURVES),
}

with open(__file__.replace(".py", ".txt"), "w", encoding="ascii") as out:
    for name, (f, xs) in LAWS.items():
        for x in sorted(set(xs)):
            y = f(mpf(x))
            # Where the value has few bits, mpmath may miss it by the last of many.
            with workprec(100):
                few = +y
            sure = abs(y - few) <= abs(y) * mpf(2) ** -6000
            if abs(y) < mpf(2) ** -6500:
                few, sure = mpf(0), True
            if sure:
                y = few
            m, q = to_man_exp(y._mpf_)
            m, q = int(m), int(q)
            if y < 0:
                m = -abs(m)
            down = max(abs(m).bit_length() - 128, 0)
            sign = "=" if sure else ">"
            m, q = m >> down, q + down
            bits = struct.unpack("<Q", struct.pack("<d", x))[0]
            out.write(f"{name} {bits:016x} {sign} {m:x} {q}\n")
