//! Random C functions of a float and an integer, of various widths: float and integer operations, branches, switches, tables of numbers and
//! of structures, local arrays at computed places, loops whose count is constant or depends on the input, calls, and results through
//! pointers. They contain nothing that C leaves undefined.

use std::fmt::Write as _;

/// The largest number of iterations of a loop whose count depends on the input.
pub const MOST: u32 = 4;

/// The beginning of every file.
const HEAD: &str = "#include <stdint.h>
#include <string.h>
static const double table[8] = {0.5, 1.0, -2.0, 3.25, 1e10, -0.125, 7.0, 1e-10};
static const int16_t shorts[8] = {1, -2, 300, -32768, 32767, 0, 77, -1};
static const uint8_t bytes[4] = {255, 0, 128, 17};
static const struct row { double x; uint16_t k; float y; int8_t z; uint64_t w; } rows[4] = {
  {1.5, 65535, 0.1f, -128, 1}, {-0.25, 3, -2e20f, 127, 1ull << 63}, {1e-300, 256, 3.5f, -1, 0x123456789abcdefull}, {0.0, 0, 1.0f, 5, ~0ull}};
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return x != x ? 0 : u; }
static uint32_t bitsf(float x) { uint32_t u; memcpy(&u, &x, 4); return x != x ? 0 : u; }
";

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // SplitMix64, public domain constants.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    fn double(&mut self, depth: u32) -> String {
        if depth == 0 {
            let k = self.below(64);
            return match self.below(4) {
                0 => format!("{}.{}", k, self.below(100)),
                1 => self.pick(&["x", "d[1]", "d[u % 3]", "g"]).into(),
                _ => self.pick(&["x", "a", "b"]).into(),
            };
        }
        let (p, q) = (self.double(depth - 1), self.double(depth - 1));
        match self.below(13) {
            0 | 1 => format!("({p} + {q})"),
            2 => format!("({p} - {q})"),
            3 | 4 => format!("({p} * {q})"),
            5 => format!("({p} / ({q} + 3.0))"),
            6 => format!("({} ? {p} : {q})", self.condition(depth - 1)),
            7 => format!("table[({}) & 7]", self.unsigned(depth - 1)),
            8 => format!("(double)({})", self.single(depth - 1)),
            9 => format!("rows[({}) & 3].x", self.unsigned(depth - 1)),
            10 => format!("(double)({})", self.wide(depth - 1)),
            11 => format!("(double)(int64_t)({})", self.wide(depth - 1)),
            _ => format!("(double)({})", self.integer(depth - 1)),
        }
    }
    fn single(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 => format!("{}.{}f", self.below(64), self.below(100)),
                _ => self.pick(&["g", "(float)a", "(float)x"]).into(),
            };
        }
        let (p, q) = (self.single(depth - 1), self.single(depth - 1));
        match self.below(9) {
            0 => format!("({p} + {q})"),
            1 => format!("({p} - {q})"),
            2 => format!("({p} * {q})"),
            3 => format!("({p} / ({q} + 3.0f))"),
            4 => format!("rows[({}) & 3].y", self.unsigned(depth - 1)),
            5 => format!("(float)({})", self.double(depth - 1)),
            6 => format!("(float)({})", self.wide(depth - 1)),
            7 => format!("(float)({})", self.integer(depth - 1)),
            _ => format!("(float)({})", self.unsigned(depth - 1)),
        }
    }
    fn unsigned(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(5) {
                0 => format!("{}u", self.next() as u32),
                1 => self.pick(&["s[0]", "s[3]", "s[n & 3]"]).into(),
                2 => self
                    .pick(&["(uint32_t)c", "(uint32_t)h", "(uint32_t)w"])
                    .into(),
                _ => self
                    .pick(&["u", "(uint32_t)n", "(uint32_t)bits(x)", "bitsf(g)"])
                    .into(),
            };
        }
        let (p, q) = (self.unsigned(depth - 1), self.unsigned(depth - 1));
        match self.below(17) {
            0 => format!("({p} + {q})"),
            1 => format!("({p} - {q})"),
            2 => format!("({p} * {q})"),
            3 => format!("({p} & {q})"),
            4 => format!("({p} | {q})"),
            5 => format!("({p} ^ {q})"),
            6 => format!("({p} << ({q} & 31))"),
            7 => format!("({p} >> ({q} & 31))"),
            8 => format!("({p} / ({q} | 1))"),
            9 => format!("({p} % ({q} | 1))"),
            10 => format!(
                "(uint32_t)(bits({}) >> {})",
                self.pick(&["x", "a", "b"]),
                self.below(40)
            ),
            11 => format!("(uint32_t)(((uint64_t){p} * {q}) >> {})", self.below(33)),
            12 => format!("(uint32_t)__builtin_clz({p} | 1)"),
            13 => format!("(uint32_t)__builtin_ctz({p} | 64)"),
            14 => format!("(uint32_t)__builtin_popcount({p})"),
            15 => format!(
                "(({p} << {0}) | ({p} >> {1}))",
                1 + depth * 7,
                31 - depth * 7
            ),
            _ => format!("rows[({p}) & 3].k"),
        }
    }
    fn wide(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 => format!("{}ull", self.next()),
                _ => self
                    .pick(&["w", "(uint64_t)n", "bits(a)", "(uint64_t)(int64_t)h"])
                    .into(),
            };
        }
        let (p, q) = (self.wide(depth - 1), self.wide(depth - 1));
        match self.below(15) {
            0 => format!("({p} + {q})"),
            1 => format!("({p} - {q})"),
            2 => format!("({p} * {q})"),
            3 => format!("({p} & {q})"),
            4 => format!("({p} ^ {q})"),
            5 => format!("({p} << ({q} & 63))"),
            6 => format!("({p} >> ({q} & 63))"),
            7 => format!("(uint64_t)((int64_t){p} >> ({q} & 63))"),
            8 => format!("(uint64_t)(((unsigned __int128){p} * {q}) >> 64)"),
            9 => format!("(uint64_t)__builtin_clzll({p} | 1)"),
            10 => format!("(uint64_t)__builtin_ctzll({p} | 4096)"),
            11 => format!("(uint64_t)__builtin_popcountll({p})"),
            12 => format!("rows[({}) & 3].w", self.unsigned(depth - 1)),
            13 => format!(
                "((({p}) >> {0}) | (({p}) << (64 - {0})))",
                1 + self.below(63)
            ),
            _ => {
                let x = self.double(depth - 1);
                format!("({x} >= 0.0 && {x} < 1.5e19 ? (uint64_t)({x}) : {q})")
            }
        }
    }
    fn integer(&mut self, depth: u32) -> String {
        let p = self.unsigned(depth);
        match self.below(10) {
            0 => format!("((int32_t){p} >> {})", self.below(32)),
            1 => format!("(int8_t)({p})"),
            2 => format!("(uint16_t)({p})"),
            3 => format!("((int32_t){p} / {})", 1 << self.below(8)),
            4 => format!("shorts[({p}) & 7]"),
            5 => format!("rows[({p}) & 3].z"),
            6 => format!("(int16_t)(h * c + ({p}))"),
            7 => format!("(uint8_t)(c >> ({p} & 7))"),
            8 => {
                let x = self.double(depth);
                format!("({x} > -2e9 && {x} < 2e9 ? (int32_t)({x}) : (int32_t){p})")
            }
            _ => format!("(int32_t)({p})"),
        }
    }
    fn condition(&mut self, depth: u32) -> String {
        let depth = depth.min(1);
        let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.below(7) {
            0 | 1 => format!("{} {op} {}", self.double(depth), self.double(depth)),
            2 => format!("{} {op} {}", self.unsigned(depth), self.unsigned(depth)),
            3 => format!("{} {op} {}", self.wide(depth), self.wide(depth)),
            4 => format!(
                "(int64_t){} {op} (int64_t){}",
                self.wide(depth),
                self.wide(depth)
            ),
            5 => format!("{} {op} {}", self.single(depth), self.single(depth)),
            _ => format!("{} {op} {}", self.integer(depth), self.integer(depth)),
        }
    }
    fn assignment(&mut self, out: &mut String) {
        let _ = match self.below(8) {
            0 | 1 => {
                let to = self.pick(&["a", "b"]);
                writeln!(out, "{to} = {};", self.double(2))
            }
            2 => writeln!(out, "u = {};", self.unsigned(2)),
            3 => writeln!(out, "w = {};", self.wide(2)),
            4 => writeln!(out, "g = {};", self.single(2)),
            5 => {
                let (to, value) = (self.pick(&["c", "h"]), self.integer(1));
                writeln!(out, "{to} = {value};")
            }
            6 => {
                let to = self.pick(&["c += ", "h -= ", "c ^= ", "h <<= 3 & ", "c *= "]);
                writeln!(out, "{to}({});", self.unsigned(1))
            }
            _ => writeln!(out, "n = {};", self.unsigned(2)),
        };
    }
    fn statement(&mut self, depth: u32, out: &mut String) {
        match self.below(if depth == 0 { 6 } else { 12 }) {
            0..=2 => self.assignment(out),
            3 => {
                let _ = writeln!(out, "s[({}) & 3] = {};", self.unsigned(1), self.unsigned(1));
            }
            4 => {
                let _ = writeln!(out, "q[({}) % 5] ^= {};", self.unsigned(1), self.integer(1));
            }
            5 => {
                let _ = writeln!(out, "d[({}) % 3] = {};", self.unsigned(1), self.double(1));
            }
            6 | 7 => {
                let _ = writeln!(out, "if ({}) {{", self.condition(1));
                self.statement(depth - 1, out);
                out.push_str("} else {\n");
                self.statement(depth - 1, out);
                out.push_str("}\n");
            }
            8 if depth == 1 => {
                let most = self.unsigned(1);
                let _ = writeln!(out, "{{ uint32_t most = ({most}) & {};", MOST - 1);
                out.push_str("for (uint32_t j = 0; j <= most; j++) {\n");
                self.statement(0, out);
                out.push_str("s[most - j] ^= u; d[j % 3] += a;\n} }\n");
            }
            8 | 9 => {
                let _ = writeln!(
                    out,
                    "for (int i{depth} = 0; i{depth} < {}; i{depth}++) {{",
                    1 + self.below(4)
                );
                self.statement(depth - 1, out);
                if self.below(3) == 0 {
                    let _ = writeln!(out, "if ({}) break;", self.condition(1));
                }
                out.push_str("}\n");
            }
            10 => {
                let _ = writeln!(out, "switch (({}) & 3) {{", self.unsigned(1));
                for case in 0..3 {
                    let _ = writeln!(out, "case {case}:");
                    self.statement(depth - 1, out);
                    if self.below(3) > 0 {
                        out.push_str("break;\n");
                    }
                }
                out.push_str("}\n");
            }
            _ => {
                let _ = writeln!(
                    out,
                    "if ({}) RETURN({});",
                    self.condition(1),
                    self.double(1)
                );
            }
        }
    }

    /// A function's body: variables, statements, and the result by `RETURN`, with calls of `called`.
    fn body(&mut self, statements: u64, called: Option<&str>, out: &mut String) {
        out.push_str(
            "double a = x, b = 1.0, d[3] = {0}; float g = (float)x; uint8_t c = 200, q[5] = {1, 2, 3}; int16_t h = -3;\n\
             uint32_t u = 7, s[4] = {0}; uint64_t w = n;\n",
        );
        for _ in 0..statements {
            self.statement(3, out);
            if let Some(called) = called.filter(|_| self.below(3) == 0) {
                let (x, n) = (self.double(1), self.unsigned(1));
                let _ = writeln!(out, "a = {called}({x}, {n});");
            }
        }
        out.push_str(
            "RETURN(a + b + d[0] - d[2] + g + (double)((u ^ s[0] ^ s[1] ^ s[2] ^ s[3] ^ q[1] ^ (uint32_t)w ^ (uint32_t)(w >> 40)) & 255) + c + h + n);\n}\n",
        );
    }
}

