//! Whether the short form can fail: each constant of each kernel, and three numbers of each of its tables, are omitted, or increased by 2^-28 of
//! themselves. The results at inputs of the short form are then compared with the right ones.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kernels_gen::interp::Interpreter;
use kernels_gen::ir::{Elem, Kernel};
use kernels_gen::lower;
use kernels_gen::ops::Prim;
use kernels_gen::program::{InstKind, Program};

use crate::cases::CASES;
use crate::double;
use crate::inputs::{edges, hard, sample};
use crate::two::{TWO, pairs, small};

/// A kernel with inputs of the short form.
struct Tried {
    name: String,
    program: Program,
    /// The inputs' bits, a column for each argument.
    columns: Vec<Vec<u64>>,
    right: Vec<u64>,
    /// 32 or 64.
    width: u32,
}

/// Inputs that are evaluated at once.
const CHUNK: usize = 256;

/// The bits of the results, NaNs as one.
fn results(program: &Program, columns: &[&[u64]], width: u32) -> Vec<u64> {
    let mut outputs = vec![Vec::new()];
    Interpreter::new(program).run(columns, &mut outputs);
    let nan = |y: u64| match width {
        32 => f32::from_bits(y as u32).is_nan(),
        _ => f64::from_bits(y).is_nan(),
    };
    let one = |y: &u64| if nan(*y) { u64::MAX } else { *y };
    outputs[0].iter().map(one).collect()
}

impl Tried {
    fn new(name: String, kernel: &'static Kernel, columns: Vec<Vec<u64>>, width: u32) -> Tried {
        let program = lower(kernel).expect("it is lowered");
        let all: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let right = results(&program, &all, width);
        Tried {
            name,
            program,
            columns,
            right,
            width,
        }
    }

    /// The first input at which a mutant's result is another one.
    fn seen(&self, mutant: &Program) -> Option<String> {
        for begin in (0..self.right.len()).step_by(CHUNK) {
            let end = (begin + CHUNK).min(self.right.len());
            let columns: Vec<&[u64]> = self.columns.iter().map(|c| &c[begin..end]).collect();
            let found = results(mutant, &columns, self.width);
            let mut both = found.iter().zip(&self.right[begin..end]);
            if let Some(at) = both.position(|(found, right)| found != right) {
                let number = |column: &Vec<u64>| match self.width {
                    32 => format!("{:e}", f32::from_bits(column[begin + at] as u32)),
                    _ => format!("{:e}", f64::from_bits(column[begin + at])),
                };
                let numbers: Vec<String> = self.columns.iter().map(number).collect();
                return Some(numbers.join(", "));
            }
        }
        None
    }

    /// The row of the table: how many faults are seen, and the first of them.
    fn row(&self) -> Row {
        let places = constants(&self.program);
        let (mut left_out, mut larger, mut first) = (0, 0, None);
        for place in &places {
            let with = |bits| {
                let mut mutant = self.program.clone();
                place.set(&mut mutant, bits);
                self.seen(&mutant)
            };
            left_out += usize::from(with(0).is_some());
            let Some(input) = with(place.bits + (1 << 24)) else {
                continue;
            };
            larger += 1;
            first.get_or_insert((f64::from_bits(place.bits), input));
        }
        Row {
            name: self.name.clone(),
            all: places.len(),
            left_out,
            larger,
            first,
        }
    }
}

struct Row {
    name: String,
    all: usize,
    left_out: usize,
    larger: usize,
    /// The first constant whose larger value is seen, and where.
    first: Option<(f64, String)>,
}

/// A constant in binary64, or the bits of one in a table, that is neither 0 nor special.
struct Place {
    bits: u64,
    /// An instruction of a function, or a number of a table.
    of: usize,
    at: usize,
    table: bool,
}

impl Place {
    fn set(&self, program: &mut Program, bits: u64) {
        if self.table {
            program.tables[self.of].bits[self.at] = bits;
        } else {
            program.funcs[self.of].insts[self.at].kind = InstKind::Const(bits);
        }
    }
}

fn constants(program: &Program) -> Vec<Place> {
    let mut all = Vec::new();
    for (of, func) in program.funcs.iter().enumerate() {
        for (at, inst) in func.insts.iter().enumerate() {
            if let (InstKind::Const(bits), Prim::F64) = (inst.kind, inst.ty) {
                let table = false;
                all.push(Place {
                    bits,
                    of,
                    at,
                    table,
                });
            }
        }
    }
    for (of, table) in program.tables.iter().enumerate() {
        let last = table.bits.len() - 1;
        let mut some = vec![0, last / 2, last];
        some.dedup();
        let double = matches!(table.elem, Elem::F64 | Elem::U64);
        for at in some.into_iter().filter(|_| double) {
            let (bits, table) = (table.bits[at], true);
            all.push(Place {
                bits,
                of,
                at,
                table,
            });
        }
    }
    all.retain(|p| f64::from_bits(p.bits) != 0.0 && f64::from_bits(p.bits).is_finite());
    all
}

