use super::*;
use crate::kernels::Words;
use crate::number::{exact, magnitude};
use crate::residual::{Node, Rounding};

/// `c - (x - d)`, where the difference has the unit 2^-54 and exact results on the grid 2^-57.
fn line() -> Line {
    let node = |kind, lo, hi, grid, rounding: Option<(i32, i32)>| Node {
        kind,
        site: 0,
        lo,
        hi,
        grid,
        rounding: rounding.map(|(unit, grid)| Rounding {
            unit,
            grid: Some(grid),
        }),
    };
    Line {
        nodes: vec![
            node(Kind::Input, -0.0625, -0.03125, -57, None),
            node(Kind::Const(1.0), 1.0, 1.0, 0, None),
            node(Kind::Const(-0.34375), -0.34375, -0.34375, -5, None),
            node(Kind::Sub(0, 2), 0.28125, 0.3125, -54, Some((-54, -57))),
            node(Kind::Sub(1, 3), 0.6875, 0.71875, -53, Some((-53, -54))),
        ],
        result: 4,
    }
}

/// All residues of the input: the tie is reached, and so is the bound beside it, and never a larger error together with one of the second node.
#[test]
fn no_tie_is_followed_by_a_rounding() {
    let line = line();
    let pairs = tied(&line);
    let [pair] = &pairs[..] else {
        panic!("{}", pairs.len())
    };
    assert_eq!((pair.first, pair.then), (3, 4));
    let mut random = Words(5);
    let (mut ties, mut ends) = (0, 0);
    for k in 0..4096_u64 {
        let x = -f64::from_bits(0.03125_f64.to_bits() + (random.below(1 << 40) << 6) + k % 64);
        let t = x + 0.34375;
        let y = 1.0 - t;
        let off = magnitude(&(exact(t) - exact(x) - exact(0.34375)));
        let then = exact(y) - exact(1.0) + exact(t);
        let is_exact = then == exact(0.0);
        assert!(is_exact || off <= pair.least, "{x:e}");
        ties += u32::from(off > pair.least);
        ends += u32::from(!is_exact && off == pair.least);
    }
    assert!(ties > 100 && ends > 100, "{ties} {ends}");
}

#[test]
fn each_hypothesis_is_needed() {
    let count = |change: &dyn Fn(&mut [Node])| {
        let mut line = line();
        change(&mut line.nodes);
        tied(&line).len()
    };
    assert_eq!(count(&|_| {}), 1);
    assert_eq!(count(&|n| n[1].grid = -53), 1);
    assert_eq!(count(&|n| n[1].grid = -54), 0);
    let rounding = |unit, grid| Some(Rounding { unit, grid });
    assert_eq!(count(&|n| n[4].rounding = rounding(-52, Some(-54))), 0);
    assert_eq!(count(&|n| n[3].rounding = rounding(-54, None)), 0);
    assert_eq!(count(&|n| n[3].rounding = rounding(-54, Some(-55))), 1);
    assert_eq!(count(&|n| n[3].rounding = rounding(-54, Some(-54))), 0);
    assert_eq!(count(&|n| n[4].rounding = None), 0);
}
