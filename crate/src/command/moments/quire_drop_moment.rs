//! `quireDropMoment`: drops a moment, and says how many pages that frees.
//!
//! `{quireDropMoment: <number or name>}`.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::state::kept;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    request.params().finish()?;
    let pager = context.unit.pages_mut();
    let number = kept::find(pager, request.argument())?.moment.number;
    let freed = pager.drop_moment(number)?.unwrap_or(0);
    let mut reply = DocumentBuilder::new();
    reply.append_integer("number", number as i64);
    reply.append_integer("pagesFreed", freed as i64);
    Ok(finish_ok(reply))
}
