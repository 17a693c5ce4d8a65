"""The constants of sweeps/exp: ln 2 in words for the reduction, 2^(i/128) in three words, 1/6 and 1/120 in two.

    python3 dc-runtime/scripts/exp_constants.py > dc-runtime/src/sweeps/exp/constants.rs

Needs mpmath (1.3.0 was used).
"""

import struct

from mpmath import floor, log, mp, mpf

mp.prec = 500
N = 128


def to_double(x):
    """x to nearest even, as a double: mpmath rounds to 53 bits like the format does, away from its edges."""
    saved = mp.prec
    mp.prec = 53
    y = float(+x)
    mp.prec = saved
    return y


def words(x, count):
    out = []
    for _ in range(count):
        w = to_double(x)
        out.append(w)
        x -= mpf(w)
    return out


def cut(x, bits):
    """x without what lies below 2^-bits of its own leading bit, and the rest."""
    e = 0
    while mpf(2) ** e <= x:
        e += 1
    while mpf(2) ** e > x:
        e -= 1
    unit = mpf(2) ** (e + 1 - bits)
    head = floor(x / unit) * unit
    return head, x - head


def bits(x):
    n = "%016x" % struct.unpack("<Q", struct.pack("<d", x))[0]
    return "f64::from_bits(0x%s)" % "_".join(n[i : i + 4] for i in range(0, 16, 4))


def const(doc, name, x):
    print("/// %s" % doc)
    print("pub(super) const %s: f64 = %s; // %r" % (name, bits(x), x))


print("//! Written by `scripts/exp_constants.py`: change it there.")
print()
step = log(2) / N
const("128 / ln 2.", "STEPS", to_double(1 / step))
head, rest = cut(step, 35)
const("ln 2 / 128: its first 35 bits,", "STEP_1", to_double(head))
head, rest = cut(rest, 35)
const("the next 35 that are not all 0,", "STEP_2", to_double(head))
const("and the rest, rounded.", "STEP_3", to_double(rest))
for name, n in (("SIXTH", 6), ("HUNDRED_TWENTIETH", 120)):
    hi, lo = words(mpf(1) / n, 2)
    const("1 / %d in two words." % n, name + "_HI", hi)
    const("1 / %d in two words." % n, name + "_LO", lo)
table = [words(mpf(2) ** (mpf(i) / N), 3) for i in range(N)]
for word, name in enumerate(("HI", "MID", "LO")):
    print()
    print("/// 2^(i/128) in three words: word %d." % (word + 1))
    print("pub(super) const POWERS_%s: [f64; %d] = [" % (name, N))
    for row in table:
        print("    %s," % bits(row[word]))
    print("];")
