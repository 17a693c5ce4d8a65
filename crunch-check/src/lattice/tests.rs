//! Bounds and lattices of random kernels, compared with the errors of all inputs of a stretch.

pub mod near;
mod parts;
mod points;

use near::{Case, case};
use parts::formed;

use super::{Lattice, No};
use crate::analysis::{Analysis, Bound, Truth, both_sides, true_unit};
use crate::cell::{Outcome, outcome};
use crate::expansion::Expansion;
use crate::function::On;
use crate::kernels::Words;
use crate::number::{Coarse, Fine, Number, exact, floor};
use crate::reduce::Transform;
use crate::residual::{Assumed, Line, Node, Stop, ulp};
use crate::series::of_line;
use crate::weights::sharpened;

/// What was compared.
#[derive(Default, Debug)]
struct Counts {
    /// Stretches with a bound, and those of them with sharper weights.
    bounds: u64,
    sharp: u64,
    /// Lattices, those with ties, and their runs.
    lattices: u64,
    ties: u64,
    runs: u64,
    /// Levels that no error reaches.
    nothing: u64,
    /// Inputs above the level, and those that the lattices rule out.
    above: u64,
    ruled_out: u64,
    /// Stretches that were split by an assumption.
    split: u64,
}

/// An input with the function's value.
struct Point {
    x: f64,
    step: i64,
    truth: Fine,
}

/// An input with the values of all operations of a line.
struct Input<'a> {
    of: &'a Point,
    values: Vec<f64>,
}

/// A case on its stretch.
struct Stretch<'a> {
    case: &'a Case,
    core: Line,
    input: Node,
    grid: i32,
    expansion: Expansion,
    points: Vec<Point>,
}

impl<'a> Stretch<'a> {
    fn of(case: &'a Case) -> Option<Stretch<'a>> {
        let Ok(Outcome::Line(core)) = outcome(&case.program, case.lo, case.hi, true) else {
            return None;
        };
        let input = core.nodes[core.input()?];
        let near = if case.lo > 0.0 { case.lo } else { case.hi };
        let grid = input.grid.max(ulp(near));
        let expansion = Expansion::new(case.lo, case.hi, grid);
        let mut points = Vec::new();
        let mut x = case.lo;
        while x <= case.hi {
            let from = exact(x) - exact(expansion.center);
            let step = floor(&from, -grid) as i64;
            let truth = case.law.value(&Fine::double(x))?;
            points.push(Point { x, step, truth });
            x = x.next_up();
        }
        Some(Stretch {
            case,
            core,
            input,
            grid,
            expansion,
            points,
        })
    }

    fn inputs(&self, line: &Line) -> Vec<Input<'_>> {
        let values = |x| {
            let mut values = Vec::new();
            line.compute(x, &mut values);
            values
        };
        let all = self.points.iter();
        all.map(|of| Input {
            of,
            values: values(of.x),
        })
        .collect()
    }
}

fn meet<const P: usize>(
    what: &str,
    a: &crate::number::Interval<P>,
    b: &crate::number::Interval<P>,
) {
    assert!(
        a.meet(b).is_some(),
        "{what}: {:?} and {:?}",
        a.ends(),
        b.ends()
    );
}

impl Input<'_> {
    /// The error in units of `2^unit`.
    fn error(&self, result: usize, unit: i32) -> Fine {
        Fine::double(self.values[result])
            .sub(&self.of.truth)
            .scale(-unit)
    }
}

/// Compares what is known of all operations with one input's values.
fn known(stretch: &Stretch, analysis: &Analysis, bound: &Bound, weights: &[Coarse], input: &Input) {
    let Point { x, step, truth } = input.of;
    let reals = of_line(&analysis.line, &vec![Fine::double(*x)]).expect("it is defined");
    let nodes = &analysis.line.nodes;
    let result = analysis.line.result;
    let mut sum = Coarse::zero();
    for (i, node) in nodes.iter().enumerate() {
        let (computed, real) = (Fine::double(input.values[i]), &reals[i][0]);
        meet("a real value", &real.to(), &analysis.reals[i]);
        meet("a computed value", &computed.to(), &analysis.values[i]);
        let apart: Number = computed.sub(real).least();
        assert!(
            apart <= analysis.errors[i],
            "operation {i} is {:?} from its real value, not {:?}",
            computed.sub(real).ends(),
            Coarse::of(analysis.errors[i].clone()).ends()
        );
        if let Some(exactly) = node.kind.over(|a| Fine::double(input.values[a])) {
            let rounding = computed.sub(&exactly);
            sum = sum.add(&weights[i].mul(&rounding.to()));
        }
    }
    let out = Fine::double(input.values[result]).sub(&reals[result][0]);
    meet("the error by roundings", &out.to(), &sum);
    meet(
        "the error of the method",
        &reals[result][0].sub(truth).scale(-bound.unit).to(),
        &bound.method,
    );
    meet(
        "the error",
        &input.error(result, bound.unit).to(),
        &bound.error,
    );
    let own = true_unit(&truth.to()).expect("finite");
    assert!(input.error(result, own).least() <= bound.most);
    // Between the center and the input the series has its remainder.
    let steps = crate::number::exponent(&stretch.expansion.radius) - stretch.grid;
    if let Some(near) =
        crate::polynomial::Polynomial::new(&bound.truth, &bound.remainder, bound.unit)
    {
        let value = near.value(*step, steps);
        let value = Fine::of(Number::new(value.into(), 0)).scale(-crate::polynomial::FRACTION);
        let apart = value.sub(&truth.scale(-bound.unit)).least();
        assert!(apart <= exact(near.wrong), "the function's polynomial");
    }
}

