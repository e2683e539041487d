//! `quireMoment`: keeps the state as it is now, as a moment.
//!
//! `{quireMoment: 1, name: <string>, what: <string>, from: <number>, limitPages: <number>}`. Where the newest moment
//! has the same data, that one is it, and gets the name. `from` is the moment that the changes were made on: it is
//! noted, and it is the moment that is given where nothing differs from it. Unnamed moments are dropped, the oldest
//! first, while all of them together keep more pages than `limitPages`, or are too many. Invariant: the moment that
//! the command gives is not dropped.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};
use crate::state::{self, ChangeCounts, Wish};

/// The most pages that unnamed moments may keep where the request does not say: 256 MiB.
pub(super) const LIMIT_PAGES: u64 = 16_384;
/// The longest description, in bytes.
const LONGEST_DESCRIPTION: usize = 2048;

/// The field `what` of a request.
pub(super) fn description<'p>(params: &Params<'p>) -> Result<Option<&'p str>, CommandError> {
    let what = params.string("what")?;
    if what.is_some_and(|what| what.len() > LONGEST_DESCRIPTION) {
        return Err(CommandError::new(
            Code::BadValue,
            format!("'what' has at most {LONGEST_DESCRIPTION} bytes"),
        ));
    }
    Ok(what)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let name = params.string("name")?;
    let what = description(&params)?;
    let from = params.non_negative("from")?;
    let limit = params.non_negative("limitPages")?;
    params.finish()?;
    let wish = Wish {
        name,
        what,
        from: from.map(|from| from as u64),
        limit_pages: limit.map_or(LIMIT_PAGES, |limit| limit as u64),
    };
    let made = state::keep(&mut context.unit, context.env, context.now_millis, &wish)?;
    let mut reply = DocumentBuilder::new();
    reply.append_integer("number", made.number as i64);
    reply.append("reused", made.is_reused);
    if let Some(changes) = &made.changes {
        append_changes(&mut reply, changes);
    }
    reply.begin_array("dropped");
    for (position, number) in made.dropped.iter().enumerate() {
        reply.append_integer(&position.to_string(), *number as i64);
    }
    reply.end();
    Ok(finish_ok(reply))
}

/// Appends how many documents and pages differ.
pub(super) fn append_changes(reply: &mut DocumentBuilder, changes: &ChangeCounts) {
    reply.begin_document("changes");
    append_counts(reply, changes);
    reply.end();
}

/// Appends the counts as fields.
pub(super) fn append_counts(reply: &mut DocumentBuilder, changes: &ChangeCounts) {
    for (field, count) in [
        ("added", changes.added),
        ("removed", changes.removed),
        ("changed", changes.changed),
        ("pages", changes.pages),
    ] {
        reply.append_integer(field, count as i64);
    }
}
