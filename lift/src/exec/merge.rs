//! The content of memory where several paths meet.
//!
//! Paths may have written the same bytes in different widths or types: one path has filled eight bytes with zeros, another has stored two
//! floats there. Memory is then cut at the ends of all cells, and each path gives the value of each piece.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::memory::Memory;
use super::state::{Exec, Res};
use super::value::Val;
use crate::ir::Type;

/// Bytes of an object, with the type in which the first path with exactly these bytes stores them.
struct Piece {
    slot: u32,
    offset: i64,
    ty: Type,
}

impl Exec<'_> {
    /// The merged memory of several paths. `choose` gives the value of the path that is taken.
    pub(super) fn merge_memories(
        &mut self,
        all: &[Rc<Memory>],
        mut choose: impl FnMut(&mut Self, &[Val]) -> Res<Val>,
    ) -> Res<Rc<Memory>> {
        if all.iter().all(|m| Rc::ptr_eq(m, &all[0]) || **m == *all[0]) {
            return Ok(all[0].clone());
        }
        let mut merged = Memory::default();
        for Piece { slot, offset, ty } in pieces(all) {
            let mut values = Vec::with_capacity(all.len());
            for memory in all {
                // What nothing was stored in may have any value.
                values.push(match memory.holds(slot, offset, ty.size() as i64) {
                    true => self.load_cell(&ty, slot, offset, memory)?,
                    false => Val::Undef,
                });
            }
            let value = choose(self, &values)?;
            merged.cells.insert((slot, offset), (ty, value));
        }
        Ok(Rc::new(merged))
    }
}

/// The pieces into which the cells of all paths cut memory.
fn pieces(all: &[Rc<Memory>]) -> Vec<Piece> {
    // The types of the cells that begin at each place.
    let mut begins: BTreeMap<(u32, i64), Vec<&Type>> = BTreeMap::new();
    for memory in all {
        for (&place, (ty, _)) in &memory.cells {
            let here = begins.entry(place).or_default();
            if !here.contains(&ty) {
                here.push(ty);
            }
        }
    }
    let mut pieces = Vec::new();
    let mut begins = begins.into_iter().peekable();
    while let Some(((slot, from), types)) = begins.next() {
        let end = |from: i64, types: &[&Type]| {
            let longest = types.iter().map(|t| t.size() as i64).max();
            from + longest.unwrap_or_default()
        };
        let mut until = end(from, &types);
        let mut cluster = vec![(from, types)];
        while let Some(((_, at), types)) =
            begins.next_if(|((other, at), _)| *other == slot && *at < until)
        {
            until = until.max(end(at, &types));
            cluster.push((at, types));
        }
        cut(slot, &cluster, &mut pieces);
    }
    pieces
}

/// The pieces of cells that overlap.
fn cut(slot: u32, cluster: &[(i64, Vec<&Type>)], pieces: &mut Vec<Piece>) {
    let mut ends: Vec<i64> = Vec::new();
    for (at, types) in cluster {
        ends.push(*at);
        ends.extend(types.iter().map(|t| at + t.size() as i64));
    }
    ends.sort_unstable();
    ends.dedup();
    for pair in ends.windows(2) {
        let (mut offset, end) = (pair[0], pair[1]);
        let whole = cluster.iter().find(|(at, _)| *at == offset);
        let whole = whole.and_then(|(_, types)| {
            let mut fits = types.iter().filter(|t| t.size() as i64 == end - offset);
            fits.next().copied().cloned()
        });
        if let Some(ty) = whole {
            pieces.push(Piece { slot, offset, ty });
            continue;
        }
        while offset < end {
            let fits = |w: &i64| *w <= end - offset;
            let width = [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1);
            let ty = Type::Int(8 * width as u32);
            pieces.push(Piece { slot, offset, ty });
            offset += width;
        }
    }
}
