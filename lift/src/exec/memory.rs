//! Memory: stack slots and the caller's memory hold values by offset. Tables are read as bytes.

use std::collections::BTreeMap;
use std::rc::Rc;

use kernels_gen::ops::{Op, Prim};

use super::object::Object;
use super::state::{Exec, Res};
use super::value::Val;
use super::value::{Base, Pointer, gcd, lane};
use crate::graph::{Id, Kind, Table};
use crate::ir::{Name, Operand, Type};

/// The stored values: a value of a type at an object's offset.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Memory {
    pub(super) cells: BTreeMap<(u32, i64), (Type, Val)>,
}

impl Memory {
    /// Whether something was stored in any of these bytes.
    pub(super) fn holds(&self, slot: u32, offset: i64, size: i64) -> bool {
        let mut around = self.cells.range((slot, offset - 15)..(slot, offset + size));
        around.any(|(k, (ty, _))| k.1 + ty.size() as i64 > offset)
    }
}

impl Exec<'_> {
    /// A new object.
    pub(super) fn object(&mut self, object: Object) -> u32 {
        self.objects.push(object);
        self.objects.len() as u32 - 1
    }

    /// The values stored in an object, as lanes, by offset.
    pub(super) fn stored(&mut self, memory: &Memory, object: u32) -> Res<Vec<(i64, Id)>> {
        let cells: Vec<_> = memory
            .cells
            .range((object, i64::MIN)..=(object, i64::MAX))
            .collect();
        let mut out = Vec::new();
        for (&(_, offset), (ty, value)) in cells {
            out.push((offset, self.lanes(ty, value)?));
        }
        Ok(out)
    }

    /// The pointer that a value is, or each of two.
    fn pointers(&mut self, value: &Val) -> Res<Pointer> {
        match value {
            Val::Ptr(p) => Ok(p.clone()),
            Val::Undef => Err(self.refuse(
                "a null or undefined pointer is used",
                "lift a function that uses none",
            )),
            _ => Err(self.refuse(
                "a number is used as a pointer",
                "keep addresses out of arithmetic",
            )),
        }
    }

    /// A pointer's offset by an index in units of `size` bytes.
    pub(super) fn step(&mut self, p: &mut Pointer, index: Id, size: i64) {
        let index = match self.g.ty(index) {
            Prim::I64 => index,
            _ => self.g.op(Op::ToI64, &[index]),
        };
        let (mut index, mut size) = (index, size);
        loop {
            if let Some(k) = self.g.integer(index) {
                p.offset += k * size;
                return;
            }
            let node = self.g.node(index).clone();
            let k = node.args.get(1).and_then(|&k| self.g.integer(k));
            match (node.kind, k) {
                (Kind::Op(Op::Add), Some(k)) => p.offset += k * size,
                (Kind::Op(Op::Shl), Some(k)) if k < 32 => size <<= k,
                (Kind::Op(Op::Mul), Some(k)) => size *= k,
                _ => break,
            }
            index = node.args[0];
        }
        match p.steps.iter_mut().find(|s| s.0 == index) {
            Some(s) => s.1 += size,
            None => p.steps.push((index, size)),
        }
        p.steps.retain(|s| s.1 != 0);
    }

    /// Loads a value.
    pub(super) fn load(&mut self, ty: &Type, from: &Val, memory: &Memory) -> Res<Val> {
        if let Val::Either(c, a, b) = from {
            let (a, b) = (self.load(ty, a, memory)?, self.load(ty, b, memory)?);
            return self.choose(*c, &a, &b);
        }
        if let Type::Vector(n, of) = ty {
            let mut all = Vec::new();
            for i in 0..*n as i64 {
                let mut at = self.pointers(from)?;
                at.offset += i * of.size() as i64;
                all.push(self.load(of, &Val::Ptr(at), memory)?);
            }
            return Ok(Val::Aggregate(all));
        }
        if let Type::Struct(fields, _) = ty {
            let mut all = Vec::new();
            for (i, f) in fields.iter().enumerate() {
                let mut at = self.pointers(from)?;
                at.offset += ty.field(i) as i64;
                all.push(self.load(f, &Val::Ptr(at), memory)?);
            }
            return Ok(Val::Aggregate(all));
        }
        let p = self.pointers(from)?;
        match &p.base {
            Base::Global(module, name) => self.load_global(ty, &p, *module, &name.clone()),
            Base::Slot(slot) => {
                if p.steps.is_empty() {
                    return self.load_cell(ty, *slot, p.offset, memory);
                }
                // One of the cells, by the index.
                let slot = *slot;
                let step = p.steps.iter().fold(0, |g, s| gcd(g, s.1)).max(1);
                let base = p.offset.rem_euclid(step);
                let index = self.units(
                    &Pointer {
                        offset: p.offset - base,
                        ..p
                    },
                    step,
                );
                let size = ty.size() as i64;
                let mut value = Val::Undef;
                for offset in self
                    .places(slot, base, step, size, memory)
                    .into_iter()
                    .rev()
                {
                    if !memory.holds(slot, offset, size) {
                        continue;
                    }
                    if value == Val::Undef {
                        value = self.load_cell(ty, slot, offset, memory)?;
                        continue;
                    }
                    let k = self.g.int(Prim::I64, (offset - base) / step);
                    let here = self.g.op(Op::Eq, &[index, k]);
                    let v = self.load_cell(ty, slot, offset, memory)?;
                    value = self.choose(here, &v, &value)?;
                }
                Ok(value)
            }
        }
    }

    /// The offsets that a computed index can mean: all offsets inside of an object of known size, or otherwise those that hold something.
    fn places(&self, slot: u32, base: i64, step: i64, size: i64, memory: &Memory) -> Vec<i64> {
        match self.objects[slot as usize].size {
            Some(all) => {
                let inside = |o: &i64| o + size <= all;
                (0..).map(|k| base + k * step).take_while(inside).collect()
            }
            None => {
                let cells = memory.cells.range((slot, i64::MIN)..=(slot, i64::MAX));
                let offsets = cells.map(|(k, _)| k.1);
                offsets
                    .filter(|o| (o - base).rem_euclid(step) == 0)
                    .collect()
            }
        }
    }

    pub(super) fn load_cell(
        &mut self,
        ty: &Type,
        slot: u32,
        offset: i64,
        memory: &Memory,
    ) -> Res<Val> {
        let size = ty.size() as i64;
        if let Some((stored, value)) = memory.cells.get(&(slot, offset))
            && stored.size() as i64 == size
        {
            return self.reinterpret(stored, value, ty);
        }
        // Bytes of cells that lie in it, or around it.
        let around = memory
            .cells
            .range((slot, offset - 15)..(slot, offset + size));
        let around: Vec<_> = around.map(|(k, v)| (k.1, v.clone())).collect();
        if around.is_empty() {
            if self.objects[slot as usize].param.is_some() {
                let what = "it reads memory that a pointer parameter points to";
                return Err(self.refuse(what, "lift a function whose pointers are results only"));
            }
            return Ok(Val::Undef);
        }
        let mut word = self.g.int(Prim::I64, 0);
        for (at, (stored, value)) in around {
            let (bits, shift) = (stored.size() as i64 * 8, (at - offset) * 8);
            if shift + bits <= 0 {
                continue;
            }
            if size > 8 || bits > 64 {
                let what = format!("memory of type {stored:?} is read in parts");
                return Err(self.refuse(what, "lift a smaller part"));
            }
            let int = Type::Int(bits as u32);
            let value = self.reinterpret(&stored, &value, &int)?;
            let lanes = self.lanes(&int, &value)?;
            let part = self.extend(bits as u32, lanes, 64);
            let amount = self.g.int(Prim::I64, shift.abs());
            let op = if shift < 0 { Op::ShrLogical } else { Op::Shl };
            let part = self.g.op(op, &[part, amount]);
            word = self.g.op(Op::Or, &[word, part]);
        }
        let bits = size as u32 * 8;
        let lanes = self.truncate(64, word, bits);
        self.reinterpret(&Type::Int(bits), &Val::Lane(lanes), ty)
    }

    /// A value of one type as the value of another with the same bits.
    pub(super) fn reinterpret(&mut self, from: &Type, value: &Val, to: &Type) -> Res<Val> {
        if from == to || *value == Val::Undef || matches!(value, Val::Ptr(_) | Val::Either(..)) {
            return Ok(value.clone());
        }
        if matches!((from, to), (Type::Vector(..), _) | (_, Type::Vector(..))) {
            return self.recast(from, value, to);
        }
        let lanes = self.lanes(from, value)?;
        Ok(match (from, to) {
            (Type::Float, Type::Int(32)) | (Type::Double, Type::Int(64)) => {
                Val::Lane(self.g.op(Op::ToBits, &[lanes]))
            }
            (Type::Int(32), Type::Float) | (Type::Int(64), Type::Double) => {
                Val::Lane(self.g.op(Op::FromBits, &[lanes]))
            }
            // A `bool` in memory is a byte.
            (Type::Int(1), Type::Int(n)) => Val::Lane(self.extend(1, lanes, *n)),
            (Type::Int(n), Type::Int(1)) => Val::Lane(self.truncate(*n, lanes, 1)),
            _ => {
                let what = format!("memory of type {from:?} is read as {to:?}");
                return Err(self.refuse(what, "lift a smaller part"));
            }
        })
    }

    /// Stores a value.
    pub(super) fn store(
        &mut self,
        ty: &Type,
        value: &Val,
        to: &Val,
        memory: &mut Rc<Memory>,
    ) -> Res<()> {
        if let (Type::Vector(_, of), Val::Aggregate(items)) = (ty, value) {
            for (i, v) in items.iter().enumerate() {
                let mut at = self.pointers(to)?;
                at.offset += i as i64 * of.size() as i64;
                self.store(of, v, &Val::Ptr(at), memory)?;
            }
            return Ok(());
        }
        if let (Type::Struct(fields, _), Val::Aggregate(items)) = (ty, value) {
            for (i, (t, v)) in fields.iter().zip(items).enumerate() {
                let mut at = self.pointers(to)?;
                at.offset += ty.field(i) as i64;
                self.store(t, v, &Val::Ptr(at), memory)?;
            }
            return Ok(());
        }
        let p = self.pointers(to)?;
        let Base::Slot(slot) = p.base else {
            // `errno`, `signgam` and the like: no part of the result.
            self.notes
                .insert("a store to a global variable is left out".into());
            return Ok(());
        };
        if p.steps.is_empty() {
            let cells = &memory.cells;
            let size = ty.size() as i64;
            // A cell that it covers in part keeps the rest, in pieces.
            let end = p.offset + size;
            let over: Vec<_> = cells
                .range((slot, p.offset - 15)..(slot, end))
                .filter(|(k, (t, _))| k.1 + t.size() as i64 > p.offset)
                .map(|(k, c)| (k.1, c.0.size() as i64))
                .collect();
            let before = memory.clone();
            for (at, bytes) in over {
                let mut piece = at;
                while piece < at + bytes {
                    if (p.offset..end).contains(&piece) {
                        piece = end;
                        continue;
                    }
                    let limit = if piece < p.offset {
                        p.offset
                    } else {
                        at + bytes
                    };
                    let width = [4, 2, 1]
                        .into_iter()
                        .find(|w| piece % w == 0 && piece + w <= limit);
                    let width = width.expect("a byte fits");
                    let int = Type::Int(width as u32 * 8);
                    let kept = self.load_cell(&int, slot, piece, &before)?;
                    Rc::make_mut(memory)
                        .cells
                        .insert((slot, piece), (int, kept));
                    piece += width;
                }
                if at != p.offset && (p.offset..end).contains(&at) {
                    Rc::make_mut(memory).cells.remove(&(slot, at));
                }
            }
            let cells = &mut Rc::make_mut(memory).cells;
            cells.insert((slot, p.offset), (ty.clone(), value.clone()));
            return Ok(());
        }
        let step = p.steps.iter().fold(0, |g, s| gcd(g, s.1)).max(1);
        let base = p.offset.rem_euclid(step);
        let size = ty.size() as i64;
        if self.objects[slot as usize].size.is_none() {
            let what = "memory that a pointer parameter points to is written at a computed index";
            return Err(self.refuse(what, "write it at constant indices"));
        }
        let index = self.units(
            &Pointer {
                offset: p.offset - base,
                ..p
            },
            step,
        );
        for offset in self.places(slot, base, step, size, memory) {
            // What nothing was stored in may have any value.
            let new = if memory.holds(slot, offset, size) {
                let k = self.g.int(Prim::I64, (offset - base) / step);
                let here = self.g.op(Op::Eq, &[index, k]);
                let old = self.load_cell(ty, slot, offset, memory)?;
                self.choose(here, value, &old)?
            } else {
                value.clone()
            };
            let at = Val::Ptr(Pointer {
                offset,
                ..Pointer::to_slot(slot)
            });
            self.store(ty, &new, &at, memory)?;
        }
        Ok(())
    }

    /// Fills memory with zeros, or copies it.
    pub(super) fn fill(&mut self, to: &Val, bytes: i64, memory: &mut Rc<Memory>) -> Res<()> {
        let p = self.pointers(to)?;
        let mut at = 0;
        while at < bytes {
            // Cells of the width that is there already, else words.
            let size = match &p.base {
                Base::Slot(slot) => memory
                    .cells
                    .get(&(*slot, p.offset + at))
                    .map(|c| c.0.clone()),
                Base::Global(..) => None,
            };
            let left = bytes - at;
            let ty = size
                .filter(|t| t.size() as i64 <= left && lane(t).is_some())
                .unwrap_or(match left {
                    8.. => Type::Int(64),
                    4.. => Type::Int(32),
                    2.. => Type::Int(16),
                    _ => Type::Int(8),
                });
            let here = Pointer {
                offset: p.offset + at,
                ..p.clone()
            };
            let zero = self.constant(&ty, &Operand::Zero)?;
            self.store(&ty, &zero, &Val::Ptr(here), memory)?;
            at += ty.size() as i64;
        }
        Ok(())
    }

    /// Copies memory.
    pub(super) fn copy(
        &mut self,
        to: &Val,
        from: &Val,
        bytes: i64,
        memory: &mut Rc<Memory>,
    ) -> Res<()> {
        let (to, from) = (self.pointers(to)?, self.pointers(from)?);
        let leaves: Vec<(i64, Type)> = match &from.base {
            Base::Slot(slot) => {
                let cells = memory
                    .cells
                    .range((*slot, from.offset)..(*slot, from.offset + bytes));
                cells
                    .map(|(k, c)| (k.1 - from.offset, c.0.clone()))
                    .collect()
            }
            Base::Global(module, name) => {
                let Some((m, g)) = self.global(*module, name) else {
                    return Err(self.refuse(
                        format!("`{name}` has no value here"),
                        "add the file that defines it",
                    ));
                };
                let mut all = Vec::new();
                leaves(&self.modules[m].globals[&g].ty, 0, &mut all);
                let of = |(o, t): (i64, Type)| {
                    (from.offset..from.offset + bytes)
                        .contains(&o)
                        .then_some((o - from.offset, t))
                };
                all.into_iter().filter_map(of).collect()
            }
        };
        let before = memory.clone();
        for (at, ty) in leaves {
            let at = |p: &Pointer| {
                Val::Ptr(Pointer {
                    offset: p.offset + at,
                    ..p.clone()
                })
            };
            let value = self.load(&ty, &at(&from), &before)?;
            self.store(&ty, &value, &at(&to), memory)?;
        }
        Ok(())
    }

    /// The module that defines a global named in a module.
    fn global(&self, module: usize, name: &Name) -> Option<(usize, Name)> {
        let mut all = std::iter::once(module).chain(0..self.modules.len());
        all.find_map(|m| {
            let module = &self.modules[m];
            let name = module.aliases.get(name).unwrap_or(name);
            module.globals.get(name)?.init.as_ref()?;
            Some((m, name.clone()))
        })
    }

    fn load_global(&mut self, ty: &Type, p: &Pointer, module: usize, name: &Name) -> Res<Val> {
        let Some((module, name)) = self.global(module, name) else {
            let what = format!("the variable `{name}` has no value here");
            return Err(self.refuse(what, "add the source file that defines it"));
        };
        let modules = self.modules;
        let global = &modules[module].globals[&name];
        if !global.constant {
            self.notes.insert(format!(
                "the variable `{name}` is taken to have its initial value"
            ));
        }
        let mut bytes = vec![0; global.ty.size() as usize];
        let init = global.init.as_ref().expect("it was looked for");
        if !fill_bytes(&global.ty, init, &mut bytes) {
            let what = format!("the table `{name}` has entries that are not numbers");
            return Err(self.refuse(what, "lift a function without it"));
        }
        let Some(prim) = lane(ty) else {
            return Err(self.refuse(
                format!("a table is read as {ty:?}"),
                super::value::remedy(ty),
            ));
        };
        let size = ty.size() as usize;
        let at = |offset: i64| -> Option<u64> {
            let offset = usize::try_from(offset).ok()?;
            let bytes = bytes.get(offset..offset + size)?;
            Some(
                bytes
                    .iter()
                    .rev()
                    .fold(0, |word, &b| word << 8 | u64::from(b)),
            )
        };
        if p.steps.is_empty() {
            return match at(p.offset) {
                Some(bits) => Ok(Val::Lane(self.g.bits(prim, bits))),
                None => Ok(Val::Undef),
            };
        }
        let step = p.steps.iter().fold(0, |g, s| gcd(g, s.1)).max(1);
        let base = p.offset.rem_euclid(step);
        let index = self.units(
            &Pointer {
                offset: p.offset - base,
                ..p.clone()
            },
            step,
        );
        let entries: Vec<u64> = (0..).map_while(|i| at(base + i * step)).collect();
        let mut label = name.trim_matches(['_', '.']).to_string();
        if step != size as i64 || base != 0 {
            label = format!("{label}_{base}");
        }
        let table = Table {
            name: label,
            ty: prim,
            bits: entries,
        };
        Ok(Val::Lane(self.g.load(table, index)))
    }
}

