//! The house rules, as tests: layers, file headers and lengths, which names may be used where, and that COMPAT.md lists
//! the names of the engine's dispatch tables.
//!
//! Invariant: a rule that a person would have to remember is checked here instead. Every test lists all
//! offenders at once, so that one run is enough to mend them.
#![cfg(not(target_arch = "wasm32"))]

#[path = "tidy/commands.rs"]
mod commands;
#[path = "tidy/kinds.rs"]
mod kinds;
#[path = "tidy/one_door.rs"]
mod one_door;
#[path = "tidy/states.rs"]
mod states;

use std::fs;
use std::path::{Path, PathBuf};

/// Longest allowed file, in lines. A file that grows beyond it wants to be two.
const LONGEST_FILE: usize = 800;
/// Columns of the longest line of a comment; a table's row may be longer.
const LONGEST_COMMENT: usize = 120;

/// Folders with things built or installed.
const SKIPPED_FOLDERS: &[&str] = &[".git", "dist", "node_modules", "output", "target"];

/// Modules below every layer: everything may name them.
const GROUND: &[&str] = &["env", "error"];

/// Crates of the browser, which only `crate/src/wasm` may name.
const BROWSER_CRATES: &[&str] = &[
    "indexed_db_futures",
    "js_sys",
    "serde_wasm_bindgen",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "web_sys",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a folder with one of the endings, sorted.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![root().join(folder)];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if !SKIPPED_FOLDERS.contains(&name.as_str()) && path != root().join("web/wasm") {
                    waiting.push(path);
                }
            } else if endings
                .iter()
                .any(|ending| format!("/{name}").ends_with(ending))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}

/// A Rust file without its comments. Good enough for these rules: a `//` inside a string cuts the rest of
/// its line, which can only hide an offender that shares the line with an address.
fn without_comments(source: &str) -> String {
    source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The part of a Rust file that is not its test module; tests come last in a file.
fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]").next().unwrap_or_default()
}

/// Whether a file holds nothing but tests.
fn is_test_file(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name == "tests"
        || name.ends_with("_tests")
        || path.components().any(|part| part.as_os_str() == "tests")
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether `text` holds `word` as a whole word.
fn names(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        let before = start
            .checked_sub(1)
            .and_then(|index| text.as_bytes().get(index));
        let after = text.as_bytes().get(start + word.len());
        !before.is_some_and(|byte| is_word(*byte)) && !after.is_some_and(|byte| is_word(*byte))
    })
}

fn assert_none(rule: &str, offenders: &[String]) {
    assert!(
        offenders.is_empty(),
        "{rule}:\n  {}",
        offenders.join("\n  ")
    );
}

/// The functions that ARCHITECTURE.md names in one of its walks: `1. \`file\` \`function\`: …`.
fn steps(walk: &str) -> Vec<(&str, &str)> {
    walk.lines()
        .filter(|line| line.starts_with(|mark: char| mark.is_ascii_digit()))
        .filter_map(|line| {
            let mut quoted = line.split('`').skip(1).step_by(2);
            Some((quoted.next()?, quoted.next()?))
        })
        .collect()
}

/// Whether a line of Rust or TypeScript begins the definition of a function.
fn defines(line: &str, function: &str) -> bool {
    let is_named = |rest: &str| {
        { rest.strip_prefix(function) }.is_some_and(|rest| rest.starts_with(['(', '<']))
    };
    if let Some((_, rest)) = line.split_once("fn ") {
        return is_named(rest);
    }
    let mut rest = line.trim_start();
    for modifier in ["export ", "async ", "function ", "#"] {
        rest = rest.strip_prefix(modifier).unwrap_or(rest);
    }
    is_named(rest) && line.ends_with('{')
}