fn single(xs: impl IntoIterator<Item = f32>) -> Vec<u64> {
    xs.into_iter().map(|x| x.to_bits().into()).collect()
}

/// The kernels. In binary64, inputs at which no error is measured are left out.
fn tried() -> Vec<Tried> {
    let mut all = Vec::new();
    for case in CASES {
        let mut xs = hard(case.name);
        xs.extend(edges());
        xs.extend(sample().into_iter().step_by(32));
        let name = format!("f32::{}", case.name);
        all.push(Tried::new(name, case.kernel, vec![single(xs)], 32));
    }
    for case in TWO {
        let (xs, ys): (Vec<_>, Vec<_>) = pairs().into_iter().unzip();
        let columns = [xs, ys].map(|c| single(c.into_iter().map(|x| x as f32)));
        let name = format!("f32::{}", case.name);
        all.push(Tried::new(name, case.kernel, columns.to_vec(), 32));
    }
    for case in CASES {
        let some = double::inputs().into_iter().step_by(3);
        let some = some.chain(double::in_range(case.name));
        let measured = some.filter(|x| double::is_measured(case, *x, (case.double)(*x)));
        let xs = measured.map(f64::to_bits).collect();
        let name = format!("f64::{}", case.name);
        all.push(Tried::new(name, case.wide, vec![xs], 64));
    }
    for case in TWO {
        let some = pairs().into_iter().step_by(2);
        let own = double::own_pairs(case.name).into_iter().step_by(83);
        let some = some.chain(own);
        let measured = some.filter(|(x, y)| double::is_ordinary((case.double)(*x, *y)));
        let exact = ["hypot", "div"].contains(&case.name);
        let exact = small().into_iter().filter(|_| exact);
        let all_of = measured.chain(exact.map(|(x, y, ..)| (x, y)));
        let (xs, ys) = all_of.map(|(x, y)| (x.to_bits(), y.to_bits())).unzip();
        let name = format!("f64::{}", case.name);
        all.push(Tried::new(name, case.wide, vec![xs, ys], 64));
    }
    all
}

/// The table of the book's page on faults is what this prints.
#[test]
fn a_faulty_constant_is_seen() {
    let tried = tried();
    // The interpreter's results are those that the other tests check.
    for (case, tried) in CASES.iter().zip(&tried) {
        for (&x, &right) in tried.columns[0].iter().zip(&tried.right) {
            let y = (case.one)(f32::from_bits(x as u32));
            assert!(
                y.is_nan() || u64::from(y.to_bits()) == right,
                "{}",
                case.name
            );
        }
    }
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(tried) = tried.get(n) else {
                break;
            };
            let row = tried.row();
            rows.lock().expect("no thread panicked").push((n, row));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut rows = rows.into_inner().expect("no thread panicked");
    rows.sort_by_key(|(n, _)| *n);
    println!(
        "| function | constants | left out: seen | larger: seen | the first that is seen when larger | by the result at |"
    );
    println!("|---|---:|---:|---:|---|---|");
    let mut blind = Vec::new();
    for (_, row) in &rows {
        let (constant, input) = match &row.first {
            Some((c, input)) => (format!("{c:e}"), input.as_str()),
            None => ("–".into(), "–"),
        };
        println!(
            "| `{}` | {} | {} | {} | {constant} | {input} |",
            row.name, row.all, row.left_out, row.larger
        );
        if row.all > 0 && row.larger == 0 {
            blind.push(&row.name);
        }
    }
    for (width, enough) in [("f32", [85, 40]), ("f64", [45, 30])] {
        let these = rows.iter().filter(|(_, r)| r.name.starts_with(width));
        let [all, left_out, larger] = these.fold([0; 3], |[a, b, c], (_, r)| {
            [a + r.all, b + r.left_out, c + r.larger]
        });
        println!(
            "{all} constants of {width}: left out, {left_out} are seen; larger by 2^-28, {larger}"
        );
        assert!(
            left_out * 100 > all * enough[0],
            "{left_out} of {all} left out"
        );
        assert!(larger * 100 > all * enough[1], "{larger} of {all} larger");
    }
    assert!(blind.is_empty(), "no fault is seen in {blind:?}");
}
