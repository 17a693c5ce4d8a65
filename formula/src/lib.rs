//! Formulas as references: `log(1 + exp(x))` over the reference functions, in double-double arithmetic, with an estimate of the
//! reference's own error at each input; and FPCore.
//!
//! | module | contents |
//! |---|---|
//! | [`tree`], [`number`] | formulas as trees; constants, with the precision of two doubles |
//! | [`infix`] | the language of `--against-expression` |
//! | [`sexpr`], [`fpcore`], [`range`] | FPCore: its syntax, its benchmarks, the ranges of their preconditions |
//! | [`steps`], [`inverse`], [`bessel`] | the operations, as kernels: values with a radius; inverse error functions; Bessel functions |
//! | [`mod@compile`], [`kernel`] | formulas as sequences of kernels; as one kernel, and over columns |
//! | [`routine`], [`mod@write`] | formulas as routines in one precision; kernels as FPCore |

// The macro names the runtime as its users do.
extern crate dc_runtime as doublecrunch;

pub mod bessel;
pub mod compile;
pub mod fpcore;
pub mod infix;
pub mod inverse;
pub mod kernel;
pub mod number;
pub mod range;
pub mod routine;
pub mod sexpr;
pub mod steps;
pub mod tree;
pub mod write;

use dc_runtime::builtins::reference::{Function, Reference};
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;

pub use compile::Form;
use compile::{Arguments, compile};
use fpcore::Core;
use tree::{Id, Node, Tree};

/// The name of a formula's kernel. Run files identify it by this name.
pub const NAME: &str = "expression";
/// The module of these kernels.
pub const MODULE: &str = "dc_formula";
/// The module of kernels of FPCore.
pub const FPCORE: &str = "dc_formula::fpcore";

/// A formula of one argument, x, or of two, x and y.
#[derive(Debug, Clone)]
pub struct Formula {
    text: String,
    tree: Tree,
    root: Id,
    arguments: usize,
}

impl Formula {
    /// Parses a formula.
    ///
    /// # Errors
    /// If the text is not a formula. The error has the formula and the column.
    ///
    /// # Examples
    ///
    /// ```
    /// let softplus = dc_formula::Formula::parse("log(1 + exp(x))", 1).unwrap();
    /// assert_eq!(softplus.text(), "log(1 + exp(x))");
    /// let e = dc_formula::Formula::parse("log(1 + epx(x))", 1).unwrap_err();
    /// assert!(e.contains("column 9: there is no `epx`"), "{e}");
    /// ```
    pub fn parse(text: &str, arguments: usize) -> Result<Formula, String> {
        let mut tree = Tree::default();
        let variables: Vec<(&str, Id)> = ["x", "y"]
            .into_iter()
            .take(arguments)
            .enumerate()
            .map(|(n, name)| (name, tree.add(Node::Variable(n))))
            .collect();
        let root = infix::parse(text, &variables, &mut tree)
            .map_err(|e| format!("`{}`, {e}", text.trim()))?;
        Ok(Formula {
            text: text.trim().into(),
            tree,
            root,
            arguments,
        })
    }

    /// The formula as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// If the formula is a function of x and has a reference, this function: `log(1 + exp(x))` is softplus.
    #[must_use]
    pub fn function(&self) -> Option<Function> {
        function(&self.tree, self.root)
    }

    /// The formula as a kernel of doubles, for routines in that precision.
    ///
    /// # Errors
    /// If a function has no form for its argument.
    pub fn kernel(&self, precision: Precision, form: Form) -> Result<KernelRef, String> {
        self.of(Arguments::Doubles(self.arguments), precision, form)
    }

    /// The same as [`Formula::kernel`], for variables that are sums of two doubles, such as integers of 64 bits.
    ///
    /// # Errors
    /// The same as for [`Formula::kernel`].
    pub fn kernel_of_sums(&self, precision: Precision, form: Form) -> Result<KernelRef, String> {
        self.of(Arguments::Sums(self.arguments), precision, form)
    }

    fn of(
        &self,
        arguments: Arguments,
        precision: Precision,
        form: Form,
    ) -> Result<KernelRef, String> {
        let steps = compile(&self.tree, self.root, arguments, precision, form)
            .map_err(|e| format!("`{}`: {e}", self.text))?;
        let kernel = kernel::kernel(&steps, NAME, &self.text, MODULE);
        kernel::sweep_kernel(Some(steps), kernel)
    }
}

impl Core {
    /// The routine: the body in its precision. Functions are the rounded references.
    ///
    /// # Errors
    /// If it cannot be expressed as a kernel.
    pub fn routine(&self) -> Result<KernelRef, String> {
        let about = [self.title(), &self.text, FPCORE];
        let kernel = routine::kernel(
            &self.tree,
            self.body,
            &self.arguments,
            self.precision,
            about,
        )?;
        kernel::sweep_kernel(None, kernel)
    }

    /// The intended function, as a kernel of doubles.
    ///
    /// # Errors
    /// If a function has no form for its argument.
    pub fn meant(&self, form: Form) -> Result<KernelRef, String> {
        let steps = compile(
            &self.tree,
            self.spec,
            Arguments::Doubles(self.arguments.len()),
            self.precision,
            form,
        )?;
        let name = if self.has_spec {
            "specification"
        } else {
            "body"
        };
        let kernel = kernel::kernel(&steps, name, &self.text, FPCORE);
        kernel::sweep_kernel(Some(steps), kernel)
    }

    /// The intended function, if it has a reference.
    #[must_use]
    pub fn function(&self) -> Option<Function> {
        function(&self.tree, self.spec)
    }

    /// Its name, or a default name.
    #[must_use]
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or("fpcore")
    }
}

fn function(tree: &Tree, root: Id) -> Option<Function> {
    let name = compile::single(tree, root)?;
    Reference::by_name(name).ok().map(|r| r.function)
}

#[cfg(test)]
mod tests;
