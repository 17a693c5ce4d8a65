//! The Newton–Raphson reciprocals compared with what `docs/book/src/understand/newton.md` proves about them.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use doublecrunch::backend::skip::skip;
use doublecrunch::prelude::*;
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps::newton::{Cell, Form, Newton};
use doublecrunch::sweeps::{self, rcp_newton_intel_fma};

fn sweep(name: &str) -> Sweep {
    let found = sweeps::ALL.iter().find(|s| s.name() == name);
    *found.unwrap_or_else(|| panic!("no sweep {name}"))
}

/// The sweeps with the proved bounds of each.
fn routines() -> [(Sweep, Newton); 4] {
    let arm = |form| Newton::new(rcp_neon::map, form);
    let intel = |form| Newton::new(rcpps_intel::map, form);
    [
        (sweep("reciprocal"), arm(Form::Separate)),
        (sweep("reciprocal-fma"), arm(Form::Fused)),
        (sweep("reciprocal-intel"), intel(Form::Separate)),
        (sweep("reciprocal-intel-fma"), intel(Form::Fused)),
    ]
}

/// The error of one input, in ULP.
fn error(sweep: &Sweep, x: f64) -> f64 {
    (sweep.compiled().scalar)(x.to_bits() as i64, 1).max.error()
}

const ARM_WORST: f64 = f64::from_bits(0x3ff0_0004_080e_6626);
const INTEL_WORST: f64 = f64::from_bits(0x3ff0_1e09_24f5_a33b);

#[test]
fn worst_inputs_have_these_errors() {
    for (name, worst, bits) in [
        ("reciprocal", 0x3ff0_0004_080e_6626, 1.999_987_151_135_488),
        (
            "reciprocal-intel",
            0x3ff0_1e09_24f5_a33b,
            1.984_089_851_000_927,
        ),
        (
            "reciprocal-fma",
            0x3ff1_2000_01bb_a128,
            0.500_036_979_462_689,
        ),
        (
            "reciprocal-intel-fma",
            0x3ff0_25f5_4cc9_56fe,
            0.500_000_000_000_222,
        ),
    ] {
        let found = error(&sweep(name), f64::from_bits(worst));
        assert!((found - bits).abs() < 1e-15, "{name}: {found:.17}");
        for text in [
            include_str!("../docs/book/src/understand/newton.md"),
            include_str!("../docs/book/src/evidence/reproduction.md"),
        ] {
            let row = format!("**{found:.15}** | `{worst:016x}` |");
            assert!(text.contains(&row), "{name}: {row}");
        }
    }
}

/// First inputs of stretches: random, close to 1, and on both sides of every cell's boundaries.
fn stretches(newton: &Newton, length: i64) -> Vec<i64> {
    let one = 1f64.to_bits() as i64;
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        random = random.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        random >> 12
    };
    let mut all: Vec<i64> = (0..4096).map(|_| one + next() as i64).collect();
    // All magnitudes of x - 1: errors are largest there.
    all.extend((0..4096).map(|_| one + 8 + (next() >> (next() % 44)) as i64));
    let bounds = newton
        .cells()
        .iter()
        .skip(1)
        .map(|c| c.first.to_bits() as i64);
    all.extend(bounds.map(|b| b - length / 2));
    for worst in [ARM_WORST, INTEL_WORST] {
        all.push(worst.to_bits() as i64 - length / 2);
    }
    let last = 2f64.to_bits() as i64 - length;
    all.iter().map(|&first| first.min(last)).collect()
}

/// The inputs of these stretches whose error exceeds an envelope, and how close the others come to it.
fn above(sweep: &Sweep, newton: &Newton, envelope: &dyn Fn(f64) -> f64) -> (u64, f64) {
    const LENGTH: i64 = 512;
    const PART: u64 = 128;
    let (mut count, mut closest) = (0, 0f64);
    for first in stretches(newton, LENGTH) {
        for part in 0..LENGTH / PART as i64 {
            let max = (sweep.compiled().scalar)(first + part * PART as i64, PART).max;
            let ratio = max.error() / envelope(f64::from_bits(max.key as u64));
            count += u64::from(ratio > 1.0);
            closest = closest.max(ratio);
        }
    }
    (count, closest)
}

#[test]
fn errors_lie_below_the_proven_bound() {
    for (sweep, newton) in routines() {
        let (count, closest) = above(&sweep, &newton, &|x| newton.bound(x));
        println!("{}: largest error over bound {closest:.9}", sweep.name());
        assert_eq!(count, 0, "{}: {closest}", sweep.name());
        // A bound that no input approaches shows little.
        assert!(closest > 0.99, "{}: {closest}", sweep.name());
    }
}

#[test]
fn a_wrong_bound_is_caught() {
    let (sweep, newton) = &routines()[0];
    let (count, closest) = above(sweep, newton, &|x| 1.4 / x + 0.5);
    assert!(count > 0 && closest > 1.0, "{count} {closest}");
    let (sweep, newton) = &routines()[1];
    let (count, _) = above(sweep, newton, &|x| newton.bound(x) - 1e-5);
    assert!(count > 0);
}

