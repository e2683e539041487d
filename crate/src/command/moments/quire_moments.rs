//! `quireMoments`: the moments that are kept, the oldest first.
//!
//! `pages` of a moment are those that dropping it alone would free; `pages` of the reply all that only moments have.

use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::state::kept;
use crate::storage::PAGE_SIZE;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    request.params().finish()?;
    let pager = context.unit.pages_mut();
    let all = kept::all(pager)?;
    let alone = pager.pages_kept_alone()?;
    let numbers: Vec<u64> = all.iter().map(|kept| kept.moment.number).collect();
    let is_unnamed = |kept: &&kept::Kept| kept.note.name.is_none();
    let unnamed = all.iter().filter(is_unnamed);
    let unnamed: Vec<u64> = unnamed.map(|kept| kept.moment.number).collect();
    let pages = pager.pages_kept_by(&numbers)?;
    let unnamed_pages = pager.pages_kept_by(&unnamed)?;
    let mut reply = context.reply();
    reply.begin_array("moments");
    for (position, (kept, pages)) in all.iter().zip(alone).enumerate() {
        reply.begin_document(&position.to_string());
        append(&mut reply, kept);
        reply.append_integer("pages", pages as i64);
        reply.end();
    }
    reply.end();
    reply.append_integer("pages", pages as i64);
    reply.append_integer("unnamedPages", unnamed_pages as i64);
    reply.append_integer("pageBytes", PAGE_SIZE as i64);
    Ok(finish_ok(reply))
}

/// Appends number, time, name, description and the moment that it was made on.
fn append(reply: &mut DocumentBuilder, kept: &kept::Kept) {
    reply.append_integer("number", kept.moment.number as i64);
    reply.append("time", ValueRef::DateTime(kept.note.time_millis));
    for (field, text) in [("name", &kept.note.name), ("what", &kept.note.what)] {
        if let Some(text) = text {
            reply.append(field, text.as_str());
        }
    }
    if let Some(from) = kept.note.from {
        reply.append_integer("from", from as i64);
    }
}
