//! Batches: how many documents a reply carries, and whether a cursor stays open for the rest.
//!
//! Manual: reference/command/find, reference/command/getMore. Invariant: a batch never exceeds
//! 16 MiB unless its only document does; a document that did not fit waits in the cursor.

use super::aggregate::collections;
use super::pipeline_source::Collections;
use crate::bson::{DocumentBuf, DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef};
use crate::catalog::names;
use crate::command::context::CommandContext;
use crate::command::request::Request;
use crate::error::CommandError;
use crate::exec::stream::Stream;
use crate::exec::{ExecContext, Record, Root, Stage};
use crate::expr::growth::allow_result;
use crate::state::{CursorKind, OpenCursor};
use std::rc::Rc;

/// How many documents a first batch holds when the client does not say.
pub const DEFAULT_FIRST_BATCH: u64 = 101;

/// How a command's cursor is to behave.
pub struct CursorOptions {
    pub namespace: String,
    /// `None`: the default for a first batch, as much as fits for a later one.
    pub batch_size: Option<u64>,
    pub single_batch: bool,
    pub kind: CursorKind,
    /// The place of a change stream.
    pub stream: Option<Rc<Stream>>,
    pub no_timeout: bool,
    /// The words that the server puts before an error of the first batch; the namespace follows them.
    pub running: &'static str,
}

/// Appends the batch of one reply as the array `name`; gives how many documents it holds, and whether it is known that
/// none are left. A document that did not fit waits in `pending`.
fn append_batch(
    exec: &ExecContext<'_>,
    stage: &mut dyn Stage,
    pending: &mut Option<DocumentBuf>,
    stream: Option<&Stream>,
    limit: Option<u64>,
    name: &str,
    reply: &mut DocumentBuilder,
) -> Result<(u64, bool), CommandError> {
    let start = reply.len();
    let (mut count, mut ended) = (0_u64, false);
    reply.begin_array(name);
    if limit != Some(0) {
        let waiting = pending.take();
        let mut take = |record: &Record<'_>| {
            let document = record.document();
            allow_result(document)?;
            if let Some(stream) = stream {
                stream.check(document)?;
            }
            let length = document.as_bytes().len();
            if count > 0 && reply.len() - start + length > MAX_DOCUMENT_SIZE {
                *pending = Some(document.to_buf());
                return Ok(false);
            }
            reply.push_item(count as usize, ValueRef::Document(document));
            count += 1;
            Ok(limit.is_none_or(|limit| count < limit))
        };
        let goes_on = match &waiting {
            Some(document) => take(&Record::from(document.as_document()))?,
            None => true,
        };
        ended = goes_on && stage.visit(exec, &mut take)?;
    }
    reply.end();
    if let Some(stream) = stream {
        stream.append_to(reply, pending.is_some());
        return Ok((count, stream.is_ended() && pending.is_none()));
    }
    let ended = ended || (pending.is_none() && stage.is_eof());
    Ok((count, ended))
}

/// Makes the reply of a command that opens a cursor: `{cursor: {firstBatch, id, ns}}`, without
/// `ok`. The cursor is kept when there is more.
///
/// # Errors
/// Everything that stops the stages.
pub fn first_batch(
    context: &mut CommandContext<'_>,
    mut root: Root,
    request: &Request<'_>,
    options: CursorOptions,
) -> Result<DocumentBuilder, CommandError> {
    let mut reply = context.reply();
    let mut pending = None;
    // Most reads end with their first batch: only one that goes on is put where it can lie.
    if let Some(returned) = begin(context, root.stage(), &mut pending, &options, &mut reply)? {
        let (stage, now_millis) = (root.boxed(), context.now_millis);
        let cursor = OpenCursor {
            pending,
            returned,
            has_all: options.stream.is_some(),
            stream: options.stream,
            session: request.session,
            ..OpenCursor::new(options.namespace, stage, request.document, now_millis)
        };
        let (kind, no_timeout) = (options.kind, options.no_timeout);
        keep(context, cursor, kind, no_timeout, &mut reply);
    }
    Ok(reply)
}

