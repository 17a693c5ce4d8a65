"""What the scripts of constants share: doubles, and how they print them."""

import struct

from mpmath import floor, mp, mpf


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
    return to_double(head), x - head


def hexadecimal(x):
    n = "%016x" % struct.unpack("<Q", struct.pack("<d", x))[0]
    return "0x" + "_".join(n[i : i + 4] for i in range(0, 16, 4))


def const(doc, name, x):
    print("/// %s" % doc)
    print("pub(super) const %s: f64 = f64::from_bits(%s); // %r" % (name, hexadecimal(x), x))


def pair(doc, name, x):
    hi, lo = words(x, 2)
    const(doc + ", first word.", name + "_HI", hi)
    const(doc + ", second word.", name + "_LO", lo)


def table(doc, name, values):
    """Four numbers in a line, by their bits; `doubles!` is in `builtins`."""
    print()
    print("/// %s" % doc)
    print("pub(super) const %s: [f64; %d] = doubles! {" % (name, len(values)))
    for i in range(0, len(values), 4):
        print("    %s" % " ".join(hexadecimal(x) for x in values[i : i + 4]))
    print("};")


def coefficients(doc, name, values):
    """A number in a line, with its decimals."""
    print()
    print("/// %s" % doc)
    print("pub(super) const %s: [f64; %d] = [" % (name, len(values)))
    for x in values:
        print("    f64::from_bits(%s), // %r" % (hexadecimal(x), x))
    print("];")
