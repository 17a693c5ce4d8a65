//! Tables, and constants that are no kernel's as they are written.

use super::print::Printer;
use super::tree::{Expr, Kind, Table};
use super::types::{Num, Var};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

impl Printer<'_> {
    pub(super) fn table(&self, table: &Table) -> TokenStream {
        match table {
            Table::Local(local, name) => match self.tables.iter().find(|t| t.0 == *local) {
                Some((_, constant)) => quote!(#constant),
                None => quote!(#name),
            },
            Table::Path(path) => quote!(#path),
        }
    }

    /// An array of the function as a constant before the kernel.
    pub(super) fn array(&mut self, name: &Ident, elem: Var, entries: &syn::ExprArray) -> Ident {
        let (ty, constant) = (self.written(elem), self.fresh(Some(name)));
        let len = entries.elems.len();
        let item = quote!(const #constant: [#ty; #len] = #entries;);
        self.consts
            .push(syn::parse2(item).expect("a constant item"));
        constant
    }

    /// A table of a type that kernels do not have, converted entry by entry.
    fn widened(&mut self, table: TokenStream, elem: Num) -> TokenStream {
        let lane = match elem {
            Num::Usize => format_ident!("u64"),
            Num::Isize => format_ident!("i64"),
            num if num.is_narrow() => format_ident!("i32"),
            _ => return table,
        };
        let constant = self.fresh(None);
        let item = quote! {
            const #constant: [::core::primitive::#lane; #table.len()] = {
                let mut wide = [0; #table.len()];
                let mut i = 0;
                while i < #table.len() {
                    wide[i] = #table[i] as ::core::primitive::#lane;
                    i += 1;
                }
                wide
            };
        };
        self.consts
            .push(syn::parse2(item).expect("a constant item"));
        quote!(#constant)
    }

    /// A name for a constant of our own.
    pub(super) fn fresh(&self, like: Option<&Ident>) -> Ident {
        let like = like.map_or(String::new(), |name| {
            format!("{}_", name.to_string().to_uppercase())
        });
        let name = format!("__DC_{like}{}", self.consts.len());
        Ident::new(&name, Span::mixed_site())
    }

    /// The plain type itself.
    fn written(&self, ty: Var) -> TokenStream {
        let num = self.types.final_num(ty);
        let name = Num::ALL.iter().find(|x| Some(x.1) == num).map(|x| x.0);
        let name = format_ident!("{}", name.unwrap_or("f64"));
        quote!(::core::primitive::#name)
    }

    /// `table[index]`: lanes index by themselves, and a narrow type's table is not there.
    pub(super) fn entry(
        &mut self,
        table: &Table,
        index: &Expr,
        elem: Var,
        span: Span,
    ) -> TokenStream {
        let mut table = self.table(table);
        if let Some(num) = self.types.final_num(elem) {
            table = self.widened(table, num);
        }
        let mut index = index;
        // What is outside of the table panics in the function, so the sign is no matter.
        while let Kind::Cast(inner, _) = &index.kind
            && self.num(index) == Some(Num::Usize)
            && self.num(inner).is_some_and(Num::is_int)
        {
            index = inner;
        }
        let index = match self.is_index(index) {
            true => self.index(index),
            false => self.lanes(index),
        };
        quote_spanned!(span=> #table[#index])
    }
}
