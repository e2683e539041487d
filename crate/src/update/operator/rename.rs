//! `$rename`: moves a field.
//!
//! It is two operators in the tree: the source removes the field, the target takes its value from the
//! document as it was. Invariant: neither path leads through an array.

use super::super::errors::{bad_value, fail, id_text, not_viable, too_deep};
use super::super::path;
use super::{Argument, Change, Compiled, DeadEnd, Operator, Place};
use crate::bson::{Document, MAX_NESTING, ValueRef};
use crate::error::{Code, CommandError};

/// The operator at the target's path.
struct RenameTarget {
    source: Box<str>,
    target: Box<str>,
}

/// The operator at the source's path.
pub(in super::super) struct RenameSource;

/// Compiles the target of `{$rename: {source: "target"}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    let (source, target) = match argument.value {
        ValueRef::String(target) => (argument.path, target.checked()?),
        _ => {
            return Err(bad_value(format!(
                "The 'to' field for $rename must be a string: {}: {}",
                argument.path, argument.value
            )));
        }
    };
    let shown = format!("{source}: \"{target}\"");
    if target.contains('\0') {
        return Err(bad_value(
            "The 'to' field for $rename cannot contain an embedded null byte",
        ));
    }
    if source == target {
        return Err(bad_value(format!(
            "The source and target field for $rename must differ: {shown}"
        )));
    }
    let is_prefix = |prefix: &str, whole: &str| {
        whole
            .strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with('.'))
    };
    if is_prefix(source, target) || is_prefix(target, source) {
        return Err(bad_value(format!(
            "The source and target field for $rename must not be on the same path: {shown}"
        )));
    }
    let is_dynamic = |path: &str| {
        path.split('.')
            .any(|part| part == "$" || (part.starts_with("$[") && part.ends_with(']')))
    };
    for (name, path) in [("source", source), ("destination", target)] {
        if is_dynamic(path) {
            return Err(bad_value(format!(
                "The {name} field for $rename may not be dynamic: {path}"
            )));
        }
    }
    Ok(Box::new(RenameTarget {
        source: source.into(),
        target: target.into(),
    }))
}

/// The value at a path through documents.
fn find<'d>(document: Document<'d>, path: &str, what: &str) -> Result<ValueRef<'d>, CommandError> {
    let mut value = ValueRef::Document(document);
    let mut above = "";
    let dead_end = |part: &str, above: &str, value: ValueRef<'_>| match what {
        "source" => CommandError::new(
            Code::PathNotViable,
            format!(
                "cannot use the part ({above} of {path}) to traverse the element ({{{above}: {value}}})"
            ),
        ),
        _ => not_viable(part, above, value),
    };
    for part in path.split('.') {
        value = match value {
            ValueRef::Document(fields) => fields.get(part),
            ValueRef::Array(array) => {
                if path::array_index(part).is_none() {
                    return Err(dead_end(part, above, value));
                }
                if what == "source"
                    && path::array_index(part).is_some_and(|at| array.get(at).is_missing())
                {
                    return Ok(ValueRef::Missing);
                }
                return Err(bad_value(format!(
                    "The {what} field cannot be an array element, '{path}' in doc with {} has an array field \
                     called '{above}'",
                    id_text(document)
                )));
            }
            ValueRef::Missing => return Ok(ValueRef::Missing),
            scalar => return Err(dead_end(part, above, scalar)),
        };
        above = part;
    }
    Ok(value)
}

impl Operator for RenameTarget {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let value = find(place.document, &self.source, "source")?;
        if value.is_missing() {
            return Ok(Change::Same);
        }
        find(place.document, &self.target, "destination")?;
        // A renamed field is set even where it changes nothing, and an `_id` that is there is never set.
        if !current.is_missing() && (&*self.target == "_id" || self.target.starts_with("_id.")) {
            return fail(
                Code::ImmutableField,
                match &*self.target {
                    "_id" => format!(
                        "Updating the path '_id' to _id: {value} would modify the immutable field '_id'"
                    ),
                    below => format!(
                        "Performing an update on the path '{below}' would modify the immutable field '_id'"
                    ),
                },
            );
        }
        if self.target.split('.').count() + depth(value) > MAX_NESTING {
            return Err(too_deep());
        }
        Ok(Change::Set(value.to_value()))
    }
}

impl Operator for RenameSource {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        if current.is_missing() {
            return Ok(Change::Same);
        }
        find(place.document, place.path, "source")?;
        if place.path == "_id" || place.path.starts_with("_id.") {
            return fail(
                Code::ImmutableField,
                format!(
                    "Unsetting the path '{}' using $rename would modify the immutable field '_id'",
                    place.path
                ),
            );
        }
        Ok(Change::Remove)
    }
    fn dead_end(&self, _is_insert: bool) -> DeadEnd {
        DeadEnd::NotRenamed
    }
}

/// How many documents and arrays nest in a value.
pub(in super::super) fn depth(value: ValueRef<'_>) -> usize {
    let deepest = |items: &mut dyn Iterator<Item = usize>| 1 + items.max().unwrap_or(0);
    match value {
        ValueRef::Document(document) => {
            deepest(&mut document.iter().map(|element| depth(element.value)))
        }
        ValueRef::Array(array) => deepest(&mut array.iter().map(depth)),
        _ => 0,
    }
}
