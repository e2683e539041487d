//! The keys of a document in a wildcard index: one for each value that lies at a path of its own.
//!
//! Manual: core/indexes/index-types/index-wildcard. A key holds the path and then the value, and the index's other
//! fields around them. Invariant: a document inside an array adds no position to a path, and an array inside an array
//! is a value; an empty document is one too, an empty array counts as undefined. Which paths lead through arrays is
//! kept apart from the keys.

use super::scope::{Selection, Wildcard};
use crate::bson::{Array, Document, ValueRef};
use crate::catalog::index::definition::IndexDefinition;
use crate::catalog::index::field::KeyField;
use crate::catalog::index::hashed::plain_value;
use crate::catalog::index::keys::KeySet;
use crate::error::CommandError;

/// Generates a document's keys.
///
/// # Errors
/// 7246301 for an array in one of the index's other fields.
pub(super) fn generate(
    definition: &IndexDefinition,
    wildcard: &Wildcard,
    document: Document<'_>,
    keys: &mut KeySet,
) -> Result<(), CommandError> {
    let mut around = Vec::with_capacity(definition.fields.len() - 1);
    for field in &definition.fields {
        if field.kind.has_path() {
            continue;
        }
        let value = plain_value(document, field).map_err(|depth| {
            CommandError::location(
                7_246_301,
                format!(
                    "Wildcard indexes' non-wildcard fields cannot be multi-key fields. Found array at path: {}",
                    field.components[..depth].join(".")
                ),
            )
        })?;
        around.push(match value {
            ValueRef::Missing => ValueRef::Null,
            value => value,
        });
    }
    let mut walk = Walk {
        fields: &definition.fields,
        around: &around,
        path: String::new(),
        keys,
    };
    walk.fields_of(document, wildcard.selection());
    if walk.keys.is_empty() && !around.is_empty() {
        walk.key(ValueRef::MinKey, ValueRef::MinKey);
    }
    walk.keys.check_size()?;
    walk.keys.finish();
    Ok(())
}

struct Walk<'w, 'd> {
    fields: &'w [KeyField],
    /// The values of the index's other fields.
    around: &'w [ValueRef<'d>],
    path: String,
    keys: &'w mut KeySet,
}

impl Walk<'_, '_> {
    fn key(&mut self, path: ValueRef<'_>, value: ValueRef<'_>) {
        // The caller refuses too many keys after the walk.
        if self.keys.is_too_large() {
            return;
        }
        let start = self.keys.begin_key();
        let mut around = self.around.iter();
        for field in self.fields {
            if field.kind.has_path() {
                self.keys.component(path, false);
                self.keys.component(value, field.descending);
            } else if let Some(value) = around.next() {
                self.keys.component(*value, field.descending);
            }
        }
        self.keys.end_key(start);
    }

    fn value(&mut self, value: ValueRef<'_>) {
        let path = std::mem::take(&mut self.path);
        self.key(ValueRef::from(&*path), value);
        self.path = path;
    }

    /// Walks the fields that are selected; gives how many there are.
    fn fields_of(&mut self, document: Document<'_>, selection: Selection<'_>) -> usize {
        let mut held = 0;
        for element in document.iter() {
            let Some(below) = selection.child(element.name) else {
                continue;
            };
            if !below.holds(element.value, false) {
                continue;
            }
            held += 1;
            // No filter can name such a field.
            if element.name.contains('.') {
                continue;
            }
            let length = self.path.len();
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(element.name);
            match element.value {
                ValueRef::Document(inner) => {
                    if self.fields_of(inner, below) == 0 {
                        self.value(ValueRef::Document(Document::EMPTY));
                    }
                }
                ValueRef::Array(items) => {
                    self.keys.note_array(&self.path);
                    if self.items_of(items, below) == 0 {
                        self.value(ValueRef::Undefined);
                    }
                }
                value => self.value(value),
            }
            self.path.truncate(length);
        }
        held
    }

