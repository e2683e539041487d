//! `changeStreamPreAndPostImages` of `create` and `collMod`: whether a collection's changes keep the document as it was
//! before and after for change streams. Manual: reference/command/create, collMod, changeStreams.

use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::catalog::names;
use crate::command::request::Params;
use crate::error::{Code, CommandError};

/// The name of the option.
const NAME: &str = "changeStreamPreAndPostImages";

/// Reads the option, of a command on a namespace.
///
/// # Errors
/// 14, 40414 and 40415 for another document than `{enabled: <boolean>}`; 72 `InvalidOptions` on the server's own
/// databases.
pub fn read(params: &Params<'_>, namespace: &str) -> Result<Option<bool>, CommandError> {
    let Some(given) = params.document(NAME)? else {
        return Ok(None);
    };
    let fields = Params::new(given, NAME, None);
    let enabled = fields.boolean("enabled")?.unwrap_or_else(|| {
        fields.lack("enabled");
        false
    });
    fields.finish()?;
    let database = names::split(namespace).0;
    if enabled && matches!(database, "admin" | "config" | "local") {
        return Err(CommandError::new(
            Code::InvalidOptions,
            format!("{NAME} collection option is not supported on the {database} database"),
        ));
    }
    Ok(Some(enabled))
}

/// A collection's further options with the option in them, where it is on.
pub fn set_in(others: DocumentBuf, enabled: Option<bool>) -> DocumentBuf {
    let Some(enabled) = enabled else {
        return others;
    };
    let mut builder = DocumentBuilder::new();
    for field in others
        .as_document()
        .iter()
        .filter(|field| field.name != NAME)
    {
        builder.append_raw(field.raw);
    }
    if enabled {
        builder.begin_document(NAME).append("enabled", true).end();
    }
    builder.finish()
}
