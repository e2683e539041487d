//! Batches: how many documents a reply carries, and what becomes of the cursor behind them.
//!
//! Manual: reference/command/find, reference/command/getMore. Invariant: a batch never exceeds
//! 16 MiB unless its only document does; a document that did not fit waits in the cursor.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef};
use crate::command::context::CommandContext;
use crate::error::CommandError;
use crate::exec::{CursorKind, DocumentSource, Given, OpenCursor, PullContext, RowDocument, Took};
use crate::expr::growth::allow_result;

/// How many documents a first batch holds when the client does not say.
pub const DEFAULT_FIRST_BATCH: u64 = 101;

/// How a command's cursor is to behave.
pub struct CursorOptions {
    pub namespace: String,
    /// `None`: the default for a first batch, as much as fits for a later one.
    pub batch_size: Option<u64>,
    pub single_batch: bool,
    pub kind: CursorKind,
    pub no_timeout: bool,
    /// How the server introduces what goes wrong while the first batch is made; the namespace follows.
    pub running: &'static str,
}

/// Appends the batch of one reply as the array `name`; gives how many documents it holds, and
/// whether the source is known to have ended.
fn append_batch(
    context: &CommandContext<'_>,
    cursor: &mut OpenCursor,
    limit: Option<u64>,
    name: &str,
    reply: &mut DocumentBuilder,
) -> Result<(u64, bool), CommandError> {
    // The cursor is changed while its past is read.
    let past = cursor.past.clone();
    let pull = match &past {
        None => context.pull_context(),
        Some(past) => PullContext {
            exec: past.exec_context(context.env),
            catalog: past.catalog(),
            now_millis: context.now_millis,
        },
    };
    let start = reply.len();
    let mut count = 0_u64;
    let mut ended = false;
    let mut too_large = None;
    reply.begin_array(name);
    if limit != Some(0) {
        let mut take = |document: Document<'_>| {
            if let Err(error) = allow_result(document) {
                too_large = Some(error);
                return Took::Left;
            }
            let fits =
                count == 0 || reply.len() - start + document.as_bytes().len() <= MAX_DOCUMENT_SIZE;
            if !fits {
                return Took::Left;
            }
            reply.push_item(count as usize, ValueRef::Document(document));
            count += 1;
            match limit.is_none_or(|limit| count < limit) {
                true => Took::More,
                false => Took::Enough,
            }
        };
        let waiting = cursor.pending.take();
        let took = { waiting.as_ref() }
            .and_then(RowDocument::as_document)
            .map_or(Took::More, &mut take);
        let given = match (took, waiting) {
            (Took::Left, Some(row)) => Given::Left(row),
            (Took::More, _) => cursor.source.give(&pull, &mut take)?,
            _ => Given::Enough,
        };
        match given {
            Given::Enough => {}
            Given::End => ended = true,
            Given::Left(row) => cursor.pending = Some(row),
        }
    }
    if let Some(error) = too_large {
        return Err(error);
    }
    reply.end();
    let ended = ended || (cursor.pending.is_none() && cursor.source.is_exhausted());
    Ok((count, ended))
}

/// Makes the reply of a command that opens a cursor: `{cursor: {firstBatch, id, ns}}`, without
/// `ok`. The cursor is kept when there is more; `origin` is the command that asks for it.
///
/// # Errors
/// Whatever stops the source.
pub fn first_batch(
    context: &mut CommandContext<'_>,
    source: Box<dyn DocumentSource>,
    origin: Document<'_>,
    options: CursorOptions,
) -> Result<DocumentBuilder, CommandError> {
    let mut cursor = OpenCursor {
        namespace: options.namespace,
        source,
        kind: options.kind,
        killed: None,
        pending: None,
        snapshot: None,
        past: None,
        used_millis: context.now_millis,
        no_timeout: options.no_timeout,
        origin: DocumentBuf::default(),
        created_millis: context.now_millis,
        returned: 0,
        batches: 1,
    };
    let mut reply = context.reply();
    reply.begin_document("cursor");
    let limit = options.batch_size.unwrap_or(DEFAULT_FIRST_BATCH);
    let (count, ended) = append_batch(context, &mut cursor, Some(limit), "firstBatch", &mut reply)
        .map_err(|error| error.within(&format!("{}{}", options.running, cursor.namespace)))?;
    context.deployment.counters.documents_returned += count as i64;
    let tailable = cursor.kind != CursorKind::Plain;
    if options.single_batch || (ended && !tailable) {
        end_cursor(&mut reply, 0, &cursor.namespace);
        return Ok(reply);
    }
    cursor.origin = origin.to_buf();
    cursor.returned = count;
    let namespace = cursor.namespace.clone();
    let id = keep(context, cursor);
    end_cursor(&mut reply, id, &namespace);
    Ok(reply)
}

/// Ends the document of a cursor behind its batch.
pub fn end_cursor(reply: &mut DocumentBuilder, id: i64, namespace: &str) {
    reply.append("id", id).append("ns", namespace).end();
}

/// The reply of a command whose answer is complete with one document or none: no cursor is made.
pub fn point_batch(
    context: &mut CommandContext<'_>,
    document: Option<Document<'_>>,
    namespace: &str,
) -> DocumentBuilder {
    let mut reply = context.reply();
    reply.begin_document("cursor").begin_array("firstBatch");
    if let Some(document) = document {
        reply.push_item(0, document);
        context.deployment.counters.documents_returned += 1;
    }
    reply.end();
    end_cursor(&mut reply, 0, namespace);
    reply
}

fn keep(context: &mut CommandContext<'_>, mut cursor: OpenCursor) -> i64 {
    if cursor.kind == CursorKind::Plain {
        cursor.snapshot = Some(context.deployment.pager.open_snapshot());
    }
    let mut random = [0; 8];
    context.env.fill_random(&mut random);
    context.deployment.cursors.insert(random, cursor)
}

/// Makes the reply of a `getMore`: `{cursor: {nextBatch, id, ns}}`, without `ok`, and whether the
/// batch is empty.
///
/// # Errors
/// Whatever stops the source; the cursor is closed then.
pub fn next_batch(
    context: &mut CommandContext<'_>,
    id: i64,
    mut cursor: OpenCursor,
    batch_size: Option<u64>,
) -> Result<(DocumentBuilder, bool), CommandError> {
    let tailable = cursor.kind != CursorKind::Plain;
    let mut gone = false;
    if tailable && cursor.pending.is_none() {
        gone = !cursor.source.resume(&context.pull_context());
    }
    let mut reply = context.reply();
    reply.begin_document("cursor");
    let (count, ended) = append_batch(context, &mut cursor, batch_size, "nextBatch", &mut reply)
        .map_err(|error| match &cursor.past {
            Some(past) => past.explain(error),
            None => error,
        })
        .map_err(|error| error.within("Executor error during getMore"))?;
    context.deployment.counters.documents_returned += count as i64;
    cursor.used_millis = context.now_millis;
    cursor.returned += count;
    cursor.batches += 1;
    let namespace = cursor.namespace.clone();
    let left = if gone || (ended && !tailable) {
        0
    } else {
        context.deployment.cursors.put_back(id, cursor);
        id
    };
    end_cursor(&mut reply, left, &namespace);
    Ok((reply, count == 0))
}