/// Without an analysis there is no input whose values are in the assumed ranges.
fn nothing_meets(stretch: &Stretch, assumed: &Assumed) {
    let operates = |n: &Node| !matches!(n.kind, crate::residual::Kind::Const(_));
    for input in stretch.inputs(&stretch.core) {
        let nodes = stretch.core.nodes.iter().zip(&input.values);
        let outside = nodes
            .filter(|(n, _)| operates(n))
            .filter_map(|(n, v)| assumed.get(&n.site).map(|r| (r, v)))
            .any(|((lo, hi), v)| v < lo || hi < v);
        assert!(outside, "{:e} is lost, of {assumed:?}", input.of.x);
    }
}

/// The steps that lattices leave over, of inputs that meet the assumptions; `None` if there is no lattice.
fn left_over(
    stretch: &Stretch,
    assumed: &Assumed,
    (sign, level): (f64, f64),
    depth: u32,
    random: &mut Words,
    counts: &mut Counts,
) -> Option<Vec<i64>> {
    let analysis = match Analysis::new(&stretch.core, stretch.input, &stretch.expansion, assumed) {
        Ok(analysis) => analysis,
        Err(Stop::Empty) => {
            nothing_meets(stretch, assumed);
            return Some(Vec::new());
        }
        Err(Stop::No(_)) => return None,
    };
    let mut weights = analysis.weights()?;
    let (one, zero) = (Fine::double(1.0), Coarse::zero());
    let truth = Truth::new(&On::Law(stretch.case.law), &stretch.expansion)?;
    let bound_by =
        |weights: &[Coarse]| analysis.bound(&truth, &one, &zero, &stretch.expansion, weights);
    let mut bound = match bound_by(&weights) {
        Ok(bound) => bound,
        Err(Stop::Empty) => return Some(Vec::new()),
        Err(Stop::No(_)) => return None,
    };
    let meets = |input: &Input| {
        let nodes = analysis.line.nodes.iter().zip(&input.values);
        nodes
            .filter_map(|(n, v)| assumed.get(&n.site).map(|r| (r, v)))
            .all(|((lo, hi), v)| lo <= v && v <= hi)
    };
    let inputs: Vec<Input> = stretch
        .inputs(&analysis.line)
        .into_iter()
        .filter(meets)
        .collect();
    counts.bounds += 1;
    let some = || inputs.iter().step_by(inputs.len() / 12 + 1);
    some().for_each(|input| known(stretch, &analysis, &bound, &weights, input));
    if let Some(sharp) = sharpened(&analysis, &weights) {
        (weights, bound) = (sharp.clone(), bound_by(&sharp).ok()?);
        counts.sharp += 1;
        some().for_each(|input| known(stretch, &analysis, &bound, &weights, input));
    }
    if depth == 0 {
        return None;
    }
    let cases = |(site, edge): (usize, f64), counts: &mut Counts, random: &mut Words| {
        counts.split += 1;
        let mut all = Vec::new();
        for case in both_sides(assumed, site, edge) {
            all.extend(left_over(
                stretch,
                &case,
                (sign, level),
                depth - 1,
                random,
                counts,
            )?);
        }
        Some(all)
    };
    if let Some(sides) = analysis.straddles(&weights, bound.unit, assumed) {
        return cases(sides, counts, random);
    }
    let above = |input: &&Input| {
        let (lo, hi) = input.error(analysis.line.result, bound.unit).ends();
        if sign > 0.0 {
            lo >= level
        } else {
            -hi >= level
        }
    };
    let all: Vec<i64> = inputs.iter().filter(above).map(|i| i.of.step).collect();
    let made = Lattice::new(
        &analysis,
        &stretch.expansion,
        stretch.grid,
        &bound,
        &weights,
        sign,
        level,
    );
    let lattice = match made {
        Ok(lattice) => lattice,
        Err(No::Nothing) => {
            counts.nothing += 1;
            assert_eq!(all, Vec::<i64>::new(), "no error reaches {level}");
            return Some(Vec::new());
        }
        Err(No::Binades(i)) => return cases(analysis.sides(i, assumed)?, counts, random),
        Err(No::Cut) => return None,
    };
    counts.lattices += 1;
    formed(&lattice, &analysis, &stretch.expansion, stretch.grid);
    counts.ties += u64::from(lattice.included.iter().any(|i| i.tie.is_some()));
    let (first, last) = (inputs.first()?.of.step, inputs.last()?.of.step);
    let longest = lattice.half(f64::INFINITY);
    let mut left = Vec::new();
    let mut transform = Transform::identity(1);
    let mut next = first;
    while next <= last {
        let mut half = (1 + random.below(longest as u64) as i64).min(last - first + 1);
        let found = loop {
            match lattice.run((next + half).min(last), half, &mut transform) {
                Some(found) => break found,
                None if half == 1 => return None,
                None => half /= 2,
            }
        };
        counts.runs += 1;
        let center = (next + half).min(last);
        left.extend(found.steps.iter().map(|m| center + m));
        next = center + half + 1;
    }
    for step in &all {
        assert!(
            left.contains(step),
            "step {step} of {first}..={last} is above {level} ({sign}) and lost; of {} that are left",
            left.len()
        );
    }
    counts.above += all.len() as u64;
    left.sort_unstable();
    left.dedup();
    counts.ruled_out += inputs.len() as u64 - (left.len() as u64).min(inputs.len() as u64);
    Some(left)
}

