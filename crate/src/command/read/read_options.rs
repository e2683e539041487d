//! The common fields of find, count, distinct and explain: filter, hint and their planning.

use crate::bson::{Document, ValueRef};
use crate::catalog::{Catalog, Collection, CollectionOptions};
use crate::error::{Code, CommandError};
use crate::plan::Direction;
use crate::planner::Hint;
use std::rc::Rc;

/// Reads a hint: an index name, a key pattern, or `{$natural: ±1}`.
///
/// # Errors
/// `FailedToParse` for any other type; `BadValue` for a `$natural` that is not alone, or neither 1 nor -1.
pub fn hint(value: ValueRef<'_>) -> Result<Option<Hint>, CommandError> {
    match value {
        ValueRef::Missing => Ok(None),
        ValueRef::String(name) => Ok(Some(Hint::Name(name.lossy().into_owned()))),
        ValueRef::Document(pattern) if pattern.is_empty() => Ok(None),
        ValueRef::Document(pattern) => match pattern.get("$natural") {
            ValueRef::Missing => Ok(Some(Hint::KeyPattern(pattern.to_buf()))),
            value => match (value.as_exact_i64(), pattern.len()) {
                (Some(1), 1) => Ok(Some(Hint::Natural(Direction::Forward))),
                (Some(-1), 1) => Ok(Some(Hint::Natural(Direction::Backward))),
                _ => Err(CommandError::new(
                    Code::BadValue,
                    "$natural hint cannot be set to a value other than -1 or 1.",
                )),
            },
        },
        _ => Err(CommandError::new(
            Code::FailedToParse,
            "Hint must be a string or an object",
        )),
    }
}

/// The collection of a namespace, or an empty stand-in without records, so that planning and
/// explaining need no second path.
pub fn collection_or_empty(catalog: &Catalog, namespace: &str) -> Rc<Collection> {
    match catalog.collection(namespace) {
        Some(collection) => Rc::clone(collection),
        None => Rc::new(Collection::new(
            namespace,
            [0; 16],
            CollectionOptions::default(),
        )),
    }
}

/// Refuses a filter that is no document, worded as the server words it.
///
/// # Errors
/// `TypeMismatch`.
pub fn filter<'a>(
    command: &str,
    name: &str,
    value: ValueRef<'a>,
) -> Result<Document<'a>, CommandError> {
    match value {
        ValueRef::Missing | ValueRef::Null => Ok(Document::EMPTY),
        ValueRef::Document(filter) => Ok(filter),
        other => Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field '{command}.{name}' is the wrong type '{}', expected type 'object'",
                other.type_name()
            ),
        )),
    }
}
