"""The constants of builtins/reference/binary32: polynomials, 2/pi for the reduction of large angles, words of constants.

    python3 dc-runtime/scripts/reference_binary32.py > dc-runtime/src/builtins/reference/binary32/coefficients.rs

Needs mpmath (1.3.0 was used). A polynomial interpolates its function at the Chebyshev nodes of the interval, and its
coefficients are then rounded to double; the comment above each has the largest error of what is written, found at 2,000
points of the interval, relative to the function that it stands for.
"""

import sys

from mpmath import (
    atan, atanh, cos, erf, erfc, exp, expm1, floor, gamma, inf, ln, log, loggamma, mp, mpf, pi, psi, sin, sqrt,
)

sys.dont_write_bytecode = True
from doubles import coefficients, const, pair, table, to_double

mp.prec = 300


def interpolate(f, a, b, degree):
    """The coefficients of the polynomial through f at the Chebyshev nodes of [a, b], by Newton's differences."""
    a, b = mpf(a), mpf(b)
    n = degree + 1
    xs = [(a + b) / 2 + (b - a) / 2 * cos((2 * i + 1) * pi / (2 * n)) for i in range(n)]
    d = [f(x) for x in xs]
    for k in range(1, n):
        for i in range(n - 1, k - 1, -1):
            d[i] = (d[i] - d[i - 1]) / (xs[i] - xs[i - k])
    c = [mpf(0)] * n
    for i in range(n - 1, -1, -1):
        c = [(c[j - 1] if j else 0) - xs[i] * c[j] for j in range(n)]
        c[0] += d[i]
    return c


def polynomial(doc, name, f, a, b, degree, relative):
    """`relative(x, error of f)` is the error of the function in question."""
    c = [to_double(x) for x in interpolate(f, a, b, degree)]
    worst = mpf(0)
    for i in range(2001):
        x = mpf(a) + (mpf(b) - a) * i / 2000
        p = mpf(0)
        for k in reversed(c):
            p = p * x + mpf(k)
        worst = max(worst, abs(relative(x, p - f(x))))
    coefficients("%s\n///\n/// Relative error 2^%.1f." % (doc, float(log(worst, 2))), name, c)


def series(terms, near, f):
    """f, by its power series (coefficients from 0 up) where |x| < near: the closed form cancels there."""

    def g(x):
        if abs(x) >= near:
            return f(x)
        s = mpf(0)
        for t in reversed(terms):
            s = s * x + t
        return s

    return g


def factorial_series(first, step, sign, count=40):
    out, f = [], mpf(1)
    for i in range(2, first + 1):
        f *= i
    n = first
    for i in range(count):
        out.append((sign ** i) / f)
        for _ in range(step):
            n += 1
            f *= n
    return out


print("//! Written by `scripts/reference_binary32.py`: change it there.")
print()
const("1 / ln 2.", "LOG2_E", to_double(1 / ln(2)))
const("log2 10.", "LOG2_10", to_double(log(10, 2)))
const("1 / ln 10.", "LOG10_E", to_double(1 / ln(10)))
const("ln 10.", "LN_10", to_double(ln(10)))
const("pi.", "PI", to_double(pi))
const("pi / 2.", "HALF_PI", to_double(pi / 2))
const("pi / 4.", "QUARTER_PI", to_double(pi / 4))
const("1 / pi.", "RECIP_PI", to_double(1 / pi))
const("tan(pi / 8).", "TAN_EIGHTH", to_double(sqrt(2) - 1))
const("sqrt(1/2).", "SQRT_HALF", to_double(sqrt(mpf(1) / 2)))
const("(ln(2 pi) - 1) / 2.", "STIRLING", to_double((ln(2 * pi) - 1) / 2))
const("The estimate of cbrt: what a third of a double's upper word is subtracted from, for the reciprocal of the root.",
      "CBRT_ESTIMATE", to_double(mpf(1023) * 2**20 * 4 / 3 - mpf(2) ** 20 * mpf("0.0450465") * 4 / 3))
pair("ln 2", "LN_2", ln(2))
pair("log10 2", "LOG10_2", log(2, 10))

polynomial("`(e^r - 1 - r) / r²` on |r| <= 0.35, of e^r - 1.", "EXPM1",
           series(factorial_series(2, 1, 1), 0.01, lambda r: (expm1(r) - r) / r**2),
           mpf("-0.35"), mpf("0.35"), 9, lambda r, d: d * r)
edge = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * mpf("1.0001")
polynomial("`(2 atanh(s) / s - 2) / s²` in s², s = (m - 1) / (m + 1) for m from √½ to √2, of log m.", "LOG",
           series([mpf(2) / (2 * k + 3) for k in range(60)], 0.001,
                  lambda u: (2 * atanh(sqrt(u)) / sqrt(u) - 2) / u),
           0, edge, 6, lambda u, d: d * u / 2)