#[test]
fn inputs_with_large_errors_are_among_the_suspects() {
    let arm = Newton::new(rcp_neon::map, Form::Separate);
    let intel = Newton::new(rcpps_intel::map, Form::Separate);
    for (name, newton, worst, level) in [
        ("reciprocal", arm, ARM_WORST, 1.9995),
        ("reciprocal-intel", intel, INTEL_WORST, 1.983),
    ] {
        let sweep = sweep(name);
        let suspects = newton.suspects(level);
        let mut met = 0;
        // 2^21 inputs from a neighbourhood of 2^26.
        for i in -1024..1024 {
            for part in 0..64 {
                let first = worst.to_bits() as i64 + (i << 15) + part * 16;
                let max = (sweep.compiled().scalar)(first, 16).max;
                if max.error() >= level {
                    met += 1;
                    assert!(suspects.contains(max.key), "{name}: {:x}", max.key);
                }
            }
        }
        let count = suspects.count();
        println!("{name}: {met} errors of {level}, {count} suspects");
        assert!(met > 10, "{name}: {met}");
    }
}

/// The double closest to `1 / x`, for `1 < x < 2`, in integer arithmetic.
fn nearest_reciprocal(x: f64) -> f64 {
    let significand = u128::from(x.to_bits() & ((1 << 52) - 1) | 1 << 52);
    let halves = (1u128 << 106) / significand;
    halves.div_ceil(2) as f64 / (1u64 << 53) as f64
}

#[test]
fn fused_steps_from_intels_estimate_misround_97_inputs() {
    let list = include_str!("../examples/data/near-midpoints.txt");
    let mut misrounded = Vec::new();
    for line in list.lines() {
        let bits = u64::from_str_radix(line, 16).expect("bits");
        let x = f64::from_bits(bits);
        assert!(x > 1.0 && x < 2.0);
        // The reciprocal is above the midpoint of two doubles by at most 5700 2^-106 / x.
        let significand = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
        let (halves, rest) = ((1u128 << 106) / significand, (1u128 << 106) % significand);
        assert!(halves % 2 == 1 && (1..=5700).contains(&rest), "{line}");
        if rcp_newton_intel_fma::eval(x) != nearest_reciprocal(x) {
            misrounded.push(x);
        }
    }
    assert_eq!(misrounded.len(), 97);
    // Markstein's exception, the only one for a start value that is better than one ULP.
    assert_eq!(misrounded.last(), Some(&2f64.next_down()));
    // The first five inputs, which the theorem excludes.
    for key in 0..5 {
        let x = f64::from_bits(1f64.to_bits() + key);
        let exact = if key == 0 { 1.0 } else { nearest_reciprocal(x) };
        assert_eq!(rcp_newton_intel_fma::eval(x), exact);
    }
    // There are no others among random inputs, up to the same bound.
    let newton = Newton::new(rcpps_intel::map, Form::Fused);
    for first in stretches(&newton, 64) {
        for key in first..first + 64 {
            let x = f64::from_bits(key as u64);
            let exact = nearest_reciprocal(x);
            let wrong = rcp_newton_intel_fma::eval(x) != exact;
            assert!(!wrong || misrounded.contains(&x), "{x}");
        }
    }
}

/// A double as an exact number in Gappa's syntax.
fn dyadic(x: f64) -> String {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i64 - 1075;
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    let zeros = significand.trailing_zeros();
    format!("{}b{}", significand >> zeros, exponent + i64::from(zeros))
}

