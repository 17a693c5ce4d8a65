"""Writes dc-math/src/f64/gamma_zeros.rs: the zeros of ln |Γ| between the poles, and polynomials next to them.

    python3 dc-math/scripts/gamma_zeros.py
"""

import os
import sys

from mpmath import cos, factorial, fabs, findroot, floor, log, loggamma, lu_solve, matrix, mp, mpf, nint, pi, polygamma, re

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "dc-runtime", "scripts"))
from doubles import to_double, words

mp.prec = 500

# The zeros next to -17 are the last ones to which a double is close.
ZEROS = 31
# Polynomials have so many coefficients. Two of them have two words.
COEFFICIENTS = 14
# They are for values up to this magnitude.
ZONE = mpf("0.51")
# Between the first two zeros, values are smaller than that.
SPLIT = -mpf(2) - mpf(39) / 64


def value(x):
    return re(loggamma(x))


def zero(k):
    """The zeros from the first one below -2 on: below -2, above -3, below -3, above -4, and so on."""
    n = (k + 4) // 2
    side = -1 if k % 2 == 1 else 1
    if k <= 2:
        return findroot(value, mpf("-2.457") if k == 1 else mpf("-2.7477"))
    # |Γ(-n + d)| = 1 / (n! d) and so on.
    d = side / factorial(n)
    for _ in range(200):
        last = d
        d = d * mp.exp(value(-n + d))
        if fabs(d - last) < fabs(d) * mpf(2) ** -480:
            break
    return -n + d


def end(z, low, high):
    """The distance from z, from low to high, at which the value leaves the zone."""
    for _ in range(80):
        middle = (low + high) / 2
        if fabs(value(z + middle)) < ZONE:
            low = middle
        else:
            high = middle
    return high


def ends(z, k):
    """The least and the largest distance from z for which the polynomial is used."""
    pole = -((k + 4) // 2) - z
    found = [end(z, mpf(0), pole * (1 - mpf(2) ** -30)), SPLIT - z if k <= 2 else end(z, mpf(0), -2 * pole)]
    return sorted(found)


def quotient(z, t, j):
    """s, where 1 + s = (x + j) (x + j + 1) / ((z + j) (z + j + 1)) for x = z + t."""
    return t * (2 * z + 2 * j + 1 + t) / ((z + j) * (z + j + 1))


def smooth(z, t, j):
    return (value(z + t) + log(1 + quotient(z, t, j))) / t


def taylor(z, j, n):
    """The series of the smooth part, in t: `value` is Σ ψ^(i-1)(z) t^i / i!, and both logarithms have series."""
    found = []
    for i in range(1, n + 1):
        both = sum((-1) ** (i + 1) / (mpf(i) * (z + p) ** i) for p in (j, j + 1))
        found.append(polygamma(i - 1, z) / factorial(i) + both)
    return found


def interpolation(z, j, low, high, n):
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = [middle + half * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    powers = matrix(n, n)
    for i in range(n):
        for e in range(n):
            powers[i, e] = nodes[i] ** e
    return list(lu_solve(powers, matrix([smooth(z, t, j) for t in nodes])))


rows = [
    "//! Written by `scripts/gamma_zeros.py`: change it there. The zeros of ln |Γ| from -2.4 to -17, in decreasing order, from number 1 on, and polynomials",
    "//! with 14 coefficients: ln |Γ| next to them without the logarithms of two poles, divided by the distance. Number 0 is not used.",
    "#![allow(clippy::unreadable_literal, clippy::approx_constant, reason = \"they are what a program writes\")]",
]


def row(doc, name, entries):
    entries = [entries[0]] + entries
    numbers = [repr(float(x)) for x in entries]
    lines = "".join("    %s,\n" % ", ".join(numbers[i : i + 4]) for i in range(0, 32, 4))
    rows.append("%s#[rustfmt::skip]\npub(super) static %s: [f64; 32] = [\n%s];" % ("\n// %s\n" % doc if doc else "", name, lines))


def main():
    zeros, centres, factors, found = [], [], [], []
    for k in range(1, ZEROS + 1):
        z = zero(k)
        j = int(floor(-z))
        low, high = ends(z, k)
        if k <= 4:
            p = interpolation(z, j, low, high, COEFFICIENTS)
        else:
            p = taylor(z, j, COEFFICIENTS)
        worst = 0
        for i in range(41):
            t = low + (high - low) * i / 40
            if t != 0:
                v = value(z + t)
                worst = max(worst, fabs((sum(c * t**e for e, c in enumerate(p)) - smooth(z, t, j)) * t / v))
        print(k, mp.nstr(z, 20), [mp.nstr(e, 5) for e in (low, high)], [mp.nstr(value(z + e), 4) for e in (low, high)], "2^%.1f" % float(log(worst, 2)), file=sys.stderr)
        zeros.append(words(z, 3))
        centres.append(words(2 * z + 2 * j + 1, 2))
        factors.append(words(1 / ((z + j) * (z + j + 1)), 2))
        found.append(p)
    for i, doc in enumerate(("the zeros z, in three words", "", "")):
        row(doc, "ZERO_%d" % (i + 1), [w[i] for w in zeros])
    for i, doc in enumerate(("2z + 2j + 1, where -j and -j - 1 are the poles next to z", "")):
        row(doc, ("CENTRE_HI", "CENTRE_LO")[i], [w[i] for w in centres])
    for i, doc in enumerate(("1 / ((z + j) (z + j + 1))", "")):
        row(doc, ("INVERSE_HI", "INVERSE_LO")[i], [w[i] for w in factors])
    for i in range(COEFFICIENTS):
        entries = [p[i] for p in found]
        row("the polynomial in x - z" if i == 0 else "", "SMOOTH_%d" % i, [to_double(c) for c in entries])
        if i < 2:
            row("", "SMOOTH_%d_LOW" % i, [to_double(c - mpf(to_double(c))) for c in entries])
    with open(os.path.join(HERE, "..", "src", "f64", "gamma_zeros.rs"), "w") as file:
        file.write("\n".join(rows) + "\n")


main()
