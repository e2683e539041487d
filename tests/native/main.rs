//! Tests of the whole engine that need no browser: one program, because linking one for each file takes longer than the
//! tests.
//!
//! Invariant: a test that measures memory by an allocator of its own (`bombs`, `bounds`, `brim`) is a program of its
//! own.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../support/mod.rs"]
mod support;

mod collated;
mod covered;
mod crash;
mod damaged;
mod differential;
mod files;
mod full_disk;
mod fuzzed;
mod garbage;
mod model;
mod moments;
mod observed;
mod places;
mod planned;
mod refreshed;
mod room;
mod series;
mod stored;
mod streams;
mod texts;
mod transactions;
mod values;
