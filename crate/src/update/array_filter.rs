//! `arrayFilters`: which items `$[identifier]` stands for.
//!
//! Follows the manual's "`$[<identifier>]`" page. Invariant: each filter names exactly one identifier,
//! identifiers do not repeat, and each is used by the update.

use super::errors::{bad_value, fail};
use crate::bson::{Array, Document, ValueRef, builder::write_value};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::query::Matcher;
use std::cell::RefCell;

/// One compiled filter.
pub(super) struct ArrayFilter {
    pub(super) identifier: Box<str>,
    matcher: Matcher,
    /// The one-field document that an item is tested in.
    wrapped: RefCell<Vec<u8>>,
}

fn parse_error(message: impl AsRef<str>) -> CommandError {
    CommandError::new(
        Code::FailedToParse,
        format!(
            "Error parsing array filter :: caused by :: {}",
            message.as_ref()
        ),
    )
}

/// Finds the one identifier that a filter's paths begin with.
fn identifier<'a>(filter: Document<'a>, found: &mut Option<&'a str>) -> Result<(), CommandError> {
    for element in filter.iter() {
        if matches!(element.name, "$and" | "$or" | "$nor") {
            for item in element.value.as_array().unwrap_or(Array::EMPTY).iter() {
                identifier(item.as_document().unwrap_or(Document::EMPTY), found)?;
            }
            continue;
        }
        let name = element.name.split('.').next().unwrap_or("");
        match found {
            Some(known) if *known != name => {
                return Err(parse_error(format!(
                    "Expected a single top-level field name, found '{known}' and '{name}'"
                )));
            }
            _ => *found = Some(name),
        }
    }
    Ok(())
}

/// Compiles the array of filters, which commands let in as documents only.
pub(super) fn compile(
    filters: Array<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<ArrayFilter>, CommandError> {
    let mut compiled: Vec<ArrayFilter> = Vec::new();
    for filter in filters.iter() {
        let filter = filter.as_document().unwrap_or(Document::EMPTY);
        let mut found = None;
        identifier(filter, &mut found)?;
        let Some(identifier) = found else {
            return fail(
                Code::FailedToParse,
                "Cannot use an expression without a top-level field name in arrayFilters",
            );
        };
        let mut bytes = identifier.bytes();
        let valid = bytes.next().is_some_and(|first| first.is_ascii_lowercase())
            && bytes.all(|byte| byte.is_ascii_alphanumeric());
        if !valid {
            return Err(bad_value(format!(
                "Error parsing array filter :: caused by :: The top-level field name must be an \
                 alphanumeric string beginning with a lowercase letter, found '{identifier}'"
            )));
        }
        if compiled
            .iter()
            .any(|known| *known.identifier == *identifier)
        {
            return fail(
                Code::FailedToParse,
                format!(
                    "Found multiple array filters with the same top-level field name {identifier}"
                ),
            );
        }
        compiled.push(ArrayFilter {
            identifier: identifier.into(),
            matcher: Matcher::compile_without_scripts(filter, context)?,
            wrapped: RefCell::new(Vec::new()),
        });
    }
    Ok(compiled)
}

impl ArrayFilter {
    /// Whether the filter accepts an item.
    pub(super) fn accepts(&self, item: ValueRef<'_>, env: &dyn Env) -> Result<bool, CommandError> {
        let mut wrapped = self.wrapped.borrow_mut();
        wrap(&mut wrapped, &self.identifier, item);
        self.matcher
            .matches(Document::from_valid_bytes(&wrapped), env)
    }
}

/// Writes the document `{name: value}` into a buffer.
pub(super) fn wrap(buffer: &mut Vec<u8>, name: &str, value: ValueRef<'_>) {
    buffer.clear();
    buffer.extend_from_slice(&[0; 4]);
    buffer.push(value.bson_type() as u8);
    buffer.extend_from_slice(name.as_bytes());
    buffer.push(0);
    write_value(buffer, value);
    buffer.push(0);
    let length = buffer.len() as u32;
    buffer[..4].copy_from_slice(&length.to_le_bytes());
}
