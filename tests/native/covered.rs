//! Every operator the engine dispatches appears in a golden script.
//!
//! Invariant: the names come from COMPAT.md, which `tests/tidy.rs` holds equal to the dispatch tables, so that an
//! operator cannot be added without a script that shows its answers.

use std::fs;
use std::path::{Path, PathBuf};

/// The sections of COMPAT.md whose `$` names a script must mention.
const SECTIONS: &[&str] = &[
    "Query operators",
    "Update operators",
    "Stages",
    "Accumulators",
    "Window operators",
    "Expressions",
];

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_root = |folder: &&Path| folder.join("COMPAT.md").is_file();
    manifest
        .ancestors()
        .find(is_root)
        .expect("COMPAT.md is at the root of the repository")
        .to_owned()
}

/// The text of all scripts below `folder`, without the answers: an error may name an operator that was refused.
fn questions(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).expect("the scripts' folder can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            questions(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "js") {
            let script = fs::read_to_string(&path).expect("a script can be read");
            for line in script.lines().filter(|line| !line.starts_with("//")) {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
}

/// The `$` names of one section that are dispatched.
fn names<'a>(compat: &'a str, section: &str) -> Vec<&'a str> {
    let heading = format!("\n## {section}\n");
    let (_, rest) = compat
        .split_once(&heading)
        .unwrap_or_else(|| panic!("COMPAT.md has no section {section}"));
    let body = rest.split("\n## ").next().unwrap_or_default();
    body.lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .filter(|(name, rest)| name.starts_with('$') && !rest.starts_with("absent"))
        .map(|(name, _)| name)
        .collect()
}

/// Whether `name` stands in `text` as a whole word; `$[<identifier>]` stands for any identifier.
fn appears(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let (start, any_word) = match name.split_once('<') {
        Some((start, _)) => (start, true),
        None => (name, false),
    };
    text.match_indices(start).any(|(at, _)| {
        let next = text[at + start.len()..].chars().next();
        next.is_some_and(word) == any_word
    })
}

#[test]
fn every_operator_has_a_golden_script() {
    let root = root();
    let compat = fs::read_to_string(root.join("COMPAT.md")).expect("COMPAT.md can be read");
    let mut text = String::new();
    questions(&root.join("tests/scripts"), &mut text);
    let mut lacking = Vec::new();
    for section in SECTIONS {
        let names = names(&compat, section);
        assert!(!names.is_empty(), "{section}: has rows");
        for name in names.iter().filter(|name| !appears(&text, name)) {
            lacking.push(format!("{section}: `{name}`"));
        }
    }
    assert!(
        lacking.is_empty(),
        "each operator appears in a script of tests/scripts:\n{}",
        lacking.join("\n")
    );
}