#[test]
fn the_map_is_short_and_its_walks_lead_through_functions_there_are() {
    let text = read(&root().join("ARCHITECTURE.md"));
    assert!(text.lines().count() <= 200, "ARCHITECTURE.md is a map");
    let walks: Vec<_> = { text.split("\n### ").skip(1) }
        .map(|walk| (walk.lines().next().unwrap_or_default(), steps(walk)))
        .collect();
    assert_eq!(walks.len(), 3, "a find, an insert, a group");
    let mut offenders = Vec::new();
    for (walk, steps) in walks {
        if !(5..=12).contains(&steps.len()) {
            offenders.push(format!("{walk}: {} steps", steps.len()));
        }
        for (file, function) in steps {
            let code = std::fs::read_to_string(root().join(file)).unwrap_or_default();
            let is_defined = code.lines().any(|line| defines(line, function));
            if !is_defined {
                offenders.push(format!("{walk}: `{file}` has no function `{function}`"));
            }
        }
    }
    assert_none("walks name functions that exist", &offenders);
}

/// The layers of ARCHITECTURE.md, lowest first; modules inside one brace share a layer.
fn layers() -> Vec<Vec<String>> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let order = text
        .split('`')
        .find(|part| part.starts_with("wasm →"))
        .expect("ARCHITECTURE.md gives the order of the layers in backquotes, from wasm down");
    let mut layers: Vec<Vec<String>> = order
        .split('→')
        .map(|layer| {
            let layer = layer.trim().trim_matches(|mark| mark == '{' || mark == '}');
            layer
                .split(',')
                .map(|module| module.trim().to_owned())
                .collect()
        })
        .collect();
    layers.reverse();
    layers
}

/// The top-level modules that a file's code names through `crate::`.
fn named_modules(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (start, path) in code.match_indices("crate::") {
        let rest = code
            .get(start + path.len()..)
            .unwrap_or_default()
            .trim_start();
        let Some(group) = rest.strip_prefix('{') else {
            found.push(first_word(rest));
            continue;
        };
        let (mut depth, mut item) = (0, String::new());
        for mark in group.chars() {
            match mark {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => found.push(first_word(&std::mem::take(&mut item))),
                _ => item.push(mark),
            }
        }
        found.push(first_word(&item));
    }
    found.retain(|name| !name.is_empty());
    found
}

fn first_word(text: &str) -> String {
    text.trim_start()
        .chars()
        .take_while(|mark| mark.is_alphanumeric() || *mark == '_')
        .collect()
}

#[test]
fn modules_name_only_what_lies_below_them() {
    let layers = layers();
    let place = |module: &str| {
        layers
            .iter()
            .position(|layer| layer.iter().any(|name| name == module))
    };
    let mut offenders = Vec::new();
    for path in files("crate/src", &[".rs"]) {
        let inside = path
            .strip_prefix(root().join("crate/src"))
            .expect("it was found there");
        let first = inside
            .components()
            .next()
            .expect("a file has a name")
            .as_os_str();
        let own = Path::new(first)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if own == "lib" || is_test_file(&path) {
            continue;
        }
        let own_place = place(&own);
        if own_place.is_none() && !GROUND.contains(&own.as_str()) {
            offenders.push(format!(
                "{}: `{own}` has no layer in ARCHITECTURE.md",
                shown(&path)
            ));
            continue;
        }
        for module in named_modules(&without_comments(without_tests(&read(&path)))) {
            let good = module == own
                || GROUND.contains(&module.as_str())
                || place(&module).is_none() && !layers_or_ground(&layers, &module)
                || place(&module)
                    .is_some_and(|below| own_place.is_some_and(|own_place| below <= own_place));
            if !good {
                offenders.push(format!("{} names `{module}`", shown(&path)));
            }
        }
    }
    offenders.dedup();
    assert_none(
        "a module names only modules below it or beside it",
        &offenders,
    );
}

/// Whether a name is a module at all, and not an item of the crate's root (a macro).
fn layers_or_ground(layers: &[Vec<String>], module: &str) -> bool {
    GROUND.contains(&module) || layers.iter().flatten().any(|name| name == module)
}

