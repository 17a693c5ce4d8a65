//! The origins of the functions of a lowered kernel.

use crate::ir::{Const, Kernel, Ty};
use crate::program::Origin;

impl Kernel {
    /// The data about its origin that a lowered function keeps.
    #[must_use]
    pub fn origin(&self) -> Origin {
        let mut double_doubles = Vec::new();
        double_doubles_of(self.ret, &mut 0, &mut double_doubles);
        Origin {
            name: self.name.into(),
            title: self.title(),
            module: self.module.into(),
            file: self.file.into(),
            line: self.line,
            source: self.source.into(),
            double_doubles,
        }
    }

    /// Its name with its const generics: `horner::<N = 21>`.
    #[must_use]
    pub fn title(&self) -> String {
        if self.generics.is_empty() {
            return self.name.into();
        }
        let list: Vec<String> = self
            .generics
            .iter()
            .map(|(name, value)| {
                let value = match value {
                    Const::F64(x) => x.to_string(),
                    Const::F32(x) => x.to_string(),
                    Const::I64(x) => x.to_string(),
                    Const::U64(x) => x.to_string(),
                    Const::I32(x) => x.to_string(),
                    Const::U32(x) => x.to_string(),
                    Const::Usize(x) => x.to_string(),
                    Const::Bool(x) => x.to_string(),
                    Const::Table(_) => "[…]".into(),
                };
                format!("{name} = {value}")
            })
            .collect();
        format!("{}::<{}>", self.name, list.join(", "))
    }
}

/// Appends the places where the double-doubles of a type begin; `at` counts the type's flattened values.
fn double_doubles_of(ty: Ty, at: &mut usize, found: &mut Vec<usize>) {
    match ty {
        Ty::Tuple(items) => items.iter().for_each(|&t| double_doubles_of(t, at, found)),
        Ty::Dd => {
            found.push(*at);
            *at += 2;
        }
        Ty::Table(_) => {}
        _ => *at += 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{block, kernel};

    #[test]
    fn double_doubles_begin_where_their_upper_words_are() {
        const INNER: &[Ty] = &[Ty::Dd, Ty::I32];
        const ALL: &[Ty] = &[Ty::F64, Ty::Dd, Ty::Tuple(INNER), Ty::Mask];
        let of = |ret| kernel("k", &[], ret, &[], block(vec![], None)).origin();
        assert_eq!(of(Ty::Tuple(ALL)).double_doubles, [1, 3]);
        assert_eq!(of(Ty::F32).double_doubles, [0usize; 0]);
        assert_eq!(of(Ty::Dd).title, "k");
    }
}
