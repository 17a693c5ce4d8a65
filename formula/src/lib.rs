//! Formulas as references: `log(1 + exp(x))` over the reference functions, in double-double arithmetic, with an estimate of the
//! reference's own error at each input.
//!
//! | module | what it is |
//! |---|---|
//! | [`tree`], [`number`] | formulas as trees; constants, exact to two doubles |
//! | [`infix`] | the language of `--against-expression` |
//! | [`steps`] | the operations, as kernels: values with a radius |
//! | [`compile`], [`kernel`] | formulas as sequences of these; as a kernel, and over columns |

// The macro names the runtime as its users do.
extern crate dc_runtime as doublecrunch;

pub mod compile;
pub mod infix;
pub mod kernel;
pub mod number;
pub mod steps;
pub mod tree;

use dc_runtime::model::candidate::Reference;
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;
use dc_runtime::model::space::InputSpace;

pub use compile::Form;
use compile::compile;
use tree::{Id, Node, Tree};

/// The name of a formula's kernel, by which run files know it.
pub const NAME: &str = "expression";
/// The module of these kernels.
const MODULE: &str = "dc_formula";

/// A formula of one argument, x, or of two, x and y.
#[derive(Debug, Clone)]
pub struct Formula {
    text: String,
    tree: Tree,
    root: Id,
    arguments: usize,
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// With the formula and the column.
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

    /// As written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// It as a kernel of doubles, for routines in that precision.
    ///
    /// # Errors
    /// If a function has no form for the argument that it is given.
    pub fn kernel(&self, precision: Precision, form: Form) -> Result<KernelRef, String> {
        let steps = compile(&self.tree, self.root, self.arguments, precision, form)
            .map_err(|e| format!("`{}`: {e}", self.text))?;
        let kernel = kernel::kernel(&steps, NAME, &self.text, MODULE);
        kernel::reference(steps, kernel)
    }

    /// The reference for routines of these inputs.
    ///
    /// # Errors
    /// As [`Formula::kernel`].
    pub fn reference(&self, inputs: InputSpace, form: Form) -> Result<Reference, String> {
        self.kernel(inputs.precision(), form).map(Reference::Kernel)
    }
}

#[cfg(test)]
mod tests;