#[test]
fn planner_and_executor_share_only_plans() {
    let mut offenders = Vec::new();
    for path in files("crate/src/planner", &[".rs"]) {
        let code = without_comments(&read(&path));
        if named_modules(&code).iter().any(|module| module == "exec") {
            offenders.push(shown(&path));
        }
    }
    assert_none("the planner does not name the executor", &offenders);
}

#[test]
fn only_the_wasm_module_names_the_browser() {
    let wasm = root().join("crate/src/wasm");
    let mut offenders = Vec::new();
    for path in files("crate/src", &[".rs"]) {
        if path.starts_with(&wasm) {
            continue;
        }
        let code = without_comments(&read(&path));
        for name in BROWSER_CRATES.iter().filter(|name| names(&code, name)) {
            offenders.push(format!("{} names {name}", shown(&path)));
        }
    }
    assert_none(
        "only crate/src/wasm may name the browser's crates",
        &offenders,
    );
}

#[test]
fn every_file_says_what_it_is() {
    let mut offenders = Vec::new();
    for folder in ["benches", "crate", "fuzz", "pkg/npm", "tests", "web"] {
        for path in files(folder, &[".rs", ".ts", ".mjs"]) {
            let text = read(&path);
            let good = match path.extension().and_then(|extension| extension.to_str()) {
                Some("rs") => text.starts_with("//! "),
                _ => text
                    .trim_start_matches("#!/usr/bin/env node\n")
                    .starts_with("/**"),
            };
            if !good && !shown(&path).contains(".generated.") {
                offenders.push(shown(&path));
            }
        }
    }
    assert_none(
        "a file opens with a comment that says what it is (`//!` or `/** … */`)",
        &offenders,
    );
}

#[test]
fn no_file_is_too_long() {
    let mut offenders = Vec::new();
    for folder in ["benches", "crate", "fuzz", "pkg/npm", "tests", "web"] {
        for path in files(folder, &[".rs", ".ts", ".mjs", ".css"]) {
            let lines = read(&path).lines().count();
            if lines > LONGEST_FILE && !shown(&path).contains(".generated.") {
                offenders.push(format!("{}: {lines} lines", shown(&path)));
            }
        }
    }
    assert_none(
        &format!("a file has at most {LONGEST_FILE} lines"),
        &offenders,
    );
}

#[test]
fn comments_keep_to_the_width_of_the_code() {
    let mut offenders = Vec::new();
    for folder in ["crate", "fuzz", "tests"] {
        for path in files(folder, &[".rs"]) {
            for (number, line) in read(&path).lines().enumerate() {
                let text = line.trim_start();
                let is_table = text.contains("| ");
                if text.starts_with("//") && !is_table && line.chars().count() > LONGEST_COMMENT {
                    offenders.push(format!("{}:{}", shown(&path), number + 1));
                }
            }
        }
    }
    assert_none(
        &format!("a line of a comment has at most {LONGEST_COMMENT} columns"),
        &offenders,
    );
}

#[test]
fn module_maps_only_declare_and_re_export() {
    let mut offenders = Vec::new();
    for path in files("crate/src", &["/mod.rs", "/lib.rs"]) {
        let code = without_comments(&read(&path));
        let plain: String = code
            .lines()
            .filter(|line| {
                !line.trim_start().starts_with("#[") && !line.trim_start().starts_with("#![")
            })
            .collect::<Vec<_>>()
            .join("\n");
        for statement in plain
            .split(';')
            .map(str::trim)
            .filter(|text| !text.is_empty())
        {
            let statement = match statement.strip_prefix("pub") {
                Some(rest) if rest.starts_with('(') => {
                    rest.split_once(')').map_or("", |(_, rest)| rest)
                }
                Some(rest) => rest,
                None => statement,
            };
            let declares = statement.trim_start().starts_with("use ")
                || statement.trim_start().starts_with("mod ") && !statement.contains('{');
            if !declares {
                let line = statement.lines().next().unwrap_or_default();
                offenders.push(format!("{}: {line}", shown(&path)));
            }
        }
    }
    assert_none(
        "mod.rs and lib.rs only declare modules and re-export",
        &offenders,
    );
}

