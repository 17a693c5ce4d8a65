//! Random kernels of one argument as text, of all operations on all types; and cells of inputs. Other tests of both programs use them, too.

/// Pseudorandom words: a linear congruential generator.
pub struct Words(pub u64);

impl Words {
    pub fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 8) % n
    }

    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

const F64S: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    -0.7,
    std::f64::consts::LOG2_E,
    6_755_399_441_055_744.0,
    1e-310,
    5e-324,
    -3e-300,
    2.225_073_858_507_201_4e-308,
    1e300,
    f64::MAX,
    f64::INFINITY,
    0.000_000_1,
    7_205_759_403_792_794.0,
    1_125_899_906_842_624.5,
];
const F32S: [f32; 5] = [0.0, -0.0, 1.5, -3.25, 1e-40];
const INTS: [i64; 14] = [
    0,
    1,
    -1,
    2,
    7,
    -8,
    52,
    1023,
    1 << 52,
    -(1 << 52),
    0x7fde_6238_502c_e8c3,
    i64::MAX,
    i64::MIN,
    0x000f_ffff_ffff_ffff,
];

/// The text of a kernel of random operations.
pub fn kernel(random: &mut Words) -> String {
    let tables = [
        (
            "f64",
            vec![1.5f64.to_bits(), (-2.25f64).to_bits(), 1.75f64.to_bits()],
        ),
        ("f64", vec![0, 1 << 63, 1 << 63, 0]),
        ("i64", vec![3, 5, u64::MAX, 1 << 40, 9]),
    ];
    let mut text = String::from("doublecrunch ir 1\n");
    for (i, (ty, bits)) in tables.iter().enumerate() {
        text += &format!("table t{i}: {ty}[{}]\n", bits.len());
        bits.iter().for_each(|b| text += &format!("  {b:#x}\n"));
    }
    text += "fn f0\n  %0: f64 = param\n";
    let mut types = vec!["f64"];
    let mut last = 0;
    let steps = 4 + random.below(14);
    while (types.len() as u64) < steps {
        // The newest values twice as often: chains, not bushes.
        let mut one = |types: &[&str], ty: &str| {
            let all: Vec<usize> = (0..types.len()).filter(|&i| types[i] == ty).collect();
            let n = all.len().checked_sub(1)? as u64;
            let at = if random.below(2) == 0 {
                n
            } else {
                random.below(n + 1)
            };
            Some(all[at as usize])
        };
        let picks = |one: &mut dyn FnMut(&[&str], &str) -> Option<usize>, ty: &[&str]| {
            ty.iter()
                .map(|t| one(&types, t))
                .collect::<Option<Vec<_>>>()
        };
        let f = ["f64"; 3];
        let args = [
            picks(&mut one, &f[..1]),
            picks(&mut one, &f[..2]),
            picks(&mut one, &f[..3]),
            picks(&mut one, &["i64"]),
            picks(&mut one, &["i64", "i64"]),
            picks(&mut one, &["i32", "i32"]),
            picks(&mut one, &["mask", "mask"]),
            picks(&mut one, &["mask", "f64", "f64"]),
            picks(&mut one, &["mask", "i64", "i64"]),
            picks(&mut one, &["f32"]),
        ];
        let compare = ["lt", "le", "gt", "ge", "eq", "ne"];
        let integer = [
            "add",
            "sub",
            "mul",
            "min",
            "max",
            "and",
            "or",
            "xor",
            "shl",
            "shr",
            "shr_logical",
        ];
        let (ty, name, of) = match random.below(34) {
            0..=3 => {
                let c = match random.below(3) {
                    0 => (1.0 + random.below(1 << 20) as f64 / f64::from(1 << 20)).to_bits(),
                    _ => random.of(&F64S).to_bits(),
                };
                ("f64", format!("const {c:#x}"), Some(vec![]))
            }
            4..=6 => (
                "i64",
                format!("const {:#x}", random.of(&INTS)),
                Some(vec![]),
            ),
            7..=13 => (
                "f64",
                random
                    .of(&["add", "sub", "mul", "div", "add", "mul"])
                    .into(),
                args[1].clone(),
            ),
            14 | 15 => ("f64", "fma".into(), args[2].clone()),
            16 => (
                "f64",
                random.of(&["sqrt", "recip", "neg", "abs"]).into(),
                args[0].clone(),
            ),
            17 => (
                "f64",
                random.of(&["copy_sign", "min", "max"]).into(),
                args[1].clone(),
            ),
            18 => (
                "f64",
                random
                    .of(&["floor", "ceil", "trunc", "round_ties_even"])
                    .into(),
                args[0].clone(),
            ),
            19 | 20 => ("i64", "to_bits".into(), args[0].clone()),
            21 | 22 => (
                "f64",
                random.of(&["from_bits", "from_bits", "to_f64"]).into(),
                args[3].clone(),
            ),
            23 | 24 => ("i64", random.of(&integer).into(), args[4].clone()),
            25 => ("i64", random.of(&["neg", "not"]).into(), args[3].clone()),
            26 => match random.below(4) {
                0 => ("i32", "to_i32".into(), args[random.of(&[0, 3])].clone()),
                1 => ("i64", "to_i64".into(), args[0].clone()),
                2 => ("f32", "to_f32".into(), args[0].clone()),
                _ => ("f64", "to_f64".into(), args[9].clone()),
            },
            27 => ("i32", random.of(&integer).into(), args[5].clone()),
            28 => match random.below(3) {
                0 => (
                    "mask",
                    random.of(&["is_nan", "is_sign_negative"]).into(),
                    args[0].clone(),
                ),
                _ => (
                    "mask",
                    random.of(&compare).into(),
                    args[random.of(&[1, 4, 5])].clone(),
                ),
            },
            29 => (
                "mask",
                random.of(&["and", "or", "xor"]).into(),
                args[6].clone(),
            ),
            30 => ("f64", "select".into(), args[7].clone()),
            31 => ("i64", "select".into(), args[8].clone()),
            32 => match random.below(3) {
                0 => (
                    "f32",
                    format!("const {:#x}", random.of(&F32S).to_bits()),
                    Some(vec![]),
                ),
                _ => ("i64", "load t2".into(), args[3].clone()),
            },
            _ => ("f64", format!("load t{}", random.below(2)), args[3].clone()),
        };
        let Some(of) = of else { continue };
        let of: Vec<String> = of.iter().map(|a| format!("%{a}")).collect();
        // A name of two words ends before its operands without a comma.
        let line = format!("{name} {}", of.join(", "));
        text += &format!("  %{}: {ty} = {}\n", types.len(), line.trim_end());
        if ty == "f64" {
            last = types.len();
        }
        types.push(ty);
    }
    text + &format!("  return %{last}\n")
}

/// A cell: of one sign, within a binade or over many, some at the ends of the format.
pub fn cell(random: &mut Words) -> (f64, f64) {
    let field = match random.below(6) {
        0 => random.below(3),
        1 => 2045 + random.below(2),
        _ => 1023 - 60 + random.below(120),
    };
    let bits = field << 52 | random.next() >> 12;
    let bits = if random.below(8) == 0 {
        bits >> 52 << 52
    } else {
        bits
    };
    let apart = (random.next() >> 11) >> (1 + random.below(52));
    let far = (bits + apart).min(f64::MAX.to_bits());
    let (a, b) = (f64::from_bits(bits), f64::from_bits(far));
    if random.below(3) == 0 {
        (-b, -a)
    } else {
        (a, b)
    }
}

/// A double's place in the order of the numbers, in which -0 is below 0.
pub fn place(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { i64::MIN - bits - 1 } else { bits }
}

/// The double of a place.
pub fn at(place: i64) -> f64 {
    f64::from_bits(if place < 0 {
        (i64::MIN - place - 1) as u64
    } else {
        place as u64
    })
}