edge = (pi / 4) ** 2 * mpf("1.0001")
polynomial("`(sin r - r) / r³` in r², |r| <= pi / 4, of sin r.", "SIN",
           series([-t for t in factorial_series(3, 2, -1)], 0.01, lambda u: (sin(sqrt(u)) / sqrt(u) - 1) / u),
           0, edge, 5, lambda u, d: d * u)
polynomial("`(cos r - 1 + r² / 2) / r⁴` in r², |r| <= pi / 4, of cos r.", "COS",
           series(factorial_series(4, 2, -1), 0.01, lambda u: (cos(sqrt(u)) - 1 + u / 2) / u**2),
           0, edge, 5, lambda u, d: d * u**2 / cos(sqrt(u)))
edge = (sqrt(2) - 1) ** 2 * mpf("1.0001")
polynomial("`(atan t - t) / t³` in t², |t| <= tan(pi / 8), of atan t.", "ATAN",
           series([-((-1) ** k) / mpf(2 * k + 3) for k in range(80)], 0.001,
                  lambda u: (atan(sqrt(u)) / sqrt(u) - 1) / u),
           0, edge, 10, lambda u, d: d * u)
erf_terms, f = [], mpf(1)
for k in range(40):
    erf_terms.append(2 / sqrt(pi) * (-1) ** k / (f * (2 * k + 1)))
    f *= k + 1
polynomial("`erf(x) / x` in x², |x| <= 1.", "ERF", series(erf_terms, 0.01, lambda u: erf(sqrt(u)) / sqrt(u)),
           0, 1, 12, lambda u, d: d / series(erf_terms, 0.01, lambda u: erf(sqrt(u)) / sqrt(u))(u))


def scaled_erfc(t):
    x = 4 * (1 + t) / (1 - t)
    return exp(x * x) * erfc(x) * (1 + 2 * x)


low, high = [(x - 4) / (x + 4) for x in (mpf(1), mpf(15))]
polynomial("`e^(x²) erfc(x) (1 + 2 x)` in t = (x - 4) / (x + 4), x from 1 to 15.", "ERFC", scaled_erfc, low, high, 19,
           lambda t, d: d / scaled_erfc(t))
polynomial("Γ(5/2 + v), |v| <= 1/2.", "GAMMA", lambda v: gamma(v + mpf(5) / 2), -0.5, 0.5, 16,
           lambda v, d: d / gamma(v + mpf(5) / 2))


def lgamma_quotient(v):
    d = v + mpf(1) / 2
    if abs(d) < mpf(10) ** -30 or abs(d - 1) < mpf(10) ** -30:
        return psi(0, 1) / -1 if d < 0.5 else psi(0, 2)
    return ln(gamma(1 + d)) / (d * (d - 1))


polynomial("`ln Γ(1 + d) / (d (d - 1))` in v = d - 1/2, |v| <= 1/2.", "LGAMMA", lgamma_quotient, -0.5, 0.5, 20,
           lambda v, d: d / lgamma_quotient(v))


def stirling_rest(u):
    if u == 0:
        return mpf(1) / 12
    x = 1 / sqrt(u)
    return (loggamma(x) - (x - 0.5) * ln(x) + x - ln(2 * pi) / 2) * x


polynomial("`x (ln Γ(x) - (x - 1/2) ln x + x - ln(2 pi) / 2)` in 1 / x², x >= 9, of ln Γ(x).", "STIRLING_REST",
           stirling_rest, 0, mpf(1) / 81, 4,
           lambda u, d: d * sqrt(u) / (loggamma(1 / sqrt(u)) if u else inf))

# 2 / pi without what makes multiples of 4 with numbers of exponent 24 + i, in three words: 29 bits, 29 bits, the rest.
rows = []
for i in range(104):
    e = 24 + i
    unit = mpf(2) ** (25 - e)
    rest = 2 / pi
    if i:
        rest -= floor(rest / unit) * unit
    row = []
    for last in (-4 - e, -33 - e):
        unit = mpf(2) ** last
        head = floor(rest / unit) * unit
        row.append(to_double(head))
        assert mpf(row[-1]) == head
        rest -= head
    rows.append(row + [to_double(rest)])
for word, name in enumerate(("HI", "MID", "LO")):
    table("2/pi for inputs of exponent 24 + i, without the bits that make multiples of 4 with them: word %d." % (word + 1),
          "TWO_OVER_PI_" + name, [row[word] for row in rows])
