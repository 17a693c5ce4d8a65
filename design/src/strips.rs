//! A program over strips of inputs, one operation at a time. In this way, thousands of candidates are evaluated without a compiler.
//!
//! Each operation reads and writes columns that stay in the first-level cache, with the registers of the processor's widest
//! instruction set, so it costs about a cycle per register. Every parameter except the first is *uniform*: it has one value for the whole
//! strip, such as a coefficient. Changing it between runs costs nothing, and candidates with the same operations share one
//! program.

use std::mem::take;

use dc_runtime::fenv::Guard;
use dc_runtime::isa::{Isa, Scalar, WithIsa};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{InstKind, Program, TableData};

/// The number of inputs of a strip.
pub const STRIP: usize = 512;

/// A program that is ready to run.
pub struct Strips(Box<dyn Run>);

/// A result of the last run.
#[derive(Debug, Clone, Copy)]
pub enum Results<'a> {
    /// Binary64.
    F64(&'a [f64]),
    /// Binary32.
    F32(&'a [f32]),
}

impl Strips {
    /// Prepares a program whose first parameter is the input. The others are uniform.
    ///
    /// # Errors
    /// If an operation is not supported, with its name, or if the input or a result is not a floating-point number.
    pub fn new(program: &Program) -> Result<Strips, String> {
        let plan = Plan::new(program)?;
        #[cfg(target_arch = "x86_64")]
        {
            use dc_runtime::isa::{Avx2, Avx512};
            if let Some(isa) = Avx512::<2>::detect() {
                return Ok(Strips(Box::new(On::new(isa, plan))));
            }
            if let Some(isa) = Avx2::<2>::detect() {
                return Ok(Strips(Box::new(On::new(isa, plan))));
            }
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        if let Some(isa) = dc_runtime::isa::Neon::<2>::detect() {
            return Ok(Strips(Box::new(On::new(isa, plan))));
        }
        Ok(Strips(Box::new(On::new(Scalar::<4>::new(), plan))))
    }

    /// Sets a uniform parameter to the number with these bits.
    pub fn set(&mut self, param: usize, bits: u64) {
        self.0.set(param, bits);
    }

    /// Sets an entry of a table to the number with these bits.
    pub fn set_entry(&mut self, table: usize, entry: usize, bits: u64) {
        self.0.set_entry(table, entry, bits);
    }

    /// The column of inputs in binary32.
    pub fn inputs_f32(&mut self) -> &mut [f32] {
        self.0.inputs().1
    }

    /// The column of inputs in binary64.
    pub fn inputs_f64(&mut self) -> &mut [f64] {
        self.0.inputs().0
    }

    /// Evaluates the program at the first `n` inputs.
    ///
    /// # Panics
    /// If `n` is above [`STRIP`].
    pub fn run(&mut self, n: usize) {
        assert!(n <= STRIP, "{n} inputs are no strip");
        let _default = Guard::new();
        self.0.run(n);
    }

    /// The result with that number, for the inputs of the last run.
    #[must_use]
    pub fn results(&self, number: usize) -> Results<'_> {
        self.0.results(number)
    }
}

/// A column by its type and number. The one of a uniform value is as long as a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slot {
    column: usize,
    uniform: bool,
}

struct Step {
    kind: Do,
    /// The type of the operands. For a selection, the type of the values.
    ty: Prim,
    args: [Slot; 3],
    out: usize,
}

#[derive(Clone, Copy)]
enum Do {
    Op(Op),
    Load(usize, Prim),
}

struct Plan {
    steps: Vec<Step>,
    /// Values that are set once: a column, its type and its bits.
    constants: Vec<(Prim, Slot, u64)>,
    params: Vec<(Prim, Slot)>,
    results: Vec<(Prim, Slot)>,
    tables: Vec<TableData>,
    /// The number of columns of each type.
    columns: [usize; 5],
}

const fn number(ty: Prim) -> usize {
    match ty {
        Prim::F64 => 0,
        Prim::F32 => 1,
        Prim::I64 => 2,
        Prim::I32 => 3,
        Prim::Mask => 4,
    }
}

