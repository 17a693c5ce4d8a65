//! What threads share; small stretches by brute force; proofs that are resumed.

use super::*;

/// What the threads of a round share, at level 1.
fn shared<'a>(
    (program, truth): &'a (Program, Truth),
    bound: &'a RangeBound,
    list: bool,
    note: &'a (dyn Fn(Note) + Sync),
    stop: &'a AtomicBool,
) -> Shared<'a> {
    Shared {
        program,
        truth,
        bound,
        list,
        work: Mutex::new(Work::default()),
        closed: Mutex::default(),
        runs: AtomicU64::new(0),
        pieces: pieces(bound, 1.0, BINARY64),
        queue: Mutex::default(),
        level: AtomicU64::new(1f64.to_bits()),
        worst: Mutex::new(Hit {
            x: 1.5,
            error: -3.0,
        }),
        hits: Mutex::default(),
        open: Mutex::default(),
        undecided: Mutex::default(),
        note,
        until: Instant::now() + Duration::from_secs(600),
        stop,
        stopped: AtomicBool::new(false),
        claims: Claims::new(bound),
        contradiction: Mutex::default(),
        contradicted: AtomicBool::new(false),
    }
}

#[test]
fn threads_share_pieces_levels_and_what_is_open() {
    let kernel = root();
    let bound = four_cells();
    let notes = Mutex::new(Vec::new());
    let note = |n: Note| notes.lock().expect("one thread").push(n);
    let stop = AtomicBool::new(false);
    let new = |list| shared(&kernel, &bound, list, &note, &stop);
    let s = new(false);
    // A piece that was taken is not done.
    let all = s.pieces.len();
    assert_eq!(
        (all, s.progress().pieces, s.progress().upper),
        (49, (0, 49), 5.0)
    );
    let (a, _) = s.take().expect("a piece");
    let (b, second) = s.take().expect("another");
    assert_eq!((s.progress().pieces, second.number), ((0, 49), 1));
    s.done(b);
    assert_eq!(s.progress().pieces, (1, 49));
    s.done(a);
    for _ in 0..14 {
        let (at, _) = s.take().expect("a piece");
        s.done(at);
    }
    assert_eq!((s.progress().upper, s.progress().lower), (4.0, Some(3.0)));
    // What is left is left once per cell, and constants are returned.
    let (at, piece) = s.take().expect("a piece");
    let constants: Vec<Piece> = s.leave_rest(at, piece);
    assert_eq!(constants.iter().map(|p| p.bounded).collect::<Vec<_>>(), [3]);
    let open = s.open.lock().expect("one thread").clone();
    let left: Vec<_> = open.iter().map(|o| (o.class, o.cell, o.bound)).collect();
    let due = [
        (Some(0), cell(2f64.next_up(), 3.0), 4.0),
        (Some(1), cell(4.0, 5.0), 3.0),
    ];
    assert_eq!(left, due);
    assert!(s.take().is_none());
    // Errors that are not decided keep the bracket open: the largest of them.
    let s = new(false);
    let at = |x: f64| Hit { x, error: 0.5 };
    for (x, most, count) in [(1.1, 0.9, 0), (1.2, 1.5, 1), (1.3, 1.4, 1), (1.4, 1.6, 2)] {
        s.undecided(at(x), most);
        assert_eq!(s.open.lock().expect("one thread").len(), count, "{x}");
    }
    assert_eq!(notes.lock().expect("one thread").drain(..).count(), 2);
    // The level rises, which is recorded; -3 is above 2.
    s.evaluated(Hit { x: 1.1, error: 2.0 });
    assert_eq!(
        (s.level(), notes.lock().expect("one thread").len()),
        (1.0, 0)
    );
    s.evaluated(Hit {
        x: 1.2,
        error: -4.0,
    });
    assert_eq!(s.level(), 4.0);
    assert_eq!(
        notes
            .lock()
            .expect("one thread")
            .drain(..)
            .collect::<Vec<_>>(),
        [Note::Hit(1.2)]
    );
    // A list has what is at the level, of either sign.
    let s = new(true);
    for error in [1.0, -1.0, 0.9, 2.0] {
        s.evaluated(Hit { x: 1.1, error });
    }
    assert_eq!(
        (s.hits.lock().expect("one thread").len(), s.level()),
        (3, 1.0)
    );
    // A contradiction ends the round.
    assert!(!s.ends());
    s.compare(1.5, Interval::new(4.9, 5.1), 5.0);
    assert!(!s.ends());
    s.compare(1.5, Interval::new(5.1, 5.2), 3.0);
    assert!(
        s.ends()
            && s.contradiction
                .lock()
                .expect("one thread")
                .is_some_and(|c| c.claim == 5.0)
    );
}

fn effort(list: bool) -> Effort {
    Effort {
        threads: 1,
        time: Duration::from_secs(600),
        list,
    }
}

