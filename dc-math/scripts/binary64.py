"""Writes dc-math/src/f64/tables.rs: powers of two, reciprocals with their logarithms, sines, angles, and constants in two words; and pieces.rs and
gamma_pieces.rs: polynomials of error functions and gamma functions.

    python3 dc-math/scripts/binary64.py
"""

import os
import struct
import sys

from mpmath import atan, cos, erf, erfc, euler, exp, floor, log, loggamma, lu_solve, matrix, mp, mpf, nint, pi, sin, sqrt

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "dc-runtime", "scripts"))
from doubles import hexadecimal, to_double, words

mp.prec = 400


def bits(x):
    return hexadecimal(to_double(x))


def number(x):
    return struct.unpack("<d", struct.pack("<Q", x))[0]


def multiple(x, places):
    """The multiple of 2^-places nearest to x."""
    return nint(x * mpf(2) ** places) / mpf(2) ** places


def leading(x, digits):
    """x rounded to so many binary digits."""
    return multiple(x, digits - 1 - int(floor(log(x, 2))))


def interpolation(f, low, high, n):
    """The polynomial with n coefficients, the lowest power first, that is f at Chebyshev's nodes of an interval."""
    middle, half = (mpf(low) + mpf(high)) / 2, (mpf(high) - mpf(low)) / 2
    nodes = [half * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    powers = matrix(n, n)
    for i in range(n):
        for k in range(n):
            powers[i, k] = nodes[i] ** k
    about_middle = list(lu_solve(powers, matrix([f(middle + x) for x in nodes])))
    return about_middle


out = ["//! Written by `scripts/binary64.py`: change it there."]


def constant(doc, name, x):
    line = "pub(super) const %s: f64 = f64::from_bits(%s); // %s" % (name, bits(x), float(x).hex())
    out.append("\n/// %s\n%s" % (doc, line))


def polynomial(doc, name, coefficients):
    lines = "".join("    f64::from_bits(%s),\n" % bits(c) for c in coefficients)
    out.append("\n/// %s\npub(super) const %s: [f64; %d] = [\n%s];" % (doc, name, len(coefficients), lines))


def table(doc, name, entries, kind="f64"):
    wrap = "f64::from_bits(%s)" if kind == "f64" else "%s"
    lines = "".join("    %s,\n" % (wrap % bits(x)) for x in entries)
    out.append("\n/// %s\npub(super) static %s: [%s; %d] = [\n%s];" % (doc, name, kind, len(entries), lines))


# Exponentials: 16 powers.
powers = [mpf(2) ** (mpf(j) / 16) for j in range(16)]
table("2^(j/16), as bits.", "POWERS", powers, "u64")
table("What the powers lack, as a part of them.", "TAILS", [p / mpf(float(p)) - 1 for p in powers])
step = log(2) / 16
constant("16 / ln 2.", "STEPS", 1 / step)
constant("ln 2 / 16: its first 37 bits,", "STEP_HI", leading(step, 37))
constant("and the rest.", "STEP_LO", step - leading(step, 37))
step = log(2) / log(10) / 16
constant("16 log2 10.", "STEPS_10", 1 / step)
constant("log10 2 / 16: its first 37 bits,", "STEP_10_HI", leading(step, 37))
constant("and the rest times ln 10.", "STEP_10_LO", (step - leading(step, 37)) * log(10))
for name, x in (("2", log(2)), ("10", log(10))):
    for word, value in zip(("HI", "LO"), words(x, 2)):
        constant("ln %s, %s word." % (name, "first" if word == "HI" else "second"), "LN_%s_%s" % (name, word), value)
constant("ln 2^-1022: below it, e^x is subnormal.", "LEAST", -1022 * log(2))
constant("The same for 10^x.", "LEAST_10", -1022 * log(2) / log(10))

# Logarithms: 16 cells of the fraction, the first from here.
START = 0x3FF0000000000000 - (10 << 48) - (1 << 47)
factors = []
for j in range(16):
    low, high = number(START + (j << 48)), number(START + ((j + 1) << 48))
    # The cell of 1 and the one below have no logarithm of their own.
    if low <= 1 <= high or high == 1 - 2.0**-6:
        factors.append(1.0)
        continue
    # m c - 1 is exact: 53 bits.
    unit = 2.0**-5 if low > 1 else 2.0**-4
    near = [k * unit for k in range(1, 64)]
    factors.append(min(near, key=lambda c: max(abs(low * c - 1), abs(high * c - 1))))
table("Factors near 1/m of the 16 cells; m c - 1 has 53 bits, and is below 2^-4.4.", "FACTORS", factors)
# `crunch design log1p --precision f64 --range=-0.047..0.047 --within 0.54ulp`: from the square to the twelfth power.
SERIES = """bfe0000000000000 3fd5555555555557 bfd000000000000c 3fc999999999416f bfc555555553c62d 3fc249249525ba31
bfc0000008ec01cf 3fbc71b2a23f0ef6 bfb9996cc470e48f 3fb766d759f2d11f bfb586ad5443d486"""
series = [number(int(w, 16)) for w in SERIES.split()]
for name, base, unit in (("LN", "ln", mpf(1)), ("LOG2", "log2", 1 / log(2)), ("LOG10", "log10", 1 / log(10))):
    logs = [-log(mpf(c)) * unit for c in factors]
    table("-%s of the factors: multiples of 2^-42," % base, name + "_HI", [multiple(v, 42) for v in logs])
    table("and the rest.", name + "_LO", [v - multiple(v, 42) for v in logs])
    coefficients = ["    f64::from_bits(%s),\n" % bits(mpf(c) * unit) for c in series]
    doc = "%s(1 + r) less its first term, divided by r²; the lowest power first." % base
    out.append("\n/// %s\npub(super) const %s_SERIES: [f64; 11] = [\n%s];" % (doc, name, "".join(coefficients)))
    if name != "LOG2":
        two = log(2) * unit
        constant("%s 2: a multiple of 2^-42," % base, name + "_2_HI" if name != "LN" else "TWO_HI", multiple(two, 42))
        constant("and the rest.", name + "_2_LO" if name != "LN" else "TWO_LO", two - multiple(two, 42))
    if name != "LN":
        hi, lo = words(unit, 2)
        constant("%s e, first word." % base, name + "_E_HI", hi)
        constant("Its second word.", name + "_E_LO", lo)

# Powers: factors with smaller r in the same cells.
fine = []
for j in range(16):
    low, high = number(START + (j << 48)), number(START + ((j + 1) << 48))
    if low <= 1 <= high:
        fine.append(1.0)
        continue
    best = None
    for places in range(3, 9):
        for k in range(2**places // 2, 2**places * 2):
            c = k / 2.0**places
            largest = max(abs(low * c - 1), abs(high * c - 1))
            # m c - 1 is exact: its unit is that of m and of c, and it has 53 bits.
            exact = largest <= 2.0**53 * (2.0**-53 if low < 1 else 2.0**-52) * 2.0**-places
            if exact and (best is None or largest < best[0] - 1e-12):
                best = (largest, c)
    fine.append(best[1])
table("Factors near 1/m of the same cells; m c - 1 has 53 bits, and is below 2^-4.8.", "FINE_FACTORS", fine)
logs = [-log(mpf(c)) for c in fine]
table("-ln of these factors: multiples of 2^-42,", "FINE_HI", [multiple(v, 42) for v in logs])
table("and the rest.", "FINE_LO", [v - multiple(v, 42) for v in logs])
LARGEST = 0.0341796875
polynomial(
    "ln(1 + r) less r - r²/2 + r³/3, divided by r⁴; the lowest power first.",
    "FINE_SERIES",
    interpolation(lambda r: (log(1 + r) - r + r**2 / 2 - r**3 / 3) / r**4 if abs(r) > mpf(10) ** -30 else mpf(-1) / 4, -LARGEST, LARGEST, 9),
)
constant("What 1/3 is more than the double next to it.", "THIRD_LO", mpf(1) / 3 - mpf(1.0 / 3))

# Cube roots: those of the inverse factors, and of the powers of two that the exponent's remainder leaves.
def root(x):
    return mpf(x) ** (mpf(1) / 3)


for doc, name, entries in (
    ("The cube roots of the inverses of the fine factors.", "ROOTS", [root(1 / mpf(c)) for c in fine]),
    ("The cube roots of 1, 2 and 4.", "TWOS", [root(2**j) for j in range(4)]),
):
    table(doc, name + "_HI", entries)
    table("Its second word.", name + "_LO", [v - mpf(float(v)) for v in entries])
polynomial(
    "The cube root of 1 + r, less 1, divided by r; the lowest power first.",
    "ROOT_SERIES",
    interpolation(lambda r: (root(1 + r) - 1) / r if abs(r) > mpf(10) ** -40 else mpf(1) / 3, -LARGEST, LARGEST, 10),
)

# Sine and cosine: 32 places of the circle.
step = pi / 16
constant("16 / π.", "PLACES", 1 / step)
constant("π / 16: its first 38 bits,", "PLACE_1", leading(step, 38))
rest = step - leading(step, 38)
constant("the next 38,", "PLACE_2", leading(rest, 38))
constant("and the rest.", "PLACE_3", rest - leading(rest, 38))
for word, value in zip(("HI", "LO"), words(pi / 2, 2)):
    constant("π / 2, %s word." % ("first" if word == "HI" else "second"), "HALF_PI_%s" % word, value)
sines = [mpf(0) if j % 16 == 0 else sin(j * step) for j in range(32)]
table("sin(j π/16).", "SINES_HI", sines)
table("Its second word.", "SINES_LO", [v - mpf(float(v)) for v in sines])

# Inverse functions: 16 angles, and what π/2 is more than these.
angles = [atan(mpf(j) / 16) for j in range(16)]
angles += [pi / 2 - a for a in angles]
table("atan(j/16), and π/2 less it.", "ANGLES_HI", angles)
table("Its second word.", "ANGLES_LO", [v - mpf(float(v)) for v in angles])
# With a factor h⁴, the error alternates if the values are right at these places.
largest = (pi / 32) ** 2
places = [largest * mpf(p) / 100 for p in (43, 77, 97)]
powers = matrix([[z**k for k in range(3)] for z in places])
values = matrix([(cos(sqrt(z)) - 1 + z / 2) / z**2 for z in places])
polynomial("(cos h - 1 + h²/2) / h⁴ in h², for |h| up to π/32.", "QUARTIC", list(lu_solve(powers, values)))

for text, name, x in (("π", "PI", pi), ("1 / π", "INVERSE_PI", 1 / pi)):
    for word, value in zip(("HI", "LO"), words(x, 2)):
        constant("%s, %s word." % (text, "first" if word == "HI" else "second"), "%s_%s" % (name, word), value)

constant("What 3/5 is more than the double next to it.", "THREE_FIFTHS_LO", mpf(3) / 5 - mpf(0.6))
for text, name, x in (
    ("12.92", "SLOPE_OF_SRGB", mpf("12.92")),
    ("1 / 12.92", "INVERSE_SLOPE", 1 / mpf("12.92")),
    ("0.055", "OFFSET", mpf("0.055")),
    ("1.055", "FACTOR", mpf("1.055")),
    ("1 / 1.055", "INVERSE_FACTOR", 1 / mpf("1.055")),
    ("12/5", "EXPONENT", mpf(12) / 5),
    ("5/12", "INVERSE_EXPONENT", mpf(5) / 12),
):
    for word, value in zip(("HI", "LO"), words(x, 2)):
        constant("%s, %s word." % (text, "first" if word == "HI" else "second"), "%s_%s" % (name, word), value)
for word, value in zip(("HI", "LO"), words(log(2 * pi) / 2 - mpf(1) / 2, 2)):
    constant("ln √(2π) - 1/2, %s word." % ("first" if word == "HI" else "second"), "STIRLING_%s" % word, value)
constant("2 / √π, first word.", "SLOPE_HI", words(2 / sqrt(pi), 2)[0])
constant("2 / √π, second word.", "SLOPE_LO", words(2 / sqrt(pi), 2)[1])


def write(name, lines):
    with open(os.path.join(HERE, "..", "src", "f64", name), "w") as file:
        file.write("\n".join(lines) + "\n")


write("tables.rs", out)

# Polynomials of 16 cells.
rows = []


def begin():
    rows[:] = [
        "//! Written by `scripts/binary64.py`: change it there. Polynomials in the distance from the middle of each of 16 cells.",
        "#![allow(clippy::unreadable_literal, clippy::approx_constant, reason = \"they are what a program writes\")]",
    ]


def row(name, entries):
    numbers = [repr(float(x)) for x in entries]
    lines = "".join("    %s,\n" % ", ".join(numbers[i : i + 4]) for i in range(0, 16, 4))
    rows.append("#[rustfmt::skip]\npub(super) static %s: [f64; 16] = [\n%s];" % (name, lines))


def pieces(doc, name, f, cells, n, twice, middles=True):
    """The coefficients of x^0 to x^(n - 1) in each cell, the first ones in two words."""
    rows.append("\n// %s" % doc)
    found = []
    for middle, half in cells:
        if middle == 0:
            # An odd function.
            odd = interpolation(lambda x: f(x) / x if x != 0 else 2 / sqrt(pi), -half, half, n - 1)
            found.append([mpf(0)] + [c if k % 2 == 0 else mpf(0) for k, c in enumerate(odd)])
        else:
            found.append(interpolation(f, middle - half, middle + half, n))
    if middles:
        row(name + "_MIDDLES", [middle for middle, _ in cells])
    for k in range(n):
        row("%s_%d" % (name, k), [c[k] for c in found])
        if k < twice:
            row("%s_%d_LOW" % (name, k), [c[k] - mpf(float(c[k])) for c in found])


def cells(start):
    """The cells of numbers whose sum with `start` has one exponent and two more digits, from that number on."""
    begin = struct.unpack("<Q", struct.pack("<d", float(start)))[0]
    ends = [mpf(number(begin + (j << 50))) - start for j in range(17)]
    return [((a + b) / 2, (b - a) / 2) for a, b in zip(ends, ends[1:])]


def even(start, width):
    """Cells of one width."""
    return [(start + (j + mpf(1) / 2) * width, width / 2) for j in range(16)]


# Error functions.
begin()
width = mpf(3) / 8
pieces("erf", "ERF", erf, [(j * width, width / 2) for j in range(16)], 14, 3)
pieces("e^(x²) erfc x", "ERFC", lambda x: exp(x * x) * erfc(x), cells(2), 16, 3)
pieces("e^(x²/2) erfc(x / √2) / 2", "NORMAL", lambda x: exp(x * x / 2) * erfc(x / sqrt(mpf(2))) / 2, cells(3), 16, 3)
write("pieces.rs", rows)


def stirling(u):
    """ln Γ(1 / u) less Stirling's formula."""
    if u < mpf(10) ** -8:
        return u / 12 - u**3 / 360 + u**5 / 1260 - u**7 / 1680
    return loggamma(1 / u) - ((1 / u - mpf(1) / 2) * log(1 / u) - 1 / u + log(2 * pi) / 2)


def between(d):
    """ln Γ(1 + d) / (d (d - 1)), by its slopes next to its two removable singularities."""
    if abs(d) < mpf(10) ** -40 or abs(d - 1) < mpf(10) ** -40:
        return euler if abs(d) < mpf(10) ** -40 else 1 - euler
    return loggamma(1 + d) / (d * (d - 1))


# Gamma functions.
begin()
pieces("Γ(1 / u) as a part of Stirling's formula", "GAMMA", lambda u: exp(stirling(u)), even(mpf(0), mpf(1) / 16), 9, 1, False)
pieces("its logarithm", "LOG_GAMMA", stirling, even(mpf(0), mpf(1) / 32), 8, 1, False)
pieces("ln Γ(1 + d) / (d (d - 1))", "BETWEEN", between, even(mpf(-1) / 2, mpf(1) / 8), 14, 2, False)
write("gamma_pieces.rs", rows)