impl Plan {
    fn new(program: &Program) -> Result<Plan, String> {
        let program = program.inlined();
        let func = program.entry();
        let mut last = vec![0; func.insts.len()];
        for (i, inst) in func.insts.iter().enumerate() {
            for a in &inst.args {
                last[a.0 as usize] = i;
            }
        }
        for r in &func.results {
            last[r.0 as usize] = usize::MAX;
        }
        let mut plan = Plan {
            steps: Vec::new(),
            constants: Vec::new(),
            params: Vec::new(),
            results: Vec::new(),
            tables: program.tables.clone(),
            columns: [0; 5],
        };
        let mut slots: Vec<Slot> = Vec::new();
        let mut free: [Vec<usize>; 5] = Default::default();
        for (i, inst) in func.insts.iter().enumerate() {
            let kind = number(inst.ty);
            let fresh = |columns: &mut [usize; 5]| {
                columns[kind] += 1;
                columns[kind] - 1
            };
            let uniform = match inst.kind {
                InstKind::Param(n) => n > 0,
                InstKind::Const(_) => true,
                _ => false,
            };
            let column = match uniform {
                true => fresh(&mut plan.columns),
                false => free[kind].pop().unwrap_or_else(|| fresh(&mut plan.columns)),
            };
            let slot = Slot { column, uniform };
            slots.push(slot);
            let mut args = [slot; 3];
            for (to, from) in args.iter_mut().zip(&inst.args) {
                *to = slots[from.0 as usize];
            }
            let step = |kind, ty| Step {
                kind,
                ty,
                args,
                out: column,
            };
            match inst.kind {
                InstKind::Param(_) => plan.params.push((inst.ty, slot)),
                InstKind::Const(bits) => plan.constants.push((inst.ty, slot, bits)),
                InstKind::Op(op) => {
                    let of = inst.args[usize::from(op == Op::Select)];
                    let ty = func.ty(of);
                    supported(op, ty)?;
                    plan.steps.push(step(Do::Op(op), ty));
                }
                InstKind::Load(table) => {
                    let index = func.ty(inst.args[0]);
                    plan.steps
                        .push(step(Do::Load(table.0 as usize, index), inst.ty));
                }
                InstKind::Call(_) | InstKind::Result(_) => {
                    return Err("a call in an inlined program".into());
                }
            }
            // The input's column stays: the strip is run again with other coefficients.
            for (k, a) in inst.args.iter().enumerate() {
                let (at, slot) = (a.0 as usize, slots[a.0 as usize]);
                let again = inst.args[..k].contains(a);
                if last[at] == i && !slot.uniform && !again && at > 0 {
                    free[number(func.ty(*a))].push(slot.column);
                }
            }
        }
        plan.results = func
            .results
            .iter()
            .map(|&r| (func.ty(r), slots[r.0 as usize]))
            .collect();
        let fits = |&(ty, slot): &(Prim, Slot)| ty.is_float() && !slot.uniform;
        if !plan.params.first().is_some_and(fits) || !plan.results.iter().all(fits) {
            return Err(
                "the input and the results must be floating-point numbers, and no constants".into(),
            );
        }
        Ok(plan)
    }
}

/// Kernels that a design is made of have no other operations.
fn supported(op: Op, ty: Prim) -> Result<(), String> {
    match op {
        Op::Directed(..) | Op::IsSignNegative => Err(format!("{op:?} of {ty:?} has no strip")),
        _ => Ok(()),
    }
}

trait Run: Send {
    fn set(&mut self, param: usize, bits: u64);
    fn set_entry(&mut self, table: usize, entry: usize, bits: u64);
    fn inputs(&mut self) -> (&mut [f64], &mut [f32]);
    fn run(&mut self, n: usize);
    fn results(&self, number: usize) -> Results<'_>;
}

/// Columns of each type.
struct Columns {
    f64s: Vec<Vec<f64>>,
    f32s: Vec<Vec<f32>>,
    i64s: Vec<Vec<i64>>,
    i32s: Vec<Vec<i32>>,
    masks: Vec<Vec<bool>>,
}

/// A table's entries as Rust values.
enum Table {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I64(Vec<i64>),
    I32(Vec<i32>),
}

struct On<I> {
    isa: I,
    plan: Plan,
    columns: Columns,
    tables: Vec<Table>,
}

impl<I: Isa> On<I> {
    fn new(isa: I, plan: Plan) -> On<I> {
        let length = STRIP.next_multiple_of(I::LANES);
        let n = plan.columns;
        let tables = plan.tables.iter().map(table).collect();
        let constants: Vec<_> = plan.constants.clone();
        let mut on = On {
            isa,
            columns: Columns {
                f64s: vec![vec![0.0; length]; n[0]],
                f32s: vec![vec![0.0; length]; n[1]],
                i64s: vec![vec![0; length]; n[2]],
                i32s: vec![vec![0; length]; n[3]],
                masks: vec![vec![false; length]; n[4]],
            },
            plan,
            tables,
        };
        for (ty, slot, bits) in constants {
            on.fill(ty, slot, bits);
        }
        on
    }

