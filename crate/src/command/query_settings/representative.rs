//! The shape that settings are for: that of a query, or one that is named by its hash.
//!
//! Manual: reference/command/setQuerySettings.

use crate::bson::{Document, ValueRef};
use crate::catalog::names;
use crate::command::context::CommandContext;
use crate::command::read::shape_hash::{is_of_operators, shape_hash};
use crate::command::request::{Params, Request};
use crate::command::table;
use crate::error::{Code, CommandError};

/// How many digits a hash has.
const DIGITS: usize = 64;

/// A shape, and the query that it was given by.
pub struct Given<'a> {
    pub hash: String,
    pub query: Option<Document<'a>>,
    /// The stage of the query that tells of the server itself, if it has one.
    pub system_stage: Option<&'static str>,
}

fn hash_in(text: &str) -> Result<String, CommandError> {
    let code = match text.len() == DIGITS {
        _ if !text.bytes().all(|digit| digit.is_ascii_hexdigit()) => Code::BadValue,
        true => return Ok(text.to_ascii_uppercase()),
        false => Code::InvalidLength,
    };
    let message = "a query shape hash has 64 hexadecimal digits";
    Err(CommandError::new(code, message))
}

/// Reads the argument of a command on settings.
///
/// # Errors
/// 14 for another type, 2 and 16 for a text that is no hash, 7746402 for a command that has no shape, and all errors
/// of the query itself.
pub fn read<'a>(
    context: &CommandContext<'_>,
    request: &Request<'a>,
) -> Result<Given<'a>, CommandError> {
    let query = match request.argument() {
        ValueRef::Document(query) => query,
        ValueRef::String(text) => {
            return Ok(Given {
                hash: hash_in(&text.lossy())?,
                query: None,
                system_stage: None,
            });
        }
        other => {
            let params = request.params();
            return Err(params.wrong_type(request.name, other, "string, object"));
        }
    };
    let first = query.iter().next();
    let row = { first.as_ref() }.and_then(|first| table::find(first.name));
    let (Some(first), Some(check)) = (first, row.and_then(|row| row.check_shape)) else {
        return Err(CommandError::location(
            7_746_402,
            format!("QueryShape can not be computed for command: {query}"),
        ));
    };
    let params = Params::new(query, first.name.to_owned(), None);
    let database = match params.string("$db")? {
        Some(database) => database,
        None => return Err(params.missing("$db")),
    };
    let inner = Request {
        document: query,
        name: first.name,
        argument: first.value,
        database,
        ..*request
    };
    let system_stage = check(context, &inner)?;
    Ok(Given {
        hash: shape_hash(query, database).unwrap_or_default(),
        query: Some(query),
        system_stage,
    })
}

/// Why a query has no settings, if so: queries of internal collections, and look-ups of one `_id`.
pub fn refusal(query: Document<'_>, database: &str) -> Option<(i32, &'static str)> {
    let database = query.get("$db").as_str().unwrap_or(database);
    let first = query.iter().next();
    let collection = first.and_then(|first| first.value.as_str());
    Some(match collection {
        _ if matches!(database, "admin" | "config" | "local") => (
            8_584_900,
            "setQuerySettings command cannot be used on internal databases",
        ),
        Some(name) if names::is_system(name) => (
            8_584_901,
            "setQuerySettings command cannot be used on system collections in user databases",
        ),
        _ if looks_up_id(query) => (
            7_746_606,
            "setQuerySettings command cannot be used on find queries eligible for IDHACK",
        ),
        _ => return None,
    })
}

/// Whether the query is a `find` of one `_id` and nothing beside: only that command has a `filter`.
fn looks_up_id(query: Document<'_>) -> bool {
    let filter = query.get("filter").as_document().unwrap_or_default();
    let value = match filter.get("_id") {
        ValueRef::Document(inner) if is_of_operators(inner) => match inner.len() {
            1 => inner.get("$eq"),
            _ => ValueRef::Missing,
        },
        value => value,
    };
    let options = ["hint", "min", "max", "skip", "tailable", "showRecordId"];
    filter.len() == 1
        && !options.iter().any(|name| query.get(name).is_truthy())
        && !matches!(
            value,
            ValueRef::Missing | ValueRef::Array(_) | ValueRef::Regex { .. } | ValueRef::Undefined
        )
}