#[test]
fn the_readme_shows_the_examples_that_are_compiled() {
    let source = read(&root().join("crate/src/engine/documents.rs"));
    let readme = read(&root().join("README.md"));
    let examples: Vec<String> = source
        .split("    /// ```\n")
        .skip(1)
        .step_by(2)
        .map(|example| {
            let lines = example.lines().map(|line| line.trim_start());
            let lines = lines.map(|line| line.strip_prefix("///").unwrap_or(line));
            let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
            let shown: Vec<&str> = lines.filter(|line| !line.starts_with("# ")).collect();
            format!("```rust\n{}\n```", shown.join("\n"))
        })
        .collect();
    assert_eq!(examples.len(), 2, "each way in has an example");
    for example in examples {
        assert!(
            readme.contains(&example),
            "README.md has not this:\n{example}"
        );
    }
}

#[test]
fn every_error_code_is_used() {
    let table = read(&root().join("crate/src/error.rs"));
    let rows = table
        .split("\ncodes! {")
        .nth(1)
        .expect("the table is there");
    let rows = rows.split('}').next().unwrap_or_default();
    let mut unused: Vec<String> = rows
        .lines()
        .filter_map(|row| Some(format!("Code::{}", row.split_once(" = ")?.0.trim())))
        .collect();
    assert!(unused.len() > 20, "{} rows were found", unused.len());
    for path in files("crate/src", &[".rs"]) {
        let code = without_comments(&read(&path));
        unused.retain(|code_name| !names(&code, code_name));
    }
    assert_none("a named error code is one that the engine gives", &unused);
}

#[test]
fn nothing_is_left_to_do_and_nothing_unwraps() {
    // Put together here so that this file does not offend itself.
    let unfinished = [["to", "do!"].concat(), ["unimple", "mented!"].concat()];
    let unwrap = [".unwrap", "()"].concat();
    let mut offenders = Vec::new();
    for folder in ["benches", "crate", "fuzz", "tests"] {
        for path in files(folder, &[".rs"]) {
            let code = without_comments(&read(&path));
            for name in unfinished
                .iter()
                .filter(|name| code.contains(name.as_str()))
            {
                offenders.push(format!("{} has {name}", shown(&path)));
            }
            if folder == "crate" && !is_test_file(&path) && without_tests(&code).contains(&unwrap) {
                offenders.push(format!("{} has {unwrap} outside its tests", shown(&path)));
            }
        }
    }
    assert_none(
        "no unfinished code, and no bare unwrap outside tests",
        &offenders,
    );
}

#[test]
fn nothing_names_the_machine_it_was_made_on() {
    let machine = [
        ["/wo", "rk/"],
        ["/ro", "ot/"],
        ["/opt/", "tools"],
        ["shared/", "peers"],
    ]
    .map(|parts| parts.concat());
    let mut offenders = Vec::new();
    let endings = [
        ".rs", ".ts", ".mjs", ".js", ".json", ".toml", ".md", ".css", ".html", ".yml", ".lock",
        "run",
    ];
    for path in files("", &endings) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        for name in machine.iter().filter(|name| text.contains(name.as_str())) {
            offenders.push(format!("{} has {name}", shown(&path)));
        }
    }
    assert_none(
        "no file names a path of the machine it was made on",
        &offenders,
    );
}

/// One row of a table in COMPAT.md.
struct Row {
    name: String,
    status: String,
    note: String,
}