/// The proof of a cell's bound for Gappa: the two steps' residuals, then the error where `p2 < 1` and where `p2 >= 1`.
fn scripts(newton: &Newton, cell: &Cell, bound: f64) -> Vec<String> {
    let (steps, hints, cases, step_errors): (_, _, &[(&str, &str)], _) = match newton.form() {
        Form::Separate => (
            "p0 rnd= y0 * x; q0 rnd= 2 - p0; y1 rnd= y0 * q0;\n\
             p1 rnd= y1 * x; q1 rnd= 2 - p1; y2 rnd= y1 * q1;\n\
             p2 rnd= y2 * x; q2 rnd= 2 - p2; y3 rnd= y2 * q2;\n",
            "e1 + e0*e0 -> (y1 - y0*q0)*x + y0*x*((q0 - (2 - p0)) - (p0 - y0*x));\n\
             e1 -> (e1 + e0*e0) - e0*e0;\n\
             e2 + e1*e1 -> (y2 - y1*q1)*x + y1*x*((q1 - (2 - p1)) - (p1 - y1*x));\n\
             e2 -> (e2 + e1*e1) - e1*e1;\n\
             y1*q1 -> 1/x + (y1*x*((q1 - (2 - p1)) - (p1 - y1*x)) - e1*e1)/x { x <> 0 };\n\
             y2*q2 -> 1/x + (y2*x*((q2 - (2 - p2)) - (p2 - y2*x)) - e2*e2)/x { x <> 0 };\n\
             y3 - 1/x -> (y3 - y2*q2) + (y2*x*((q2 - (2 - p2)) - (p2 - y2*x)) - e2*e2)/x { x <> 0 };\n",
            &[
                (
                    " /\\ p1 in [0.5,9007199254740991b-53]",
                    " /\\ p2 in [0.5,9007199254740991b-53]",
                ),
                (" /\\ p1 in [1,1.5]", " /\\ p2 in [1,1.5]"),
            ],
            (25.0 / 8.0, 1.5 + 0.5 * cell.last + 1e-3),
        ),
        Form::Fused => (
            "r0 = rnd(1 - y0*x); y1 = rnd(y0 + y0*r0);\n\
             r1 = rnd(1 - y1*x); y2 = rnd(y1 + y1*r1);\n\
             r2 = rnd(1 - y2*x); y3 = rnd(y2 + y2*r2);\n",
            "e1 + e0*e0 -> (y1 - (y0 + y0*r0))*x + y0*x*(r0 - (1 - y0*x));\n\
             e1 -> (e1 + e0*e0) - e0*e0;\n\
             e2 + e1*e1 -> (y2 - (y1 + y1*r1))*x + y1*x*(r1 - (1 - y1*x));\n\
             e2 -> (e2 + e1*e1) - e1*e1;\n\
             y2 + y2*r2 -> 1/x + (y2*x*(r2 - (1 - y2*x)) - e2*e2)/x { x <> 0 };\n\
             y3 - 1/x -> (y3 - (y2 + y2*r2)) + (y2*x*(r2 - (1 - y2*x)) - e2*e2)/x { x <> 0 };\n",
            &[("", "")],
            (1.125, 1.125),
        ),
    };
    // 2^-53 times a number, as an exact number in Gappa's syntax.
    let ulps = |n: f64| dyadic(n / (1u64 << 53) as f64);
    let x = format!("x in [{},{}]", dyadic(cell.first), dyadic(cell.last));
    let mut goals = vec![format!("{x} -> |e1 + e0*e0| <= {}", ulps(step_errors.0))];
    for (second, third) in cases {
        let [second, third] = [second, third].map(|case| format!("{x}{case}"));
        goals.push(format!(
            "{second} -> |e2 + e1*e1| <= {}",
            ulps(step_errors.1)
        ));
        goals.push(format!("{third} -> |y3 - 1/x| <= {}", ulps(bound)));
    }
    let y0 = dyadic(cell.estimate);
    goals
        .iter()
        .map(|goal| {
            let mut text = String::from("@rnd = float<ieee_64, ne>;\nx = rnd(X);\n");
            let _ = write!(text, "y0 = {y0};\n{steps}");
            text.push_str("e0 = y0*x - 1; e1 = y1*x - 1; e2 = y2*x - 1;\n");
            let _ = write!(text, "{{ {goal} }}\n{hints}");
            text
        })
        .collect()
}

/// Whether Gappa proves it; `None` if Gappa is missing.
fn gappa(script: &str) -> Option<bool> {
    use std::io::Write as _;
    // By default improvements of a bound by less than one part in a hundred are discarded.
    let mut child = Command::new("gappa")
        .arg("-Echange-threshold=0")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().expect("piped");
    input.write_all(script.as_bytes()).expect("Gappa reads");
    drop(input);
    Some(child.wait().expect("Gappa ends").success())
}

/// Has Gappa prove the bounds of every `nth` cell of the routines in `which`.
fn prove(which: &[usize], nth: usize) {
    let routines = routines();
    for (sweep, newton) in which.iter().map(|&i| &routines[i]) {
        let mut proven = 0;
        for cell in newton.cells().iter().step_by(nth) {
            for script in scripts(newton, cell, newton.cell_bound(cell)) {
                let Some(yes) = gappa(&script) else {
                    return skip("gappa", "not installed (Debian: gappa)");
                };
                assert!(yes, "{}: Gappa does not prove\n{script}", sweep.name());
                proven += 1;
            }
        }
        println!("{}: {proven} propositions proven", sweep.name());
    }
}

#[test]
fn gappa_proves_the_bounds_of_some_cells() {
    prove(&[0, 1], 128);
    prove(&[2, 3], 1024);
}

#[test]
#[ignore = "long: the 214 cells of ARM's estimate, six minutes"]
fn gappa_proves_the_bounds_of_all_cells_of_arm() {
    prove(&[0, 1], 1);
}

#[test]
#[ignore = "long: the 2049 cells of Intel's estimate, three quarters of an hour"]
fn gappa_proves_the_bounds_of_all_cells_of_intel() {
    prove(&[2, 3], 1);
}

#[test]
fn gappa_refuses_a_wrong_bound() {
    let newton = Newton::new(rcp_neon::map, Form::Separate);
    let cell = &newton.cells()[5];
    let wrong = 1.4 / cell.first + 0.5;
    let scripts = scripts(&newton, cell, wrong);
    match gappa(&scripts[2]) {
        Some(yes) => assert!(!yes),
        None => skip("gappa", "not installed (Debian: gappa)"),
    }
}
