//! `dropIndexes`: removes indexes by name, by key pattern, several, or all but `_id`.
//! Manual: reference/command/dropIndexes.

use crate::bson::{Document, DocumentBuilder, Text, ValueRef, compare_documents};
use crate::catalog::{Collection, names};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use std::cmp::Ordering;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    let which = params.value("index");
    if which.is_missing() {
        params.lack("index");
    }
    params.finish()?;
    let measured = context.view().catalog.measured(&namespace);
    let namespace = match &measured {
        Some((buckets, _)) => buckets.clone(),
        None => namespace,
    };
    context.view().catalog.refuse_view(&namespace)?;
    let mut writer = context.writer();
    let Some(mut target) = writer.collection(&namespace) else {
        return Err(CommandError::new(
            Code::NamespaceNotFound,
            format!("ns not found {namespace}"),
        ));
    };
    let collection = target.collection();
    let mut reply = DocumentBuilder::new();
    // The order of buckets is no index of measurements.
    let known = collection.indexes.len() - usize::from(measured.is_some());
    reply.append("nIndexesWas", known as i32);
    let dropped = match which {
        ValueRef::String(Text(b"*")) => {
            reply.append("msg", "non-_id indexes dropped for collection");
            all_but_id(collection)
        }
        ValueRef::String(name) => vec![by_name(collection, &name.lossy())?],
        ValueRef::Document(key) => match &measured {
            None => vec![by_key(collection, key)?],
            Some((_, series)) => {
                let key = series.bucket_key(key).map_err(|reason| {
                    CommandError::new(Code::IndexNotFound, format!("BadValue: {reason}"))
                })?;
                vec![by_key(collection, key.as_document())?]
            }
        },
        ValueRef::Array(names) => {
            let mut dropped = Vec::new();
            for name in names.iter() {
                let Some(text) = name.as_text() else {
                    return Err(wrong_type(name));
                };
                dropped.push(by_name(collection, &text.lossy())?);
            }
            dropped
        }
        other => return Err(wrong_type(other)),
    };
    for name in dropped {
        target.remove_index(&name)?;
    }
    writer.write_changed_rows()?;
    Ok(finish_ok(reply))
}

fn wrong_type(value: ValueRef<'_>) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "BSON field 'dropIndexes.index' is the wrong type '{}', expected types '[string, object']",
            value.type_name()
        ),
    )
}

fn all_but_id(collection: &Collection) -> Vec<String> {
    collection
        .indexes
        .iter()
        .filter(|index| !index.definition.is_id_index())
        .map(|index| index.name().to_owned())
        .collect()
}

fn by_name(collection: &Collection, name: &str) -> Result<String, CommandError> {
    match collection.index_named(name) {
        None => Err(CommandError::new(
            Code::IndexNotFound,
            format!("index not found with name [{name}]"),
        )),
        Some(index) if index.definition.kind.is_clustered() => Err(CommandError::location(
            5_979_800,
            "It is illegal to drop the clusteredIndex",
        )),
        Some(index) if index.definition.is_id_index() => Err(cannot_drop_id()),
        Some(_) => Ok(name.to_owned()),
    }
}

fn by_key(collection: &Collection, key: Document<'_>) -> Result<String, CommandError> {
    let matching: Vec<&str> = collection
        .indexes
        .iter()
        .filter(|index| {
            compare_documents(index.definition.key.as_document(), key) == Ordering::Equal
        })
        .map(|index| index.definition.shown_name())
        .collect();
    match matching.as_slice() {
        [] => Err(CommandError::new(
            Code::IndexNotFound,
            format!("can't find index with key: {key}"),
        )),
        [name] => by_name(collection, name),
        [first, second, ..] => Err(CommandError::new(
            Code::AmbiguousIndexKeyPattern,
            format!(
                "{} indexes found for key: {key}, identify by name instead. Conflicting indexes: {first}, {second}",
                matching.len()
            ),
        )),
    }
}

fn cannot_drop_id() -> CommandError {
    CommandError::new(Code::InvalidOptions, "cannot drop _id index")
}