/// The numbers of a type with their offsets.
fn leaves(ty: &Type, at: i64, out: &mut Vec<(i64, Type)>) {
    match ty {
        Type::Array(n, of) | Type::Vector(n, of) => {
            (0..*n as i64).for_each(|i| leaves(of, at + i * of.size() as i64, out))
        }
        Type::Struct(fields, _) => {
            for (i, f) in fields.iter().enumerate() {
                leaves(f, at + ty.field(i) as i64, out);
            }
        }
        _ => out.push((at, ty.clone())),
    }
}

/// Writes a constant's bytes, little-endian. Returns whether all of it consists of numbers.
fn fill_bytes(ty: &Type, value: &Operand, out: &mut [u8]) -> bool {
    match (ty, value) {
        (_, Operand::Zero | Operand::Undef) => true,
        (Type::Array(_, of) | Type::Vector(_, of), Operand::Aggregate(items)) => {
            let size = of.size() as usize;
            items
                .iter()
                .enumerate()
                .all(|(i, (t, v))| fill_bytes(t, v, &mut out[i * size..]))
        }
        (Type::Struct(..), Operand::Aggregate(items)) => {
            let at = |i| ty.field(i) as usize;
            items
                .iter()
                .enumerate()
                .all(|(i, (t, v))| fill_bytes(t, v, &mut out[at(i)..]))
        }
        (Type::Array(..), Operand::Bytes(bytes)) => {
            out[..bytes.len()].copy_from_slice(bytes);
            true
        }
        (Type::Int(bits), Operand::Int(n)) => {
            let size = bits.div_ceil(8) as usize;
            out[..size].copy_from_slice(&n.to_le_bytes()[..size]);
            true
        }
        (Type::Double, Operand::Float(x)) => {
            out[..8].copy_from_slice(&x.to_le_bytes());
            true
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "LLVM writes floats as doubles of the same value"
        )]
        (Type::Float, Operand::Float(x)) => {
            out[..4].copy_from_slice(&(*x as f32).to_le_bytes());
            true
        }
        // An address among numbers: nobody loads it as one.
        (Type::Ptr, _) => true,
        _ => false,
    }
}
