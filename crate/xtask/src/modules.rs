//! The size of each module of the engine: the bytes of a wasm build that has names, by top-level module.
//!
//! Brotli is not measured a module: bytes that a module repeats of another cost next to nothing. The raw bytes say
//! where to look.

use crate::names::{self, Contents};
use std::collections::BTreeMap;

/// The crate's name as functions' names say it.
const ENGINE: &str = "quire::";
/// Crates of the standard library.
const STANDARD: &[&str] = &["core", "alloc", "std", "compiler_builtins", "__rustc"];

/// The row for all of them in the table.
const LIBRARY: &str = "std, alloc, core";

/// Prints the table of a wasm file with names.
pub fn print(bytes: &[u8]) -> Result<(), String> {
    let contents = names::read(bytes)?;
    let rows = rows(&contents);
    let total: usize = rows.iter().map(|(_, (_, bytes))| bytes).sum();
    println!(
        "{:<24} {:>9} {:>10} {:>7}",
        "module", "functions", "raw KB", "share"
    );
    for (module, (functions, bytes)) in rows {
        let share = bytes as f64 * 100.0 / total.max(1) as f64;
        let kilobytes = bytes as f64 / 1024.0;
        println!("{module:<24} {functions:>9} {kilobytes:>10.1} {share:>6.1}%");
    }
    Ok(())
}

/// Module, functions and bytes, the most bytes first.
fn rows(contents: &Contents) -> Vec<(String, (usize, usize))> {
    let mut modules: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (name, bytes) in &contents.functions {
        let row = modules.entry(module_of(name)).or_default();
        row.0 += 1;
        row.1 += bytes;
    }
    modules.insert("(static data)".to_owned(), (0, contents.data));
    modules.insert("(types, tables, exports)".to_owned(), (0, contents.other));
    let mut rows: Vec<_> = modules.into_iter().collect();
    rows.sort_by(|(_, (_, left)), (_, (_, right))| right.cmp(left));
    rows
}

/// The top-level module a function belongs to. Code that drops a value belongs to the value's module, and
/// an implementation of a trait to the type's.
fn module_of(name: &str) -> String {
    let name = &names::without_hashes(name);
    let name = name.trim_start_matches("core::ptr::drop_in_place");
    let path = name.trim_start_matches(|sign: char| !sign.is_alphanumeric() && sign != '_');
    let path = ["dyn ", "mut ", "impl "]
        .iter()
        .fold(path, |path, word| path.strip_prefix(word).unwrap_or(path));
    let first = |path: &str| -> String {
        path.chars()
            .take_while(|sign| sign.is_alphanumeric() || *sign == '_')
            .collect()
    };
    if let Some(rest) = path.strip_prefix(ENGINE) {
        return first(rest);
    }
    let origin = first(path);
    if !path[origin.len()..].starts_with("::") {
        // A primitive type or a parameter (`<f64>::sin`), else an export or glue, which have no path.
        let is_type = name.starts_with('<');
        return if is_type {
            LIBRARY
        } else {
            "(exports and glue)"
        }
        .to_owned();
    }
    if STANDARD.contains(&origin.as_str()) {
        return LIBRARY.to_owned();
    }
    format!("crate {origin}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_belong_to_modules() {
        let cases = [
            ("quire::exec::sort::Sort::new::h0123456789abcdef", "exec"),
            (
                "<quire::expr::node::Node as core::clone::Clone>::clone",
                "expr",
            ),
            (
                "core::ptr::drop_in_place<quire::planner::plan::Plan>",
                "planner",
            ),
            ("core::ptr::drop_in_place::<&quire::bson::Value>", "bson"),
            (
                "<quire[8e5969596c9c337d]::exec::Sort as core[0123456789abcdef]::fmt::Debug>::fmt",
                "exec",
            ),
            ("<[u8]>::len", "std, alloc, core"),
            (
                "alloc::collections::btree::map::BTreeMap<K,V,A>::insert",
                "std, alloc, core",
            ),
            (
                "<alloc::string::String as core::fmt::Write>::write_str",
                "std, alloc, core",
            ),
            ("talc::base::Talc<S,B>::allocate", "crate talc"),
            ("<f64>::sin", "std, alloc, core"),
            ("quireengine_status multivalue shim", "(exports and glue)"),
            ("", "(exports and glue)"),
        ];
        for (name, module) in cases {
            assert_eq!(module_of(name), module, "{name}");
        }
    }

    #[test]
    fn the_largest_go_first() {
        let function = |name: &str, bytes| (name.to_owned(), bytes);
        let contents = Contents {
            functions: vec![
                function("quire::bson::a", 10),
                function("quire::exec::b", 50),
                function("quire::bson::c", 70),
            ],
            data: 60,
            other: 1,
            ..Contents::default()
        };
        let rows = rows(&contents);
        assert_eq!(rows[0], ("bson".to_owned(), (2, 80)));
        assert_eq!(rows[1], ("(static data)".to_owned(), (0, 60)));
        assert_eq!(rows[2], ("exec".to_owned(), (1, 50)));
    }
}
