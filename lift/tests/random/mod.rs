//! Random C functions of a double and an integer: float and integer operations, branches, switches, tables, local arrays at computed
//! places, loops whose count is constant or depends on the input.

use std::fmt::Write as _;

/// The most iterations of a loop whose count depends on the input.
pub const MOST: u32 = 4;

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
                1 => self.pick(&["x", "d[1]", "d[u % 3]"]).into(),
                _ => self.pick(&["x", "a", "b"]).into(),
            };
        }
        let (p, q) = (self.double(depth - 1), self.double(depth - 1));
        match self.below(9) {
            0 | 1 => format!("({p} + {q})"),
            2 => format!("({p} - {q})"),
            3 | 4 => format!("({p} * {q})"),
            5 => format!("({p} / ({q} + 3.0))"),
            6 => format!("({} ? {p} : {q})", self.condition(depth - 1)),
            7 => format!("table[({}) & 7]", self.unsigned(depth - 1)),
            _ => format!("(double)({})", self.integer(depth - 1)),
        }
    }
    fn unsigned(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(4) {
                0 => format!("{}u", self.next() as u32),
                1 => self.pick(&["s[0]", "s[3]", "s[n & 3]"]).into(),
                _ => self.pick(&["u", "n", "(uint32_t)bits(x)"]).into(),
            };
        }
        let (p, q) = (self.unsigned(depth - 1), self.unsigned(depth - 1));
        match self.below(12) {
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
            _ => format!("(uint32_t)(((uint64_t){p} * {q}) >> {})", self.below(33)),
        }
    }
    fn integer(&mut self, depth: u32) -> String {
        let p = self.unsigned(depth);
        match self.below(5) {
            0 => format!("((int32_t){p} >> {})", self.below(32)),
            1 => format!("(int8_t)({p})"),
            2 => format!("(uint16_t)({p})"),
            3 => format!("((int32_t){p} / {})", 1 << self.below(8)),
            _ => format!("(int32_t)({p})"),
        }
    }
    fn condition(&mut self, depth: u32) -> String {
        let depth = depth.min(1);
        let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.below(3) {
            0 => format!("{} {op} {}", self.double(depth), self.double(depth)),
            1 => format!("{} {op} {}", self.unsigned(depth), self.unsigned(depth)),
            _ => format!("{} {op} {}", self.integer(depth), self.integer(depth)),
        }
    }
    fn statement(&mut self, depth: u32, out: &mut String) {
        match self.below(if depth == 0 { 4 } else { 10 }) {
            0 => {
                let to = self.pick(&["a", "b"]);
                let _ = writeln!(out, "{to} = {};", self.double(2));
            }
            1 => {
                let to = self.pick(&["u", "n"]);
                let _ = writeln!(out, "{to} = {};", self.unsigned(2));
            }
            2 => {
                let _ = writeln!(out, "s[({}) & 3] = {};", self.unsigned(1), self.unsigned(1));
            }
            3 => {
                let _ = writeln!(out, "d[({}) % 3] = {};", self.unsigned(1), self.double(1));
            }
            4 | 5 => {
                let _ = writeln!(out, "if ({}) {{", self.condition(1));
                self.statement(depth - 1, out);
                out.push_str("} else {\n");
                self.statement(depth - 1, out);
                out.push_str("}\n");
            }
            6 if depth == 1 => {
                let most = self.unsigned(1);
                let _ = writeln!(out, "{{ uint32_t most = ({most}) & {};", MOST - 1);
                out.push_str("for (uint32_t j = 0; j <= most; j++) {\n");
                self.statement(0, out);
                out.push_str("s[most - j] ^= u; d[j % 3] += a;\n} }\n");
            }
            6 | 7 => {
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
            8 => {
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
                let _ = writeln!(out, "if ({}) return {};", self.condition(1), self.double(1));
            }
        }
    }
}

/// A file of so many functions.
pub fn source(seed: u64, count: u64) -> String {
    let mut out = String::from(
        "#include <stdint.h>\n#include <string.h>\n\
         static const double table[8] = {0.5, 1.0, -2.0, 3.25, 1e10, -0.125, 7.0, 1e-10};\n\
         static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return x != x ? 0 : u; }\n",
    );
    for n in 0..count {
        let mut random = Random(seed << 32 | n);
        let _ = writeln!(
            out,
            "double f{n}(double x, uint32_t n) {{\ndouble a = x, b = 1.0, d[3] = {{0}}; uint32_t u = 7, s[4] = {{0}};"
        );
        for _ in 0..3 + random.below(5) {
            random.statement(3, &mut out);
        }
        out.push_str("return a + b + d[0] - d[2] + (double)((u ^ s[0] ^ s[1] ^ s[2] ^ s[3]) & 255) + n;\n}\n");
    }
    out
}
