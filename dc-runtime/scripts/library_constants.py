"""The constants of sweeps/library: tables and fitted coefficients of the routines whose publications have no such numbers
in print. What fdlibm's and FreeBSD's sources state in their comments stands in the routines.

    python3 dc-runtime/scripts/library_constants.py FAMILY > dc-runtime/src/sweeps/library/FAMILY_constants.rs

FAMILY is `exp`, `log` or `sin`. Needs mpmath (1.3.0 was used).
"""

import sys

from mpmath import cos, exp, expm1, log, log1p, lu_solve, matrix, mp, mpf, nint, pi

sys.dont_write_bytecode = True
from doubles import coefficients, const, cut, table, to_double

mp.prec = 300
N = 128


def remez(f, weight, powers, a, b):
    """The coefficients of these powers whose sum is nearest to f, times the weight, on [a, b], and the largest error."""
    m = len(powers)
    size = weight
    # What is divided by the lowest power alternates; that power may change its sign at 0.
    weight = lambda x: -size(x) if x < 0 and powers[0] % 2 else size(x)
    # Away from 0, where all powers vanish.
    points = [(a + b) / 2 - (b - a) / 2 * cos(pi * (k + mpf(3) / 10) / (m + mpf(8) / 10)) for k in range(m + 1)]
    grid = [(a + b) / 2 - (b - a) / 2 * cos(pi * k / 400) for k in range(401)]
    grid = [x for x in grid if abs(x) > (b - a) / 10000]
    wanted = [weight(x) * f(x) for x in grid]
    basis = [[weight(x) * x**p for p in powers] for x in grid]
    for _ in range(12):
        rows = [[weight(x) * x**p for p in powers] + [(-1) ** i] for i, x in enumerate(points)]
        solved = lu_solve(matrix(rows), matrix([weight(x) * f(x) for x in points]))
        c, level = list(solved)[:m], abs(solved[m])
        errors = [w - sum(p * q for p, q in zip(c, row)) for w, row in zip(wanted, basis)]
        # The largest error of each stretch of one sign.
        runs = []
        for x, e in zip(grid, errors):
            if runs and (runs[-1][1] > 0) == (e > 0):
                if abs(e) > abs(runs[-1][1]):
                    runs[-1] = (x, e)
            else:
                runs.append((x, e))
        # Of more than are needed the smallest go, one at an end or two next to each other: the signs still alternate.
        while len(runs) > m + 1:
            i = min(range(len(runs)), key=lambda i: abs(runs[i][1]))
            if i in (0, len(runs) - 1) or len(runs) == m + 2:
                runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
            else:
                j = min(i - 1, i + 1, key=lambda i: abs(runs[i][1]))
                del runs[min(i, j) : max(i, j) + 1]
        assert len(runs) == m + 1, "no alternation"
        points = [x for x, _ in runs]
        most = max(abs(e) for _, e in runs)
        if most < level * (1 + mpf(10) ** -6):
            break
    return c, most


def rounded(f, weight, powers, a, b):
    """As `remez`, with coefficients that are doubles: each is rounded before those of higher powers are fitted."""
    found = []
    rest = f
    for i in range(len(powers)):
        c, _ = remez(rest, weight, powers[i:], a, b)
        found.append(to_double(c[0]))
        rest = lambda x, n=len(found): f(x) - sum(mpf(c) * x**p for c, p in zip(found[:n], powers))
    grid = [a + (b - a) * k / 1000 for k in range(1001)]
    return found, max(abs(weight(x) * rest(x)) for x in grid if x != 0)


def power_of_two(x):
    return "2^%.2f" % float(log(x, 2))


def exp_family():
    step = log(2) / N
    const("128 / ln 2.", "STEPS", to_double(1 / step))
    head, rest = cut(step, 36)
    const("ln 2 / 128: its first 36 bits,", "STEP_HI", head)
    const("and the rest, rounded.", "STEP_LO", to_double(rest))
    c, error = rounded(lambda r: expm1(r) - r, lambda r: mpf(1), [2, 3, 4, 5], -step / 2, step / 2)
    coefficients("e^r - 1 - r from r^2 on; absolute error %s for |r| <= ln 2 / 256." % power_of_two(error), "SERIES", c)
    powers = [mpf(2) ** (mpf(i) / N) for i in range(N)]
    # The powers themselves, rounded, are in the reference's file.
    tails = [to_double(p / mpf(to_double(p)) - 1) for p in powers]
    table("What 2^(i/128), rounded, must be multiplied by, less 1.", "TAILS", tails)