/// The rows of one section of COMPAT.md whose tables have the columns name, status, note.
fn compat(section: &str) -> Vec<Row> {
    let text = read(&root().join("COMPAT.md"));
    let heading = format!("\n## {section}\n");
    let (_, rest) = text
        .split_once(&heading)
        .unwrap_or_else(|| panic!("COMPAT.md has no section {section}"));
    let body = rest.split("\n## ").next().unwrap_or_default();
    body.lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|line| {
            let (name, rest) = line.split_once("` |").unwrap_or_else(|| {
                panic!("COMPAT.md, {section}: a row is | `name` | status | note |: {line}")
            });
            let (status, note) = rest.split_once('|').unwrap_or((rest, ""));
            Row {
                name: name.to_owned(),
                status: status.trim().to_owned(),
                note: note.trim().trim_end_matches('|').trim().to_owned(),
            }
        })
        .collect()
}

/// The sections of COMPAT.md that list names with a status.
const COMPAT_SECTIONS: &[&str] = &[
    "Commands",
    "Query operators",
    "Projection",
    "Update operators",
    "Stages",
    "Accumulators",
    "Window operators",
    "Expressions",
    "Index kinds and options",
    "Method options",
    "Shell",
];

#[test]
fn compat_rows_are_sorted_and_complete() {
    let mut offenders = Vec::new();
    for section in COMPAT_SECTIONS {
        let rows = compat(section);
        for pair in rows.windows(2) {
            if let [one, other] = pair
                && one.name >= other.name
            {
                offenders.push(format!(
                    "{section}: `{}` comes before `{}`",
                    other.name, one.name
                ));
            }
        }
        for row in rows {
            match row.status.as_str() {
                "supported" | "absent" => {}
                "partial" if !row.note.is_empty() => {}
                "partial" => offenders.push(format!("{section}: `{}` lacks its note", row.name)),
                other => offenders.push(format!("{section}: `{}` is `{other}`", row.name)),
            }
        }
    }
    assert_none(
        "rows of COMPAT.md are sorted, and supported, partial (with a note) or absent",
        &offenders,
    );
}

/// Holds one section of COMPAT.md against the names that the engine dispatches there.
///
/// With `UPDATE_COMPAT` set in the environment it mends COMPAT.md instead: names that became dispatched turn from
/// absent to supported (make it `partial` with a note by hand where that is the truth), names that are no longer
/// dispatched to absent, and new names get a row.
fn hold_against(section: &str, dispatched: &[&str]) {
    let mut rows = compat(section);
    let mut offenders = Vec::new();
    for name in dispatched {
        match rows.iter_mut().find(|row| row.name == *name) {
            Some(row) if row.status != "absent" => {}
            Some(row) => {
                offenders.push(format!("{section}: `{name}` is dispatched, but absent"));
                row.status = "supported".to_owned();
            }
            None => {
                offenders.push(format!("{section}: `{name}` is dispatched, but has no row"));
                let (name, status) = ((*name).to_owned(), "supported".to_owned());
                rows.push(Row {
                    name,
                    status,
                    note: String::new(),
                });
            }
        }
    }
    for row in rows.iter_mut().filter(|row| row.status != "absent") {
        if !dispatched.contains(&row.name.as_str()) {
            offenders.push(format!(
                "{section}: `{}` is {}, but not dispatched",
                row.name, row.status
            ));
            row.status = "absent".to_owned();
        }
    }
    if !offenders.is_empty() && std::env::var_os("UPDATE_COMPAT").is_some() {
        rewrite_section(section, &mut rows);
    } else {
        assert_none(
            "COMPAT.md says what the dispatch tables say (UPDATE_COMPAT=1 mends it)",
            &offenders,
        );
    }
}

/// Writes the rows of a section back into COMPAT.md, sorted.
fn rewrite_section(section: &str, rows: &mut [Row]) {
    // The sections are held by several tests at once; each must see the rows that the others wrote.
    static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().expect("no writer panicked");
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    let table: String = rows
        .iter()
        .map(|row| {
            format!(
                "| `{}` | {} | {}{}|\n",
                row.name,
                row.status,
                row.note,
                if row.note.is_empty() { "" } else { " " }
            )
        })
        .collect();
    let file = root().join("COMPAT.md");
    let text = read(&file);
    let heading = format!("\n## {section}\n");
    let (before, rest) = text.split_once(&heading).expect("the section was read");
    let rule = "| --- | --- | --- |\n";
    let (introduction, old) = rest.split_once(rule).expect("a section has a table");
    let after = old.split_once("\n\n").map_or("", |(_, after)| after);
    let mended = format!("{before}{heading}{introduction}{rule}{table}\n{after}");
    // Renamed into place, so that a test that reads meanwhile sees the whole file.
    let new = file.with_extension("md.new");
    fs::write(&new, mended).expect("a file beside COMPAT.md can be written");
    fs::rename(&new, &file).expect("COMPAT.md can be replaced");
}

