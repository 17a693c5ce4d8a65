//! Tables, and constants that kernels cannot use as written.

use super::print::Printer;
use super::tree::{Expr, Table};
use super::types::{Num, Type, Var};
use proc_macro2::{Ident, Literal, Span, TokenStream};
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

    /// A table of a number type that kernels have. A table of a narrow type is converted, and one of parts of entries is extracted.
    fn column(&mut self, table: TokenStream, way: &TokenStream, elem: Num) -> TokenStream {
        let lane = match elem {
            Num::Usize => Num::U64,
            Num::Isize => Num::I64,
            Num::Bool => Num::I32,
            num if num.is_narrow() => Num::I32,
            num if way.is_empty() => {
                let _ = num;
                return table;
            }
            num => num,
        };
        let lane = format_ident!("{}", lane.name());
        let key = format!("{table} {way} {lane}");
        if let Some((_, name)) = self.columns.iter().find(|c| c.0 == key) {
            return quote!(#name);
        }
        let constant = self.fresh(None);
        let item = quote! {
            const #constant: [::core::primitive::#lane; #table.len()] = {
                let mut all = [0 as ::core::primitive::#lane; #table.len()];
                let mut i = 0;
                while i < #table.len() {
                    all[i] = #table[i] #way as ::core::primitive::#lane;
                    i += 1;
                }
                all
            };
        };
        self.consts
            .push(syn::parse2(item).expect("a constant item"));
        self.columns.push((key, constant.clone()));
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
        let name = format_ident!("{}", num.map_or("f64", Num::name));
        quote!(::core::primitive::#name)
    }

    /// `table[index]`. Lanes index directly; a table of a narrow type does not exist in kernels.
    pub(super) fn entry(
        &mut self,
        table: &Table,
        index: &Expr,
        elem: Var,
        span: Span,
    ) -> TokenStream {
        let table = self.table(table);
        let index = self.without_casts(index);
        let index = match self.is_index(index) {
            true => self.index(index),
            false => self.lanes(index),
        };
        self.entry_at(&table, &TokenStream::new(), &index, elem, span)
    }

    /// The entry. If kernels have no table of its type, each of its numbers has a separate table.
    fn entry_at(
        &mut self,
        table: &TokenStream,
        way: &TokenStream,
        index: &TokenStream,
        elem: Var,
        span: Span,
    ) -> TokenStream {
        let of = match self.types.get(elem) {
            Some(Type::Struct(known, _)) => known.names.clone(),
            _ => Vec::new(),
        };
        if let Some(parts) = self.types.parts(elem) {
            let is_array = matches!(self.types.get(elem), Some(Type::Array(..)));
            let each = parts.iter().enumerate().map(|(n, ty)| {
                let n = Literal::usize_unsuffixed(n);
                let step = match of.get(n.to_string().parse::<usize>().unwrap_or(0)) {
                    Some(name) => {
                        let name = super::shape::member(name);
                        quote!(.#name)
                    }
                    None if is_array => quote!([#n]),
                    None => quote!(.#n),
                };
                self.entry_at(table, &quote!(#way #step), index, *ty, span)
            });
            return Self::tuple(each.collect());
        }
        let num = self.types.final_num(elem);
        let table = match (num, way.is_empty()) {
            (Some(num), _) => self.column(table.clone(), way, num),
            (None, _) => table.clone(),
        };
        quote_spanned!(span=> #table[#index])
    }
}
