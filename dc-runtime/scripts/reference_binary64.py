"""The constants of builtins/reference/binary64, a file a family of functions: exp, log, trig, inverse, error, gamma, srgb.

    for f in exp log trig inverse error gamma srgb; do
        python3 dc-runtime/scripts/reference_binary64.py $f > dc-runtime/src/builtins/reference/binary64/${f}_constants.rs
    done

Needs mpmath (1.3.0 was used). Series are Taylor's, pieces interpolate at Chebyshev's nodes: their first coefficients in two
words, the rest rounded.
"""

import struct
import sys

from mpmath import atan, bernoulli, cos, erfc, exp, factorial, floor, log, loggamma, mp, mpf, nint, pi, rgamma, sin, sqrt

sys.dont_write_bytecode = True
from doubles import const, cut, pair, table, to_double, words

mp.prec = 1400


def tables(doc, names, rows):
    for i, name in enumerate(names):
        table("%s: word %d." % (doc, i + 1), name, [row[i] for row in rows])


def series(doc, name, terms, pairs):
    """The first `pairs` coefficients in two words, the rest rounded."""
    rows = [words(t, 2) for t in terms[:pairs]]
    tables("%s, first coefficients" % doc, (name + "_HI", name + "_LO"), rows)
    table("%s, further coefficients." % doc, name + "_TAIL", [to_double(t) for t in terms[pairs:]])


