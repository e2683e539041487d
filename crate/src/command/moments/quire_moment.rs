//! `quireMoment`: keeps the state as it is now, as a moment.
//!
//! `{quireMoment: 1, name: <string>, what: <string>, limitPages: <number>}`. Where nothing changed since the newest
//! moment, that one is it, and gets the name. Unnamed moments are dropped, the oldest first, while all of them together
//! keep more pages than `limitPages`, or are too many. Invariant: the moment that the command gives is not dropped.

use super::kept::{self, Kept};
use super::room;
use crate::bson::DocumentBuilder;
use crate::catalog::differences::{ChangeCounts, States};
use crate::catalog::moments::MomentNote;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

/// The most pages that unnamed moments may keep where the request does not say: 256 MiB.
const LIMIT_PAGES: u64 = 16_384;
/// The longest description, in bytes.
const LONGEST_DESCRIPTION: usize = 2048;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let name = params.string("name")?;
    let what = params.string("what")?;
    let limit = params.non_negative("limitPages")?;
    params.finish()?;
    if what.is_some_and(|what| what.len() > LONGEST_DESCRIPTION) {
        return Err(CommandError::new(
            Code::BadValue,
            format!("'what' has at most {LONGEST_DESCRIPTION} bytes"),
        ));
    }
    let all = kept::all(&mut context.deployment.pager)?;
    let newest = all.last();
    let root = context.deployment.pager.catalog_root();
    let same = newest.filter(|newest| {
        let is_free = newest.note.name.is_none() || name.is_none();
        newest.moment.catalog == root && (is_free || newest.note.name.as_deref() == name)
    });
    if let Some(name) = name {
        kept::check_name(name, &all, same.map(|same| same.moment.number))?;
    }
    let changes = match newest {
        Some(newest) if same.is_none() => Some(changes_since(context, newest)?),
        Some(_) => Some(ChangeCounts::default()),
        None => None,
    };
    let pager = &mut context.deployment.pager;
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let number = match same {
        Some(same) => {
            let note = MomentNote {
                name: owned(name).or(same.note.name.clone()),
                what: same.note.what.clone().or(owned(what)),
                ..same.note
            };
            if note != same.note {
                pager.annotate_moment(same.moment.number, &note.encode())?;
            }
            same.moment.number
        }
        None => {
            let note = MomentNote {
                time_millis: context.now_millis,
                name: owned(name),
                what: owned(what),
            };
            pager.make_moment(&note.encode())?
        }
    };
    let limit = limit.map_or(LIMIT_PAGES, |limit| limit as u64);
    let dropped = room::drop_oldest(pager, number, limit)?;
    let mut reply = DocumentBuilder::new();
    reply.append_integer("number", number as i64);
    reply.append("reused", same.is_some());
    if let Some(changes) = changes {
        reply.begin_document("changes");
        for (field, count) in [
            ("added", changes.added),
            ("removed", changes.removed),
            ("changed", changes.changed),
            ("pages", changes.pages),
        ] {
            reply.append_integer(field, count as i64);
        }
        reply.end();
    }
    reply.begin_array("dropped");
    for (position, number) in dropped.iter().enumerate() {
        reply.append_integer(&position.to_string(), *number as i64);
    }
    reply.end();
    Ok(finish_ok(reply))
}

/// The changes since the newest moment.
fn changes_since(
    context: &CommandContext<'_>,
    newest: &Kept,
) -> Result<ChangeCounts, CommandError> {
    let past = kept::catalog_of(context, &newest.moment)?;
    let deployment = &*context.deployment;
    let (pager, catalog) = (&deployment.pager, &deployment.catalog);
    let mut sum = ChangeCounts::default();
    for namespace in catalog.namespaces_with(&past, None) {
        let states = States {
            old: past.named(&namespace),
            new: catalog.named(&namespace),
        };
        if !states.are_same() {
            let counts = states.count(pager, context.env)?;
            sum.added += counts.added;
            sum.removed += counts.removed;
            sum.changed += counts.changed;
            sum.pages += counts.pages;
        }
    }
    let root = pager.catalog_root();
    sum.pages += root.pages_unlike(pager, &newest.moment.catalog, context.env)?;
    Ok(sum)
}
