//! The targets of write commands: the namespace, the records a query finds, the documents to store.
//!
//! Invariant: all records of a statement are found before the first is changed, so no statement sees
//! its own changes.

use crate::bson::object_id::ObjectIdGenerator;
use crate::bson::timestamp;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef};
use crate::catalog::{self, Collection, RecordId, WriteScratch, names, uuid};
use crate::command::context::{CommandContext, Writing};
use crate::command::read::prepare as read;
use crate::error::{Code, CommandError};
use crate::planner::QueryRequest;
use crate::planner::prepared::ReadShape;
use crate::storage::LogicalClock;
use crate::update::ensure_storable_id;
use std::rc::Rc;

/// Checks that a namespace may be written to; it need not exist.
///
/// # Errors
/// 73 `InvalidNamespace`.
pub fn check_writable(namespace: &str) -> Result<(), CommandError> {
    names::check_namespace(namespace)?;
    names::refuse_internal(namespace)?;
    if catalog::is_virtual(names::split(namespace).1) || namespace == names::OPLOG {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            format!("cannot write to '{namespace}'"),
        ));
    }
    Ok(())
}

/// The records that a statement finds, in its order: the first, or all. `compile` gives its query, unless its plan is
/// known by its shape.
///
/// # Errors
/// Errors of planning and running.
pub fn find_records(
    context: &CommandContext<'_>,
    namespace: &str,
    shape: Option<&ReadShape<'_>>,
    single: bool,
    compile: &mut dyn FnMut() -> Result<QueryRequest, CommandError>,
) -> Result<Vec<RecordId>, CommandError> {
    let (catalog, exec) = (context.view().catalog, context.exec_context());
    let Some(collection) = catalog.collection(namespace) else {
        compile()?;
        catalog.refuse_view(namespace)?;
        return Ok(Vec::new());
    };
    let collection = Some(collection);
    read::prepare(catalog, &exec, namespace, collection, shape, compile)?.records(&exec, single)
}

/// Reads a record's document into a buffer; false when it is gone.
///
/// # Errors
/// Storage errors.
pub fn read_record(
    context: &CommandContext<'_>,
    collection: &Rc<Collection>,
    id: RecordId,
    buffer: &mut Vec<u8>,
) -> Result<bool, CommandError> {
    buffer.clear();
    let found = collection.read(context.view().pages, id)?;
    if let Some(bytes) = &found {
        buffer.extend_from_slice(bytes);
    }
    Ok(found.is_some())
}

/// Stores a document that is ready, in a collection that is created if need be.
///
/// # Errors
/// Errors of the catalog about the name, the keys and the sizes.
pub fn store(
    context: &mut CommandContext<'_>,
    namespace: &str,
    document: Document<'_>,
    scratch: &mut WriteScratch,
) -> Result<(), CommandError> {
    let env = context.env;
    let Writing {
        writer, counters, ..
    } = context.writing();
    let mut collection = writer.into_created(namespace, &mut || uuid::random(env))?;
    collection.insert(document, scratch)?;
    counters.insert += 1;
    Ok(())
}

/// Makes a client's document ready to be stored: `_id` present, valid and in front, top-level
/// timestamps of zero filled in, size within the limit. `None`: it is ready as it is.
///
/// # Errors
/// 53 `InvalidIdField`, 52 `DollarPrefixedFieldName`, 2 `BadValue`.
pub fn prepare(
    object_ids: &mut ObjectIdGenerator,
    timestamps: &LogicalClock,
    now_millis: i64,
    document: Document<'_>,
) -> Result<Option<DocumentBuf>, CommandError> {
    let length = document.as_bytes().len();
    if length > MAX_DOCUMENT_SIZE {
        return Err(CommandError::new(
            Code::BSONObjectTooLarge,
            format!(
                "object to insert too large. size in bytes: {length}, max size: {MAX_DOCUMENT_SIZE}"
            ),
        ));
    }
    let mut has_id = false;
    let mut needs_timestamps = false;
    for element in document.storing_fields() {
        if element.name == b"_id" {
            if has_id {
                return Err(CommandError::new(
                    Code::BadValue,
                    "can't have multiple _id fields in one document",
                ));
            }
            ensure_storable_id(element.value())?;
            has_id = true;
        } else {
            needs_timestamps |= timestamp::is_unset(element.value());
        }
    }
    if !needs_timestamps
        && document
            .as_bytes()
            .get(5..9)
            .is_some_and(|name| name == b"_id\0")
    {
        return Ok(None);
    }
    let mut builder = DocumentBuilder::with_capacity(length + 32);
    if has_id {
        builder.append("_id", document.get("_id"));
    } else {
        builder.append("_id", ValueRef::ObjectId(object_ids.next(now_millis)));
    }
    if !has_id && !needs_timestamps {
        builder.append_all(document);
        return Ok(Some(builder.finish()));
    }
    for element in document.iter().filter(|element| element.name != "_id") {
        if timestamp::is_unset(element.value) {
            builder.append(element.name, timestamps.next(now_millis));
        } else {
            builder.append_raw(element.raw);
        }
    }
    Ok(Some(builder.finish()))
}
