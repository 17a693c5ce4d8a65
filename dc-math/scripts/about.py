"""The documentation of each function: its largest error, where, its bound, its time.

    cargo test -p dc-math --features mpfr --test promises -- --nocapture > promises.txt
    cargo bench -p dc-math --bench math > bench.txt
    python3 dc-math/scripts/about.py promises.txt bench.txt > dc-math/src/about.rs

The bounds are those of the table in docs/book/src/evidence/math.md.
"""

import math
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What is known without a search.
RIGHT = "Correctly rounded."
# The certificates (dc-math/tests/promises/ranges.rs), where they are not for all finite arguments.
CERTIFIED = {
    "atan2": "at most 0.51 ULP for all pairs",
    "hypot": "at most 0.50000000000001 ULP for all pairs of finite numbers",
    "lgamma": "at most 0.55 ULP for positive arguments",
    "pow": "at most 0.55 ULP for all pairs but those next to the limit of infinite results",
    "powr": "at most 0.55 ULP for all pairs but those next to the limit of infinite results",
}
KNOWN = [
    *(("F32", name, "The error is at most 0.5 + 2^-26 ULP.") for name in ["atan2", "pow", "powr"]),
    *(("F32", name, RIGHT) for name in ["div", "hypot", "recip", "sqrt"]),
    *(("F64", name, RIGHT) for name in ["div", "recip", "sqrt"]),
]


def found(text):
    """(error, where) of each function in binary64."""
    one = re.findall(r"^(\w+): ([\d.]+) ULP at ([^,(]+), of", text, re.M)
    two = re.findall(r"^(\w+): ([\d.]+) ULP at (\([^)]*\)), of", text, re.M)
    return {name: (float(error), at) for name, error, at in one + two}


def value(number):
    """An end of a range."""
    return {"largest": math.inf, "-largest": -math.inf}.get(number) or float(number)


def bounds(text):
    """(inputs, bound) of each function in binary64: ranges that follow one another are one."""
    rows = re.findall(r"^\| `f64::(\w+)` \| (\S+) to (\S+) \| ([\d.]+) \|.*a bound of at most", text, re.M)
    found = {}
    for name in sorted({name for name, *_ in rows}):
        ranges = sorted((value(low), value(high), low, high, float(bound)) for n, low, high, bound in rows if n == name)
        joined = [list(ranges[0][2:4])]
        reach = ranges[0][1]
        for first, last, low, high, _ in ranges[1:]:
            if first > reach:
                joined.append([low, high])
            elif last > reach:
                joined[-1][1] = high
            reach = max(reach, last)
        found[name] = (" and ".join(" to ".join(r) for r in joined), max(r[4] for r in ranges))
    return found


def times(text):
    """(ns in slices, ns of one) of each function of a format."""
    rows = re.findall(r"^\| `(f\d\d)::(\w+)` \| ([\d.]+) \| ([\d.]+) \|", text, re.M)
    return {(number, name): (of, one) for number, name, of, one in rows}


def short(number):
    """A number of the tests in fewer digits."""
    return re.sub(r"-?\d[\d.]*(?:e-?\d+)?", lambda m: f"{float(m[0]):.5g}", number)


def up(error):
    """Four digits, rounded up."""
    return f"{-(-error * 1e4 // 1) / 1e4:.4f}"


def arm(kind, name, sentences):
    return f"    ({kind} {name}) => {{\n        {chr(34)}\\n\\n{' '.join(sentences)}{chr(34)}\n    }};\n"


def certified(name, proven):
    """The sentence on certificates, and on the smaller bound of a range."""
    sentence = "Certified: " + CERTIFIED.get(name, "at most 0.55 ULP for all finite arguments in the domain")
    if name in proven:
        inputs, bound = proven[name]
        sentence += f", {up(bound)} ULP for {inputs}"
    command = "crunch bound hypot" if name == "hypot" else f"cargo xtask math --bounds --only f64::{name}"
    return f"{sentence} (`{command}`)."


def main():
    promises, bench = (Path(p).read_text() for p in sys.argv[1:3])
    errors, ns = found(promises), times(bench)
    proven = bounds((ROOT / "docs/book/src/evidence/math.md").read_text())

    def time(number, name):
        if (number, name) not in ns:
            return []
        of, one = ns[number, name]
        return [f"Time: {of} ns per number in slices, {one} ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."]

    print("//! What is known about each function, for its documentation. `scripts/about.py` writes this file.\n")
    print("/// The documentation of a function after its first line.")
    print("macro_rules! about {")
    functions = sorted(set(errors) | {name for number, name in ns if number == "f64"})
    known = {name for kind, name, _ in KNOWN if kind == "F64"}
    for name in [f for f in functions if f not in known]:
        sentences = []
        if name in errors:
            error, at = errors[name]
            sentences.append(f"Largest error found: {up(error)} ULP, at {short(at)}.")
        sentences.append(certified(name, proven))
        print(arm("F64", name, sentences + time("f64", name)), end="")
    for name in sorted({name for number, name in ns if number == "f32"}):
        search = f"None of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::{name}`)."
        print(arm("F32", name, [search] + time("f32", name)), end="")
    for kind, name, sentence in KNOWN:
        print(arm(kind, name, [sentence]), end="")
    print('    (F64 $name:ident) => {\n        ""\n    };')
    print('    (F32 $name:ident) => {\n        concat!("\\n\\nNo input is misrounded (`cargo xtask math --quick --only f32::", stringify!($name), "`).")\n    };')
    print('    ($kind:ident $name:ident) => {\n        "\\n\\nCorrectly rounded at all inputs."\n    };\n}\npub(crate) use about;')


main()
