//! The golden scripts of `tests/scripts`, natively; `support/golden.rs` runs them.
//!
//! Invariant: compiled for WebAssembly this holds nothing, so that `wasm-pack test` can build all tests.
#![cfg_attr(target_arch = "wasm32", no_main)]

#[cfg(not(target_arch = "wasm32"))]
#[path = "support/golden.rs"]
mod golden;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    golden::main()
}
