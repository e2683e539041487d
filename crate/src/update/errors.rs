//! The update language's errors, worded as the server words them.

use crate::bson::{Document, MAX_DOCUMENT_SIZE, ValueRef};
use crate::error::{Code, CommandError};

pub(super) fn bad_value(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::BadValue, message)
}

pub(super) fn fail<T>(code: Code, message: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::new(code, message))
}

/// `_id: 1`, or `no id`.
pub(super) fn id_text(document: Document<'_>) -> String {
    match document.get("_id") {
        ValueRef::Missing => "no id".to_owned(),
        id => format!("_id: {id}"),
    }
}

pub(super) fn not_viable(created: &str, name: &str, value: ValueRef<'_>) -> CommandError {
    CommandError::new(
        Code::PathNotViable,
        format!("Cannot create field '{created}' in element {{{name}: {value}}}"),
    )
}

pub(super) fn conflict(path: &str, at: &str) -> CommandError {
    CommandError::new(
        Code::ConflictingUpdateOperators,
        format!("Updating the path '{path}' would create a conflict at '{at}'"),
    )
}

pub(super) fn too_deep() -> CommandError {
    CommandError::new(
        Code::Overflow,
        format!(
            "Document exceeds maximum nesting depth of {}",
            crate::bson::MAX_NESTING
        ),
    )
}

/// An update's result is larger than a document may be.
#[cold]
#[inline(never)]
pub(super) fn too_large() -> CommandError {
    CommandError::location(
        17419,
        format!("Resulting document after update is larger than {MAX_DOCUMENT_SIZE}"),
    )
}

/// Checks that a value may be an `_id`: no array, regular expression or undefined, and no document
/// with `$`-prefixed fields.
///
/// # Errors
/// 53 `InvalidIdField`, 52 `DollarPrefixedFieldName`.
pub fn ensure_storable_id(id: ValueRef<'_>) -> Result<(), CommandError> {
    match id {
        ValueRef::Array(_) | ValueRef::Regex { .. } | ValueRef::Undefined => fail(
            Code::InvalidIdField,
            format!("The '_id' value cannot be of type {}", id.type_name()),
        ),
        ValueRef::Document(fields) => {
            let is_reference = fields
                .iter()
                .next()
                .is_some_and(|first| first.name == "$ref");
            match fields.iter().find(|field| field.name.starts_with('$')) {
                Some(field) if !is_reference => fail(
                    Code::DollarPrefixedFieldName,
                    format!(
                        "_id fields may not contain '$'-prefixed fields: {} is not valid for storage.",
                        field.name
                    ),
                ),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}
