//! Quire: a MongoDB-compatible document database that runs inside the page.
//!
//! This file is the module map. Dependencies point one way:
//! `wasm → engine → command → state → {aggregate, planner} → exec → plan → {query, expr, update} → catalog →
//! {collation, geo, pattern} → storage → {bson, keycode} → algorithms`, with `error` and `env` below all;
//! `tests/tidy.rs` enforces it.

pub mod aggregate;
pub mod algorithms;
pub mod bson;
pub mod catalog;
pub mod collation;
pub mod command;
pub mod engine;
pub mod env;
pub mod error;
pub mod exec;
pub mod expr;
pub mod geo;
pub mod keycode;
pub mod pattern;
pub mod plan;
pub mod planner;
pub mod query;
pub mod state;
pub mod storage;
pub mod update;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

/// The host that programs in Rust need: the system's clock and randomness.
#[cfg(not(target_arch = "wasm32"))]
pub use env::native::NativeEnv as SystemEnv;
/// The host that programs in Rust need: the clock and the randomness of a browser, a worker or Node.
#[cfg(target_arch = "wasm32")]
pub use wasm::global_env::GlobalEnv as SystemEnv;
