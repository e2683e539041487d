//! `fsync`: has all changes stored before it is answered. Manual: reference/command/fsync.
//!
//! Its row says that it is durable, which is all that it does. A lock would have the next write wait for another
//! connection to take it off, and there is one connection: it is refused.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let params = request.params();
    let lock = params.safe_bool("lock")?.unwrap_or(false);
    params.integer("fsyncLockAcquisitionTimeoutMillis")?;
    params.finish()?;
    if lock {
        return Err(CommandError::new(
            Code::CommandNotSupported,
            "fsync cannot lock: the next write would wait for ever, since one connection serves all",
        ));
    }
    let mut reply = DocumentBuilder::new();
    reply.append("numFiles", 1);
    Ok(finish_ok(reply))
}
