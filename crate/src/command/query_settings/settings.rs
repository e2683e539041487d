//! The settings themselves: `{indexHints, queryFramework, reject, comment}`, read, merged and judged.
//!
//! Manual: reference/command/setQuerySettings.

use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::index::check_key_pattern;
use crate::command::read::read_options;
use crate::command::request::Params;
use crate::error::{Code, CommandError};
use crate::planner::Hint;

type Result<T> = std::result::Result<T, CommandError>;

const HINTS: &str = "indexHints";
const ALLOWED: &str = "allowedIndexes";

/// The fields in the order in which they are kept.
const FIELDS: [&str; 4] = [HINTS, "queryFramework", "reject", "comment"];

/// The settings that a command gives over those that were there, without what says nothing.
///
/// # Errors
/// Unknown and mistyped fields; 8727502 for none.
pub fn merged(given: Document<'_>, before: Document<'_>) -> Result<DocumentBuf> {
    let given = read(given)?;
    let mut merged = DocumentBuilder::new();
    for name in FIELDS {
        let value = match given.get(name) {
            ValueRef::Missing => before.get(name),
            value => value,
        };
        let says_nothing = match (name, value) {
            (HINTS, ValueRef::Array(hints)) => hints.is_empty(),
            ("reject", value) => !value.is_truthy(),
            _ => false,
        };
        if !says_nothing {
            merged.append(name, value);
        }
    }
    Ok(merged.finish())
}

fn read(given: Document<'_>) -> Result<DocumentBuf> {
    if given.is_empty() {
        return Err(CommandError::location(
            8_727_502,
            "settings field in setQuerySettings command cannot be empty",
        ));
    }
    let params = Params::new(given, "setQuerySettings.settings", None);
    let mut settings = DocumentBuilder::new();
    match params.value(HINTS) {
        ValueRef::Missing | ValueRef::Null => {}
        ValueRef::Document(hint) => {
            settings.begin_array(HINTS);
            append_hint(hint, 0, &mut settings)?;
            settings.end();
        }
        ValueRef::Array(hints) => {
            settings.begin_array(HINTS);
            let mut kept = 0;
            for hint in hints.iter() {
                let hint = hint.as_document();
                let hint = hint.ok_or_else(|| params.wrong_type(HINTS, hints.get(0), "object"))?;
                kept += usize::from(append_hint(hint, kept, &mut settings)?);
            }
            settings.end();
        }
        other => return Err(params.wrong_type(HINTS, other, "array, object")),
    }
    match params.string("queryFramework")? {
        Some(framework @ ("classic" | "sbe")) => {
            settings.append("queryFramework", framework);
        }
        Some(other) => return Err(params.no_such_value("queryFramework", other)),
        None => {}
    }
    match params.value("reject") {
        ValueRef::Missing => {}
        value @ ValueRef::Boolean(_) => drop(settings.append("reject", value)),
        other => return Err(params.wrong_type("reject", other, "bool")),
    }
    settings.append("comment", params.value("comment"));
    params.finish()?;
    Ok(settings.finish())
}

/// Appends the hint for one collection; one that allows no index says nothing.
fn append_hint(given: Document<'_>, position: usize, list: &mut DocumentBuilder) -> Result<bool> {
    let params = Params::new(given, "IndexHintSpec", None);
    let place = params.required_document("ns")?;
    let allowed = params.required_array(ALLOWED)?;
    for index in allowed.iter() {
        if !matches!(index, ValueRef::Document(_)) {
            read_options::hint(index)?;
        }
    }
    params.finish()?;
    let place = Params::new(place, "IndexHintSpec.ns", None);
    let names = ["db", "coll"].map(|name| (name, place.string(name)));
    place.finish()?;
    if allowed.is_empty() {
        return Ok(false);
    }
    list.begin_document(&position.to_string());
    list.begin_document("ns");
    for (name, value) in names {
        if let Some(value) = value? {
            list.append(name, value);
        }
    }
    list.end();
    list.append(ALLOWED, allowed).end();
    Ok(true)
}

/// Refuses settings that do nothing, and hints that are none.
///
/// # Errors
/// 7746604, 8727500, 8727501, 9646000, 9646001 and 7746608.
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
                format!("Collection '{place}' has already index hints specified"),
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
            let message = format!(
                "invalid index key pattern hint :: caused by :: {}",
                error.message
            );
            match error.code == Code::NotImplemented as i32 {
                true => error,
                false => CommandError::location(9_646_001, message),
            }
        }),
    }
}
