//! Rust's standard library, compiled with the engine and for it: a panic traps, and says nothing before.
//!
//! # Why
//!
//! Nobody reads what a panic of the engine says in a page: the library that Rust ships words it for a standard error,
//! which `wasm32-unknown-unknown` does not have, and traps after that. The engine carried all of it: the file, line and
//! column of every check of bounds, the sentence of every `expect`, the code that hands them over, and the formatting
//! that only they need. Compiled with `panic=immediate-abort` the library has no use for them, and the compiler leaves
//! them out: 21 000 bytes of brotli. The trap is the same one, and so is the error that a page gets. Everything else,
//! tests in WebAssembly among it, is compiled with the shipped library and says where it panicked.
//!
//! Both flags are the compiler's own, not stable; the toolchain is pinned. Its bootstrap variable allows them, as
//! `cargo xtask profile` needs it too. Invariant: the profile's engine and the released one are compiled by the same
//! library, so that their symbols are the same.

use crate::install;
use crate::process::Program;
use crate::project::Project;

/// The package that is compiled, as a file: the engine is optimised as one program with all that it uses.
pub const ENGINE: &str = "quire_page.wasm";
/// The flags for every crate.
pub const FLAGS: &str = "-Zunstable-options\n-Cpanic=immediate-abort\n";
/// What cargo is told beside them. The library's own features are for backtraces and unwinding.
const CARGO: &str = "build --release -Zbuild-std=std,panic_abort -Zbuild-std-features= --target";

/// Cargo, as it compiles an engine together with the library; the package is to be added, and the flags to be set.
pub fn cargo(project: &Project) -> Program {
    Program::new(project, "cargo")
        .words(CARGO)
        .argument(install::TARGET)
        .variable("RUSTC_BOOTSTRAP", "1")
}
