"""Writes dc-math/src/f64/tables.rs: powers of two, reciprocals with their logarithms, sines, angles, and constants in two words.

    python3 dc-math/scripts/binary64.py
"""

import os
import struct
import sys

from mpmath import atan, floor, log, mp, mpf, nint, pi, sin

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


out = ["//! Written by `scripts/binary64.py`: change it there."]


def constant(doc, name, x):
    line = "pub(super) const %s: f64 = f64::from_bits(%s); // %s" % (name, bits(x), float(x).hex())
    out.append("\n/// %s\n%s" % (doc, line))


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
for text, name, x in (("π", "PI", pi), ("1 / π", "INVERSE_PI", 1 / pi)):
    for word, value in zip(("HI", "LO"), words(x, 2)):
        constant("%s, %s word." % (text, "first" if word == "HI" else "second"), "%s_%s" % (name, word), value)

path = os.path.join(HERE, "..", "src", "f64", "tables.rs")
with open(path, "w") as file:
    file.write("\n".join(out) + "\n")
