//! `setDefaultRWConcern` and `getDefaultRWConcern`: the concerns of commands that come without. Manual:
//! reference/command/setDefaultRWConcern.
//!
//! Where nobody has set one, a write is acknowledged when it is made in memory (`w: 1`). Of read concerns every level
//! that can be set reads the same here. Invariant: the default is stored with the data, and holds in each tab.

use super::cluster_parameters::{keep, stored};
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request, write_concern};
use crate::error::{Code, CommandError};
use crate::state::View;
use crate::storage::Durability;

/// Where the defaults lie.
const NAMESPACE: &str = "config.settings";
const ID: &str = "ReadWriteConcernDefaults";
const READ: &str = "defaultReadConcern";
const WRITE: &str = "defaultWriteConcern";

/// How durable a write without a concern is to be.
///
/// # Errors
/// Storage errors.
pub fn durability(view: &View<'_>) -> Result<Durability, CommandError> {
    let Some(collection) = view.catalog.collection(NAMESPACE) else {
        return Ok(Durability::Relaxed);
    };
    let Some(record) = collection.find_by_id(view.pages, ID.into())? else {
        return Ok(Durability::Relaxed);
    };
    let Some(bytes) = collection.read(view.pages, record)? else {
        return Ok(Durability::Relaxed);
    };
    let concern = Document::from_valid_bytes(&bytes).get(WRITE);
    let concern = concern.as_document().unwrap_or_default();
    let is_strict = concern.get("j").is_truthy() || concern.get("w").as_str() == Some("majority");
    Ok(match is_strict {
        true => Durability::Strict,
        false => Durability::Relaxed,
    })
}

fn bad(message: &str) -> CommandError {
    CommandError::new(Code::BadValue, message)
}

fn append_defaults(stored: Document<'_>, reply: &mut DocumentBuilder) {
    let source = |name: &str| match stored.get(name).is_missing() {
        true => "implicit",
        false => "global",
    };
    match stored.get(READ) {
        ValueRef::Document(concern) => drop(reply.append(READ, concern)),
        _ => drop(reply.begin_document(READ).append("level", "local").end()),
    }
    match stored.get(WRITE) {
        ValueRef::Document(concern) => drop(reply.append(WRITE, concern)),
        _ => {
            reply.begin_document(WRITE);
            reply.append("w", 1).append("wtimeout", 0).end();
        }
    }
    for name in ["updateOpTime", "updateWallClockTime"] {
        reply.append(name, stored.get(name));
    }
    reply.append("defaultWriteConcernSource", source(WRITE));
    reply.append("defaultReadConcernSource", source(READ));
}

pub(in crate::command) fn get(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    // There is one copy, which is never old.
    params.safe_bool("inMemory")?;
    params.finish()?;
    let stored = stored(context, NAMESPACE, ID)?.1.unwrap_or_default();
    let mut reply = DocumentBuilder::new();
    append_defaults(stored.as_document(), &mut reply);
    reply.append(
        "localUpdateWallClockTime",
        ValueRef::DateTime(context.now_millis),
    );
    Ok(finish_ok(reply))
}

/// The read concern that is to be the default; none takes the present one away.
fn read_level(given: Document<'_>) -> Result<Option<&str>, CommandError> {
    let params = Params::new(given, READ, None);
    let level = params.string("level")?;
    params.finish()?;
    match level {
        None | Some("local" | "available" | "majority") => Ok(level),
        Some(other) => Err(bad(&format!(
            "level: '{other}' is not suitable for the default read concern"
        ))),
    }
}

/// The write concern that is to be the default.
fn checked_write(
    given: Document<'_>,
    context: &CommandContext<'_>,
) -> Result<DocumentBuf, CommandError> {
    let acknowledged = write_concern::parse(given.into(), true, context.deployment.topology)?;
    if given
        .get("w")
        .as_number()
        .is_some_and(|w| w.to_i64_saturating() == 0)
    {
        return Err(bad(
            "Unacknowledged write concern is not allowed as the default",
        ));
    }
    if let Some(error) = acknowledged.refusal() {
        return Err(error);
    }
    let mut concern = DocumentBuilder::new();
    match given.get("w") {
        ValueRef::Missing => concern.append("w", 1),
        w => concern.append("w", w),
    };
    concern.append("j", given.get("j"));
    let timeout = given.get("wtimeout").as_number();
    concern.append_integer(
        "wtimeout",
        timeout.map_or(0, |millis| millis.to_i64_saturating()),
    );
    Ok(concern.finish())
}

pub(in crate::command) fn set(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let (read, write) = (params.document(READ)?, params.document(WRITE)?);
    params.finish()?;
    if read.is_none() && write.is_none() {
        return Err(bad(
            "At least one of the \"defaultReadConcern\" or \"defaultWriteConcern\" fields must be present",
        ));
    }
    let (record, before) = stored(context, NAMESPACE, ID)?;
    let before = before.unwrap_or_default();
    let mut next = DocumentBuilder::new();
    next.append("_id", ID);
    match read.map(read_level).transpose()? {
        None => drop(next.append(READ, before.get(READ))),
        Some(None) => {}
        Some(Some(level)) => drop(next.begin_document(READ).append("level", level).end()),
    }
    match write {
        None => drop(next.append(WRITE, before.get(WRITE))),
        Some(unset) if unset.is_empty() && !before.get(WRITE).is_missing() => {
            return Err(CommandError::new(
                Code::IllegalOperation,
                "The global default write concern cannot be unset once it is set.",
            ));
        }
        Some(unset) if unset.is_empty() => {}
        Some(given) => {
            let concern = checked_write(given, context)?;
            next.append(WRITE, &concern);
        }
    }
    let time = context.deployment.timestamps.next(context.now_millis);
    next.append("updateOpTime", time);
    next.append(
        "updateWallClockTime",
        ValueRef::DateTime(context.now_millis),
    );
    let next = next.finish();
    keep(context, NAMESPACE, record, Some(&next))?;
    let mut reply = DocumentBuilder::new();
    append_defaults(next.as_document(), &mut reply);
    Ok(finish_ok(reply))
}