    fn items_of(&mut self, items: Array<'_>, selection: Selection<'_>) -> usize {
        let mut held = 0;
        for item in items.iter() {
            if !selection.holds(item, true) {
                continue;
            }
            held += 1;
            match item {
                ValueRef::Document(inner) => {
                    if self.fields_of(inner, selection) == 0 {
                        self.value(ValueRef::Document(Document::EMPTY));
                    }
                }
                value => self.value(value),
            }
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;
    use crate::catalog::index::keys as index_keys;
    use crate::catalog::tests::definition;
    use crate::keycode::Decoder;

    /// The keys and the array paths of a document, printed.
    fn keys(pattern: &str, projection: &str, document: &str) -> (Vec<String>, String) {
        let pattern = parse_document(pattern).expect("a pattern");
        let projection = parse_document(projection).expect("a projection");
        let definition = definition(|b| {
            b.append("key", &pattern).append("name", "n");
            if !projection.as_document().is_empty() {
                b.append("wildcardProjection", &projection);
            }
        });
        let document = parse_document(document).expect("a document");
        let mut keys = KeySet::default();
        index_keys::generate(&definition, document.as_document(), &mut keys).expect("keys");
        let printed = keys.iter().map(|(key, bits)| {
            let mut decoder = Decoder::new(key, bits);
            let mut builder = crate::bson::DocumentBuilder::new();
            for _ in 0..=definition.fields.len() {
                decoder.next_into(false, "", &mut builder).expect("a key");
            }
            let values: Vec<String> = builder
                .finish()
                .as_document()
                .iter()
                .map(|element| element.value.to_string())
                .collect();
            values.join(" ").replace('"', "")
        });
        (printed.collect(), keys.array_paths().join(" "))
    }

    #[test]
    fn every_value_has_a_key_under_its_path() {
        let all = r#"{"$**": 1}"#;
        let (found, arrays) = keys(
            all,
            "{}",
            r#"{"_id": 1, "a": {"b": 1, "c": {}, "d": []}, "e": [1, {"f": 2}, [3]], "g.h": 1}"#,
        );
        assert_eq!(
            found,
            [
                "a.b 1",
                "a.c {}",
                "a.d undefined",
                "e 1",
                "e [ 3 ]",
                "e.f 2"
            ]
        );
        assert_eq!(arrays, "a.d e");
        assert!(keys(all, "{}", r#"{"_id": 1}"#).0.is_empty());
    }

    #[test]
    fn a_projection_selects_and_leaves_out() {
        let all = r#"{"$**": 1}"#;
        let document = r#"{"_id": 1, "a": {"b": 1, "c": 2}, "d": [{"e": 1, "f": 2}, 5]}"#;
        let held = |projection: &str| keys(all, projection, document).0;
        assert_eq!(held(r#"{"a.b": 1, "d.f": 1}"#), ["a.b 1", "d.f 2"]);
        assert_eq!(held(r#"{"a": 0}"#), ["d 5", "d.e 1", "d.f 2"]);
        assert_eq!(
            held(r#"{"a": 0, "d": {"e": 0}, "_id": 1}"#),
            ["_id 1", "d 5", "d.f 2"]
        );
        assert_eq!(
            keys(r#"{"a.$**": 1}"#, "{}", document).0,
            ["a.b 1", "a.c 2"]
        );
    }

    #[test]
    fn a_compound_one_keeps_its_other_fields() {
        let pattern = r#"{"x": 1, "a.$**": 1, "y": 1}"#;
        assert_eq!(
            keys(pattern, "{}", r#"{"x": 7, "a": {"b": [1, 2]}}"#).0,
            ["7 a.b 1 null", "7 a.b 2 null"]
        );
        assert_eq!(
            keys(pattern, "{}", r#"{"x": 7}"#).0,
            ["7 MinKey MinKey null"]
        );
    }
}
