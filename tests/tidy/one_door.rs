//! The rule of `tests/tidy.rs` that collections are written to by one door, the folder `crate/src/state/write`.

use super::{assert_none, files, is_test_file, read, root, shown, without_comments, without_tests};

/// The functions of the catalog that change collections.
const WRITERS: &[&str] = &[
    ".append_record(",
    ".build_index(",
    ".collection_mut(",
    ".create_collection(",
    ".delete_document(",
    ".delete_record(",
    ".delete_records(",
    ".drop_collection(",
    ".drop_index(",
    ".insert_document(",
    ".insert_documents(",
    ".put_collection(",
    ".redefine_index(",
    ".rename_collection(",
    ".repair(",
    ".restore_collection(",
    ".update_document(",
];

/// The folder that calls them.
const DOOR: &str = "crate/src/state/write";

/// Moves the pages of collections, and changes nothing in them.
const MOVES_PAGES: &str = "crate/src/command/maintenance/compact.rs";

#[test]
fn collections_are_written_to_by_one_door() {
    let door = root().join(DOOR);
    let catalog = root().join("crate/src/catalog");
    let called = |code: &str| -> Vec<&&str> {
        let is_called = |writer: &&&str| code.contains(**writer);
        WRITERS.iter().filter(is_called).collect()
    };
    let unused: Vec<String> = {
        let code: String = { files(DOOR, &[".rs"]).into_iter() }
            .map(|path| read(&path))
            .collect();
        let is_unused =
            |writer: &&&str| !code.contains(**writer) && **writer != ".delete_document(";
        WRITERS
            .iter()
            .filter(is_unused)
            .map(|name| (*name).to_owned())
            .collect()
    };
    assert_none("every writer that is listed is one", &unused);
    let mut offenders = Vec::new();
    for path in files("crate/src", &[".rs"]) {
        let is_below =
            path.starts_with(&catalog) || path.starts_with(root().join("crate/src/storage"));
        if path.starts_with(&door) || is_below || is_test_file(&path) || shown(&path) == MOVES_PAGES
        {
            continue;
        }
        let code = without_comments(without_tests(&read(&path)));
        for writer in called(&code) {
            offenders.push(format!("{} calls {writer}…)", shown(&path)));
        }
    }
    assert_none(
        "only crate/src/state/write calls the collections' writers",
        &offenders,
    );
}

/// Commands that write, which reach pages and catalog by the door alone.
const BEHIND_THE_DOOR: &[&str] = &[
    "crate/src/command/collections",
    "crate/src/command/read/pipeline_writes.rs",
    "crate/src/command/write",
];

#[test]
fn commands_that_write_do_not_name_pages_and_catalog() {
    let mut offenders = Vec::new();
    for path in files("crate/src/command", &[".rs"]) {
        let is_behind = |part: &&str| path.starts_with(root().join(part));
        if !BEHIND_THE_DOOR.iter().any(is_behind) || is_test_file(&path) {
            continue;
        }
        let code = without_comments(without_tests(&read(&path)));
        for name in ["deployment.pager", "deployment.catalog"] {
            if code.contains(name) {
                offenders.push(format!("{} names {name}", shown(&path)));
            }
        }
    }
    assert_none("commands write by `state::Writer`", &offenders);
}
