//! Random kernels that take words apart and put them together, as text. Tests of both programs use them.

use super::kernels::Words;

const MASKS: [i64; 15] = [
    0xf_ffff,
    0x7fff_ffff,
    0xffff_ffff,
    -0x8000_0000,
    0x10_0000,
    0x3ff0_0000,
    -0x10_0000,
    0x3fe6_a09e,
    -0x1_0000_0000,
    i64::MAX,
    i64::MIN,
    0x7ff_ffff,
    -0x800_0000,
    0xf_ffff_ffff_ffff,
    0x3ff0_0000_0000_0000,
];

struct Text {
    text: String,
    types: Vec<&'static str>,
}

impl Text {
    fn add(&mut self, ty: &'static str, what: &str) -> usize {
        self.text += &format!("  %{}: {ty} = {what}\n", self.types.len());
        self.types.push(ty);
        self.types.len() - 1
    }

    fn constant(&mut self, ty: &'static str, c: i64) -> usize {
        let bits = if ty == "i32" {
            c as u32 as u64
        } else {
            c as u64
        };
        self.add(ty, &format!("const {bits:#x}"))
    }

    /// An operation with a constant.
    fn with(&mut self, name: &str, of: usize, c: i64) -> usize {
        let ty = self.types[of];
        let c = self.constant(ty, c);
        self.add(ty, &format!("{name} %{of}, %{c}"))
    }

    /// An operation of a random kind with a constant, which mostly leaves the fraction as it is.
    fn changed(&mut self, random: &mut Words, of: usize) -> usize {
        let wide = self.types[of] == "i64";
        let exponent = (random.below(9) as i64 - 4) << if wide { 52 } else { 20 };
        match random.below(8) {
            0..=2 => self.with(random.of(&["add", "sub"]), of, exponent),
            3 | 4 => self.with(random.of(&["and", "xor", "or"]), of, random.of(&MASKS)),
            5 => {
                let c = random.of(&MASKS).wrapping_add(random.below(3) as i64 - 1);
                self.with(random.of(&["add", "sub", "and"]), of, c)
            }
            6 => self.with(
                random.of(&["shl", "shr", "shr_logical"]),
                of,
                random.of(&[0, 1, 2, 12, 20, 27, 31]),
            ),
            _ => of,
        }
    }
}

/// The text of a kernel of a number that is made of two parts of another's bits, or of one.
pub fn halves(random: &mut Words) -> String {
    let mut of = Text {
        text: "doublecrunch ir 1\nfn f0\n".into(),
        types: Vec::new(),
    };
    let mut x = of.add("f64", "param");
    if random.below(3) == 0 {
        let by = random.of(&[0.5, -1.0, 3.7, 18_014_398_509_481_984.0, 1e-5]);
        let by = of.add("f64", &format!("const {:#x}", f64::to_bits(by)));
        x = of.add("f64", &format!("mul %{x}, %{by}"));
    }
    let word = of.add("i64", &format!("to_bits %{x}"));
    // Mostly both parts are cut at the same place.
    let at = random.of(&[32, 32, 32, 32, 27, 20, 52]);
    let again = if random.below(8) == 0 { 32 } else { at };
    let mut upper = match random.below(4) {
        0 => of.with("and", word, -1 << at),
        _ => of.with(random.of(&["shr", "shr_logical"]), word, at),
    };
    let shifted = of.text.contains("shr");
    let narrow = shifted && at == 32 && random.below(3) > 0;
    if narrow {
        upper = of.add("i32", &format!("to_i32 %{upper}"));
    }
    for _ in 0..random.below(4) {
        upper = of.changed(random, upper);
    }
    if narrow {
        upper = of.add("i64", &format!("to_i64 %{upper}"));
        if random.below(2) == 0 {
            upper = of.with("and", upper, 0xffff_ffff);
        }
    }
    if shifted {
        upper = of.with("shl", upper, again);
    }
    let mask = (1 << again) - 1;
    let lower = match random.below(6) {
        0 => of.add("i64", &format!("to_bits %{x}")),
        1 | 2 => {
            let narrow = of.add("i32", &format!("to_i32 %{word}"));
            let wide = of.add("i64", &format!("to_i64 %{narrow}"));
            if random.below(6) == 0 {
                wide
            } else {
                of.with("and", wide, mask)
            }
        }
        _ => of.with("and", word, mask),
    };
    let joined = match random.below(6) {
        0 => upper,
        n => {
            let name = ["or", "or", "or", "add", "xor"][n as usize - 1];
            let (a, b) = if random.below(2) == 0 {
                (upper, lower)
            } else {
                (lower, upper)
            };
            of.add("i64", &format!("{name} %{a}, %{b}"))
        }
    };
    let last = match random.below(3) {
        0 => of.changed(random, joined),
        _ => joined,
    };
    let made = of.add("f64", &format!("from_bits %{last}"));
    of.text + &format!("  return %{made}\n")
}