/// A kernel's errors over a few inputs: a list above levels, and the maximum.
fn agrees(program: &Program, truth: &Truth, inputs: Cell) -> Work {
    let mut values = Values::new(program);
    let mut all = Vec::new();
    let mut x = inputs.lo;
    while x <= inputs.hi {
        let error = error_at(program, truth, &mut values, x).expect("a number");
        all.push(Hit::new(x, error));
        x = x.next_up();
    }
    let largest = all.iter().map(|h| h.error.abs()).fold(0.0, f64::max);
    // Cells are left large, so that they are searched.
    let coarse = bound::Effort {
        tolerance: 1.0,
        cells: 8,
        values: 400_000,
        threads: 1,
        by_series: false,
        rounded: false,
    };
    let bound = bound_range(program, truth, &[inputs], coarse);
    assert!(largest <= bound.bound);
    let stop = AtomicBool::new(false);
    let mut work = Work::default();
    for level in [0.0, 0.3, 0.8 * largest, 0.98 * largest, largest.next_down()] {
        let from = Hit {
            x: f64::NAN,
            error: level,
        };
        for list in [true, false] {
            let got = prove(
                program,
                truth,
                &bound,
                from,
                effort(list),
                &stop,
                &mut |_| {},
            );
            assert!(got.is_exact() && got.contradiction.is_none(), "{got:?}");
            if list && level > 0.0 {
                let due: Vec<f64> = all
                    .iter()
                    .filter(|h| h.error.abs() >= level)
                    .map(|h| h.x)
                    .collect();
                let found: Vec<f64> = got.hits.iter().map(|h| h.x).collect();
                assert_eq!(found, due, "{inputs:?} {level}");
            } else if level < largest && !list {
                assert_eq!(got.worst.error.abs(), largest, "{inputs:?} {level}");
            }
            work.brute += got.work.brute;
            work.lattice += got.work.lattice;
            work.of_bound += got.work.of_bound;
        }
    }
    work
}

#[test]
fn small_stretches_agree_with_brute_force() {
    let (program, truth) = root();
    let after = |x: f64, n: u64| cell(x, f64::from_bits(x.to_bits() + n));
    let mut work = Work::default();
    for inputs in [
        after(1.3, 0),
        after(1.7, 6000),
        after(2f64.next_down().next_down(), 600),
        after(2f64.next_down() - 2f64.powi(-44), 400),
        after(1e-300, 300),
    ] {
        let one = agrees(&program, &truth, inputs);
        work.brute += one.brute;
        work.of_bound += one.of_bound;
        work.lattice += one.lattice;
    }
    assert!(work.brute > 3000, "{work:?}");
}

#[test]
fn a_resumed_proof_is_compared_with_what_was_proven() {
    let kernel = root();
    let inputs = cell(1.3, 1.3 + 1e-13);
    let bound = bound_range(&kernel.0, &kernel.1, &[inputs], bound::Effort::default());
    let notes = Mutex::new(Vec::new());
    let note = |n: Note| notes.lock().expect("one thread").push(n);
    let stop = AtomicBool::new(false);
    let run = |bound: &RangeBound, stop: &AtomicBool, kept: Kept, known: Option<Hit>| {
        let task = Task {
            program: &kernel.0,
            truth: &kernel.1,
            bound,
            effort: effort(false),
            share: Share::WHOLE,
            note: &note,
            stop,
        };
        resume(&task, kept, known, 0.1, &mut |_| {})
    };
    let at = |levels: &[f64]| kept(levels.iter().map(|&l| Note::Round(l)).collect());
    // A level below the largest error, where a higher one was proven.
    let found = run(&bound, &stop, at(&[0.2]), None);
    let largest = found.worst.error.abs();
    assert!(
        found.contradiction.is_none() && found.is_exact() && largest > 0.3,
        "{found:?}"
    );
    let ended = |n: &Note| matches!(n, Note::End);
    let hit = |n: &Note| *n == Note::Hit(found.worst.x);
    let told: Vec<Note> = notes.lock().expect("one thread").drain(..).collect();
    assert!(
        told.last().is_some_and(ended) && told.iter().any(hit),
        "{told:?}"
    );
    let wrong = run(&bound, &stop, at(&[0.25, 0.2]), None);
    assert!(
        wrong.contradiction.is_some_and(|c| c.claim == 0.25),
        "{wrong:?}"
    );
    // Levels descend until one is attained, and each is recorded.
    notes.lock().expect("one thread").clear();
    let level = largest + 0.001;
    let found = run(&bound, &stop, at(&[level]), None);
    assert_eq!(found.worst.error.abs(), largest);
    let told: Vec<Note> = notes.lock().expect("one thread").drain(..).collect();
    let rounds = told.iter().filter_map(|n| match n {
        Note::Round(level) => Some(*level),
        _ => None,
    });
    let rounds: Vec<f64> = rounds.collect();
    assert!(
        !rounds.is_empty() && rounds[0] < level && rounds.is_sorted_by(|a, b| a > b),
        "{told:?}"
    );
    assert_eq!(found.upper, largest);
    // A known input is noted, and compared with the bounds.
    let worst = found.worst;
    let known = Some(worst);
    let found = run(&bound, &stop, at(&[0.2]), known);
    assert_eq!((found.worst, found.upper), (worst, largest));
    assert!(notes.lock().expect("one thread").drain(..).any(|n| hit(&n)));
    let mut low = bound.clone();
    for cell in &mut low.cells {
        cell.error.most = 0.1;
    }
    let ends = AtomicBool::new(true);
    let found = run(&low, &ends, at(&[0.2]), known);
    assert!(
        found.contradiction.is_some_and(|c| c.claim == 0.1),
        "{found:?}"
    );
    // Shares of other counts are not merged.
    let task = Task::whole(&kernel.0, &kernel.1, &bound, effort(false), &stop);
    let done = || kept(vec![Note::Round(level), Note::End]);
    let of = |index, count| (Share { index, count }, done());
    let refused = |parts| merge(&task, parts).err();
    assert_eq!(refused(vec![of(0, 2), of(1, 3)]), Some(NoMerge::Count(1)));
    assert_eq!(
        refused(vec![of(0, 2), of(0, 2)]),
        Some(NoMerge::Twice(0, 1))
    );
    assert_eq!(refused(vec![of(0, 2)]), Some(NoMerge::Missing(1)));
    let short = (Share { index: 1, count: 2 }, at(&[level]));
    assert_eq!(refused(vec![of(0, 2), short]), Some(NoMerge::Unfinished(1)));
}
