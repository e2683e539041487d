//! `insert`: adds documents. Manual: reference/command/insert.

use super::retryable::Retry;
use super::series_insert::insert_measurements;
use super::write_errors::{WriteErrors, statements};
use super::write_target::{check_writable, prepare};
use crate::bson::object_id::ObjectIdGenerator;
use crate::bson::{Document, DocumentBuf, MAX_NESTING, validate};
use crate::catalog::{WriteScratch, insert_many, uuid};
use crate::command::context::{CommandContext, CommandResult, Writing};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::state::CollectionWriter;
use crate::storage::LogicalClock;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    check_writable(&namespace)?;
    let params = request.params();
    let documents = statements(&params, "insert", "documents")?;
    let ordered = params.boolean("ordered")?.unwrap_or(true);
    params.safe_bool("bypassDocumentValidation")?;
    params.refuse("bypassEmptyTsReplacement")?;
    let retry = Retry::begin(context, request, &params, documents.len())?;
    params.finish()?;
    context.note_bypass(request);
    // A command that is not deep holds no document that is.
    let is_deep = request.nesting > MAX_NESTING;
    let (inserted, errors) = match retry {
        None => insert_documents(context, &namespace, &documents, ordered, is_deep)?,
        Some(retry) => {
            let batch = (&documents[..], ordered, is_deep);
            return insert_rest(context, &namespace, batch, retry);
        }
    };
    let mut reply = context.reply();
    reply.append("n", inserted);
    errors.append_to(&mut reply);
    Ok(finish_ok(reply))
}

