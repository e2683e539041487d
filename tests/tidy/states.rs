//! The house rules about states of the data: who has which, and that none is put in the place of another.

use super::{assert_none, files, names, read, shown, without_comments, without_tests};

/// Whether a line puts something in the place of another, as `mem::swap` does.
fn swaps(line: &str) -> bool {
    ["mem::swap", "mem::replace", "mem::take"]
        .iter()
        .any(|call| line.contains(call))
}

#[test]
fn a_command_has_another_state_by_its_context_and_never_by_a_swap() {
    let words = [
        "pager",
        "pages",
        "catalog",
        "cursors",
        "counters",
        "validators",
    ];
    let mut offenders = Vec::new();
    for path in files("crate/src", &[".rs"]) {
        let shown = shown(&path);
        let is_above = [
            "/command/",
            "/engine",
            "/state/",
            "/exec/",
            "/aggregate/",
            "/wasm/",
        ]
        .iter()
        .any(|part| shown.contains(part));
        // The base takes another writer's pages for the present.
        if !is_above || shown.ends_with("state/base.rs") {
            continue;
        }
        let source = read(&path);
        let code = without_comments(without_tests(&source));
        let statements = code.split(';').map(|statement| statement.trim().to_owned());
        for statement in statements {
            let words = words.iter().any(|word| names(&statement, word));
            if swaps(&statement) && words && !statement.contains("latencies") {
                offenders.push(format!("{shown}: {statement}"));
            }
        }
    }
    assert_none("a state or its cursors and counts are swapped", &offenders);
}

#[test]
fn commands_know_pages_and_catalog_by_views_and_units_alone() {
    let mut offenders = Vec::new();
    for path in files("crate/src/command", &[".rs"]) {
        let code: String = without_comments(&read(&path)).split_whitespace().collect();
        for field in ["pager", "catalog", "pages"] {
            if code.contains(&format!("deployment.{field}")) {
                offenders.push(format!("{}: deployment.{field}", shown(&path)));
            }
        }
    }
    assert_none(
        "the deployment has no pages and no catalog for a command",
        &offenders,
    );
}
