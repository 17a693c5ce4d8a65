"""Prints the minimax coefficients and the tables from which the constants in dc-math/src/f32 were made, and one polynomial of dc-math/src/f64, with the relative error of each.

    python3 dc-math/scripts/binary32.py

The constants there differ from these in last places. A search of all inputs found those at which the polynomial's double is within 2^-42 to 2^-46 of the middle of two floats,
and MPFR their results. Random changes of some last places, of one to four constants at a time, were kept where they did not increase the sum of what the doubles of wrong
results lack. It ended where no result was wrong, and the search of all inputs was repeated with the new constants.
"""

import struct

from mpmath import asin, atan, atan2, binomial, cos, cosh, e, floor, log, lu_solve, matrix, mp, mpf, pi, sin, sinh, sqrt, tan

mp.prec = 160


def bits(x):
    h = "%016x" % struct.unpack("<Q", struct.pack("<d", float(x)))[0]
    return "0x" + "_".join(h[i : i + 4] for i in range(0, 16, 4))


def tops(errors, number):
    """Where the largest error of each run of one sign is, of so many runs."""
    found = []
    for i, error in enumerate(errors):
        if found and errors[found[-1]] * error > 0:
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    while len(found) > number:
        found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
    return found


def exchange(f, weight, terms, low, high, points=800):
    """Coefficients c of the sum of c[i] x^i with the least largest weighted error from low to high (Remez 1934), and that error."""
    grid = [(low + high) / 2 - (high - low) / 2 * cos(pi * mpf(i) / points) for i in range(points + 1)]
    values = [(x, f(x), weight(x)) for x in grid]
    at = [values[(2 * i + 1) * points // (2 * (terms + 1))] for i in range(terms + 1)]
    for _ in range(20):
        a, b = matrix(terms + 1, terms + 1), matrix(terms + 1, 1)
        for i, (x, y, w) in enumerate(at):
            for j in range(terms):
                a[i, j] = w * x**j
            a[i, terms], b[i] = (-1) ** i, w * y
        solution = lu_solve(a, b)
        c = [solution[j] for j in range(terms)]
        errors = [w * (y - sum(k * x**j for j, k in enumerate(c))) for x, y, w in values]
        places = tops(errors, terms + 1)
        at = [values[i] for i in places]
        largest = max(abs(x) for x in errors)
        if largest < mpf("1.001") * min(abs(errors[i]) for i in places):
            break
    return c, largest


def rational(f, above, below, low, high, points=600):
    """Coefficients of p and q, of which the lowest of q is 1, with the least largest relative error of p / q, and that error: the exchange, with Newton's iteration for the error's size."""
    terms = above + below + 1
    grid = [(low + high) / 2 - (high - low) / 2 * cos(pi * mpf(i) / points) for i in range(points + 1)]
    values = [f(x) for x in grid]
    at = [(2 * i + 1) * points // (2 * (terms + 1)) for i in range(terms + 1)]
    size, q = mpf(0), [mpf(1)]
    sum_of = lambda c, x: sum(k * x**j for j, k in enumerate(c))
    for _ in range(12):
        for _ in range(8):
            a, b = matrix(terms + 1, terms + 1), matrix(terms + 1, 1)
            for i, (x, y) in enumerate((grid[k], values[k]) for k in at):
                for j in range(above + 1):
                    a[i, j] = x**j
                for j in range(1, below + 1):
                    a[i, above + j] = -y * (1 + (-1) ** i * size) * x**j
                a[i, terms] = -y * (-1) ** i * sum_of(q, x)
                b[i] = y * (1 + (-1) ** i * size)
            solution = lu_solve(a, b)
            p, q = [solution[j] for j in range(above + 1)], [mpf(1)] + [solution[above + j] for j in range(1, below + 1)]
            size += solution[terms]
        errors = [sum_of(p, x) / sum_of(q, x) / y - 1 for x, y in zip(grid, values)]
        at = tops(errors, terms + 1)
        largest = max(abs(x) for x in errors)
        if largest < mpf("1.001") * min(abs(errors[i]) for i in at):
            break
    return p, q, largest


def show(name, coefficients, error):
    print("%s, relative error 2^%.1f: %s" % (name, float(log(error, 2)), ", ".join(map(bits, coefficients))))


# Exponentials: (b^r - 1) / r.
for name, base in (("exp", e), ("exp2", mpf(2)), ("exp10", mpf(10))):
    half = log(2) / 32 / log(base)
    slope = lambda r: (base**r - 1) / r if r else log(base)
    show(name, *exchange(slope, lambda r: abs(r) * base**-r, 6, -half, half * mpf("1.0000001")))
print("powers:", ", ".join(bits(mpf(2) ** (mpf(j) / 16)) for j in range(16)))

# e^x - 1: ((e^r - 1) / r - 1) / r; the coefficient of r^0 is 1.
TINY = mpf(2) ** -60
half = log(2) / 32
curve = lambda r: ((e**r - 1) / r - 1) / r if abs(r) > TINY else mpf(1) / 2 + r / 6
c, error = exchange(curve, abs, 5, -half, half * mpf("1.0000001"))
show("expm1", [1] + c, error)

# Hyperbolic sine and cosine: (sinh(√z) / √z - 1) / z, and cosh(√z). The powers are those of the exponentials, halved, and their inverses.
curve = lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z if z > TINY else mpf(1) / 6
c, error = exchange(curve, lambda z: z, 2, mpf(0), half**2)
show("sinh, odd part", [1] + c, error)
show("cosh, even part", *exchange(lambda z: cosh(sqrt(z)), lambda z: 1, 3, mpf(0), half**2))

# Logarithms: (log(1 + r) / r - log b) / r; the coefficient of r^0 is the logarithm of the base.
FACTORS = [32, 33, 34, 35, 37, 38, 39, 41, 43, 44, 46, 49, 51, 54, 57, 60]
for name, base in (("log", e), ("log2", mpf(2)), ("log10", mpf(10))):
    unit = log(base)
    curve = lambda r: ((log(1 + r) / r - 1) / r if abs(r) > mpf(2) ** -40 else -mpf(1) / 2 + r / 3) / unit
    for function, terms in ((name, 6), (name + "(1 + x)", 7)):
        c, error = exchange(curve, lambda r: unit * abs(r), terms, mpf("-0.0342"), mpf("0.0342"))
        show(function, [1 / unit] + c, error)
    cells = [(mpf(j) * log(2) / 16 - log(mpf(f) / 32)) / unit for j, f in enumerate(FACTORS)]
    print("cells:", ", ".join(map(bits, cells)))

# Sine and cosine: sin(√z) / √z.
ratio = lambda z: sin(sqrt(z)) / sqrt(z) if z > 0 else mpf(1)
show("sin", *exchange(ratio, lambda z: 1 / ratio(z), 8, mpf(0), (pi / 2 * (1 + mpf(2) ** -10)) ** 2))

# Tangent: tan(√z) / √z, a quotient of polynomials.
p, q, error = rational(lambda z: tan(sqrt(z)) / sqrt(z) if z > 0 else mpf(1), 3, 3, mpf(0), (pi / 4 * (1 + mpf(2) ** -10)) ** 2)
show("tan, numerator", p, error)
show("tan, denominator", q, error)

# Arc sine and arc cosine: (asin(√z) / √z - 1) / z; the coefficient of z^0 is 1.
ratio = lambda z: asin(sqrt(z)) / sqrt(z)
c, error = exchange(lambda z: (ratio(z) - 1) / z, lambda z: z / ratio(z), 10, mpf(10) ** -12, mpf(1) / 4)
show("asin", [1] + c, error)

# Arc sine and arc cosine in binary64 (dc-math/src/f64/half_angle.rs, whose constants are these): ((asin(√z) / √z - 1) / z - 1/6) / z.
# Of small z the terms from z^2 on are summed.
rest = lambda z: sum(binomial(2 * k, k) / (mpf(4) ** k * (2 * k + 1)) * z ** (k - 2) for k in range(2, 14))
curve = lambda z: rest(z) if z < mpf(10) ** -6 else ((ratio(z) - 1) / z - mpf(1) / 6) / z
show("asin in binary64", *exchange(curve, lambda z: z**2 / ratio(z), 12, mpf(10) ** -12, mpf(1) / 4))

# Arc tangent: 16 angles, each between the angles at which 15 / (1 + x) is rounded to other integers, as rounded cosine and sine; (atan(√z) / √z - 1) / z.
turn = lambda n: atan(15 / n - 1)
angles = [pi / 2] + [(turn(n + mpf(1) / 2) + turn(n - mpf(1) / 2)) / 2 for n in range(1, 15)] + [mpf(0)]
cosines = [mpf(0)] + [mpf(float(cos(t))) for t in angles[1:]]
sines = [mpf(float(sin(t))) for t in angles]
print("cosines:", ", ".join(map(bits, cosines)))
print("sines:", ", ".join(map(bits, sines)))
print("angles:", ", ".join(bits(atan2(s, c)) for s, c in zip(sines, cosines)))
widest = max(turn(n - mpf(1) / 2) - turn(n + mpf(1) / 2) for n in range(1, 15)) / 2
curve = lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z if z > TINY else -mpf(1) / 3
c, error = exchange(curve, lambda z: z, 4, mpf(0), (tan(widest) * mpf("1.0001")) ** 2)
show("atan", [1] + c, error)

# Cube root. Read as a number, the bits of x give the line e + f for 2^e (1 + f); the line of the first estimate has -1/3 of its slope and a start for which
# the product t of x and the estimate's third power differs least from one factor. Then t^(-1/3), and t^(-2/3) with t = 1 - d next to 1.
of_line = lambda u: 2.0 ** int(floor(u)) * (1 + u - int(floor(u)))


def products(start, points=1200):
    t = [of_line(3 * i / points) * of_line(start - i / points) ** 3 for i in range(points)]
    return max(t) / min(t), start, min(t), max(t)


_, start, _, _ = min(products(-0.3 + k / 2000) for k in range(600))
_, start, low, high = min(products(start + k / 50000, 6000) for k in range(-60, 61))
print("cbrt, start: %.1f" % (2.0**23 + (127 * 4 / 3 + start) * 2**15 + 2**23 / 3))
margin = mpf(10) ** -5
c, error = exchange(lambda d: (1 - d) ** (-mpf(1) / 3), lambda d: (1 - d) ** (mpf(1) / 3), 4, 1 - high - margin, 1 - low + margin)
show("cbrt, step", c, error)
largest = 3 * error + mpf(2) ** -22
curve = lambda d: ((1 - d) ** (-mpf(2) / 3) - 1) / d if abs(d) > mpf(2) ** -40 else mpf(2) / 3
show("cbrt, last step", *exchange(curve, abs, 2, -largest, largest))
