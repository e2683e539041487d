//! The cursor reply of commands that list collections or indexes.

use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::error::CommandError;
use crate::exec::Documents;
use crate::state::OpenCursor;
use std::rc::Rc;

/// Reads `cursor: {batchSize}`; `None` means everything in the first batch.
pub(in crate::command) fn batch_size(
    params: &Params<'_>,
    command: &str,
) -> Result<Option<usize>, CommandError> {
    let Some(cursor) = params.document("cursor")? else {
        return Ok(None);
    };
    let inner = Params::new(cursor, format!("{command}.cursor"), None);
    let size = inner.non_negative("batchSize")?;
    inner.finish()?;
    Ok(size.map(|size| usize::try_from(size).unwrap_or(usize::MAX)))
}

/// `{cursor: {id, ns, firstBatch}, ok: 1}`; documents beyond the first batch wait in an open cursor.
pub(in crate::command) fn reply(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    namespace: &str,
    documents: Vec<DocumentBuf>,
    batch_size: Option<usize>,
) -> CommandResult {
    let (batch, id) = open_rest(context, request, namespace, documents, batch_size);
    let mut reply = DocumentBuilder::new();
    reply.begin_document("cursor");
    reply.append("id", id).append("ns", namespace);
    append_batch(&batch, &mut reply);
    reply.end();
    Ok(finish_ok(reply))
}

/// Appends `firstBatch`.
pub(in crate::command) fn append_batch(batch: &[DocumentBuf], reply: &mut DocumentBuilder) {
    reply.begin_array("firstBatch");
    for (position, document) in batch.iter().enumerate() {
        reply.push_item(position, document);
    }
    reply.end();
}

/// Splits off the first batch; the rest waits in a cursor, whose id is 0 when there is none.
pub(in crate::command) fn open_rest(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    namespace: &str,
    documents: Vec<DocumentBuf>,
    batch_size: Option<usize>,
) -> (Vec<DocumentBuf>, i64) {
    let first = batch_size.unwrap_or(documents.len()).min(documents.len());
    let mut rest = documents.into_iter();
    let batch: Vec<DocumentBuf> = rest.by_ref().take(first).collect();
    let id = if rest.len() == 0 {
        0
    } else {
        let (namespace, origin) = (namespace.to_owned(), request.document);
        let rest = Documents::new(Rc::new(rest.collect()));
        context.open_cursor(OpenCursor {
            returned: batch.len() as u64,
            has_all: true,
            session: request.session,
            ..OpenCursor::new(namespace, Box::new(rest), origin, context.now_millis)
        })
    };
    (batch, id)
}
