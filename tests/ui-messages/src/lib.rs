//! The tests of `#[crunch]`'s messages, in `tests/ui`. They are no tests of `dc-macros` itself, because what the tests of
//! a procedural macro depend on is compiled for the compiler's side: the whole runtime would be built once more.