    fn fill(&mut self, ty: Prim, slot: Slot, bits: u64) {
        let c = &mut self.columns;
        let lanes = I::LANES;
        match ty {
            Prim::F64 => c.f64s[slot.column][..lanes].fill(f64::from_bits(bits)),
            Prim::F32 => c.f32s[slot.column][..lanes].fill(f32::from_bits(bits as u32)),
            Prim::I64 => c.i64s[slot.column][..lanes].fill(bits as i64),
            Prim::I32 => c.i32s[slot.column][..lanes].fill(bits as i32),
            Prim::Mask => c.masks[slot.column][..lanes].fill(bits != 0),
        }
    }
}

fn table(data: &TableData) -> Table {
    let words = data.bits.iter();
    match data.prim() {
        Prim::F64 => Table::F64(words.map(|&w| f64::from_bits(w)).collect()),
        Prim::F32 => Table::F32(words.map(|&w| f32::from_bits(w as u32)).collect()),
        Prim::I64 => Table::I64(words.map(|&w| w as i64).collect()),
        Prim::I32 | Prim::Mask => Table::I32(words.map(|&w| w as i32).collect()),
    }
}

impl<I: Isa> Run for On<I> {
    fn set(&mut self, param: usize, bits: u64) {
        let (ty, slot) = self.plan.params[param];
        self.fill(ty, slot, bits);
    }

    fn set_entry(&mut self, table: usize, entry: usize, bits: u64) {
        match &mut self.tables[table] {
            Table::F64(t) => t[entry] = f64::from_bits(bits),
            Table::F32(t) => t[entry] = f32::from_bits(bits as u32),
            Table::I64(t) => t[entry] = bits as i64,
            Table::I32(t) => t[entry] = bits as i32,
        }
    }

    fn inputs(&mut self) -> (&mut [f64], &mut [f32]) {
        let (ty, slot) = self.plan.params[0];
        match ty {
            Prim::F64 => (&mut self.columns.f64s[slot.column][..STRIP], &mut []),
            _ => (&mut [], &mut self.columns.f32s[slot.column][..STRIP]),
        }
    }

    fn run(&mut self, n: usize) {
        self.isa.run(Strip {
            plan: &self.plan,
            tables: &self.tables,
            columns: &mut self.columns,
            n,
        });
    }

    fn results(&self, number: usize) -> Results<'_> {
        let (ty, slot) = self.plan.results[number];
        match ty {
            Prim::F64 => Results::F64(&self.columns.f64s[slot.column]),
            _ => Results::F32(&self.columns.f32s[slot.column]),
        }
    }
}

struct Strip<'a> {
    plan: &'a Plan,
    tables: &'a [Table],
    columns: &'a mut Columns,
    n: usize,
}

impl<I: Isa> WithIsa<I> for Strip<'_> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        for step in &self.plan.steps {
            match step.kind {
                Do::Op(op) => apply(isa, op, step, self.columns, self.n),
                Do::Load(table, index) => {
                    load(isa, &self.tables[table], index, step, self.columns, self.n);
                }
            }
        }
    }
}

/// The place of a register in a column: of a uniform one always the first.
const fn mask(slot: Slot) -> usize {
    if slot.uniform { 0 } else { usize::MAX }
}

/// A loop over the registers of a strip, with up to three operands.
macro_rules! strip {
    ($isa:ident $step:ident $c:ident $n:ident; $to:ident $store:ident = |$($a:ident: $from:ident $load:ident),+| $e:expr) => {{
        let mut out = take(&mut $c.$to[$step.out]);
        {
            let mut _operand = 0;
            $(
                let $a = {
                    let slot = $step.args[_operand];
                    _operand += 1;
                    (&$c.$from[slot.column][..], mask(slot))
                };
            )+
            let mut at = 0;
            while at < $n {
                $(let $a = $isa.$load(&$a.0[at & $a.1..]);)+
                $isa.$store($e, &mut out[at..]);
                at += I::LANES;
            }
        }
        $c.$to[$step.out] = out;
    }};
}

