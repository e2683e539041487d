//! `quireNameMoment`: gives a moment a name, which keeps it from being dropped for want of room, or takes it away.
//!
//! `{quireNameMoment: <number or name>, name: <string or null>}`.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::state::kept;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let is_given = !params.value("name").is_missing();
    let name = params.string("name")?;
    if !is_given {
        return Err(params.missing("name"));
    }
    params.finish()?;
    let pager = context.unit.pages_mut();
    let mut named = kept::find(pager, request.argument())?;
    let number = named.moment.number;
    if let Some(name) = name {
        kept::check_name(name, &kept::all(pager)?, Some(number))?;
    }
    if named.note.name.as_deref() != name {
        named.note.name = name.map(str::to_owned);
        pager.annotate_moment(number, &named.note.encode())?;
    }
    let mut reply = DocumentBuilder::new();
    reply.append_integer("number", number as i64);
    Ok(finish_ok(reply))
}