def interpolated(f, half, count):
    """The coefficients of the polynomial that is f at Chebyshev's nodes of [-half, half]."""
    nodes = [half * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    # Newton's divided differences, then their products multiplied out.
    differences = [f(x) for x in nodes]
    for k in range(1, count):
        for i in range(count - 1, k - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / (nodes[i] - nodes[i - k])
    terms = [mpf(0)] * count
    for d, x in zip(reversed(differences), reversed(nodes)):
        terms = [(terms[k - 1] if k else d) - x * terms[k] for k in range(count)]
    return terms


def pieces(doc, name, columns, pairs):
    """Polynomials side by side: first all their highest coefficients, at last their constants."""
    count = len(columns[0])
    rows = [words(c[k], 2) for k in reversed(range(pairs)) for c in columns]
    tail = [to_double(c[k]) for k in reversed(range(pairs, count)) for c in columns]
    table("%s, coefficients %d to %d from the highest down." % (doc, count - 1, pairs), name + "_TAIL", tail)
    tables("%s, coefficients %d to 0" % (doc, pairs - 1), (name + "_HI", name + "_LO"), rows)


def steps(doc, prefix, step):
    head, rest = cut(step, 35)
    const(doc + ": its first 35 bits,", prefix + "_1", head)
    head, rest = cut(rest, 35)
    const("the next 35 that are not all 0,", prefix + "_2", head)
    const("and the rest, rounded.", prefix + "_3", to_double(rest))


def exp_family():
    n = 128
    const("128 / ln 2.", "STEPS", to_double(n / log(2)))
    steps("ln 2 / 128", "STEP", log(2) / n)
    const("128 log2 10.", "STEPS_10", to_double(n * log(10, 2)))
    steps("log10 2 / 128", "STEP_10", log(2, 10) / n)
    pair("ln 2", "LN_2", log(2))
    pair("ln 10", "LN_10", log(10))
    for name, k in (("SIXTH", 6), ("HUNDRED_TWENTIETH", 120)):
        pair("1 / %d" % k, name, mpf(1) / k)
    tables("2^(i/128)", ("POWERS_HI", "POWERS_MID", "POWERS_LO"), [words(mpf(2) ** (mpf(i) / n), 3) for i in range(n)])


def log_family():
    unit = mpf(2) ** -42
    head = nint(log(2) / unit) * unit
    middle = nint((log(2) - head) / unit**2) * unit**2
    const("ln 2: a multiple of 2^-42,", "LN_2_1", to_double(head))
    const("one of 2^-84,", "LN_2_2", to_double(middle))
    const("and the rest.", "LN_2_3", to_double(log(2) - head - middle))
    pair("ln 2", "LN_2", log(2))
    pair("1 / ln 2", "LOG2_E", 1 / log(2))
    pair("1 / ln 10", "LOG10_E", 1 / log(10))
    # Entry i is for the numbers whose bits are i units of 2^-7 of a binade above those of an entry's beginning below √½;
    # 1 is such a beginning, too.
    first = (1023 << 52) - (75 << 45)
    rows = []
    for i in range(129):
        low, high = [mpf(struct.unpack("<d", struct.pack("<Q", first + (k << 45)))[0]) for k in (i, i + 1)]
        # Beside 1 it must be 1, so that nothing cancels there.
        r = mpf(1) if i in (74, 75) else nint(2 / (low + high) * 1024) / 1024
        assert abs(low * r - 1) < mpf(1) / 100 and abs(high * r - 1) < mpf(1) / 100
        value = -log(r)
        head = nint(value / unit) * unit
        middle = nint((value - head) / unit**2) * unit**2
        rows.append([to_double(x) for x in (r, head, middle, value - head - middle)])
    table("About 1 / m, of 10 bits, for m from √½ to √2.", "RECIPS", [r[0] for r in rows])
    tables("Minus its logarithm, a multiple of 2^-42, one of 2^-84, the rest", ("LOGS_1", "LOGS_2", "LOGS_3"),
           [r[1:] for r in rows])
    series("2 atanh(s) / s in s²", "ATANH", [mpf(2) / (2 * k + 1) for k in range(9)], 4)


def trig_family():
    pair("pi / 2", "HALF_PI", pi / 2)
    series("sin(t) / t in t²", "SIN", [(-1) ** k / factorial(2 * k + 1) for k in range(8)], 4)
    series("(cos t - 1) / t² in t²", "COS", [-((-1) ** k) / factorial(2 * k + 2) for k in range(7)], 3)
    rows = [words(sin(j * pi / 128), 2) + words(cos(j * pi / 128), 2) for j in range(33)]
    tables("sin and cos of j pi / 128, two words each", ("SINES_HI", "SINES_LO", "COSINES_HI", "COSINES_LO"), rows)
    # 2/pi for numbers of exponents 16 g - 16 to 16 g - 1: without what makes multiples of 4 with all of them. From 2^512 on
    # times 2^512, so that no word underflows.
    rows = []
    for g in range(65):
        rest = 2 / pi
        least = 16 * g - 16
        unit = mpf(2) ** (2 - (least - 52))
        rest -= floor(rest / unit) * unit
        rows.append(words(rest * (mpf(2) ** 512 if least >= 512 else 1), 5))
    tables("2/pi for exponents from 16 i - 16 on, without the bits that make multiples of 4 with such numbers, from 2^512 on "
           "times 2^512",
           ["TWO_OVER_PI_%d" % (i + 1) for i in range(5)], rows)


def inverse_family():
    pair("pi", "PI", pi)
    pair("pi / 2", "HALF_PI", pi / 2)
    pair("1 / pi", "RECIP_PI", 1 / pi)
    series("atan(t) / t in t²", "ATAN", [(-1) ** k / mpf(2 * k + 1) for k in range(9)], 4)
    tables("atan(j / 64)", ("ANGLES_HI", "ANGLES_LO"), [words(atan(mpf(j) / 64), 2) for j in range(65)])


def error_family():
    mp.prec = 320
    pair("√½", "SQRT_HALF", sqrt(mpf(1) / 2))
    series("erf(x) / x in x²", "ERF", [2 / sqrt(pi) * (-1) ** k / (factorial(k) * (2 * k + 1)) for k in range(27)], 15)

    def complement(q):
        a = 16 / q - 2
        return exp(a * a) * erfc(a) / q

    columns = [interpolated(lambda s: complement(j + s), mpf(1) / 2, 24) for j in range(1, 9)]
    pieces("e^(a²) erfc(a) / q in q - j, q = 16 / (a + 2), j from 1 to 8 side by side", "ERFC", columns, 16)


def gamma_family():
    mp.prec = 400
    pair("pi", "PI", pi)
    pair("ln(2 pi) / 2", "HALF_LN_2_PI", log(2 * pi) / 2)
    pair("ln(pi / 2) / 2", "HALF_LN_HALF_PI", log(pi / 2) / 2)
    half = mpf(1) / 2
    # 1 at 0, so that factorials are exact.
    terms = [mpf(1)] + interpolated(lambda v: (rgamma(1 + v) - 1) / v, half, 28)
    series("1 / Γ(1 + v) in v", "RECIP_GAMMA", terms, 18)
    series("ln Γ(2 + v) / v in v", "LN_GAMMA", interpolated(lambda v: loggamma(2 + v) / v, half, 38), 24)
    series("Stirling's series of x (ln Γ(x) - …) in 1 / x²", "STIRLING",
           [bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 17)], 6)


def srgb_family():
    pair("0.055", "OFFSET", mpf(55) / 1000)
    pair("1 / 1.055", "RECIP_SLOPE", 1000 / mpf(1055))
    pair("12.92", "LINEAR", mpf(1292) / 100)
    pair("1 / 12.92", "RECIP_LINEAR", 100 / mpf(1292))
    pair("0.4", "FOUR_TENTHS", mpf(4) / 10)
    pair("5 / 12", "FIVE_TWELFTHS", mpf(5) / 12)
    tables("2^(j/5)", ("FIFTHS_HI", "FIFTHS_LO"), [words(mpf(2) ** (mpf(j) / 5), 2) for j in range(5)])
    tables("1.055 * 2^(j/12)", ("TWELFTHS_HI", "TWELFTHS_LO"),
           [words(mpf(1055) / 1000 * mpf(2) ** (mpf(j) / 12), 2) for j in range(12)])


print("//! Written by `scripts/reference_binary64.py`: change it there.")
print()
families = {
    "exp": exp_family,
    "log": log_family,
    "trig": trig_family,
    "inverse": inverse_family,
    "error": error_family,
    "gamma": gamma_family,
    "srgb": srgb_family,
}
families[sys.argv[1]]()
