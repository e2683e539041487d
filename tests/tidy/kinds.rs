//! The rule of `tests/tidy.rs` that kinds of index and of collection are told apart in their rooms alone.

use super::{assert_none, files, is_test_file, read, root, shown, without_comments, without_tests};

/// Names of kinds, and the only folders that may have them.
struct Rooms {
    names: &'static [&'static str],
    folders: &'static [&'static str],
}

/// Kinds of an index or of a key's component: where they are made and where they are planned.
const OF_INDEX: Rooms = Rooms {
    names: &["IndexKind::", "FieldKind::"],
    folders: &["crate/src/catalog/index", "crate/src/planner/kinds"],
};

/// Kinds of a collection: where they are made and where `create` and `collMod` define them. Others ask
/// `CollectionKind` for what a kind does.
const OF_COLLECTION: Rooms = Rooms {
    names: &[
        "CollectionKind::Plain",
        "CollectionKind::View",
        "CollectionKind::Capped",
        "CollectionKind::Clustered",
        "CollectionKind::Measured",
        "CollectionKind::Buckets",
        ".is_view()",
        ".is_capped()",
    ],
    folders: &[
        "crate/src/catalog/collections",
        "crate/src/command/collections/kinds",
    ],
};

/// The files outside the rooms that name a kind.
fn offenders(rooms: &Rooms) -> Vec<String> {
    let mut offenders = Vec::new();
    for path in files("crate/src", &[".rs"]) {
        let is_room = |room: &&str| path.starts_with(root().join(room));
        if is_test_file(&path) || rooms.folders.iter().any(is_room) {
            continue;
        }
        let code = without_comments(without_tests(&read(&path)));
        for kind in rooms.names {
            if code.contains(kind) {
                offenders.push(format!("{} names {kind}…", shown(&path)));
            }
        }
    }
    offenders
}

#[test]
fn kinds_of_index_are_told_apart_in_their_rooms_alone() {
    assert_none(
        "files that tell kinds of index apart",
        &offenders(&OF_INDEX),
    );
}

#[test]
fn kinds_of_collection_are_told_apart_in_their_rooms_alone() {
    let found = offenders(&OF_COLLECTION);
    assert_none("files that tell kinds of collection apart", &found);
}
