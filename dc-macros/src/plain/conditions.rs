//! `#[cfg]` inside a function. An attribute is expanded before the compiler has evaluated the conditions. So the function is written once for
//! each combination of results, each under `#[cfg]` and with the attribute.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::VisitMut;

/// The largest number of conditions that are distinguished.
const MOST: usize = 4;

/// The function for each decision of the conditions in its body, if there are any.
pub(crate) fn expand(
    args: &TokenStream,
    function: &syn::ItemFn,
    private: &TokenStream,
) -> Option<TokenStream> {
    let mut all = Conditions {
        found: Vec::new(),
        decided: None,
    };
    all.visit_block_mut(&mut function.block.clone());
    if all.found.is_empty() || all.found.len() > MOST {
        return None;
    }
    let args = (!args.is_empty()).then(|| quote!((#args)));
    let variants = (0..1usize << all.found.len()).map(|decision| {
        let holds = |n: usize| decision >> n & 1 == 1;
        let conditions = all
            .found
            .iter()
            .enumerate()
            .map(|(n, condition)| match holds(n) {
                true => quote!(#condition),
                false => quote!(not(#condition)),
            });
        let conditions = quote!(#[cfg(all(#(#conditions),*))]);
        let mut function = function.clone();
        let mut decided = Conditions {
            found: all.found.clone(),
            decided: Some(decision),
        };
        decided.visit_block_mut(&mut function.block);
        quote!(#conditions #[#private::crunch #args] #function)
    });
    Some(variants.collect())
}

/// The conditions of a body: collected, or decided.
struct Conditions {
    found: Vec<TokenStream>,
    decided: Option<usize>,
}

impl Conditions {
    /// Whether the construct with these attributes is kept. The decided attributes are removed.
    fn keeps(&mut self, attrs: &mut Vec<syn::Attribute>) -> bool {
        let mut keeps = true;
        attrs.retain(|attr| {
            let syn::Meta::List(list) = &attr.meta else {
                return true;
            };
            // Another attribute of a statement is for a lint or a tool.
            if list.path.is_ident("cfg_attr") {
                return self.decided.is_none();
            }
            if !list.path.is_ident("cfg") {
                return true;
            }
            let text = list.tokens.to_string();
            let known = self.found.iter().position(|f| f.to_string() == text);
            match (known, self.decided) {
                (Some(n), Some(decided)) => keeps &= decided >> n & 1 == 1,
                (None, None) => self.found.push(list.tokens.clone()),
                _ => {}
            }
            self.decided.is_none()
        });
        keeps
    }
}

impl VisitMut for Conditions {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let mut none = Vec::new();
        block.stmts.retain_mut(|stmt| {
            let attrs = match stmt {
                syn::Stmt::Local(local) => &mut local.attrs,
                syn::Stmt::Macro(mac) => &mut mac.attrs,
                syn::Stmt::Expr(e, _) => attrs_of(e).unwrap_or(&mut none),
                syn::Stmt::Item(item) => match item {
                    syn::Item::Const(i) => &mut i.attrs,
                    syn::Item::Static(i) => &mut i.attrs,
                    syn::Item::Fn(i) => &mut i.attrs,
                    syn::Item::Use(i) => &mut i.attrs,
                    _ => &mut none,
                },
            };
            self.keeps(attrs)
        });
        syn::visit_mut::visit_block_mut(self, block);
    }
    fn visit_expr_match_mut(&mut self, m: &mut syn::ExprMatch) {
        m.arms.retain_mut(|arm| self.keeps(&mut arm.attrs));
        syn::visit_mut::visit_expr_match_mut(self, m);
    }
}

/// The attributes of an expression that is a statement.
fn attrs_of(e: &mut syn::Expr) -> Option<&mut Vec<syn::Attribute>> {
    Some(match e {
        syn::Expr::Assign(e) => &mut e.attrs,
        syn::Expr::Binary(e) => &mut e.attrs,
        syn::Expr::Block(e) => &mut e.attrs,
        syn::Expr::Call(e) => &mut e.attrs,
        syn::Expr::ForLoop(e) => &mut e.attrs,
        syn::Expr::If(e) => &mut e.attrs,
        syn::Expr::Loop(e) => &mut e.attrs,
        syn::Expr::Macro(e) => &mut e.attrs,
        syn::Expr::Match(e) => &mut e.attrs,
        syn::Expr::MethodCall(e) => &mut e.attrs,
        syn::Expr::Return(e) => &mut e.attrs,
        syn::Expr::Unsafe(e) => &mut e.attrs,
        syn::Expr::While(e) => &mut e.attrs,
        _ => return None,
    })
}