/// The level that so many of the errors reach, and their sign.
fn level(stretch: &Stretch, place: usize) -> (f64, f64) {
    let ends = [
        &stretch.points[0],
        &stretch.points[stretch.points.len() - 1],
    ];
    let [a, b] = ends.map(|p| p.truth.middle().abs());
    let unit = ulp(a.min(b));
    let of = |input: &Input| input.error(stretch.core.result, unit).middle();
    let mut errors: Vec<f64> = stretch.inputs(&stretch.core).iter().map(of).collect();
    errors.sort_by(f64::total_cmp);
    let (least, most) = (errors[0], errors[errors.len() - 1]);
    if most > -least {
        errors.reverse();
    }
    let level = errors[place.min(errors.len() - 1)];
    (level.signum(), level.abs().next_down())
}

/// The seeds of a part: what is counted differs between them by more than a half.
const SEEDS: u64 = 3;
/// The parts.
const PARTS: u64 = 8;

/// A part of the random kernels, `LATTICE_KERNELS` in all.
fn no_error_is_above_its_bound_or_lost(part: u64) {
    let mut counts = Counts::default();
    let all = std::env::var("LATTICE_KERNELS").map_or(600, |n| n.parse().expect("a number"));
    let most = std::env::var("LATTICE_LG").map_or(9, |n| n.parse().expect("a number"));
    let of_a_seed: u64 = all / (PARTS * SEEDS);
    for seed in 0..SEEDS {
        of_seed(part + PARTS * seed, of_a_seed, most, &mut counts);
    }
    println!("{counts:?}");
    let kernels = SEEDS * of_a_seed;
    let enough = |n: u64| n >= kernels / 10;
    assert!(
        enough(counts.lattices) && counts.ties >= kernels / 25 && enough(counts.sharp),
        "{counts:?}"
    );
    assert!(
        counts.above >= counts.lattices / 2 && counts.ruled_out > 10 * counts.above,
        "{counts:?}"
    );
}

/// The random kernels of a seed.
fn of_seed(seed: u64, kernels: u64, most: u64, counts: &mut Counts) {
    let mut random = Words(seed);
    for _ in 0..kernels {
        let Some(case) = case(&mut random, most) else {
            continue;
        };
        let Some(stretch) = Stretch::of(&case) else {
            continue;
        };
        let place = random.of(&[0, 0, 1, 3, 10, 30]);
        let (sign, level) = level(&stretch, place);
        if level <= 0.0 {
            continue;
        }
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let none = Assumed::new();
            left_over(&stretch, &none, (sign, level), 4, &mut random, counts);
        }));
        found.unwrap_or_else(|_| {
            panic!(
                "{:?} from {:e} to {:e}, by the kernel\n{}",
                case.law, case.lo, case.hi, case.text
            )
        });
    }
}

/// In parts of which each takes some seconds at most.
macro_rules! parts {
    ($($name:ident $part:literal;)*) => {
        $(#[test]
        fn $name() {
            no_error_is_above_its_bound_or_lost($part);
        })*
    };
}

parts! {
    no_error_of_random_kernels_is_above_its_bound_or_lost_by_a_lattice 1;
    no_error_of_random_kernels_is_above_its_bound_or_lost_2 2;
    no_error_of_random_kernels_is_above_its_bound_or_lost_3 3;
    no_error_of_random_kernels_is_above_its_bound_or_lost_4 4;
    no_error_of_random_kernels_is_above_its_bound_or_lost_5 5;
    no_error_of_random_kernels_is_above_its_bound_or_lost_6 6;
    no_error_of_random_kernels_is_above_its_bound_or_lost_7 7;
    no_error_of_random_kernels_is_above_its_bound_or_lost_8 8;
}
