//! The rule of `tests/tidy.rs` that kinds of index are told apart where they are made and where they are planned.

use super::{assert_none, files, is_test_file, read, root, shown, without_comments, without_tests};

/// The only folders that name a kind of index or of a key's component.
const ROOMS: &[&str] = &["crate/src/catalog/index", "crate/src/planner/kinds"];

#[test]
fn kinds_of_index_are_told_apart_in_their_rooms_alone() {
    let mut offenders = Vec::new();
    for path in files("crate/src", &[".rs"]) {
        if is_test_file(&path) || ROOMS.iter().any(|room| path.starts_with(root().join(room))) {
            continue;
        }
        let code = without_comments(without_tests(&read(&path)));
        for kind in ["IndexKind::", "FieldKind::"] {
            if code.contains(kind) {
                offenders.push(format!("{} names {kind}…", shown(&path)));
            }
        }
    }
    assert_none("files that tell kinds of index apart", &offenders);
}
