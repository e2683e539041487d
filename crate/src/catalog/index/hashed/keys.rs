//! The key of a document in a hashed index: the hash of one field, the other fields as they are.
//!
//! Manual: core/indexes/index-types/index-hashed. Invariant: one key a document at most, for no field of such an
//! index may hold an array or lead through one.

use super::element_hash::element_hash;
use crate::bson::{Document, ValueRef};
use crate::catalog::index::definition::IndexDefinition;
use crate::catalog::index::field::{FieldKind, KeyField};
use crate::catalog::index::keys::KeySet;
use crate::catalog::index::kind::{IndexKind, KindRow, KindRules};
use crate::error::CommandError;

/// How key patterns name the kind: `{a: "hashed"}`.
pub(in crate::catalog::index) const ROW: KindRow = KindRow {
    name: "hashed",
    field: FieldKind::Hashed,
    is_named_by: |element| matches!(element.value, ValueRef::String(text) if text == *"hashed"),
    make: |_, _| Ok(IndexKind::Hashed),
    ..KindRow::PLAIN
};

/// The rules of hashed indexes.
pub(in crate::catalog::index) struct Hashed;

impl KindRules for Hashed {
    fn generate(
        &self,
        definition: &IndexDefinition,
        document: Document<'_>,
        keys: &mut KeySet,
    ) -> Result<(), CommandError> {
        generate(definition, document, keys)
    }

    #[inline(never)]
    fn check(&self, versioned: Document<'_>, is_unique: bool) -> Result<(), CommandError> {
        if is_unique {
            return Err(CommandError::location(
                16764,
                "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.",
            ));
        }
        let key = { versioned.get("key").as_document() }.unwrap_or(Document::EMPTY);
        let hashed = { key.iter() }
            .filter(|element| element.value.as_str().is_some())
            .count();
        if hashed > 1 {
            return Err(CommandError::location(
                31303,
                format!(
                    "A maximum of one index field is allowed to be hashed but found {hashed} for 'key' {key}"
                ),
            ));
        }
        Ok(())
    }

    fn shows_array_paths(&self) -> bool {
        false
    }
}

/// The value at a field's path, or the number of components up to and with an array that is met.
pub(in crate::catalog::index) fn plain_value<'a>(
    document: Document<'a>,
    field: &KeyField,
) -> Result<ValueRef<'a>, usize> {
    let mut document = document;
    for (position, component) in field.components.iter().enumerate() {
        let value = document.get(component);
        match value {
            ValueRef::Array(_) => return Err(position + 1),
            value if position + 1 == field.components.len() => return Ok(value),
            ValueRef::Document(inner) => document = inner,
            _ => break,
        }
    }
    Ok(ValueRef::Missing)
}

/// Generates a document's key.
///
/// # Errors
/// 16766 for an array at or above one of the fields.
fn generate(
    definition: &IndexDefinition,
    document: Document<'_>,
    keys: &mut KeySet,
) -> Result<(), CommandError> {
    let start = keys.begin_key();
    let mut missing = 0;
    for field in &definition.fields {
        let value = plain_value(document, field).map_err(|depth| {
            let path = field.components[..depth].join(".");
            CommandError::location(
                16766,
                format!(
                    "Error: hashed indexes do not currently support array values. Found array at path: {path}"
                ),
            )
        })?;
        missing += usize::from(value.is_missing());
        let value = match value {
            ValueRef::Missing => ValueRef::Null,
            value => value,
        };
        match field.kind {
            FieldKind::Hashed => keys.component(ValueRef::Int64(element_hash(value)), false),
            _ => keys.component(value, field.descending),
        }
    }
    if definition.sparse && missing == definition.fields.len() {
        keys.clear();
    } else {
        keys.end_key(start);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;
    use crate::catalog::duplicate_key::key_value;
    use crate::catalog::index::keys as index_keys;
    use crate::catalog::tests::definition;

    fn key(pattern: &str, document: &str) -> Result<String, String> {
        let pattern = parse_document(pattern).expect("a pattern");
        let definition = definition(|b| {
            b.append("key", &pattern).append("name", "n");
        });
        let document = parse_document(document).expect("a document");
        let mut keys = KeySet::default();
        index_keys::generate(&definition, document.as_document(), &mut keys)
            .map_err(|error| error.message.clone())?;
        let (key, bits) = keys.get(0);
        Ok(key_value(&definition, key, bits)
            .expect("it decodes")
            .as_document()
            .to_string())
    }

    #[test]
    fn hashes_its_field_and_keeps_the_others() {
        assert_eq!(
            key(r#"{"a.b": "hashed"}"#, r#"{"a": {"b": 42}}"#).as_deref(),
            Ok("{ a.b: -944302157085130861 }")
        );
        assert_eq!(
            key(
                r#"{"x": 1, "a": "hashed", "y": -1}"#,
                r#"{"x": 7, "y": "q"}"#
            )
            .as_deref(),
            Ok("{ x: 7, a: 2338878944348059895, y: \"q\" }")
        );
        for (document, path) in [
            (r#"{"a": [1]}"#, "a"),
            (r#"{"a": {"b": []}}"#, "a.b"),
            (r#"{"a": {"b": 1}, "x": [1]}"#, "x"),
        ] {
            let refusal = key(r#"{"a.b": "hashed", "x": 1}"#, document);
            assert!(refusal.is_err_and(|message| message.ends_with(&format!("path: {path}"))));
        }
    }
}
