//! The error of a key that a unique index already holds.

use super::collection::Index;
use super::index_spec::IndexDefinition;
use crate::bson::{DocumentBuf, DocumentBuilder};
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
    let mut details = DocumentBuilder::new();
    details
        .append("keyPattern", &index.definition.key)
        .append("keyValue", &value);
    CommandError::new(
        Code::DuplicateKey,
        format!(
            "E11000 duplicate key error collection: {namespace} index: {} dup key: {}",
            index.name(),
            value.as_document()
        ),
    )
    .with_details(details.finish().into_bytes())
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
