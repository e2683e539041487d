//! The functions that are compiled for speed: all others are compiled for size.
//!
//! `crate/hot-functions.txt` has their symbols, one a line, sorted; `cargo xtask profile` writes it from the counts of
//! an engine with counters. A symbol depends on the compiler, dependencies and profile it was made with: after a change
//! of these the list names nothing. Invariant: the sizes' check fails where less than `ENOUGH` of the list is found in
//! the engine.
//!
//! # Why a list
//!
//! Ways without a list were measured beside it, best of six runs in turns, thirteen rows of reads, pipelines and writes
//! through the package in Node. Sizes are of the engine as brotli packs it; times are the geometric mean of the rows,
//! the list's being 1.
//!
//! | compiled for speed | size | time |
//! | --- | --- | --- |
//! | the list: 763 functions | 578 000 bytes | 1 |
//! | the layers `bson`, `keycode`, `storage` and `query` whole, as crates with an `opt-level` of their own would be | 600 700 | 1.23 |
//! | these layers with the list's functions of `core` and `alloc` | 601 700 | at least as much |
//! | the 64 functions that run most often, as attributes at named functions would have it | 550 100 | 1.31 |
//! | none | 548 800 | 1.32 |
//!
//! Joins take 1.7 times as long without the list in each of these, and ranges up to 1.9: hot functions lie in every
//! layer, and are a tenth of each.

use crate::fingerprint::Fingerprint;
use crate::install;
use crate::project::Project;
use crate::standard;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

/// How many of a hundred names must be among the engine's symbols: of a list that fits, a quarter went into other
/// functions.
pub const ENOUGH: usize = 20;
/// The flags for all code. Symbols have no hash of a function's body, so that they outlive its changes. Hot functions
/// are inlined into each other up to a size, in LLVM's measure: with half of it joins, windows and loading were slower
/// by 4 to 6 in a hundred. A copy of more bytes than one load has is one instruction (`copies.rs`).
pub const FLAGS: &str = "-Csymbol-mangling-version=v0\n\
    -Cllvm-args=-inlinehint-threshold=325 -max-store-memcpy=1 -max-store-memmove=1\n";

/// Where the list lies.
pub fn list(project: &Project) -> PathBuf {
    project.root.join("crate").join("hot-functions.txt")
}

/// The list's symbols.
pub fn names(project: &Project) -> Result<Vec<String>, String> {
    let path = list(project);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Flags of a compiler that leave hot functions without the attributes for size and inline them in each other, for
/// `CARGO_ENCODED_RUSTFLAGS`.
pub fn flags(project: &Project) -> Result<String, String> {
    let mut arguments = [FLAGS, standard::FLAGS].concat();
    for name in names(project)? {
        arguments += &format!(
            "-Cllvm-args=-force-remove-attribute={name}:minsize -force-remove-attribute={name}:optsize -force-attribute={name}:inlinehint\n"
        );
    }
    // The arguments are too many for a command line, so they lie in a file. Cargo knows the file by its name alone: a
    // change of the arguments must change the name.
    let mut fingerprint = Fingerprint::new();
    fingerprint.bytes(arguments.as_bytes());
    let path = project
        .target
        .join(format!("hot-functions-{}.args", fingerprint.text()));
    fs::create_dir_all(&project.target)
        .and_then(|()| fs::write(&path, arguments))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(format!("@{}", path.display()))
}

/// Where the engine lies with all its symbols.
pub fn compiled(project: &Project) -> PathBuf {
    project.target.join("quire.compiled.wasm")
}

/// Keeps the compiler's wasm, before a build without these flags takes its place.
pub fn keep_compiled(project: &Project) -> Result<(), String> {
    let left = install::released(standard::ENGINE);
    fs::copy(project.target.join(&left), compiled(project))
        .map(drop)
        .map_err(|error| format!("{left}: {error}"))
}

/// How many of a hundred listed functions the compiled engine has, those aside that went into others.
pub fn share(project: &Project) -> Result<usize, String> {
    let path = compiled(project);
    let wasm = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(share_of(&names(project)?, &wasm))
}

fn share_of(names: &[String], wasm: &[u8]) -> usize {
    let symbols: HashSet<&[u8]> = wasm
        .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        // A symbol's length stands before it and may look like one more letter.
        .filter_map(|word| Some(&word[word.windows(2).position(|begin| begin == b"_R")?..]))
        .collect();
    let found = names
        .iter()
        .filter(|name| symbols.contains(name.as_bytes()));
    found.count() * 100 / names.len().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_found_behind_their_lengths() {
        let names = ["_RNvA", "_RNvB", "_RNvC", "_RNvD"].map(str::to_owned);
        assert_eq!(
            share_of(
                &names,
                b"\x00x\x05_RNvA\x01M_RNvB\x02_RNvCC\x03_RNvD.llvm.1"
            ),
            75
        );
        assert_eq!(share_of(&names, b"nothing"), 0);
        assert_eq!(share_of(&[], b"nothing"), 0);
    }
}