#[inline(always)]
fn load<I: Isa>(isa: I, table: &Table, index: Prim, step: &Step, c: &mut Columns, n: usize) {
    match (table, index) {
        (Table::F64(t), Prim::I64) => {
            strip!(isa step c n; f64s store_f64 = |i: i64s load_i64| isa.gather_f64(t, i));
        }
        (Table::F32(t), Prim::I64) => {
            strip!(isa step c n; f32s store_f32 = |i: i64s load_i64| isa.gather_f32(t, i));
        }
        (Table::I64(t), Prim::I64) => {
            strip!(isa step c n; i64s store_i64 = |i: i64s load_i64| isa.gather_i64(t, i));
        }
        (Table::I32(t), Prim::I64) => {
            strip!(isa step c n; i32s store_i32 = |i: i64s load_i64| isa.gather_i32(t, i));
        }
        (Table::F64(t), _) => {
            strip!(isa step c n; f64s store_f64 = |i: i32s load_i32| isa.gather32_f64(t, i));
        }
        (Table::F32(t), _) => {
            strip!(isa step c n; f32s store_f32 = |i: i32s load_i32| isa.gather32_f32(t, i));
        }
        (Table::I64(t), _) => {
            strip!(isa step c n; i64s store_i64 = |i: i32s load_i32| isa.gather32_i64(t, i));
        }
        (Table::I32(t), _) => {
            strip!(isa step c n; i32s store_i32 = |i: i32s load_i32| isa.gather32_i32(t, i));
        }
    }
}

