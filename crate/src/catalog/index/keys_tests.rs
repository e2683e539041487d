//! The keys that documents give in an index, told one by one.

use super::keys::{KeySet, generate};
use crate::bson::extended_json::parse_document;
use crate::catalog::duplicate_key::key_value;
use crate::catalog::tests::{build, definition};

/// The keys of a document, printed, with the paths that are arrays.
fn keys(pattern: &str, document: &str, sparse: bool) -> Result<(Vec<String>, Vec<u64>), i32> {
    let pattern = parse_document(pattern).expect("a pattern");
    let definition = definition(|b| {
        b.append("key", &pattern)
            .append("name", "n")
            .append("sparse", sparse);
    });
    let document = parse_document(document).expect("a document");
    let mut keys = KeySet::default();
    generate(&definition, document.as_document(), &mut keys).map_err(|error| error.code)?;
    let printed = keys
        .iter()
        .map(|(key, bits)| {
            let value = key_value(&definition, key, bits).expect("it decodes");
            let values: Vec<String> = value
                .as_document()
                .iter()
                .map(|element| element.value.to_string())
                .collect();
            values.join(" ")
        })
        .collect();
    Ok((printed, keys.multikey_paths().to_vec()))
}

#[test]
fn generates_the_keys_the_server_generates() {
    for (pattern, document, expected, paths) in [
        (r#"{"a": 1}"#, r#"{"a": 5}"#, &["5"][..], &[][..]),
        (r#"{"a": 1}"#, r#"{}"#, &["null"], &[]),
        (r#"{"a.b": 1}"#, r#"{"a": 5}"#, &["null"], &[]),
        (
            r#"{"a.b": 1}"#,
            r#"{"a": {"b": {"c": 1}}}"#,
            &["{ c: 1 }"],
            &[],
        ),
        (
            r#"{"a": 1, "b": -1}"#,
            r#"{"b": "x"}"#,
            &["null \"x\""],
            &[],
        ),
        (
            r#"{"a": 1}"#,
            r#"{"a": [3, 1, 3, 2]}"#,
            &["1", "2", "3"],
            &[1],
        ),
        (r#"{"a": -1}"#, r#"{"a": [1, 2]}"#, &["2", "1"], &[1]),
        (r#"{"a": 1}"#, r#"{"a": []}"#, &["undefined"], &[1]),
        (
            r#"{"a": 1}"#,
            r#"{"a": [[1, 2], 3]}"#,
            &["3", "[ 1, 2 ]"],
            &[1],
        ),
        (r#"{"a": 1}"#, r#"{"a": [[]]}"#, &["[]"], &[1]),
        (r#"{"a.b": 1}"#, r#"{"a": []}"#, &["null"], &[1]),
        (
            r#"{"a.b": 1}"#,
            r#"{"a": [1, {"b": 2}, {}]}"#,
            &["null", "2"],
            &[1],
        ),
        (
            r#"{"a.b": 1}"#,
            r#"{"a": [{"b": [1, 2]}, {"b": 3}]}"#,
            &["1", "2", "3"],
            &[3],
        ),
        (
            r#"{"a.b": 1, "a.c": 1}"#,
            r#"{"a": [{"b": 1, "c": 2}, {"b": 3}]}"#,
            &["1 2", "3 null"],
            &[1, 1],
        ),
        (
            r#"{"a.b": 1, "x": 1}"#,
            r#"{"a": {"b": [1, 2]}, "x": 9}"#,
            &["1 9", "2 9"],
            &[2, 0],
        ),
        (
            r#"{"a": 1, "a.b": 1}"#,
            r#"{"a": [{"b": 5}]}"#,
            &["{ b: 5 } 5"],
            &[1, 1],
        ),
        (r#"{"a.0": 1}"#, r#"{"a": [7, 8]}"#, &["7"], &[]),
        (r#"{"a.0": 1}"#, r#"{"a": [[7, 8]]}"#, &["[ 7, 8 ]"], &[2]),
        (
            r#"{"a.1.b": 1}"#,
            r#"{"a": [{"b": 1}, {"b": 2}]}"#,
            &["2"],
            &[],
        ),
        (r#"{"a.0": 1}"#, r#"{"a": {"0": 4}}"#, &["4"], &[]),
        (r#"{"a.9": 1}"#, r#"{"a": [1]}"#, &["null"], &[1]),
    ] {
        let found = keys(pattern, document, false).expect("keys");
        assert_eq!(found.0, expected, "{pattern} of {document}");
        assert_eq!(found.1, paths, "{pattern} of {document}");
    }
}

#[test]
fn refuses_parallel_arrays_and_ambiguous_positions() {
    assert_eq!(
        keys(r#"{"a": 1, "b": 1}"#, r#"{"a": [1], "b": [2]}"#, false),
        Err(171)
    );
    assert_eq!(
        keys(
            r#"{"a.b": 1, "a.c": 1}"#,
            r#"{"a": [{"b": [1], "c": [2]}]}"#,
            false
        ),
        Err(171)
    );
    assert_eq!(
        keys(r#"{"a": 1, "b": 1}"#, r#"{"a": [1], "b": []}"#, false),
        Err(171)
    );
    assert_eq!(
        keys(r#"{"a.0": 1}"#, r#"{"a": [{"0": 1}]}"#, false),
        Err(16746)
    );
}

#[test]
fn a_sparse_index_leaves_out_what_has_none_of_its_fields() {
    let none: Vec<String> = Vec::new();
    assert_eq!(
        keys(r#"{"a": 1, "b": 1}"#, r#"{"c": 1}"#, true),
        Ok((none.clone(), vec![]))
    );
    assert_eq!(
        keys(r#"{"a": 1, "b": 1}"#, r#"{"a": null}"#, true).map(|found| found.0.len()),
        Ok(1)
    );
    assert_eq!(
        keys(r#"{"a.b": 1}"#, r#"{"a": [{"c": 1}]}"#, true).map(|found| found.0),
        Ok(none)
    );
    assert_eq!(
        keys(r#"{"a.b": 1}"#, r#"{"a": [{"c": 1}, {"b": 1}]}"#, true).map(|found| found.0),
        Ok(vec!["1".to_owned()])
    );
}

#[test]
fn a_key_with_a_record_id_keeps_its_place() {
    // A descending string that is a prefix of another: the RecordId's bytes must not mislead.
    let definition = definition(|b| {
        b.begin_document("key")
            .append("a", -1)
            .end()
            .append("name", "n");
    });
    let entry = |text: &str| {
        let document = build(|b| {
            b.append("a", text);
        });
        let mut keys = KeySet::default();
        generate(&definition, document.as_document(), &mut keys).expect("keys");
        let mut entry = keys.get(0).0.to_vec();
        entry.extend_from_slice(&1_u64.to_be_bytes());
        entry
    };
    assert!(entry("a\0b") < entry("a"));
    assert!(entry("a\0") < entry("a"));
    assert!(entry("b") < entry("a\0"));
}
