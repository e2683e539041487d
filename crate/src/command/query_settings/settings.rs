//! The settings themselves: `{indexHints, queryFramework, reject, comment}`, read, merged and judged.
//!
//! Manual: reference/command/setQuerySettings.

use crate::bson::{Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::index::check_key_pattern;
use crate::command::read::read_options;
use crate::command::request::Params;
use crate::error::{Code, CommandError};
use crate::planner::Hint;

type Result<T> = std::result::Result<T, CommandError>;

const HINTS: &str = "indexHints";
const FRAMEWORK: &str = "queryFramework";
const REJECT: &str = "reject";
const ALLOWED: &str = "allowedIndexes";

/// The fields in the order in which they are kept.
const FIELDS: [&str; 4] = [HINTS, FRAMEWORK, REJECT, "comment"];

/// The settings that a command gives over those that were there, without those that change nothing.
///
/// # Errors
/// Those of unknown and mistyped fields; 8727502 where no settings are given.
pub fn merged(given: Document<'_>, before: Document<'_>) -> Result<DocumentBuf> {
    if given.is_empty() {
        return Err(CommandError::location(
            8_727_502,
            "settings field in setQuerySettings command cannot be empty",
        ));
    }
    let params = Params::new(given, "setQuerySettings.settings", None);
    let mut merged = DocumentBuilder::new();
    for name in FIELDS {
        let value = match params.value(name) {
            ValueRef::Null if matches!(name, HINTS | FRAMEWORK) => ValueRef::Missing,
            value => value,
        };
        let expected = match (name, value) {
            (_, ValueRef::Missing) => {
                merged.append(name, before.get(name));
                continue;
            }
            (HINTS, ValueRef::Document(_) | ValueRef::Array(_)) => {
                append_hints(value, &mut merged)?;
                continue;
            }
            (HINTS, _) => "array, object",
            (FRAMEWORK, ValueRef::String(framework)) => {
                if framework != "classic" && framework != "sbe" {
                    return Err(params.no_such_value(FRAMEWORK, &framework.lossy()));
                }
                ""
            }
            (FRAMEWORK, _) => "string",
            (REJECT, ValueRef::Boolean(false)) => continue,
            (REJECT, ValueRef::Boolean(true)) | ("comment", _) => "",
            _ => "bool",
        };
        if !expected.is_empty() {
            return Err(params.wrong_type(name, value, expected));
        }
        merged.append(name, value);
    }
    params.finish()?;
    Ok(merged.finish())
}

/// Appends the hints of one document, or of a list of them; none where they allow no index.
fn append_hints(given: ValueRef<'_>, merged: &mut DocumentBuilder) -> Result<()> {
    let mut list = ArrayBuilder::new();
    match given {
        ValueRef::Array(hints) => hints
            .iter()
            .try_for_each(|hint| push_hint(hint, &mut list))?,
        hint => push_hint(hint, &mut list)?,
    }
    if !list.is_empty() {
        merged.append(HINTS, &list.finish());
    }
    Ok(())
}

/// The hint for one collection; one that allows no index says nothing.
fn push_hint(given: ValueRef<'_>, list: &mut ArrayBuilder) -> Result<()> {
    let given = given.as_document().ok_or_else(|| {
        let message = "an item of 'indexHints' is no object";
        CommandError::new(Code::TypeMismatch, message)
    })?;
    let params = Params::new(given, "IndexHintSpec", None);
    let place = params.required_document("ns")?;
    let allowed = params.required_array(ALLOWED)?;
    for index in allowed.iter() {
        if !matches!(index, ValueRef::Document(_)) {
            read_options::hint(index)?;
        }
    }
    params.finish()?;
    let mut hint = DocumentBuilder::new();
    hint.begin_document("ns");
    let place = Params::new(place, "IndexHintSpec.ns", None);
    for name in ["db", "coll"] {
        if let Some(value) = place.string(name)? {
            hint.append(name, value);
        }
    }
    place.finish()?;
    hint.end().append(ALLOWED, allowed);
    if !allowed.is_empty() {
        list.push(&hint.finish());
    }
    Ok(())
}

/// Refuses settings that do nothing, and hints of a wrong form.
///
/// # Errors
/// 7746604 for settings that do nothing; 8727500 and 8727501 for a hint without `db` or `coll`; 9646000 and 9646001 for
/// a key pattern that no index has; 7746608 for two hints of one collection.
pub fn check(settings: Document<'_>) -> Result<()> {
    if { FIELDS[..3].iter() }.all(|name| settings.get(name).is_missing()) {
        return Err(CommandError::location(
            7_746_604,
            "the resulting settings cannot be empty or contain only default values",
        ));
    }
    let hints = settings.get(HINTS).as_array().unwrap_or(Array::EMPTY);
    let mut seen = Vec::new();
    for hint in hints.iter().filter_map(ValueRef::as_document) {
        let place = hint.get("ns").as_document().unwrap_or_default();
        for (name, number) in [("db", 8_727_500), ("coll", 8_727_501)] {
            if place.get(name).is_missing() {
                let message = format!("invalid index hint: 'ns.{name}' field is missing");
                return Err(CommandError::location(number, message));
            }
        }
        let allowed = hint.get(ALLOWED).as_array().unwrap_or(Array::EMPTY);
        allowed.iter().try_for_each(check_index)?;
        if seen.contains(&place.as_bytes()) {
            return Err(CommandError::location(
                7_746_608,
                "a collection has already index hints specified",
            ));
        }
        seen.push(place.as_bytes());
    }
    Ok(())
}

fn check_index(index: ValueRef<'_>) -> Result<()> {
    let ValueRef::Document(key) = index else {
        return Ok(());
    };
    if key.is_empty() {
        return Err(CommandError::location(
            9_646_000,
            "key pattern index can't be empty",
        ));
    }
    match read_options::hint(index)? {
        Some(Hint::Natural(_)) => Ok(()),
        _ => check_key_pattern(key).map_err(|error| {
            let mut error = error.within("invalid index key pattern hint");
            error.code = 9_646_001;
            error
        }),
    }
}
