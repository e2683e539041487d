//! The engine as a page downloads it; empty in native builds.
//!
//! Cargo optimises a program across crates (`lto`), but never a library that Rust programs can have too, as `quire`
//! is. Invariant: nothing is here but the counters' export, for `cargo xtask profile`, so that the engine that counts
//! is the engine of the release.
#![cfg(target_arch = "wasm32")]

#[cfg(feature = "counters")]
mod counters;

pub use quire::*;