/// Makes the first batch, and the rest of the reply where no cursor stays; else says how many documents were given.
fn begin(
    context: &mut CommandContext<'_>,
    stage: &mut dyn Stage,
    pending: &mut Option<DocumentBuf>,
    options: &CursorOptions,
    reply: &mut DocumentBuilder,
) -> Result<Option<u64>, CommandError> {
    reply.begin_document("cursor");
    let limit = options.batch_size.unwrap_or(DEFAULT_FIRST_BATCH);
    let database = names::split(&options.namespace).0;
    let mut collections = collections(context, database);
    if context.watch.is_some() {
        collections.notes = Some(Rc::default());
    }
    let exec = collections.exec_context();
    let stream = options.stream.as_deref();
    let limit = Some(limit);
    let (count, ended) = append_batch(&exec, stage, pending, stream, limit, "firstBatch", reply)
        .map_err(|error| error.within(&format!("{}{}", options.running, options.namespace)))?;
    context.counters.documents_returned += count as i64;
    let may_end = stream.is_some() || options.kind == CursorKind::Plain;
    if options.single_batch || (ended && may_end) {
        end_cursor(reply, 0, &options.namespace);
        return Ok(None);
    }
    Ok(Some(count))
}

/// Keeps the cursor behind a first batch, and ends the reply.
fn keep(
    context: &mut CommandContext<'_>,
    mut cursor: OpenCursor,
    kind: CursorKind,
    no_timeout: bool,
    reply: &mut DocumentBuilder,
) {
    (cursor.kind, cursor.no_timeout) = (kind, no_timeout);
    if kind == CursorKind::Plain {
        cursor.view = context.unit.hold();
    }
    if let Some(watch) = &context.watch {
        cursor.observed = Some(Rc::new(watch.facts()));
    }
    let namespace = cursor.namespace.clone();
    let id = context.open_cursor(cursor);
    end_cursor(reply, id, &namespace);
}

/// Ends the document of a cursor behind its batch.
pub fn end_cursor(reply: &mut DocumentBuilder, id: i64, namespace: &str) {
    reply.append("id", id).append("ns", namespace).end();
}

/// Makes the reply of a `getMore`: `{cursor: {nextBatch, id, ns}}`, without `ok`, and whether the
/// batch is empty.
///
/// # Errors
/// Everything that stops the stages; the cursor is closed then.
pub fn next_batch(
    context: &mut CommandContext<'_>,
    id: i64,
    mut cursor: OpenCursor,
    batch_size: Option<u64>,
) -> Result<(DocumentBuilder, bool), CommandError> {
    if let Some(watch) = &context.watch {
        watch.read_on(&cursor);
    }
    let tailable = cursor.kind != CursorKind::Plain;
    let mut gone = false;
    let stream = cursor.stream.clone();
    if tailable && cursor.pending.is_none() && stream.is_none() {
        let catalog = context.view().catalog;
        gone = match catalog.collection(&cursor.namespace) {
            Some(collection) => !cursor.stage.resume(collection),
            None => true,
        };
    }
    let mut reply = context.reply();
    reply.begin_document("cursor");
    // The collections that stages look up are those of the cursor's state, as its own documents are.
    let view = cursor.view.over(context.view());
    let exec = view.exec_context(context.env, context.now_millis);
    let collections = Collections::new(exec, view.catalog, names::split(&cursor.namespace).0);
    let exec = collections.exec_context();
    let (stage, pending) = (cursor.stage.as_mut(), &mut cursor.pending);
    let stream = stream.as_deref();
    let next = "nextBatch";
    let (count, ended) = append_batch(&exec, stage, pending, stream, batch_size, next, &mut reply)
        .map_err(|error| cursor.view.explain(error))
        .map_err(|error| error.within("Executor error during getMore"))?;
    context.counters.documents_returned += count as i64;
    cursor.used_millis = context.now_millis;
    cursor.returned += count;
    cursor.batches += 1;
    let namespace = cursor.namespace.clone();
    let left = if gone || (ended && (!tailable || stream.is_some())) {
        0
    } else {
        context.unit.cursors_mut().put_back(id, cursor);
        id
    };
    end_cursor(&mut reply, left, &namespace);
    Ok((reply, count == 0))
}
