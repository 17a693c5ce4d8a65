//! Control flow: blocks in topological order, loops iteration by iteration, and the values that a block receives from several paths.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::memory::Memory;
use super::state::{Exec, MAX_NODES, Res};
use super::value::{Env, Val};
use crate::decide::{ALWAYS, Choice, Cond, Conditions, NEVER};
use crate::ir::{Function, Instr, Name, Opcode, Operand};

/// The largest number of iterations of a loop with a constant count.
const MAX_ITERATIONS: u32 = 4096;

/// The largest number of iterations of a loop that ends by itself but whose count depends on the input, if `--unroll` is not given.
const MAX_MASKED: u32 = 32;

/// A way into a block.
struct Edge {
    cond: Cond,
    env: Rc<Env>,
    memory: Rc<Memory>,
    /// Values of the block's phis.
    phis: Vec<Val>,
}

/// A function's blocks, by number.
struct Graph<'f> {
    f: &'f Function,
    /// Blocks in reverse postorder.
    order: Vec<usize>,
    /// The blocks of the loop that each header begins.
    loops: HashMap<usize, BTreeSet<usize>>,
    /// The names that are used at a block or after it.
    live: Vec<HashSet<Name>>,
    number: HashMap<Name, usize>,
}

/// One function's execution.
struct Flow<'f> {
    graph: Graph<'f>,
    conds: Conditions,
    pending: BTreeMap<usize, Vec<Edge>>,
    returns: Vec<Edge>,
}

pub(super) fn run(
    exec: &mut Exec<'_>,
    f: &Function,
    args: Vec<Val>,
    memory: Rc<Memory>,
) -> Res<(Val, Rc<Memory>)> {
    let graph = Graph::new(f).map_err(|what| {
        exec.refuse(
            what,
            "write the loop as `for` or `while`, without jumps into it",
        )
    })?;
    let env: Env = f.params.iter().map(|p| p.1.clone()).zip(args).collect();
    let start = Edge {
        cond: ALWAYS,
        env: Rc::new(env),
        memory,
        phis: vec![],
    };
    let mut flow = Flow {
        graph,
        conds: Conditions::default(),
        pending: BTreeMap::from([(0, vec![start])]),
        returns: vec![],
    };
    let order = flow.graph.order.clone();
    flow.blocks(exec, &order, None)?;
    if flow.returns.is_empty() {
        return Err(exec.refuse("it never returns", "lift another function"));
    }
    let returns = std::mem::take(&mut flow.returns);
    let (_, _, memory, mut values) = flow.merge(exec, returns, &HashSet::new())?;
    Ok((values.pop().unwrap_or(Val::Undef), memory))
}

impl<'f> Graph<'f> {
    fn new(f: &'f Function) -> Result<Self, String> {
        let number: HashMap<Name, usize> = f
            .blocks
            .iter()
            .enumerate()
            .map(|(i, b)| (b.label.clone(), i))
            .collect();
        let n = f.blocks.len();
        let succ: Vec<Vec<usize>> = f
            .blocks
            .iter()
            .map(|b| {
                targets(b.instrs.last())
                    .iter()
                    .filter_map(|t| number.get(t).copied())
                    .collect()
            })
            .collect();
        // Depth first, without recursion.
        let (mut state, mut post) = (vec![0u8; n], Vec::new());
        let mut stack = vec![(0, 0)];
        state[0] = 1;
        while let Some((b, i)) = stack.pop() {
            match succ[b].get(i) {
                Some(&t) => {
                    stack.push((b, i + 1));
                    if state[t] == 0 {
                        state[t] = 1;
                        stack.push((t, 0));
                    }
                }
                None => post.push(b),
            }
        }
        let order: Vec<usize> = post.into_iter().rev().collect();
        let mut place = vec![usize::MAX; n];
        for (i, &b) in order.iter().enumerate() {
            place[b] = i;
        }
        let mut pred = vec![Vec::new(); n];
        for &b in &order {
            for &t in &succ[b] {
                pred[t].push(b);
            }
        }
        // Dominators by Cooper, Harvey and Kennedy's iteration.
        let mut idom = vec![usize::MAX; n];
        idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for &b in &order[1..] {
                let mut new = usize::MAX;
                for &p in pred[b].iter().filter(|&&p| idom[p] != usize::MAX) {
                    new = if new == usize::MAX {
                        p
                    } else {
                        common(&idom, &place, p, new)
                    };
                }
                if idom[b] != new {
                    idom[b] = new;
                    changed = true;
                }
            }
        }
        let mut loops: HashMap<usize, BTreeSet<usize>> = HashMap::new();
        for &b in &order {
            for &header in succ[b].iter().filter(|&&t| place[t] <= place[b]) {
                if common(&idom, &place, b, header) != header {
                    return Err("a loop has two entries".into());
                }
                let body = loops.entry(header).or_default();
                body.insert(header);
                let mut work = vec![b];
                while let Some(x) = work.pop() {
                    if body.insert(x) {
                        work.extend(&pred[x]);
                    }
                }
            }
        }
        let live = liveness(f, &order, &succ, &number);
        Ok(Graph {
            f,
            order,
            loops,
            live,
            number,
        })
    }
}

