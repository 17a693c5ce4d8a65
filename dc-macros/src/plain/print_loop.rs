//! Loops, with a mask for the lanes that have left one.

use super::exits::{self, Exits};
use super::print::{Loop, Printer};
use super::tree::{Block, Expr, Range};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Printer<'_> {
    pub(super) fn for_(
        &mut self,
        counter: Option<&Ident>,
        range: &Range,
        body: &Block,
        span: Span,
    ) -> TokenStream {
        let (start, end) = (self.index(&range.start), self.index(&range.end));
        let limits = match range.inclusive {
            true => quote!(..=),
            false => quote!(..),
        };
        let mut over = quote!((#start #limits #end));
        if range.rev {
            over.extend(quote!(.rev()));
        }
        if let Some(step) = &range.step {
            let step = self.index(step);
            over.extend(quote!(.step_by(#step)));
        }
        let counter = match counter {
            Some(name) => quote!(#name),
            None => quote!(_),
        };
        self.rounds(&quote!(#counter in #over), None, body, span)
    }

    /// A loop over a range. Under a condition, a lane leaves it where that does not hold.
    pub(super) fn rounds(
        &mut self,
        over: &TokenStream,
        cond: Option<&Expr>,
        body: &Block,
        span: Span,
    ) -> TokenStream {
        let mut exits = exits::of_block(body);
        exits.breaks |= cond.is_some();
        if !exits.any() {
            let inside = self.discarded(body);
            return quote_spanned!(span=> for #over { #inside });
        }
        let depth = self.loops.len();
        let (left, skips) = (
            super::names::temporary(&format!("left{depth}")),
            super::names::temporary(&format!("skips{depth}")),
        );
        self.loops.push(Loop {
            left: left.clone(),
            skips: skips.clone(),
        });
        let mut inside = self.discarded(body);
        if let Some(cond) = cond {
            let (cond, yes) = (self.condition(cond), self.truth(true));
            inside = quote_spanned!(span=> if #cond { #inside } else { #left = #yes; });
        }
        // `continue` is for one iteration.
        let stays = self.stays(&Exits {
            continues: false,
            ..exits.clone()
        });
        self.loops.pop();
        let (mask, no) = (self.mask_type(), self.truth(false));
        let declare = |name: &Ident| quote!(let mut #name: #mask = #no;);
        let before = exits.breaks.then(|| declare(&left));
        let each = exits.continues.then(|| declare(&skips));
        let inside = match exits.returns || exits.breaks {
            true => quote!(if #stays { #inside }),
            false => inside,
        };
        quote_spanned!(span=> #before for #over { #each #inside })
    }
}
