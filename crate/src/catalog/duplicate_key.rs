//! The error of a key that a unique index already holds.

use super::collection::Index;
use super::index::IndexDefinition;
use crate::algorithms::hexadecimal;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError, StorageError};
use crate::keycode::Decoder;

/// 11000 `DuplicateKey`, worded as the server words it, with `keyPattern` and `keyValue`.
pub(super) fn duplicate_key_error(
    namespace: &str,
    index: &Index,
    key: &[u8],
    bits: &[u8],
) -> CommandError {
    let value = match key_value(&index.definition, key, bits) {
        Ok(value) => value,
        Err(error) => return error.into(),
    };
    // As on a server: a clustered collection keeps no type bits, by which its keys could word such a number.
    if index.definition.kind.is_clustered()
        && let Some(number) = value.get("_id").as_number()
    {
        let number = number.to_f64();
        if !number.is_finite() {
            let code = if number.is_nan() { 50819 } else { 50826 };
            return CommandError::location(code, "Invalid type bits for a numeric _id");
        }
    }
    let collation = index.definition.collation.spec();
    let value = match &collation {
        None => value,
        Some(_) => with_labels_in_hexadecimal(value.as_document()),
    };
    let collated = collation.as_ref().map_or_else(String::new, |collation| {
        format!(" collation: {}", collation.as_document())
    });
    let mut details = DocumentBuilder::new();
    details
        .append("keyPattern", &index.definition.key)
        .append("keyValue", &value);
    if let Some(collation) = &collation {
        details.append("collation", collation);
    }
    let named = match index.definition.kind.is_clustered() {
        // Nothing but the documents themselves holds their keys.
        true => String::new(),
        false => format!(" index: {}", index.name()),
    };
    CommandError::new(
        Code::DuplicateKey,
        format!(
            "E11000 duplicate key error collection: {namespace}{named}{collated} dup key: {}",
            value.as_document()
        ),
    )
    .with_details(details.finish().into_bytes())
}

/// The values of a key of an index with a collation, as the server words them: its strings are not the documents'.
fn with_labels_in_hexadecimal(values: Document<'_>) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    for element in values.iter() {
        match element.value {
            ValueRef::String(label) => {
                let digits = hexadecimal::to_text(label.as_bytes());
                builder.append(element.name, format!("0x{digits}").as_str());
            }
            value => {
                builder.append(element.name, value);
            }
        }
    }
    builder.finish()
}

/// The values of an index key under the names of its fields.
///
/// # Errors
/// `Broken` for bytes that are no key of this index.
pub fn key_value(
    definition: &IndexDefinition,
    key: &[u8],
    bits: &[u8],
) -> Result<DocumentBuf, StorageError> {
    let mut decoder = Decoder::new(key, bits);
    let mut builder = DocumentBuilder::new();
    for field in &definition.fields {
        decoder.next_into(field.descending, &field.path, &mut builder)?;
    }
    Ok(builder.finish())
}
