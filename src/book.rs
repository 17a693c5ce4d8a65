//! The Rust code of the book and of the README, compiled and run as documentation tests.
//!
//! `cargo xtask book` checks that each page with Rust code is here. Lines that begin with `# ` are compiled, and mdBook does not show them.

/// A module for each page, with the page as its documentation.
macro_rules! pages {
    ($($name:ident: $page:literal,)+) => {$(
        #[doc = include_str!(concat!("../", $page))]
        mod $name {}
    )+};
}

pages! {
    readme: "README.md",
    first_routine: "docs/book/src/start/first-routine.md",
    annotate: "docs/book/src/tasks/annotate.md",
    bounds: "docs/book/src/tasks/bounds.md",
    design: "docs/book/src/tasks/design.md",
    gappa: "docs/book/src/tasks/gappa.md",
    host_functions: "docs/book/src/tasks/host-functions.md",
    library_crate: "docs/book/src/tasks/library-crate.md",
    reductions: "docs/book/src/tasks/reductions.md",
    same_bits: "docs/book/src/tasks/same-bits.md",
    testing: "docs/book/src/tasks/testing.md",
    two_arguments: "docs/book/src/tasks/two-arguments.md",
    directed: "docs/book/src/reference/directed.md",
    half: "docs/book/src/reference/half.md",
    math: "docs/book/src/reference/math.md",
    references: "docs/book/src/reference/references.md",
}
