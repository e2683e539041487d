//! `cargo xtask`: installs tools, builds, serves, tests and measures Quire.
//!
//! Invariant: nothing outside the standard library, so that a first `cargo xtask start` begins its real
//! work within seconds; every other tool is installed below the target folder, pinned.

mod apt;
mod arguments;
mod bench;
mod browser;
mod build;
mod check;
mod copies;
mod count;
mod failures;
mod fingerprint;
mod fuzz;
mod glue;
mod hot;
mod install;
mod loaded;
mod modules;
mod names;
mod order;
mod process;
mod processor;
mod profile;
mod progress;
mod project;
mod release;
mod reports;
mod rows;
mod size;
mod soak;
mod standard;
mod start;
mod steps;
mod test;
mod verbs;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(ended) = profile::compile_in_place_of_rustc() {
        return ended;
    }
    if let Some(ended) = processor::gather_orphans() {
        return ended;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    match verbs::run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // An empty message: the verb has said everything, and its last line is the last.
            if !message.is_empty() {
                eprintln!("\nerror: {message}");
            }
            ExitCode::FAILURE
        }
    }
}