#[test]
fn compat_agrees_with_the_commands() {
    let names: Vec<&str> = { quire::command::table::NAMES.iter() }
        .map(|(name, _)| *name)
        .collect();
    hold_against("Commands", &names);
}

#[test]
fn compat_agrees_with_the_query_operators() {
    let names: Vec<&str> = quire::query::predicate::table::TABLE
        .iter()
        .map(|row| row.0)
        .collect();
    hold_against("Query operators", &names);
}

#[test]
fn compat_agrees_with_the_index_options() {
    hold_against(
        "Index kinds and options",
        quire::catalog::index::specification::SUPPORTED,
    );
}

#[test]
fn compat_agrees_with_the_update_operators() {
    // Forms and modifiers are no operators of their own: they are held by the tests of `update`.
    let forms = [
        "$",
        "$[<identifier>]",
        "$[]",
        "$each",
        "$position",
        "$slice",
        "$sort",
        "arrayFilters",
        "pipeline",
        "replacement",
        "upsert",
    ];
    let operators = quire::update::TABLE.iter().map(|row| row.name);
    let mut names: Vec<&str> = operators.chain(forms).collect();
    names.sort_unstable();
    hold_against("Update operators", &names);
}

/// Forms of a projection, each a branch of `query::projection::parse` and none a row of a table.
const PROJECTION_FORMS: &[&str] = &[
    "$",
    "$elemMatch",
    "$meta",
    "$slice",
    "exclusion",
    "expressions",
    "inclusion",
];

#[test]
fn compat_agrees_with_the_projections() {
    hold_against("Projection", PROJECTION_FORMS);
}

#[test]
fn compat_agrees_with_the_stages() {
    let names: Vec<&str> = quire::aggregate::stages::table::TABLE
        .iter()
        .map(|row| row.name)
        .collect();
    hold_against("Stages", &names);
}

#[test]
fn compat_agrees_with_the_accumulators() {
    let names: Vec<&str> = quire::aggregate::accumulators::table::TABLE
        .iter()
        .map(|row| row.0)
        .collect();
    hold_against("Accumulators", &names);
}

#[test]
fn compat_agrees_with_the_window_operators() {
    hold_against(
        "Window operators",
        quire::aggregate::window::function::OPERATORS,
    );
}

#[test]
fn compat_agrees_with_the_expressions() {
    let names: Vec<&str> = quire::expr::table::TABLE.iter().map(|row| row.0).collect();
    hold_against("Expressions", &names);
}

mod self_check {
    //! The scanners of this file, on small examples.
    use super::*;

    #[test]
    fn groups_of_paths_are_taken_apart() {
        let code = "use crate::{bson::{self, A}, storage::page::X};\nlet y = crate::query::f();";
        assert_eq!(named_modules(code), ["bson", "storage", "query"]);
    }

    #[test]
    fn only_whole_words_count() {
        assert!(names("use js_sys::Date;", "js_sys"));
        assert!(!names("use wasm_bindgen_test::*;", "wasm_bindgen"));
    }

    #[test]
    fn layers_are_read_from_the_top_down() {
        let layers = layers();
        assert_eq!(
            layers.last().map(Vec::as_slice),
            Some(["wasm".to_owned()].as_slice())
        );
        assert_eq!(
            layers.first().map(Vec::as_slice),
            Some(["algorithms".to_owned()].as_slice())
        );
    }
}
