//! The callee of a kernel's call: a kernel, or an error stating that the function is not a kernel.

use crate::kernel::CrunchFn;
use kernels_gen::ir;

/// The tree of the callee.
pub trait Tree {
    /// The tree.
    const KERNEL: &'static ir::Kernel;
}
impl<T: CrunchFn> Tree for T {
    const KERNEL: &'static ir::Kernel = T::KERNEL;
}

/// The path to a kernel's function; see `CrunchFn::Call`.
pub struct Call;

impl Call {
    /// The function itself.
    #[inline(always)]
    pub fn of<F>(self, function: F) -> F {
        function
    }
}

/// The type of a function that is not a kernel, and so has no type with its own name. It is a public type, so rustc's message names it.
pub type OrdinaryFunction = fn();

// Its calls are errors, since it is no `CrunchFn`, and one error for each is enough.
impl Tree for OrdinaryFunction {
    const KERNEL: &'static ir::Kernel = &ir::Kernel {
        name: "",
        module: "",
        file: "",
        line: 0,
        source: "",
        generics: &[],
        params: &[],
        ret: ir::Ty::Tuple(&[]),
        locals: &[],
        body: ir::Block {
            stmts: &[],
            value: None,
        },
    };
}

/// The names under which the macro imports the callees of a kernel. The import of a kernel shadows the name here. An ordinary function has
/// no type to import, so the name here stays.
pub mod callees {
    macro_rules! aliases {
        ($($name:ident)*) => {
            $(pub use super::OrdinaryFunction as $name;)*
        };
    }
    aliases! {
        __callee0 __callee1 __callee2 __callee3 __callee4 __callee5 __callee6 __callee7
        __callee8 __callee9 __callee10 __callee11 __callee12 __callee13 __callee14 __callee15
        __callee16 __callee17 __callee18 __callee19 __callee20 __callee21 __callee22 __callee23
        __callee24 __callee25 __callee26 __callee27 __callee28 __callee29 __callee30 __callee31
        __callee32 __callee33 __callee34 __callee35 __callee36 __callee37 __callee38 __callee39
        __callee40 __callee41 __callee42 __callee43 __callee44 __callee45 __callee46 __callee47
        __callee48 __callee49 __callee50 __callee51 __callee52 __callee53 __callee54 __callee55
        __callee56 __callee57 __callee58 __callee59 __callee60 __callee61 __callee62 __callee63
    }
}
