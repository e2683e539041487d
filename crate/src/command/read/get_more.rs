//! `getMore`: the next batch of an open cursor. Manual: reference/command/getMore.

use super::batch;
use crate::bson::{Document, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Request, stable_api};
use crate::command::session::transactions::{check_session, explain_cursor};
use crate::error::{Code, CommandError, StorageError};
use crate::state::{CursorKind, OpenCursor};
use crate::storage::EVERY_PAGE;

/// How long an `awaitData` cursor waits when the client does not say.
const DEFAULT_AWAIT_MILLIS: i64 = 1000;

/// With a getMore `maxTimeMS` is how long to wait for data, not how long to work.
pub(in crate::command) fn no_limit(_: &Request<'_>) -> i64 {
    0
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let id = match request.argument() {
        ValueRef::Int64(id) => id,
        _ => return Err(request.wrong_argument("long")),
    };
    let params = request.params();
    let collection = params.required_string("collection")?;
    let batch_size = params.non_negative("batchSize")?;
    params.refuse("term")?;
    params.refuse("lastKnownCommittedOpTime")?;
    params.finish()?;
    // A cursor cannot be set back: the documents it gave are lost when a page is missing in the middle.
    let is_whole = context.view().pages.is_resident() || context.unit.cursors().is_of_left(id);
    if !is_whole {
        return Err(StorageError::not_resident(EVERY_PAGE).into());
    }
    let namespace = format!("{}.{collection}", request.database);
    let cursor = match context.unit.cursors_mut().take(id, &namespace) {
        Ok(cursor) => cursor,
        Err(error) => return Err(explain_cursor(context, request, id, error)),
    };
    let await_data = cursor.kind == CursorKind::Tailable { await_data: true };
    let refused = match await_data || request.document.get("maxTimeMS").is_nullish() {
        true => check_session(request, id, &cursor)
            .and_then(|()| check_api(request.document, &cursor))
            .err(),
        false => Some(CommandError::new(
            Code::BadValue,
            "cannot set maxTimeMS on getMore command for a non-awaitData cursor",
        )),
    };
    if let Some(refused) = refused {
        context.unit.cursors_mut().put_back(id, cursor);
        return Err(refused);
    }
    let limit = batch_size.filter(|size| *size > 0).map(|size| size as u64);
    let (reply, is_empty) = batch::next_batch(context, id, cursor, limit)?;
    if await_data && is_empty {
        let wait = match request.max_time_millis {
            0 => DEFAULT_AWAIT_MILLIS,
            millis => millis,
        };
        context.deployment.await_data_millis = Some(wait);
    }
    Ok(finish_ok(reply))
}

/// A cursor is read on under the version of the API that it was opened under.
///
/// # Errors
/// 347 `APIMismatchError`.
fn check_api(document: Document<'_>, cursor: &OpenCursor) -> Result<(), CommandError> {
    let [used, opened] = [document, cursor.origin.as_document()].map(stable_api::options);
    match used == opened {
        true => Ok(()),
        false => Err(CommandError::new(
            Code::APIMismatchError,
            format!(
                "API parameter mismatch: getMore used params {}, the cursor-creating command used {}",
                used.as_document(),
                opened.as_document()
            ),
        )),
    }
}
