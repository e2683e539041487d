//! `setClusterParameter` and `getClusterParameter`: parameters that are kept with the data. Manual:
//! reference/command/setClusterParameter, reference/cluster-parameters/changeStreamOptions.
//!
//! Invariant: a parameter that can be set takes effect; all others are unknown.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, Timestamp, ValueRef};
use crate::catalog::{RecordId, WriteScratch, uuid};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::state::{self, Changes};

/// Where the values lie.
pub const NAMESPACE: &str = "config.clusterParameters";
/// How long change streams have the images of documents.
pub const CHANGE_STREAM_OPTIONS: &str = "changeStreamOptions";
const IMAGES: &str = "preAndPostImages";
const SECONDS: &str = "expireAfterSeconds";

type Found = (Option<RecordId>, Option<DocumentBuf>);

/// A document that the deployment keeps for itself, and its record.
///
/// # Errors
/// Storage errors.
pub(in crate::command) fn stored(
    context: &CommandContext<'_>,
    namespace: &str,
    id: &str,
) -> Result<Found, CommandError> {
    let view = context.view();
    let Some(collection) = view.catalog.collection(namespace) else {
        return Ok((None, None));
    };
    let Some(record) = collection.find_by_id(view.pages, id.into())? else {
        return Ok((None, None));
    };
    let bytes = collection.read(view.pages, record)?;
    let document = bytes.map(|bytes| DocumentBuf::from_valid_bytes(bytes.into_owned()));
    Ok((Some(record), document))
}

/// All documents of such a collection, in the order in which they came.
///
/// # Errors
/// Storage errors and errors of the checkpoint.
pub(in crate::command) fn all_stored(
    context: &CommandContext<'_>,
    namespace: &str,
) -> Result<Vec<DocumentBuf>, CommandError> {
    let mut all = Vec::new();
    let view = context.view();
    if let Some(collection) = view.catalog.collection(namespace) {
        let mut cursor = collection.records.cursor();
        while cursor.next(view.pages)? {
            context.env.checkpoint()?;
            all.push(DocumentBuf::from_valid_bytes(
                cursor.value_ref(view.pages)?.into_owned(),
            ));
        }
    }
    Ok(all)
}

/// Stores such a document in place of the record's. Without a document the record is removed.
///
/// # Errors
/// Storage errors: roll back.
pub(in crate::command) fn keep(
    context: &mut CommandContext<'_>,
    namespace: &str,
    record: Option<RecordId>,
    document: Option<&DocumentBuf>,
) -> Result<(), CommandError> {
    let env = context.env;
    // It is no change of anybody's data.
    let mut apart = Changes::default();
    let writer = context.unit.writer_apart(&mut apart);
    let mut collection = writer.into_created(namespace, &mut || uuid::random(env))?;
    match (document, record) {
        (Some(document), _) => state::put(&mut collection, record, document.as_document()),
        (None, Some(record)) => {
            collection.delete(record, &mut WriteScratch::default())?;
            Ok(())
        }
        (None, None) => Ok(()),
    }
}

/// How many seconds images are kept, of the parameter's document; none: as long as the oplog has them.
pub fn images_seconds(stored: Document<'_>) -> Option<i64> {
    let images = stored.get(IMAGES).as_document()?;
    images.get(SECONDS).as_exact_i64()
}

fn unknown(name: &str) -> CommandError {
    CommandError::new(Code::NoSuchKey, format!("Unknown server parameter: {name}"))
}

fn bad(message: String) -> CommandError {
    CommandError::new(Code::BadValue, message)
}

/// The only field of a document.
fn only<'d>(document: Document<'d>, name: &str, of: &str) -> Result<ValueRef<'d>, CommandError> {
    let other = document.iter().find(|field| field.name != name);
    if let Some(other) = other.filter(|other| other.name.starts_with('$')) {
        return Err(CommandError::new(
            Code::DollarPrefixedFieldName,
            format!(
                "The dollar ($) prefixed field '{}' is not allowed",
                other.name
            ),
        ));
    }
    if let Some(other) = other {
        return Err(bad(format!(
            "BSON field '{of}.{}' is an unknown field.",
            other.name
        )));
    }
    match document.get(name) {
        ValueRef::Missing => Err(bad(format!(
            "BSON field '{of}.{name}' is missing but a required field"
        ))),
        value => Ok(value),
    }
}

