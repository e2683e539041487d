//! The order of the engine's functions in its file: functions that resemble each other lie side by side, so that brotli
//! packs them better.
//!
//! The engine of 674 800 bytes of brotli in the order of names takes 671 600 in this one: first functions by their
//! modules, then implementations of traits by trait and method, then all of the standard library, where instances of
//! one generic function lie together, the smallest first, and closures last. Chains, in which each function is followed
//! by the one that shares most of its bytes, take 672 100.
//!
//! wasm-opt sorts functions by their names; here they get names for that one purpose.

use crate::names;
use std::fs;
use std::path::Path;

/// The engine's own paths.
const ENGINE: &str = "quire::";
/// The beginnings of the standard library's functions' names, and of those for types without a path.
const LIBRARY: [&str; 11] = [
    "<&",
    "<(",
    "<[",
    "<alloc:",
    "<core:",
    "alloc:",
    "core:",
    "std:",
    "<std:",
    "hashbrown:",
    "<hashbrown:",
];

/// Writes a wasm file that has names anew, with names that sort as the functions are to lie.
pub fn write(named: &Path, to: &Path) -> Result<(), String> {
    let say = |file: &Path, error: std::io::Error| format!("{}: {error}", file.display());
    let bytes = fs::read(named).map_err(|error| say(named, error))?;
    let renamed = names::renamed(&bytes, key)?;
    fs::write(to, renamed).map_err(|error| say(to, error))
}

/// What a function of this name and size is sorted by. `|`, `}` and `~` sort behind all letters.
fn key(name: &str, bytes: usize) -> String {
    let name = &names::without_hashes(name);
    if LIBRARY.iter().any(|begin| name.starts_with(begin)) {
        return format!("~{}{bytes:06}", without_inner_types(name));
    }
    if name.ends_with('}') {
        return format!("~~{name}");
    }
    match implemented(name) {
        Some((of, method)) if of.starts_with(ENGINE) => format!("}}{of}{method}{name}"),
        Some((of, method)) => format!("|{}{method}{bytes:06}", without_inner_types(of)),
        None => name.trim_start_matches(['<', '&']).to_owned(),
    }
}

/// The trait and the method of `<T as Trait>::method`.
fn implemented(name: &str) -> Option<(&str, &str)> {
    let (implementation, method) = name.rsplit_once(">::")?;
    let (_, of) = implementation.strip_prefix('<')?.rsplit_once(" as ")?;
    let is_method = method
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_method.then_some((of, method))
}

/// A name without the arguments of its types' arguments.
fn without_inner_types(name: &str) -> String {
    let mut depth = 0_usize;
    let mut before = ' ';
    let mut kept = String::new();
    for sign in name.chars() {
        depth += usize::from(sign == '<');
        if depth <= 1 {
            kept.push(sign);
        }
        // The arrow of a function's type closes nothing.
        if sign == '>' && before != '-' {
            depth = depth.saturating_sub(1);
        }
        before = sign;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_resemble_each_other_have_like_keys() {
        for (name, expected) in [
            (
                "<quire[8e5969596c9c337d]::bson::Text>::of",
                "quire::bson::Text>::of",
            ),
            (
                "<quire::exec::Sort as quire::exec::Stage>::advance",
                "}quire::exec::Stageadvance<quire::exec::Sort as quire::exec::Stage>::advance",
            ),
            (
                "<quire::Text as core::cmp::PartialEq<str>>::eq",
                "|core::cmp::PartialEq<str>eq000012",
            ),
            (
                "core::ptr::drop_in_place::<quire::Text>",
                "~core::ptr::drop_in_place::<quire::Text>000012",
            ),
            (
                "<alloc::vec::Vec<u8>>::push",
                "~<alloc::vec::Vec>::push000012",
            ),
            (
                "quire::exec::build::{closure#0}",
                "~~quire::exec::build::{closure#0}",
            ),
        ] {
            assert_eq!(key(name, 12), expected);
        }
    }
}
