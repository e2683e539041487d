//! The Stable API: the checks that `apiVersion` and `apiStrict` ask for. Manual: reference/stable-api.
//!
//! Invariant: a client that asks for the Stable API and nothing else is never answered by a command or a field outside
//! of it.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, Text, ValueRef};
use crate::command::table::CommandRow;
use crate::error::{Code, CommandError};

/// Fields of a command of version 1 that are not of it themselves.
pub struct Unstable {
    /// The command's field whose items have these fields; `None` for the command itself.
    pub items: Option<&'static str>,
    /// How messages call what has the fields.
    pub context: &'static str,
    pub fields: &'static [&'static str],
}

/// The options of change streams that are not of version 1.
const UNSTABLE_OF_STREAMS: [&str; 3] = [
    "showExpandedEvents",
    "showRawUpdateDescription",
    "showSystemEvents",
];

/// The stages that are not of version 1.
const UNSTABLE_STAGES: &[&str] = &[
    "$currentOp",
    "$indexStats",
    "$listClusterCatalog",
    "$listLocalSessions",
    "$listSampledQueries",
    "$listSearchIndexes",
    "$listSessions",
    "$planCacheStats",
    "$querySettings",
    "$queryStats",
    "$search",
    "$searchMeta",
    "$shardedDataDistribution",
    "$vectorSearch",
];

/// The options by which a command names a version of the API.
pub fn options(command: Document<'_>) -> DocumentBuf {
    let mut options = DocumentBuilder::new();
    for name in ["apiVersion", "apiStrict", "apiDeprecationErrors"] {
        options.append(name, command.get(name));
    }
    options.finish()
}

/// Checks a command against the version of the API that it names.
///
/// # Errors
/// 4886600 without a version, 322 `APIVersionError` for another than 1, 323 `APIStrictError` for a command or field
/// that is not in it.
pub(super) fn check(command: Document<'_>, row: &CommandRow) -> Result<(), CommandError> {
    let strict = flag(command, "apiStrict")?;
    let deprecation_errors = flag(command, "apiDeprecationErrors")?;
    match command.get("apiVersion") {
        ValueRef::String(Text(b"1")) => {}
        ValueRef::Missing if strict.is_none() && deprecation_errors.is_none() => return Ok(()),
        ValueRef::Missing => {
            return Err(CommandError::location(
                4_886_600,
                "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion",
            ));
        }
        ValueRef::String(_) => {
            return Err(CommandError::new(
                Code::APIVersionError,
                "API version must be \"1\"",
            ));
        }
        other => return Err(wrong_type("apiVersion", other, "string")),
    }
    match strict {
        Some(true) => check_strict(row, command),
        _ => Ok(()),
    }
}

fn check_strict(row: &CommandRow, command: Document<'_>) -> Result<(), CommandError> {
    let Some(unstable) = row.stable_api else {
        return refuse(format!(
            "Provided apiStrict:true, but the command {} is not in API Version 1. Information on supported \
             commands and migrations in API Version 1 can be found at \
             https://dochub.mongodb.org/core/manual-versioned-api.",
            row.name
        ));
    };
    for one in unstable {
        match one.items {
            None => refuse_fields(command, one)?,
            Some(items) => {
                for item in documents(command.get(items)) {
                    refuse_fields(item, one)?;
                }
            }
        }
    }
    check_stages(command.get("pipeline"))
}

fn refuse_fields(document: Document<'_>, unstable: &Unstable) -> Result<(), CommandError> {
    let mut fields = document.iter();
    match fields.find(|field| unstable.fields.contains(&field.name)) {
        None => Ok(()),
        Some(field) => refuse(format!(
            "BSON field '{}.{}' is not allowed with apiStrict:true.",
            unstable.context, field.name
        )),
    }
}

/// Checks a pipeline's stages, and those of the pipelines inside them.
///
/// # Errors
/// 323 `APIStrictError`.
pub fn check_stages(pipeline: ValueRef<'_>) -> Result<(), CommandError> {
    for stage in documents(pipeline) {
        let Some(stage) = stage.iter().next() else {
            continue;
        };
        if UNSTABLE_STAGES.contains(&stage.name) {
            refuse(format!(
                "{} is not allowed with 'apiStrict: true' in API Version 1",
                stage.name
            ))?;
        }
        for option in stage.value.as_document().unwrap_or(Document::EMPTY).iter() {
            if stage.name == "$collStats" && option.name != "count" {
                refuse(
                    "only the 'count' option to $collStats is supported in API Version 1"
                        .to_owned(),
                )?;
            }
            if stage.name == "$changeStream" && UNSTABLE_OF_STREAMS.contains(&option.name) {
                refuse(format!(
                    "The '{}' parameter to $changeStream is not supported in API Version 1",
                    option.name
                ))?;
            }
            check_stages(option.value)?;
        }
    }
    Ok(())
}

/// The documents of a field that should be an array of them; commands refuse everything else.
fn documents(value: ValueRef<'_>) -> impl Iterator<Item = Document<'_>> {
    let items = value.as_array().into_iter().flat_map(|array| array.iter());
    items.filter_map(|item| item.as_document())
}

fn refuse(message: String) -> Result<(), CommandError> {
    Err(CommandError::new(Code::APIStrictError, message))
}

fn flag(command: Document<'_>, name: &str) -> Result<Option<bool>, CommandError> {
    match command.get(name) {
        ValueRef::Missing => Ok(None),
        ValueRef::Boolean(flag) => Ok(Some(flag)),
        other => Err(wrong_type(name, other, "bool")),
    }
}

fn wrong_type(name: &str, value: ValueRef<'_>, expected: &str) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "BSON field 'APIParametersFromClient.{name}' is the wrong type '{}', expected type '{expected}'",
            value.type_name()
        ),
    )
}
