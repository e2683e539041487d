//! Top-level fields whose names begin with `$`, which an update may not write into a document that is there.
//!
//! Follows the manual's "Field Names with Periods and Dollar Signs". An insert, an upsert that inserts and a pipeline
//! may write them, and any update may write them below the top level. The three fields of a reference, `$ref`, `$id`
//! and `$db`, may stand at the top level in that order.

use super::errors::fail;
use crate::bson::{Document, ValueRef};
use crate::error::{Code, CommandError};

/// Checks every top-level field of a document that an update made.
///
/// # Errors
/// 52 `DollarPrefixedFieldName`, 55 `InvalidDBRef`.
pub(super) fn check_all(document: Document<'_>) -> Result<(), CommandError> {
    for element in document.iter() {
        if element.name.starts_with('$') {
            check(document, element.name)?;
        }
    }
    Ok(())
}

/// Checks one top-level field that begins with `$`.
///
/// # Errors
/// 52 `DollarPrefixedFieldName`, 55 `InvalidDBRef` for a part of a reference that lacks the others.
pub(super) fn check(document: Document<'_>, name: &str) -> Result<(), CommandError> {
    let fields: Vec<(&str, ValueRef<'_>)> = { document.iter() }
        .map(|element| (element.name, element.value))
        .collect();
    let Some(mut at) = fields.iter().position(|(held, _)| *held == name) else {
        return Ok(());
    };
    let broken = |message: String| fail(Code::InvalidDBRef, message);
    for (part, before) in [("$db", "$id"), ("$id", "$ref")] {
        if fields[at].0 != part {
            continue;
        }
        if part == "$db" && !matches!(fields[at].1, ValueRef::String(_)) {
            return broken(format!(
                "The DBRef $db field must be a String, not a {}",
                fields[at].1.type_name()
            ));
        }
        match at.checked_sub(1) {
            Some(left) if fields[left].0 == before => at = left,
            _ => {
                return broken(format!(
                    "Found {part} field without a {before} before it, which is invalid."
                ));
            }
        }
    }
    if fields[at].0 != "$ref" {
        return fail(
            Code::DollarPrefixedFieldName,
            format!(
                "The dollar ($) prefixed field '{name}' in '{name}' is not allowed in the context of an update's \
                 replacement document. Consider using an aggregation pipeline with $replaceWith."
            ),
        );
    }
    if !matches!(fields[at].1, ValueRef::String(_)) {
        return broken(format!(
            "The DBRef $ref field must be a String, not a {}",
            fields[at].1.type_name()
        ));
    }
    match fields.get(at + 1) {
        Some(("$id", _)) => Ok(()),
        _ => broken("The DBRef $ref field must be followed by a $id field".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::document;

    fn code(text: &str) -> i32 {
        match check_all(document(text).as_document()) {
            Ok(()) => 0,
            Err(error) => error.code,
        }
    }

    #[test]
    fn a_reference_is_whole_and_in_order() {
        assert_eq!(code("{a: 1, $ref: \"x\", $id: 1}"), 0);
        assert_eq!(code("{a: 1, $ref: \"x\", $id: 1, $db: \"d\", b: 2}"), 0);
        assert_eq!(code("{a: 1, $ref: \"x\"}"), 55);
        assert_eq!(code("{a: 1, $id: 1, $ref: \"x\"}"), 55);
        assert_eq!(code("{a: 1, $ref: 1, $id: 1}"), 55);
        assert_eq!(code("{a: 1, $ref: \"x\", $id: 1, $db: 1}"), 55);
        assert_eq!(code("{a: 1, $ref: \"x\", b: 1, $id: 1}"), 55);
    }

    #[test]
    fn other_names_are_refused_at_the_top_level_alone() {
        assert_eq!(code("{a: 1, $b: 1}"), 52);
        assert_eq!(code("{a: {$b: 1}, c: [{$d: 1}]}"), 0);
    }
}