/// A file with this many functions: most of them return a float, some store their results.
pub fn source(seed: u64, count: u64) -> String {
    let mut out = String::from(HEAD);
    for n in 0..count {
        let mut random = Random(seed << 32 | n);
        out.push_str("#undef RETURN\n#define RETURN(value) return value\n");
        let called = format!("p{n}");
        let called = Some(called.as_str()).filter(|_| n % 3 == 0);
        if let Some(called) = called {
            let _ = writeln!(out, "static double {called}(double x, uint32_t n) {{");
            random.body(2, None, &mut out);
        }
        let number = random.pick(&["uint32_t", "uint64_t", "uint16_t", "uint8_t"]);
        match random.below(4) {
            0 => {
                out.push_str(
                    "#undef RETURN\n#define RETURN(value) do { *r = value; *i = w; *k = h; return; } while (0)\n",
                );
                let _ = writeln!(
                    out,
                    "void f{n}(double x, {number} n, double *r, uint64_t *i, int16_t *k) {{"
                );
            }
            1 => {
                let _ = writeln!(out, "float f{n}(float x, {number} n) {{");
            }
            _ => {
                let _ = writeln!(out, "double f{n}(double x, {number} n) {{");
            }
        }
        let statements = 3 + random.below(5);
        random.body(statements, called, &mut out);
    }
    out
}
