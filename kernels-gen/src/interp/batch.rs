//! Evaluation of a program over many inputs: each instruction is applied to a column of lanes before the next one.

use super::{canonical, clean, columns};
use crate::ops::{Op, Prim};
use crate::program::{InstKind, Program, TableData};

/// Lanes per column. A few columns of this size fit into the first-level cache.
pub const LANES: usize = 256;

/// The effect of one instruction on columns, by index.
#[derive(Debug, Clone, Copy)]
struct Step {
    kind: Kind,
    args: [u32; 3],
    out: u32,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Const(u64),
    /// The type is that of the first operand.
    Op(Op, Prim),
    Load(u32, Prim),
}

/// A program prepared for evaluation over many inputs.
#[derive(Debug, Clone)]
pub struct Interpreter {
    steps: Vec<Step>,
    tables: Vec<TableData>,
    params: Vec<Prim>,
    /// Column and type of each result.
    results: Vec<(u32, Prim)>,
    /// The largest number of columns in use at a time.
    columns: usize,
}

impl Interpreter {
    /// Inlines the program and assigns each value a column, which is reused after the value's last use.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut program = program.inlined();
        let func = program
            .funcs
            .pop()
            .expect("an inlined program has one function");
        let mut last_use: Vec<usize> = (0..func.insts.len()).collect();
        for (i, inst) in func.insts.iter().enumerate() {
            for a in &inst.args {
                last_use[a.0 as usize] = i;
            }
        }
        for r in &func.results {
            last_use[r.0 as usize] = usize::MAX;
        }
        let mut column: Vec<u32> = Vec::with_capacity(func.insts.len());
        let (mut free, mut columns) = (Vec::new(), 0);
        let mut steps = Vec::with_capacity(func.insts.len());
        for (i, inst) in func.insts.iter().enumerate() {
            // The column is taken before those of the operands are free, so that no instruction writes a column that it
            // reads.
            let out = free.pop().unwrap_or_else(|| {
                columns += 1;
                columns - 1
            });
            column.push(out);
            let mut args = [0; 3];
            for (to, a) in args.iter_mut().zip(&inst.args) {
                *to = column[a.0 as usize];
            }
            let ty = || func.ty(inst.args[0]);
            let kind = match inst.kind {
                InstKind::Const(bits) => Some(Kind::Const(bits)),
                InstKind::Op(op) => Some(Kind::Op(op, ty())),
                InstKind::Load(t) => Some(Kind::Load(t.0, ty())),
                InstKind::Param(_) | InstKind::Call(_) | InstKind::Result(_) => None,
            };
            steps.extend(kind.map(|kind| Step { kind, args, out }));
            let is_param = matches!(inst.kind, InstKind::Param(_));
            for (n, a) in inst.args.iter().enumerate() {
                if last_use[a.0 as usize] == i && !inst.args[..n].contains(a) {
                    free.push(column[a.0 as usize]);
                }
            }
            // All parameters are in columns of their own from the start, so none is reused before the steps.
            if last_use[i] == i && !is_param {
                free.push(out);
            }
        }
        Interpreter {
            steps,
            tables: program.tables,
            params: func.params.iter().map(|p| p.1).collect(),
            results: func
                .results
                .iter()
                .map(|&r| (column[r.0 as usize], func.ty(r)))
                .collect(),
            columns: columns as usize,
        }
    }

    /// Evaluates the program on each row of the inputs, one slice per parameter, and appends to the outputs, one vector per result. Only
    /// the bits of its type are read from an input word. NaNs among the results are canonical.
    ///
    /// # Panics
    /// If the numbers of inputs and outputs differ from those of the entry's parameters and results, or inputs differ in
    /// length.
    pub fn run(&self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
        assert_eq!(inputs.len(), self.params.len(), "one slice a parameter");
        assert_eq!(outputs.len(), self.results.len(), "one vector a result");
        let len = inputs.first().map_or(0, |i| i.len());
        assert!(
            inputs.iter().all(|i| i.len() == len),
            "inputs of one length"
        );
        let mut columns = vec![vec![0; LANES]; self.columns];
        for start in (0..len).step_by(LANES) {
            let n = LANES.min(len - start);
            for (i, (input, &ty)) in inputs.iter().zip(&self.params).enumerate() {
                // The i-th parameter is the i-th instruction, so it has column i.
                for (to, &word) in columns[i].iter_mut().zip(&input[start..start + n]) {
                    *to = clean(ty, word);
                }
            }
            for step in &self.steps {
                self.step(step, n, &mut columns);
            }
            for (output, &(column, ty)) in outputs.iter_mut().zip(&self.results) {
                let column = &columns[column as usize][..n];
                output.extend(column.iter().map(|&bits| canonical(ty, bits)));
            }
        }
    }

    fn step(&self, step: &Step, n: usize, columns: &mut [Vec<u64>]) {
        let mut out = std::mem::take(&mut columns[step.out as usize]);
        let to = &mut out[..n];
        let arg = |i: usize| {
            let column = &columns[step.args[i] as usize];
            // Unused operands may refer to the column that was taken, or to a column that is shorter.
            column.get(..n).unwrap_or(&[])
        };
        match step.kind {
            Kind::Const(bits) => to.fill(bits),
            Kind::Op(op, ty) => columns::apply(op, ty, [arg(0), arg(1), arg(2)], to),
            Kind::Load(table, ty) => {
                let table = &self.tables[table as usize];
                for (to, &index) in to.iter_mut().zip(arg(0)) {
                    *to = table.bits[columns::place(table, ty, index)];
                }
            }
        }
        columns[step.out as usize] = out;
    }
}

/// [`Interpreter::new`] and [`Interpreter::run`]; the outputs are replaced.
///
/// # Panics
/// As for [`Interpreter::run`].
pub fn eval_batch(program: &Program, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
    outputs.iter_mut().for_each(Vec::clear);
    Interpreter::new(program).run(inputs, outputs);
}