fn inner<'d>(value: ValueRef<'d>, path: &str) -> Result<Document<'d>, CommandError> {
    value.as_document().ok_or_else(|| {
        let found = value.type_name();
        bad(format!(
            "BSON field '{path}' is the wrong type '{found}', expected type 'object'"
        ))
    })
}

/// The seconds that a value of `changeStreamOptions` says.
fn seconds_in(value: ValueRef<'_>) -> Result<Option<i64>, CommandError> {
    let of = "changeStreamOptions.preAndPostImages";
    let options = inner(value, CHANGE_STREAM_OPTIONS)?;
    let images = inner(only(options, IMAGES, CHANGE_STREAM_OPTIONS)?, of)?;
    match only(images, SECONDS, of)? {
        ValueRef::String(text) if text == "off" => Ok(None),
        ValueRef::String(text) => Err(bad(format!(
            "Expected 'off' or a number of seconds for '{of}.{SECONDS}', found '{text}'"
        ))),
        other => match other.as_number().map(|number| number.to_i64_saturating()) {
            Some(seconds @ 1..) => Ok(Some(seconds)),
            Some(seconds) => Err(bad(format!(
                "'{of}.{SECONDS}' must be greater than 0, found {seconds}"
            ))),
            None => Err(bad(format!(
                "BSON field '{of}.{SECONDS}' is the wrong type '{}', expected types '[string, long]'",
                other.type_name()
            ))),
        },
    }
}

fn document_of(seconds: Option<i64>, time: Timestamp) -> DocumentBuf {
    let mut document = DocumentBuilder::new();
    document.append("_id", CHANGE_STREAM_OPTIONS);
    document.append("clusterParameterTime", time);
    document.begin_document(IMAGES);
    match seconds {
        Some(seconds) => document.append(SECONDS, seconds),
        None => document.append(SECONDS, "off"),
    };
    document.end();
    document.finish()
}

pub(in crate::command) fn set(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let wanted = match request.argument() {
        ValueRef::Document(wanted) => wanted,
        ValueRef::Null => return Err(params.missing("setClusterParameter")),
        _ => return Err(request.wrong_argument("object")),
    };
    params.finish()?;
    let mut wanted = wanted.iter();
    let (parameter, more) = (wanted.next(), wanted.next());
    let Some(parameter) = parameter else {
        return Err(unknown(""));
    };
    if more.is_some() {
        return Err(CommandError::new(
            Code::InvalidOptions,
            "setClusterParameter only supports setting exactly one parameter",
        ));
    }
    if parameter.name != CHANGE_STREAM_OPTIONS {
        return Err(unknown(parameter.name));
    }
    let seconds = seconds_in(parameter.value)?;
    let time = context.deployment.timestamps.next(context.now_millis);
    let (record, _) = stored(context, NAMESPACE, CHANGE_STREAM_OPTIONS)?;
    let document = document_of(seconds, time);
    keep(context, NAMESPACE, record, Some(&document))?;
    Ok(finish_ok(DocumentBuilder::new()))
}

pub(in crate::command) fn get(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let known = |value: ValueRef<'_>| match value.as_str() {
        Some(CHANGE_STREAM_OPTIONS) => Ok(()),
        Some(name) => Err(unknown(name)),
        None => Err(request.wrong_argument("string")),
    };
    match request.argument() {
        ValueRef::Array(names) if names.is_empty() => {
            return Err(bad(
                "Must supply at least one cluster parameter name".to_owned()
            ));
        }
        ValueRef::Array(names) => names.iter().try_for_each(known)?,
        ValueRef::String(name) if name == "*" => {}
        name @ ValueRef::String(_) => known(name)?,
        _ => return Err(request.wrong_argument("string, array")),
    }
    request.params().finish()?;
    let (_, document) = stored(context, NAMESPACE, CHANGE_STREAM_OPTIONS)?;
    let document = document.unwrap_or_else(|| document_of(None, Timestamp::default()));
    let mut reply = DocumentBuilder::new();
    reply.begin_array("clusterParameters");
    reply.push_item(0, &document);
    reply.end();
    Ok(finish_ok(reply))
}
