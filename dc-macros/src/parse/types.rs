//! Types: recognised by the last segment of their path.

use super::Parser;
use crate::ast::{Lane, Ty};
use crate::messages::Message;
use kernels_gen::ir::Elem;
use quote::ToTokens as _;

/// The place of a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position<'a> {
    /// The type of a parameter with this name.
    Param(&'a str),
    Return,
    Let,
    /// The type of an element of a tuple at one of these places.
    Element {
        let_: bool,
    },
}

impl Position<'_> {
    fn is_let(self) -> bool {
        matches!(self, Position::Let | Position::Element { let_: true })
    }
}

impl Parser<'_> {
    pub(super) fn ty(&mut self, ty: &syn::Type, position: Position) -> Ty {
        match ty {
            syn::Type::Paren(p) => self.ty(&p.elem, position),
            syn::Type::Group(g) => self.ty(&g.elem, position),
            syn::Type::Path(path) => self.path_type(path, position),
            syn::Type::Tuple(t) => {
                let allowed = if position.is_let() {
                    0..=usize::MAX
                } else {
                    1..=8
                };
                if t.elems.is_empty() && position == Position::Return {
                    self.refuse(t, Message::NoReturnType);
                    return Ty::Refused;
                }
                if !allowed.contains(&t.elems.len()) {
                    self.refuse(t, Message::TupleSize);
                    return Ty::Refused;
                }
                let element = Position::Element {
                    let_: position.is_let(),
                };
                let elems: Vec<Ty> = t.elems.iter().map(|e| self.ty(e, element)).collect();
                // A tuple with an erroneous element is an error: the stub needs complete types.
                if elems.iter().any(|e| matches!(e, Ty::Refused)) {
                    return Ty::Refused;
                }
                Ty::Tuple(elems)
            }
            syn::Type::Reference(r) => self.reference_type(r, position),
            syn::Type::Infer(_) if position.is_let() => Ty::Plain(ty.clone()),
            syn::Type::Array(_) | syn::Type::Slice(_) => {
                self.refuse(ty, Message::ArrayType);
                Ty::Refused
            }
            syn::Type::ImplTrait(_) => {
                self.refuse(ty, Message::ImplTrait);
                Ty::Refused
            }
            _ => {
                let name = ty.to_token_stream().to_string();
                self.refuse(ty, Message::UnknownType { name });
                Ty::Refused
            }
        }
    }

    fn path_type(&mut self, path: &syn::TypePath, position: Position) -> Ty {
        let Some(last) = path.path.segments.last() else {
            return Ty::Refused;
        };
        if path
            .path
            .get_ident()
            .is_some_and(|name| self.type_params.contains(name))
        {
            return Ty::Refused;
        }
        let name = last.ident.to_string();
        if let Some(mut lane) = Lane::named(&last.ident) {
            let before = path.path.segments.len().checked_sub(2);
            if let Some(before) = before {
                lane = lane.of_plain(&path.path.segments[before].ident);
            }
            if !last.arguments.is_none() {
                self.refuse(&last.arguments, Message::LaneTypeArguments { name });
                return Ty::Refused;
            }
            return Ty::Lane(lane, path.clone());
        }
        let message = match name.as_str() {
            "usize" | "bool" if position.is_let() => {
                return Ty::Plain(syn::Type::Path(path.clone()));
            }
            "bool" => plain(name, "DcMask"),
            "usize" if let Position::Param(param) = position => Message::UsizeParam {
                name,
                param: param.to_uppercase(),
            },
            "f64" => plain(name, "DcDouble"),
            "f32" => plain(name, "DcFloat"),
            "i64" | "u64" | "usize" | "isize" => plain(name, "DcLong"),
            "i32" | "u32" => plain(name, "DcInt"),
            _ => Message::UnknownType {
                name: path.to_token_stream().to_string().replace(' ', ""),
            },
        };
        self.refuse(path, message);
        Ty::Refused
    }

    fn reference_type(&mut self, r: &syn::TypeReference, position: Position) -> Ty {
        let elem = match &*r.elem {
            syn::Type::Slice(s) => &*s.elem,
            syn::Type::Array(a) => &*a.elem,
            _ => {
                self.refuse(r, Message::ReferenceType);
                return Ty::Refused;
            }
        };
        let before = match (&r.lifetime, &r.mutability, position) {
            (Some(lifetime), ..) => Some((lifetime.to_token_stream(), Message::Lifetime)),
            (_, Some(token), _) => Some((token.to_token_stream(), Message::MutableTable)),
            (.., Position::Param(_)) => None,
            _ => Some((r.to_token_stream(), Message::TablePlace)),
        };
        if let Some((tokens, message)) = before {
            if !r
                .lifetime
                .as_ref()
                .is_some_and(|l| self.lifetimes.contains(l))
            {
                self.refuse(&tokens, message);
            }
            return Ty::Refused;
        }
        let name = elem.to_token_stream().to_string();
        let elem = match name.rsplit(' ').next().unwrap_or_default() {
            "f64" => Elem::F64,
            "f32" => Elem::F32,
            "i64" => Elem::I64,
            "u64" => Elem::U64,
            "i32" => Elem::I32,
            "u32" => Elem::U32,
            _ => {
                let is_param = |t: &proc_macro2::Ident| *t == name;
                if !self.type_params.iter().any(is_param) {
                    self.refuse(elem, Message::TableElement);
                }
                return Ty::Refused;
            }
        };
        Ty::Table(elem, r.clone())
    }
}

fn plain(name: String, lane: &str) -> Message {
    Message::PlainType {
        name,
        lane: lane.to_string(),
    }
}
