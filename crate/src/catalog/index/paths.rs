//! The values that geospatial indexes find at a path, and what their specifications have in common.

use crate::bson::{Document, ValueRef, array_position};
use crate::catalog::index::kind;
use crate::error::{Code, CommandError};

/// Visits the values at the end of a path, through arrays on the way. An array at the very end is one value.
/// `through` is told of each array on the way how many components lead to it.
pub(super) fn visit<'d>(
    value: ValueRef<'d>,
    components: &[Box<str>],
    walked: usize,
    through: &mut dyn FnMut(usize),
    found: &mut Vec<ValueRef<'d>>,
) {
    let Some((name, rest)) = components.split_first() else {
        found.push(value);
        return;
    };
    match value {
        ValueRef::Document(document) => {
            let inner = document.get(name);
            if !inner.is_missing() {
                visit(inner, rest, walked + 1, through, found);
            }
        }
        ValueRef::Array(items) => {
            if let Some(position) = array_position(name)
                && let item = items.get(position as usize)
                && !item.is_missing()
            {
                visit(item, rest, walked + 1, through, found);
            } else {
                through(walked);
                for item in items.iter().filter(|item| item.as_document().is_some()) {
                    visit(item, components, walked, through, found);
                }
            }
        }
        _ => {}
    }
}

/// Refuses a key pattern that names another special kind beside this one.
///
/// # Errors
/// 16823.
pub(super) fn check_numbers(versioned: Document<'_>, name: &str) -> Result<(), CommandError> {
    let key = { versioned.get("key").as_document() }.unwrap_or(Document::EMPTY);
    match { key.iter() }.find(|field| {
        field.value.as_number().is_none()
            && kind::named_by(field).is_none_or(|row| row.name != name)
    }) {
        None => Ok(()),
        Some(other) => Err(CommandError::location(
            16823,
            format!(
                "Cannot use {name} index with other special index types: {}: {}",
                other.name, other.value
            ),
        )),
    }
}

/// The whole number of an option, if it is given.
///
/// # Errors
/// `TypeMismatch` and `BadValue`.
pub(super) fn exact_option(
    specification: Document<'_>,
    name: &str,
) -> Result<Option<i64>, CommandError> {
    let value = specification.get(name);
    if value.is_missing() {
        return Ok(None);
    }
    let refused = match (value.as_number(), value.as_exact_i64()) {
        (_, Some(number)) => return Ok(Some(number)),
        (Some(_), None) => (
            Code::BadValue,
            format!(
                "Expected field \"{name}\" to have a value exactly representable as a 64-bit integer, but found {name}: {value}"
            ),
        ),
        (None, None) => (
            Code::TypeMismatch,
            format!(
                "\"{name}\" had the wrong type. Expected a number, found {}",
                value.type_name()
            ),
        ),
    };
    Err(CommandError::new(refused.0, refused.1))
}