/// Inserts those documents that a retried command has not inserted before.
#[inline(never)]
fn insert_rest(
    context: &mut CommandContext<'_>,
    namespace: &str,
    (documents, ordered, is_deep): (&[Document<'_>], bool, bool),
    mut retry: Retry,
) -> CommandResult {
    let mut places = Vec::new();
    let mut rest = Vec::new();
    for (position, document) in documents.iter().enumerate() {
        if retry.done(position).is_none() {
            places.push(position);
            rest.push(*document);
        }
    }
    let before = documents.len() - rest.len();
    let (inserted, errors) = match rest.is_empty() {
        true => (0, WriteErrors::default()),
        false => insert_documents(context, namespace, &rest, ordered, is_deep)?,
    };
    let first_failed = errors.iter().next().map_or(rest.len(), |(at, _)| *at);
    for (at, position) in places.iter().enumerate() {
        let is_past = ordered && at >= first_failed;
        if !is_past && !errors.iter().any(|(failed, _)| *failed == at) {
            retry.note(*position, false, None);
        }
    }
    retry.keep(context)?;
    let mut reply = context.reply();
    reply.append("n", inserted + before as i32);
    errors.placed(&places).append_to(&mut reply);
    retry.append_to(&mut reply);
    Ok(finish_ok(reply))
}

/// Inserts documents in their order and gives how many were stored, and the errors by position.
///
/// # Errors
/// Errors that fail the whole command.
pub fn insert_documents(
    context: &mut CommandContext<'_>,
    namespace: &str,
    documents: &[Document<'_>],
    ordered: bool,
    is_deep: bool,
) -> Result<(i32, WriteErrors), CommandError> {
    if let Some((buckets, series)) = context.view().catalog.measured(namespace) {
        let target = (&*buckets, &series);
        return insert_measurements(context, namespace, target, documents, (ordered, is_deep));
    }
    let validator = context.validator(namespace)?;
    // A transaction ends with its first refused statement.
    let ordered = ordered || context.unit.is_within();
    let mut errors = WriteErrors::default();
    let mut scratch = WriteScratch::default();
    let mut inserted = 0;
    let (env, now_millis) = (context.env, context.now_millis);
    let logged = context.unit.changes().logged();
    let Writing {
        writer,
        object_ids,
        timestamps,
        ..
    } = context.writing();
    // The collection is made for the first document that may be stored, and then held.
    let mut source = Some(writer);
    let mut target: Option<CollectionWriter<'_>> = None;
    let mut refused: Option<CommandError> = None;
    let mut done = 0;
    'chunks: for chunk in documents.chunks(insert_many::MOST) {
        env.checkpoint()?;
        let first = done;
        done += chunk.len();
        // All at once, unless a document is refused: then one by one, to find it.
        let mut prepared = if chunk.len() >= insert_many::FEWEST && !is_deep {
            prepare_all(object_ids, timestamps, now_millis, chunk)
        } else {
            Vec::new()
        };
        if prepared.len() == chunk.len() {
            if let Some(writer) = source.take() {
                match writer.into_created(namespace, &mut || uuid::random(env)) {
                    Ok(collection) => target = Some(collection),
                    Err(error) => refused = Some(error),
                }
            }
            let ready: Vec<Document<'_>> = prepared
                .iter()
                .zip(chunk)
                .map(|(prepared, document)| {
                    prepared
                        .as_ref()
                        .map_or(*document, DocumentBuf::as_document)
                })
                .collect();
            let accepted = validator.as_ref().is_none_or(|validator| {
                ready
                    .iter()
                    .all(|document| validator.accepts(*document, env).unwrap_or(false))
            });
            if let Some(collection) = &mut target
                && accepted
                && collection.insert_many(&ready)?
            {
                inserted += chunk.len() as i32;
                continue;
            }
        }
        for (position, document) in chunk.iter().enumerate() {
            env.checkpoint()?;
            let prepared = match prepared.get_mut(position).map(Option::take) {
                Some(prepared) => Ok(prepared),
                None => check_nesting(*document, is_deep)
                    .and_then(|()| prepare(object_ids, timestamps, now_millis, *document)),
            };
            let stored = prepared.and_then(|prepared| {
                if let Some(error) = refused.take() {
                    return Err(error);
                }
                if let Some(writer) = source.take() {
                    target = Some(writer.into_created(namespace, &mut || uuid::random(env))?);
                }
                let ready = prepared
                    .as_ref()
                    .map_or(*document, |prepared| prepared.as_document());
                if let Some(validator) = &validator {
                    validator.check(ready, None, env, now_millis)?;
                }
                match &mut target {
                    Some(collection) => collection.insert(ready, &mut scratch),
                    None => Err(CommandError::new(
                        Code::InvalidNamespace,
                        format!("cannot create '{namespace}'"),
                    )),
                }
            });
            match stored {
                Ok(()) => inserted += 1,
                Err(error) => {
                    errors.note(first + position, error)?;
                    if ordered {
                        break 'chunks;
                    }
                }
            }
        }
    }
    let takes_many = target.is_none_or(|target| {
        let kind = &target.collection().options.kind;
        kind.rules().takes_many()
    });
    // What was tried counts: up to the one that was refused, or all.
    context.counters.insert += i64::from(inserted) + errors.iter().count() as i64;
    if errors.is_empty() && takes_many {
        context.unit.changes_mut().join_inserted(logged);
    }
    if !errors.is_empty() {
        context.unit.note_refusal();
    }
    Ok((inserted, errors))
}

/// Makes documents ready to be stored, up to the first that is refused.
fn prepare_all(
    object_ids: &mut ObjectIdGenerator,
    timestamps: &LogicalClock,
    now_millis: i64,
    documents: &[Document<'_>],
) -> Vec<Option<DocumentBuf>> {
    let mut prepared = Vec::with_capacity(documents.len());
    for document in documents {
        match prepare(object_ids, timestamps, now_millis, *document) {
            Ok(ready) => prepared.push(ready),
            Err(_) => break,
        }
    }
    prepared
}

/// Refuses a document that nests too deep to be stored.
pub(super) fn check_nesting(document: Document<'_>, is_deep: bool) -> Result<(), CommandError> {
    if !is_deep {
        return Ok(());
    }
    match validate(document.as_bytes()) {
        Ok(depth) if depth <= MAX_NESTING => Ok(()),
        _ => Err(CommandError::new(
            Code::Overflow,
            format!("cannot insert document because it exceeds {MAX_NESTING} levels of nesting"),
        )),
    }
}
