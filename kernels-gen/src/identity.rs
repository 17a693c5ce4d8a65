//! The identity of a kernel, independent of how it is written. Runs may be resumed or merged only if their identities are equal.
//!
//! Constants, operations, their order, tables and the division into helpers are part of it. Names of locals, kernels
//! and files, source lines and comments are not.

use crate::program::Program;
use crate::text;

/// The text that is hashed.
#[must_use]
pub fn identity_text(program: &Program) -> String {
    text::bare(program)
}

/// The 128-bit FNV-1a hash of [`identity_text`], most significant byte first.
///
/// It distinguishes versions of a kernel. It is no protection against somebody who constructs two kernels with the same hash.
#[must_use]
pub fn identity(program: &Program) -> [u8; 16] {
    fnv1a_128(identity_text(program).as_bytes()).to_be_bytes()
}

/// [`identity`] as 32 hexadecimal digits.
#[must_use]
pub fn identity_hex(program: &Program) -> String {
    format!("{:032x}", u128::from_be_bytes(identity(program)))
}

/// FNV-1a with the 128-bit parameters of RFC 9923, section 5.
#[must_use]
pub fn fnv1a_128(bytes: &[u8]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = (1 << 88) + 0x13b;
    bytes
        .iter()
        .fold(BASIS, |h, &b| (h ^ u128::from(b)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::tests::program;
    use crate::ops::{Op, Prim};
    use crate::program::InstKind;

    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(fnv1a_128(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(
            fnv1a_128(b"foobar"),
            0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18
        );
    }

    #[test]
    fn what_is_computed_is_in_the_identity() {
        let base = identity(&program());
        assert_eq!(base, identity(&program()));
        let changed = |what: &str, change: &dyn Fn(&mut Program)| {
            let mut p = program();
            change(&mut p);
            assert_ne!(identity(&p), base, "{what}");
        };
        changed("a table entry", &|p| p.tables[0].bits[1] ^= 1);
        changed("an output", &|p| {
            let f = p.funcs.last_mut().expect("an entry");
            f.results[0].0 -= 1;
        });
        changed("a constant's last bit", &|p| {
            let insts = &mut p.funcs.last_mut().expect("an entry").insts;
            let i = insts
                .iter_mut()
                .find(|i| i.ty == Prim::F64 && matches!(i.kind, InstKind::Const(_)));
            if let InstKind::Const(bits) = &mut i.expect("0.1").kind {
                *bits ^= 1;
            }
        });
        changed("an operation", &|p| {
            let i = p.funcs[0]
                .insts
                .iter_mut()
                .find(|i| i.kind == InstKind::Op(Op::Add));
            i.expect("a sum").kind = InstKind::Op(Op::Sub);
        });
        changed("the order of operands", &|p| {
            let i = p.funcs[0]
                .insts
                .iter_mut()
                .find(|i| i.kind == InstKind::Op(Op::Sub));
            i.expect("a difference").args.swap(0, 1);
        });
    }

    #[test]
    fn how_it_is_written_is_not() {
        let base = identity(&program());
        let mut p = program();
        p.tables[0].name = "other".into();
        for f in &mut p.funcs {
            f.name.push_str("_renamed");
            f.params.iter_mut().for_each(|p| p.0.push('x'));
            for i in &mut f.insts {
                i.name = Some("z".into());
                i.loc.line += 100;
            }
        }
        assert_eq!(identity(&p), base);
    }

    /// Run files store these hashes. If they change, no existing run file can be resumed.
    #[test]
    fn it_is_stable() {
        assert_eq!(identity_hex(&program()), "b8b33d8876241c044f5503b0ef10cf1a");
    }
}
