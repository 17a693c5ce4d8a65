//! Symbolic execution of LLVM IR: a function's paths become one graph of lane operations.
//!
//! | file | contents |
//! |---|---|
//! | `flow` | blocks in order, loops, and the values that a block receives from several paths |
//! | `value` | values of LLVM's types in lanes |
//! | `memory` | stack slots, tables, pointers |
//! | `instr` | the execution of one instruction |
//! | `integer` | integer operations that the language lacks, made of those that it has |
//! | `state`, `object` | the state of an execution; objects that pointers point to |
//! | `merge` | the content of memory where several paths meet |
//! | `exponent` | `ldexp`, `scalbn` and `frexp` |
//! | `outline`, `helpers` | called functions that are kernels of their own |
//! | `lifted` | the result of an execution |
//! | `vector` | vectors, element by element |
//! | `intrinsics` | calls of LLVM's intrinsics and of C's functions without a body |

mod exponent;
mod flow;
mod helpers;
mod instr;
mod integer;
mod intrinsics;
mod lifted;
mod memory;
mod merge;
mod object;
mod outline;
mod state;
mod value;
mod vector;

use std::collections::BTreeSet;
use std::rc::Rc;

use kernels_gen::ops::Prim;

use crate::graph::Graph;
use crate::ir::{Function, Module, Name, Type};
use crate::{Inline, Options};
use helpers::{Helpers, Wanted};
pub use lifted::{Body, Helper, Lifted, Shape};
use memory::Memory;
use object::Object;
pub(crate) use state::{Exec, Res};
pub use value::lane;
use value::{Pointer, Val};

/// What a function stores through its pointers; see [`Shape::stored`].
type Stores = Vec<(usize, i64, Prim)>;

/// The deepest nesting of calls.
const MAX_DEPTH: usize = 64;

/// Executes a function of one of the modules.
///
/// # Errors
/// A [`Refusal`](crate::Refusal) if the function cannot be lifted.
pub fn lift(modules: &[Module], module: usize, name: &Name, options: &Options) -> Res<Lifted> {
    let with = |wanted| once(modules, module, name, options, wanted);
    match options.inline {
        Inline::All => with(Wanted::None),
        Inline::None => with(Wanted::All),
        Inline::Auto => {
            let worth = with(Wanted::All)?.worth();
            with(Wanted::These(worth))
        }
    }
}

fn once(
    modules: &[Module],
    module: usize,
    name: &Name,
    options: &Options,
    wanted: Wanted,
) -> Res<Lifted> {
    let f = &modules[module].functions[name];
    let mut exec = Exec {
        modules,
        options,
        g: Graph::default(),
        objects: Vec::new(),
        module,
        at: (String::new(), 0),
        depth: 0,
        notes: BTreeSet::new(),
        cut: false,
        stack: Vec::new(),
        helpers: Helpers::of(wanted),
    };
    let (body, stored) = exec.body(module, f)?;
    if body.results.is_empty() {
        let what = "it returns nothing and stores nothing through a pointer".to_string();
        return Err(exec.refuse(what, "lift a function that has a result"));
    }
    Ok(Lifted {
        body,
        helpers: exec.helpers.made,
        shape: Shape {
            params: f.params.iter().map(|p| p.0.clone()).collect(),
            ret: f.ret.clone(),
            stored,
        },
        notes: exec.notes,
    })
}

impl Exec<'_> {
    /// Executes a function on parameters of its own, in a graph of its own. Returns its body and what it stored through each pointer.
    fn body(&mut self, module: usize, f: &Function) -> Res<(Body, Stores)> {
        let place = self.modules[module].place(f.dbg);
        self.at = place.clone().unwrap_or_default();
        let (mut params, mut args, mut pointers) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (ty, name)) in f.params.iter().enumerate() {
            if *ty == Type::Ptr {
                let object = self.object(Object::result(i));
                pointers.push((i, object));
                args.push(Val::Ptr(Pointer::to_slot(object)));
                continue;
            }
            let Some(prim) = value::lane(ty) else {
                let what = format!("its parameter {} is {}", i + 1, value::described(ty));
                return Err(self.refuse(what, value::remedy(ty)));
            };
            let name = if name.bytes().all(|b| b.is_ascii_digit()) {
                format!("p{i}")
            } else {
                name.trim_start_matches('%').to_string()
            };
            let mut id = self.g.param(params.len() as u32, prim);
            params.push((name, prim));
            // A lane of 32 bits whose upper bits the caller may have set.
            if let Type::Int(bits @ 2..=31) = ty {
                id = self.narrow(*bits, id);
            }
            args.push(Val::Lane(id));
        }
        let memory = Rc::new(Memory::default());
        let (value, memory) = self.function(module, f, args, memory)?;
        let mut results = Vec::new();
        if f.ret != Type::Void {
            self.results_of(&f.ret, &value, &mut results)?;
        }
        let mut stored = Vec::new();
        for (param, object) in pointers {
            for (offset, id) in self.stored(&memory, object)? {
                stored.push((param, offset, self.g.ty(id)));
                results.push(id);
            }
        }
        let body = Body {
            graph: std::mem::take(&mut self.g),
            params,
            results,
            place,
        };
        Ok((body, stored))
    }

    /// Executes a function on arguments.
    fn function(
        &mut self,
        module: usize,
        f: &Function,
        args: Vec<Val>,
        memory: Rc<Memory>,
    ) -> Res<(Val, Rc<Memory>)> {
        if self.stack.contains(&f.name) {
            return Err(self.refuse(
                format!("`{}` calls itself", f.name),
                "write it as a loop with a bound",
            ));
        }
        if self.depth >= MAX_DEPTH {
            return Err(self.refuse(
                "calls are nested too deeply",
                "lift a function that it calls",
            ));
        }
        let (before, at) = (self.module, self.at.clone());
        self.module = module;
        self.stack.push(f.name.clone());
        self.depth += 1;
        if let Some(place) = self.modules[module].place(f.dbg) {
            self.at = place;
        }
        let result = flow::run(self, f, args, memory)?;
        self.depth -= 1;
        self.stack.pop();
        (self.module, self.at) = (before, at);
        Ok(result)
    }
}