def first_in(a, b, m, w):
    """The least j >= 0 with (a j + b) mod m <= w, or None: the reduction of Euclid's algorithm."""

    def least(a, m, lo, hi):
        # The least j with lo <= a j mod m <= hi, 0 <= lo <= hi < m.
        if lo == 0:
            return 0
        a %= m
        if a == 0:
            return None
        j = -(-lo // a)
        if a * j <= hi:
            return j
        # a j - m k in [lo, hi] for the least k: m k mod a in [-hi, -lo].
        k = least(m, a, -hi % a, -lo % a)
        return None if k is None else -(-(lo + m * k) // a)

    lo, hi = -b % m, (-b + w) % m
    if lo > hi:
        return 0
    return least(a, m, lo, hi)


# Sums of 2^-43, below 1024, are exact.
GRID = 43


def near_inverse(center):
    """A double near 1 / center whose logarithm is within 2^-66 of a multiple of 2^-43, the nearest such of those above."""
    first = to_double(1 / center)
    unit = mpf(2) ** (-53 if first < 1 else -52)
    # In units of 2^-100, to first order; what is found is looked at in full.
    one = mpf(2) ** 100
    modulus = 1 << (100 - GRID)
    j = 0
    while True:
        x = mpf(first) + j * unit
        slope = int(nint(-unit / x * one))
        start = int(nint(-log(x) * one))
        window = 1 << (100 - 65)
        step = first_in(slope % modulus, (start + window) % modulus, modulus, 2 * window)
        # The second order moves the logarithm by less than 2^-67 in so many steps.
        step = min(step if step is not None else 1 << 19, 1 << 19)
        x = mpf(first) + (j + step) * unit
        y = -log(x)
        near = nint(y * 2**GRID) / 2**GRID
        if abs(y - near) < mpf(2) ** -66:
            return float(x), float(near)
        j += step + 1


def log_family():
    head, rest = cut(log(2), 42)
    const("ln 2: its first 42 bits,", "LN2_HI", head)
    const("and the rest, rounded.", "LN2_LO", to_double(rest))
    edge = mpf(1) / 256
    c, error = rounded(lambda r: log1p(r) - r, lambda r: mpf(1), [2, 3, 4, 5, 6], -edge, edge)
    coefficients("ln(1 + r) - r from r^2 on; absolute error %s for |r| <= 2^-8." % power_of_two(error), "SERIES", c)
    a, b = -mpf(2) ** -4, mpf(0x109) * mpf(2) ** -12
    c, error = rounded(lambda r: log1p(r) - r + r * r / 2, lambda r: 1 / abs(log1p(r)), list(range(3, 13)), a, b)
    coefficients(
        "ln(1 + r) - r + r^2 / 2 from r^3 on; error relative to ln(1 + r) %s for -2^-4 <= r <= 265/4096."
        % power_of_two(error),
        "NEAR_ONE",
        c,
    )
    pairs = []
    for i in range(N):
        # Of [0.6875, 1) in steps of 1/256, of [1, 1.375) in steps of 1/128.
        center = mpf(11) / 16 + (i + mpf(1) / 2) / 256 if i < 80 else 1 + (i - 80 + mpf(1) / 2) / 128
        pairs.append(near_inverse(center))
    table("Doubles near the inverses of the stretches' centers.", "INVERSES", [p[0] for p in pairs])
    table("The negated logarithms of these: multiples of 2^-43, within 2^-66.", "LOGS", [p[1] for p in pairs])


def sin_family():
    const("2 / pi.", "QUADRANTS", to_double(2 / pi))
    head, rest = cut(pi / 2, 43)
    const("pi / 2: its first 43 bits,", "HALF_PI_1", head)
    head, rest = cut(rest, 43)
    const("the next 43,", "HALF_PI_2", head)
    const("and the rest, rounded.", "HALF_PI_3", to_double(rest))


print("//! Written by `scripts/library_constants.py`: change it there.")
print()
{"exp": exp_family, "log": log_family, "sin": sin_family}[sys.argv[1]]()