/// The nearest block that dominates both.
fn common(idom: &[usize], place: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while place[a] > place[b] {
            a = idom[a];
        }
        while place[b] > place[a] {
            b = idom[b];
        }
    }
    a
}

/// The blocks that a terminator leads to.
fn targets(instr: Option<&Instr>) -> Vec<Name> {
    match instr.map(|i| &i.op) {
        Some(Opcode::Br(t)) => vec![t.clone()],
        Some(Opcode::CondBr(_, a, b)) => vec![a.clone(), b.clone()],
        Some(Opcode::Switch(_, _, default, cases)) => std::iter::once(default)
            .chain(cases.iter().map(|c| &c.1))
            .cloned()
            .collect(),
        _ => vec![],
    }
}

/// The names that are live at the start of each block. Operands of phis are live at the ends of the blocks from which they come.
fn liveness(
    f: &Function,
    order: &[usize],
    succ: &[Vec<usize>],
    number: &HashMap<Name, usize>,
) -> Vec<HashSet<Name>> {
    let n = f.blocks.len();
    let (mut uses, mut defs, mut ends) = (
        vec![HashSet::new(); n],
        vec![HashSet::new(); n],
        vec![HashSet::new(); n],
    );
    for (b, block) in f.blocks.iter().enumerate() {
        for instr in &block.instrs {
            if let Opcode::Phi(_, from) = &instr.op {
                for (value, label) in from {
                    if let (Operand::Local(name), Some(&p)) = (value, number.get(label)) {
                        ends[p].insert(name.clone());
                    }
                }
            } else {
                super::instr::operands(&instr.op, &mut |name| {
                    if !defs[b].contains(name) {
                        uses[b].insert(name.clone());
                    }
                });
            }
            if let Some(r) = &instr.result {
                defs[b].insert(r.clone());
            }
        }
    }
    let mut live = uses.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for &b in order.iter().rev() {
            let mut out = ends[b].clone();
            for &t in &succ[b] {
                out.extend(live[t].iter().cloned());
            }
            for name in out {
                if !defs[b].contains(&name) && live[b].insert(name) {
                    changed = true;
                }
            }
        }
    }
    live
}