#[inline(always)]
fn apply<I: Isa>(isa: I, op: Op, step: &Step, c: &mut Columns, n: usize) {
    macro_rules! refused {
        () => {
            unreachable!("{op:?} of {:?} in a checked program", step.ty)
        };
    }
    // Operations of floating-point numbers, by the methods for either precision.
    macro_rules! floats {
        (|$($a:ident),+| $wide:expr, $narrow:expr) => {
            match step.ty {
                Prim::F64 => strip!(isa step c n; f64s store_f64 = |$($a: f64s load_f64),+| $wide),
                Prim::F32 => strip!(isa step c n; f32s store_f32 = |$($a: f32s load_f32),+| $narrow),
                _ => refused!(),
            }
        };
    }
    macro_rules! numbers {
        (|$($a:ident),+| $f64:expr, $f32:expr, $i64:expr, $i32:expr) => {
            match step.ty {
                Prim::F64 => strip!(isa step c n; f64s store_f64 = |$($a: f64s load_f64),+| $f64),
                Prim::F32 => strip!(isa step c n; f32s store_f32 = |$($a: f32s load_f32),+| $f32),
                Prim::I64 => strip!(isa step c n; i64s store_i64 = |$($a: i64s load_i64),+| $i64),
                Prim::I32 => strip!(isa step c n; i32s store_i32 = |$($a: i32s load_i32),+| $i32),
                Prim::Mask => refused!(),
            }
        };
    }
    macro_rules! compared {
        (|$a:ident, $b:ident| $f64:expr, $f32:expr, $i64:expr, $i32:expr) => {
            match step.ty {
                Prim::F64 => strip!(isa step c n; masks store_mask = |$a: f64s load_f64, $b: f64s load_f64| $f64),
                Prim::F32 => strip!(isa step c n; masks store_mask = |$a: f32s load_f32, $b: f32s load_f32| $f32),
                Prim::I64 => strip!(isa step c n; masks store_mask = |$a: i64s load_i64, $b: i64s load_i64| $i64),
                Prim::I32 => strip!(isa step c n; masks store_mask = |$a: i32s load_i32, $b: i32s load_i32| $i32),
                Prim::Mask => refused!(),
            }
        };
    }
    macro_rules! bits {
        (|$($a:ident),+| $i64:expr, $i32:expr, $mask:expr) => {
            match step.ty {
                Prim::I64 => strip!(isa step c n; i64s store_i64 = |$($a: i64s load_i64),+| $i64),
                Prim::I32 => strip!(isa step c n; i32s store_i32 = |$($a: i32s load_i32),+| $i32),
                Prim::Mask => strip!(isa step c n; masks store_mask = |$($a: masks load_mask),+| $mask),
                _ => refused!(),
            }
        };
    }
    // Operations whose result has another type than their operands: a line for each type.
    macro_rules! by_type {
        ($($ty:ident => $to:ident $store:ident = |$a:ident: $from:ident $load:ident| $e:expr),+ $(,)?) => {
            match step.ty {
                $(Prim::$ty => strip!(isa step c n; $to $store = |$a: $from $load| $e),)+
                _ => refused!(),
            }
        };
    }
    macro_rules! shifts {
        (|$a:ident, $b:ident| $i64:expr, $i32:expr) => {
            match step.ty {
                Prim::I64 => strip!(isa step c n; i64s store_i64 = |$a: i64s load_i64, $b: i64s load_i64| $i64),
                Prim::I32 => strip!(isa step c n; i32s store_i32 = |$a: i32s load_i32, $b: i32s load_i32| $i32),
                _ => refused!(),
            }
        };
    }
    match op {
        Op::Add => {
            numbers!(
                |a, b| isa.add_f64(a, b),
                isa.add_f32(a, b),
                isa.add_i64(a, b),
                isa.add_i32(a, b)
            );
        }
        Op::Sub => {
            numbers!(
                |a, b| isa.sub_f64(a, b),
                isa.sub_f32(a, b),
                isa.sub_i64(a, b),
                isa.sub_i32(a, b)
            );
        }
        Op::Mul => {
            numbers!(
                |a, b| isa.mul_f64(a, b),
                isa.mul_f32(a, b),
                isa.mul_i64(a, b),
                isa.mul_i32(a, b)
            );
        }
        Op::Neg => numbers!(
            |a| isa.neg_f64(a),
            isa.neg_f32(a),
            isa.sub_i64(isa.splat_i64(0), a),
            isa.sub_i32(isa.splat_i32(0), a)
        ),
        Op::Min => numbers!(
            |a, b| isa.min_f64(a, b),
            isa.min_f32(a, b),
            isa.select_i64(isa.lt_i64(a, b), a, b),
            isa.select_i32(isa.lt_i32(a, b), a, b)
        ),
        Op::Max => numbers!(
            |a, b| isa.max_f64(a, b),
            isa.max_f32(a, b),
            isa.select_i64(isa.lt_i64(b, a), a, b),
            isa.select_i32(isa.lt_i32(b, a), a, b)
        ),
        Op::Div => floats!(|a, b| isa.div_f64(a, b), isa.div_f32(a, b)),
        Op::Fma => floats!(|a, b, d| isa.fma_f64(a, b, d), isa.fma_f32(a, b, d)),
        Op::Sqrt => floats!(|a| isa.sqrt_f64(a), isa.sqrt_f32(a)),
        Op::Recip => floats!(
            |a| isa.div_f64(isa.splat_f64(1.0), a),
            isa.div_f32(isa.splat_f32(1.0), a)
        ),
        Op::Abs => floats!(|a| isa.abs_f64(a), isa.abs_f32(a)),
        Op::CopySign => floats!(
            |a, b| isa.copysign_f64(a, isa.canonical_f64(b)),
            isa.copysign_f32(a, isa.canonical_f32(b))
        ),
        Op::Floor => floats!(|a| isa.floor_f64(a), isa.floor_f32(a)),
        Op::Ceil => floats!(|a| isa.ceil_f64(a), isa.ceil_f32(a)),
        Op::Trunc => floats!(|a| isa.trunc_f64(a), isa.trunc_f32(a)),
        Op::RoundTiesEven => {
            floats!(|a| isa.round_ties_even_f64(a), isa.round_ties_even_f32(a));
        }
        Op::Lt => compared!(
            |a, b| isa.lt_f64(a, b),
            isa.lt_f32(a, b),
            isa.lt_i64(a, b),
            isa.lt_i32(a, b)
        ),
        Op::Gt => compared!(
            |a, b| isa.lt_f64(b, a),
            isa.lt_f32(b, a),
            isa.lt_i64(b, a),
            isa.lt_i32(b, a)
        ),
        Op::Le => compared!(
            |a, b| isa.le_f64(a, b),
            isa.le_f32(a, b),
            isa.not_mask(isa.lt_i64(b, a)),
            isa.not_mask(isa.lt_i32(b, a))
        ),
        Op::Ge => compared!(
            |a, b| isa.le_f64(b, a),
            isa.le_f32(b, a),
            isa.not_mask(isa.lt_i64(a, b)),
            isa.not_mask(isa.lt_i32(a, b))
        ),
        Op::Eq => compared!(
            |a, b| isa.eq_f64(a, b),
            isa.eq_f32(a, b),
            isa.eq_i64(a, b),
            isa.eq_i32(a, b)
        ),
        Op::Ne => compared!(
            |a, b| isa.ne_f64(a, b),
            isa.ne_f32(a, b),
            isa.not_mask(isa.eq_i64(a, b)),
            isa.not_mask(isa.eq_i32(a, b))
        ),
        Op::IsNan => by_type!(
            F64 => masks store_mask = |a: f64s load_f64| isa.ne_f64(a, a),
            F32 => masks store_mask = |a: f32s load_f32| isa.ne_f32(a, a)
        ),
        Op::ToF64 => by_type!(
            F32 => f64s store_f64 = |a: f32s load_f32| isa.f32_to_f64(a),
            I64 => f64s store_f64 = |a: i64s load_i64| isa.i64_to_f64(a),
            I32 => f64s store_f64 = |a: i32s load_i32| isa.i32_to_f64(a)
        ),
        Op::ToF32 => by_type!(
            F64 => f32s store_f32 = |a: f64s load_f64| isa.f64_to_f32(a),
            I64 => f32s store_f32 = |a: i64s load_i64| isa.i64_to_f32(a),
            I32 => f32s store_f32 = |a: i32s load_i32| isa.i32_to_f32(a)
        ),
        Op::ToI64 => by_type!(
            F64 => i64s store_i64 = |a: f64s load_f64| isa.f64_to_i64(a),
            F32 => i64s store_i64 = |a: f32s load_f32| isa.f32_to_i64(a),
            I32 => i64s store_i64 = |a: i32s load_i32| isa.i32_to_i64(a)
        ),
        Op::ToI32 => by_type!(
            F64 => i32s store_i32 = |a: f64s load_f64| isa.f64_to_i32(a),
            F32 => i32s store_i32 = |a: f32s load_f32| isa.f32_to_i32(a),
            I64 => i32s store_i32 = |a: i64s load_i64| isa.i64_to_i32(a)
        ),
        Op::ToBits => by_type!(
            F64 => i64s store_i64 = |a: f64s load_f64| isa.bits_f64(isa.canonical_f64(a)),
            F32 => i32s store_i32 = |a: f32s load_f32| isa.bits_f32(isa.canonical_f32(a))
        ),
        Op::FromBits => by_type!(
            I64 => f64s store_f64 = |a: i64s load_i64| isa.f64_from_bits(a),
            I32 => f32s store_f32 = |a: i32s load_i32| isa.f32_from_bits(a)
        ),
        Op::And => bits!(
            |a, b| isa.and_i64(a, b),
            isa.and_i32(a, b),
            isa.and_mask(a, b)
        ),
        Op::Or => bits!(|a, b| isa.or_i64(a, b), isa.or_i32(a, b), isa.or_mask(a, b)),
        Op::Xor => bits!(
            |a, b| isa.xor_i64(a, b),
            isa.xor_i32(a, b),
            isa.xor_mask(a, b)
        ),
        Op::Not => bits!(
            |a| isa.xor_i64(a, isa.splat_i64(-1)),
            isa.xor_i32(a, isa.splat_i32(-1)),
            isa.not_mask(a)
        ),
        Op::Shl => shifts!(|a, b| isa.shl_i64(a, b), isa.shl_i32(a, b)),
        Op::Shr => shifts!(|a, b| isa.shr_i64(a, b), isa.shr_i32(a, b)),
        Op::ShrLogical => shifts!(|a, b| isa.shr_logical_i64(a, b), isa.shr_logical_i32(a, b)),
        Op::Select => match step.ty {
            Prim::F64 => {
                strip!(isa step c n; f64s store_f64 = |m: masks load_mask, a: f64s load_f64, b: f64s load_f64| isa.select_f64(m, a, b));
            }
            Prim::F32 => {
                strip!(isa step c n; f32s store_f32 = |m: masks load_mask, a: f32s load_f32, b: f32s load_f32| isa.select_f32(m, a, b));
            }
            Prim::I64 => {
                strip!(isa step c n; i64s store_i64 = |m: masks load_mask, a: i64s load_i64, b: i64s load_i64| isa.select_i64(m, a, b));
            }
            Prim::I32 => {
                strip!(isa step c n; i32s store_i32 = |m: masks load_mask, a: i32s load_i32, b: i32s load_i32| isa.select_i32(m, a, b));
            }
            Prim::Mask => {
                strip!(isa step c n; masks store_mask = |m: masks load_mask, a: masks load_mask, b: masks load_mask| isa.select_mask(m, a, b));
            }
        },
        Op::Directed(..) | Op::IsSignNegative => refused!(),
    }
}
