//! A plan with its columns, executed on an instruction set.

use dc_runtime::isa::{Isa, WithIsa};
use kernels_gen::ops::Prim;
use kernels_gen::program::TableData;

use super::operations::{Columns, Table, apply, load};
use super::plan::{Do, Plan, Slot};

/// The number of inputs of a strip.
pub const STRIP: usize = 512;

/// A result of the last run.
#[derive(Debug, Clone, Copy)]
pub enum Results<'a> {
    /// Binary64.
    F64(&'a [f64]),
    /// Binary32.
    F32(&'a [f32]),
}

pub(super) trait Run: Send {
    fn set(&mut self, param: usize, bits: u64);
    fn set_entry(&mut self, table: usize, entry: usize, bits: u64);
    fn inputs(&mut self) -> (&mut [f64], &mut [f32]);
    fn run(&mut self, n: usize);
    fn results(&self, number: usize) -> Results<'_>;
}

pub(super) struct On<I> {
    isa: I,
    plan: Plan,
    columns: Columns,
    tables: Vec<Table>,
}

impl<I: Isa> On<I> {
    pub(super) fn new(isa: I, plan: Plan) -> On<I> {
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