impl Flow<'_> {
    /// Executes blocks of one level: the blocks of the loop with that header, or all blocks.
    fn blocks(&mut self, exec: &mut Exec<'_>, blocks: &[usize], header: Option<usize>) -> Res<()> {
        let mut done = HashSet::new();
        for &b in blocks {
            if done.contains(&b) {
                continue;
            }
            match self.graph.loops.get(&b).cloned() {
                Some(body) if header != Some(b) => {
                    let order: Vec<usize> = blocks
                        .iter()
                        .copied()
                        .filter(|x| body.contains(x))
                        .collect();
                    self.iterate(exec, &order, b)?;
                    done.extend(body);
                }
                _ => {
                    if let Some(edges) = self.pending.remove(&b) {
                        self.block(exec, b, edges)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Executes a loop until no path is left in it.
    fn iterate(&mut self, exec: &mut Exec<'_>, order: &[usize], header: usize) -> Res<()> {
        let entry = self.condition(header);
        let (mut count, mut masked) = (0, 0);
        let limit = exec.options.unroll;
        // A header that only tests is reached once more than the loop runs.
        let ends: Vec<usize> = targets(self.graph.f.blocks[header].instrs.last())
            .iter()
            .filter_map(|t| self.graph.number.get(t).copied())
            .collect();
        let tests = ends.iter().any(|t| !order.contains(t)) && !ends.contains(&header);
        let spare = u32::from(tests);
        while self.pending.get(&header).is_some_and(|e| !e.is_empty()) {
            let cond = self.condition(header);
            if cond == entry {
                count += 1;
            } else {
                masked += 1;
            }
            let line = self.line(exec, header);
            if count > MAX_ITERATIONS {
                exec.at.1 = line;
                let what = format!("a loop has more than {MAX_ITERATIONS} iterations, or no bound");
                return Err(exec.refuse(what, "lift a function without it"));
            }
            if masked > 0 && count + masked > limit.unwrap_or(MAX_MASKED) + spare {
                exec.at.1 = line;
                let Some(limit) = limit else {
                    let what = "how often a loop runs depends on the input";
                    return Err(exec.refuse(
                        what,
                        "give the largest number of its iterations: --unroll N",
                    ));
                };
                let function = self.graph.f.name.clone();
                exec.notes.insert(format!(
                    "the loop at line {line} of `{function}` is taken to end after {limit} iterations that depend on the input"
                ));
                exec.cut = true;
                self.pending.remove(&header);
                return Ok(());
            }
            self.blocks(exec, order, Some(header))?;
        }
        Ok(())
    }

    /// The source line of a block.
    fn line(&self, exec: &Exec<'_>, block: usize) -> u32 {
        let module = &exec.modules[exec.module];
        let lines = self.graph.f.blocks[block]
            .instrs
            .iter()
            .map(|i| module.line(i.dbg));
        lines.filter(|&l| l > 0).min().unwrap_or(exec.at.1)
    }

    /// The condition under which a block is reached by the edges so far.
    fn condition(&mut self, block: usize) -> Cond {
        let conds: Vec<Cond> = self
            .pending
            .get(&block)
            .map_or(vec![], |e| e.iter().map(|e| e.cond).collect());
        conds.into_iter().fold(NEVER, |a, b| self.conds.or(a, b))
    }

    /// Merges the states that edges bring into a block.
    fn merge(
        &mut self,
        exec: &mut Exec<'_>,
        mut edges: Vec<Edge>,
        live: &HashSet<Name>,
    ) -> Res<(Cond, Env, Rc<Memory>, Vec<Val>)> {
        if edges.len() == 1 {
            let e = edges.pop().expect("one edge");
            let env = Rc::try_unwrap(e.env).unwrap_or_else(|e| (*e).clone());
            return Ok((e.cond, env, e.memory, e.phis));
        }
        let conds: Vec<Cond> = edges.iter().map(|e| e.cond).collect();
        let choice = self.conds.choice(&conds);
        let cond = conds.iter().fold(NEVER, |a, &b| self.conds.or(a, b));
        let mut env = Env::new();
        let mut names: Vec<&Name> = live.iter().collect();
        names.sort();
        for name in names {
            let values: Vec<Val> = edges
                .iter()
                .map(|e| e.env.get(name).cloned().unwrap_or(Val::Undef))
                .collect();
            env.insert(name.clone(), choose(exec, &choice, &values)?);
        }
        let phis = (0..edges[0].phis.len()).map(|i| {
            let values: Vec<Val> = edges.iter().map(|e| e.phis[i].clone()).collect();
            choose(exec, &choice, &values)
        });
        let phis = phis.collect::<Res<Vec<_>>>()?;
        let memories: Vec<Rc<Memory>> = edges.iter().map(|e| e.memory.clone()).collect();
        let memory =
            exec.merge_memories(&memories, |exec, values| choose(exec, &choice, values))?;
        Ok((cond, env, memory, phis))
    }

    fn block(&mut self, exec: &mut Exec<'_>, b: usize, edges: Vec<Edge>) -> Res<()> {
        let live = self.graph.live[b].clone();
        let (cond, mut env, mut memory, phis) = self.merge(exec, edges, &live)?;
        let block = &self.graph.f.blocks[b];
        let mut phis = phis.into_iter();
        let ends = matches!(
            block.instrs.last().map(|i| &i.op),
            Some(Opcode::Unreachable)
        );
        for instr in &block.instrs {
            let line = exec.modules[exec.module].line(instr.dbg);
            if line > 0 {
                exec.at.1 = line;
                if exec.depth == 1 {
                    exec.g.line = line;
                }
            }
            if exec.g.len() > MAX_NODES {
                let what = format!("it has more than {MAX_NODES} operations");
                return Err(exec.refuse(what, "lift a part of it, or give a smaller --unroll"));
            }
            match &instr.op {
                Opcode::Phi(..) => {
                    let name = instr.result.clone().expect("a phi has a result");
                    env.insert(name, phis.next().unwrap_or(Val::Undef));
                }
                Opcode::Br(_)
                | Opcode::CondBr(..)
                | Opcode::Switch(..)
                | Opcode::Ret(..)
                | Opcode::Unreachable => {
                    return self.terminate(exec, b, &instr.op, cond, env, memory);
                }
                // A panic: the path has no result.
                Opcode::Call(_, Operand::Global(name), _)
                    if ends && !name.starts_with("llvm.") && exec.find(name).is_none() =>
                {
                    return Ok(());
                }
                _ => {
                    let value = exec.instr(instr, &env, &mut memory)?;
                    if let (Some(name), Some(value)) = (&instr.result, value) {
                        env.insert(name.clone(), value);
                    }
                }
            }
        }
        Ok(())
    }

    fn terminate(
        &mut self,
        exec: &mut Exec<'_>,
        from: usize,
        op: &Opcode,
        cond: Cond,
        env: Env,
        memory: Rc<Memory>,
    ) -> Res<()> {
        // The condition and the target of each way out.
        let mut ways: Vec<(Cond, Name)> = Vec::new();
        match op {
            Opcode::Ret(ty, value) => {
                let phis = match value {
                    Some(v) => vec![exec.operand(ty, v, &env)?],
                    None => vec![],
                };
                let env = Rc::default();
                self.returns.push(Edge {
                    cond,
                    env,
                    memory,
                    phis,
                });
                return Ok(());
            }
            Opcode::Unreachable => return Ok(()),
            Opcode::Br(to) => ways.push((cond, to.clone())),
            Opcode::CondBr(c, yes, no) => {
                let mask = exec.operand(&crate::ir::Type::Int(1), c, &env)?;
                match mask {
                    // Any value: the first way is as good as the other.
                    Val::Undef => ways.push((cond, yes.clone())),
                    mask => {
                        let mask = exec.lanes(&crate::ir::Type::Int(1), &mask)?;
                        let (y, n) = self.branch(exec, mask);
                        ways.push((self.conds.and(cond, y), yes.clone()));
                        ways.push((self.conds.and(cond, n), no.clone()));
                    }
                }
            }
            Opcode::Switch(ty, value, default, cases) => {
                let value = exec.operand(ty, value, &env)?;
                let value = exec.lanes(ty, &value)?;
                let mut rest = cond;
                for (case, to) in cases {
                    let case = exec.constant(ty, &Operand::Int(*case))?;
                    let case = exec.lanes(ty, &case)?;
                    let mask = exec.equal(value, case);
                    let (y, n) = self.branch(exec, mask);
                    ways.push((self.conds.and(rest, y), to.clone()));
                    rest = self.conds.and(rest, n);
                }
                ways.push((rest, default.clone()));
            }
            _ => unreachable!("it is a terminator"),
        }
        let env = Rc::new(env);
        // Several cases may lead to one block, whose phis have one value for all of them.
        let mut merged: Vec<(Name, Cond)> = Vec::new();
        for (cond, to) in ways {
            match merged.iter_mut().find(|m| m.0 == to) {
                Some(m) => m.1 = self.conds.or(m.1, cond),
                None => merged.push((to, cond)),
            }
        }
        for (to, cond) in merged.into_iter().filter(|m| m.1 != NEVER) {
            let Some(&target) = self.graph.number.get(&to) else {
                return Err(
                    exec.refuse(format!("there is no block %{to}"), "the module is damaged")
                );
            };
            let label = &self.graph.f.blocks[from].label;
            let mut phis = Vec::new();
            for instr in &self.graph.f.blocks[target].instrs {
                let Opcode::Phi(ty, values) = &instr.op else {
                    continue;
                };
                let value = values.iter().find(|v| v.1 == *label);
                phis.push(match value {
                    Some((v, _)) => exec.operand(ty, v, &env)?,
                    None => Val::Undef,
                });
            }
            self.pending.entry(target).or_default().push(Edge {
                cond,
                env: env.clone(),
                memory: memory.clone(),
                phis,
            });
        }
        Ok(())
    }

    /// The conditions that a mask is true and that it is false. A comparison and its complement are one variable.
    fn branch(&mut self, exec: &mut Exec<'_>, mask: crate::graph::Id) -> (Cond, Cond) {
        if let Some(bits) = exec.g.constant_bits(mask) {
            return if bits == 1 {
                (ALWAYS, NEVER)
            } else {
                (NEVER, ALWAYS)
            };
        }
        let (mask, value) = exec.g.positive(mask);
        (self.conds.mask(mask, value), self.conds.mask(mask, !value))
    }
}

/// The value of the edge that was taken.
fn choose(exec: &mut Exec<'_>, choice: &Choice, values: &[Val]) -> Res<Val> {
    if values.iter().all(|v| *v == values[0]) {
        return Ok(values[0].clone());
    }
    let mut memo = HashMap::new();
    chosen(exec, choice, values, &mut memo)
}

fn chosen(
    exec: &mut Exec<'_>,
    choice: &Choice,
    values: &[Val],
    memo: &mut HashMap<*const Choice, Val>,
) -> Res<Val> {
    match choice {
        Choice::Edge(i) => Ok(values[*i].clone()),
        Choice::By(mask, a, b) => {
            let key = std::ptr::from_ref(choice);
            if let Some(v) = memo.get(&key) {
                return Ok(v.clone());
            }
            let (x, y) = (
                chosen(exec, a, values, memo)?,
                chosen(exec, b, values, memo)?,
            );
            let v = exec.choose(*mask, &x, &y)?;
            memo.insert(key, v.clone());
            Ok(v)
        }
    }
}
