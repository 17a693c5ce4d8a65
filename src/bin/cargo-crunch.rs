//! `cargo crunch`: the suites of a workspace.

fn main() -> std::process::ExitCode {
    doublecrunch::suite::cargo::main()
}
