//! Loops, with a mask for the lanes that have left one.

use super::exits::{self, Exits};
use super::print::Printer;
use super::tree::{Block, Expr, Local, LoopId, Range};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// A loop that indexes an array of lanes is unrolled up to this many iterations.
const MOST: i128 = 256;

impl Printer<'_> {
    pub(super) fn for_(
        &mut self,
        counter: Option<&(Local, Ident)>,
        range: &Range,
        body: &Block,
        id: LoopId,
        span: Span,
    ) -> TokenStream {
        if let Some((local, _)) = counter
            && let Some(numbers) = self.numbers(range)
            && body.indexes()
        {
            return self.written_out(*local, &numbers, body, id);
        }
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
            Some((_, name)) => quote!(#name),
            None => quote!(_),
        };
        self.rounds(&quote!(#counter in #over), None, body, id, span)
    }

    /// The numbers of a range, if they are known here.
    fn numbers(&self, range: &Range) -> Option<Vec<i128>> {
        let (start, end) = (self.constant(&range.start)?, self.constant(&range.end)?);
        let end = if range.inclusive { end + 1 } else { end };
        let step = match &range.step {
            Some(step) => usize::try_from(self.constant(step)?).ok()?,
            None => 1,
        };
        if end - start > MOST || step == 0 {
            return None;
        }
        let all = start..end;
        Some(match range.rev {
            true => all.rev().step_by(step).collect(),
            false => all.step_by(step).collect(),
        })
    }

    /// A loop as a sequence of iterations, with the counter replaced by its values.
    fn written_out(
        &mut self,
        local: Local,
        numbers: &[i128],
        body: &Block,
        id: LoopId,
    ) -> TokenStream {
        let exits = exits::of_block(body);
        let before = self.left(&exits, id);
        let each = self.skips(&exits, id);
        let rounds = numbers.iter().map(|n| {
            self.known.insert(local, *n);
            let inside = self.discarded(body);
            let inside = match self.leaves(&exits, id) {
                Some(stays) => quote!(if #stays { #inside }),
                None => inside,
            };
            quote!({ #each #inside })
        });
        let rounds: Vec<TokenStream> = rounds.collect();
        self.known.remove(&local);
        quote!(#before #(#rounds)*)
    }

    /// A loop over a range. With a condition, a lane leaves the loop when the condition does not hold.
    pub(super) fn rounds(
        &mut self,
        over: &TokenStream,
        cond: Option<&Expr>,
        body: &Block,
        id: LoopId,
        span: Span,
    ) -> TokenStream {
        let mut exits = exits::of_block(body);
        if cond.is_some() {
            exits.breaks.insert(id);
        }
        if !exits.any() {
            let inside = self.discarded(body);
            return quote_spanned!(span=> for #over { #inside });
        }
        let mut inside = self.discarded(body);
        if let Some(cond) = cond {
            let (cond, yes, left) = (self.condition(cond), self.truth(true), left(id));
            inside = quote_spanned!(span=> if #cond { #inside } else { #left = #yes; });
        }
        let inside = match self.leaves(&exits, id) {
            Some(stays) => quote!(if #stays { #inside }),
            None => inside,
        };
        let (before, each) = (self.left(&exits, id), self.skips(&exits, id));
        quote_spanned!(span=> #before for #over { #each #inside })
    }

    /// The lanes for which an iteration runs, unless it is all of them.
    fn leaves(&mut self, exits: &Exits, id: LoopId) -> Option<TokenStream> {
        let mut others = exits.clone();
        // `continue` concerns one iteration.
        others.continues.remove(&id);
        others.any().then(|| self.stays(&others))
    }

    /// The declaration of the mask of the lanes that have left the loop.
    fn left(&self, exits: &Exits, id: LoopId) -> Option<TokenStream> {
        exits.breaks.contains(&id).then(|| self.no_lane(&left(id)))
    }
    /// The declaration of the mask of the lanes whose iteration has ended.
    fn skips(&self, exits: &Exits, id: LoopId) -> Option<TokenStream> {
        exits
            .continues
            .contains(&id)
            .then(|| self.no_lane(&skips(id)))
    }
    fn no_lane(&self, name: &Ident) -> TokenStream {
        let (mask, no) = (self.mask_type(), self.truth(false));
        quote!(let mut #name: #mask = #no;)
    }
}

/// The mask of the lanes that have left a loop.
pub(super) fn left(id: LoopId) -> Ident {
    super::names::temporary(&format!("left{id}"))
}
/// The mask of the lanes whose iteration has ended.
pub(super) fn skips(id: LoopId) -> Ident {
    super::names::temporary(&format!("skips{id}"))
}
