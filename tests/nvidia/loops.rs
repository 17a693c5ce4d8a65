//! The loops of searches in machine code: instructions, registers and calls.

#[path = "../../benches/limit/cuda_text.rs"]
mod cuda_text;

use doublecrunch::backend::search_text;
use doublecrunch::model::measure::Measure;
use kernels_gen::emit::Options;

use crate::nvidia::sass::Sass;
use crate::nvidia::sass::hot::{Kind, Loop};
use crate::nvidia::{Nvrtc, STRICT};
use crate::texts::sweeps;
use crate::{ARCHITECTURES, need, workspace};

/// The loops of searches in machine code, of which each is a text and its entry.
fn loops_of(nvrtc: &Nvrtc, searches: &[[&str; 2]], arch: &str) -> Option<Vec<(Sass, Loop)>> {
    let ptx = searches.iter().map(|[text, entry]| {
        let ptx = nvrtc.ptx(text, arch, &STRICT);
        ptx.unwrap_or_else(|e| panic!("{entry}: {e}"))
    });
    let ptx: Vec<String> = ptx.collect();
    let all = need("sass", Sass::of_each(workspace(), &ptx, arch))?;
    let found = all.into_iter().zip(searches).map(|(sass, [_, entry])| {
        let found = sass.longest_loop(entry);
        (sass, found.expect("a search is a loop"))
    });
    Some(found.collect())
}

/// The instructions on the fast path: no access to local memory, no subroutine call that is not skipped, in the
/// loop only the subroutines of the routine and its reference, and hardly more instructions than the search written by
/// hand.
#[test]
fn the_loop_of_a_search_is_as_short_as_one_written_by_hand() {
    let Some(nvrtc) = need("sass", Nvrtc::open(workspace())) else {
        return;
    };
    let all = sweeps();
    for arch in ARCHITECTURES {
        let texts = cuda_text::KERNELS.map(|kernel| {
            let name = format!("sweep {}", kernel.replace('_', "-"));
            let text = all.iter().find(|t| t.name == name).expect("a sweep");
            (kernel, text, cuda_text::text(workspace(), kernel))
        });
        let searches = texts.iter().flat_map(|(_, text, rival)| {
            let ours = [&*text.source.text, &*text.source.entry];
            [ours, [&**rival, cuda_text::ENTRY]]
        });
        let Some(loops) = loops_of(&nvrtc, &searches.collect::<Vec<_>>(), arch) else {
            return;
        };
        for ((kernel, text, _), both) in texts.iter().zip(loops.chunks(2)) {
            let [(sass, ours), (theirs_sass, theirs)] = both else {
                panic!("{kernel}: two loops");
            };
            println!("{arch} {kernel}: {ours}; by hand {theirs}");
            assert_eq!((sass.local, theirs_sass.local), (0, 0), "{kernel}, {arch}");
            assert!(sass.registers <= 80, "{kernel}, {arch}: {}", sass.registers);
            for found in [ours, theirs] {
                let slow = |c: &&String| c.contains("dblrcp") || c.contains("div_rn_f64");
                let others = found.calls.iter().filter(|c| !slow(c)).count();
                assert_eq!(others, 0, "{kernel}, {arch}: {:?}", found.calls);
            }
            // Divisions and reciprocals are those of the routine and the reference: the metric has none.
            let starts = |l: &Loop| l.path.of("MUFU");
            let divisions = ["div", "rcp"].map(|op| text.slow.get(&(op, "f64")).copied());
            let divisions: u64 = divisions.into_iter().flatten().sum();
            assert_eq!(starts(ours) as u64, divisions, "{kernel}, {arch}");
            assert!(
                ours.count(Kind::Fp64) <= theirs.count(Kind::Fp64) + 10,
                "{kernel}, {arch}"
            );
            assert!(
                100 * ours.total() <= 112 * theirs.total(),
                "{kernel}, {arch}: {ours}, by hand {theirs}"
            );
        }
    }
}

/// A search for maxima takes a third of the instructions where the reference outweighs the routine.
#[test]
fn the_loop_of_maxima_is_short() {
    let Some(nvrtc) = need("sass", Nvrtc::open(workspace())) else {
        return;
    };
    for arch in ARCHITECTURES {
        for name in ["exp", "log-polynomial"] {
            let sweep = doublecrunch::sweeps::ALL.iter().find(|s| s.name() == name);
            let sweep = sweep.expect("a sweep");
            let kernels = sweep.kernels().expect("of kernels");
            let programs = kernels.map(|k| kernels_gen::lower(k.kernel).expect("it lowers"));
            let [full, maxima] = [Measure::Full, Measure::Maxima].map(|measure| {
                let programs = programs.each_ref();
                search_text(programs, sweep.precision(), measure, &Options::cuda())
                    .expect("it fits")
            });
            let both = [&full, &maxima].map(|s| [&*s.text, &*s.entry]);
            let Some(loops) = loops_of(&nvrtc, &both, arch) else {
                return;
            };
            let [full, maxima] = [0, 1].map(|i| &loops[i].1);
            println!("{arch} {name}: full {full}; maxima {maxima}");
            assert!(
                3 * maxima.total() <= full.total(),
                "{arch} {name}: {maxima}, {full}"
            );
            assert!(
                4 * maxima.count(Kind::Fp64) <= full.count(Kind::Fp64),
                "{arch} {name}: {maxima}"
            );
        }
    }
}

/// The control of `the_loop_of_a_search_is_as_short_as_one_written_by_hand`: without the fast path of the metric it finds more
/// instructions.
#[test]
fn a_search_without_the_short_form_is_seen() {
    let Some(nvrtc) = need("sass", Nvrtc::open(workspace())) else {
        return;
    };
    let all = sweeps();
    let text = all.iter().find(|t| t.name == "sweep reciprocal");
    let source = &text.expect("a sweep").source;
    let never = source.text.replace("if (o.r4 &", "if (false & o.r4 &");
    assert_ne!(never, source.text);
    let both = [&source.text, &never].map(|text| [&**text, &*source.entry]);
    let Some(loops) = loops_of(&nvrtc, &both, "sm_90") else {
        return;
    };
    let [short, full] = [0, 1].map(|i| &loops[i].1);
    assert!(full.total() > 3 * short.total() / 2, "{full}, {short}");
}
