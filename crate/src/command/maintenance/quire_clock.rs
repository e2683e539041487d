//! `quireClock`: reads and moves the virtual clock, so that a lesson can show an expiry.
//!
//! A command of this engine's own. `advanceMillis` adds to the offset between the host's clock and
//! the engine's (it may be negative), `reset: true` sets it to nothing. Work that is due by the moved
//! clock (a TTL pass) runs before the next command does.

use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

/// The clock stays within the dates that can be printed: years 0 to 9999.
const LATEST_MILLIS: i64 = 253_402_300_799_999;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let advance = params.integer("advanceMillis")?;
    let reset = params.boolean("reset")?.unwrap_or(false);
    params.finish()?;
    if reset && advance.is_some() {
        return Err(CommandError::new(
            Code::InvalidOptions,
            "quireClock takes 'advanceMillis' or 'reset', not both",
        ));
    }
    let host = context.env.now_millis();
    let mut offset = if reset {
        0
    } else {
        context.deployment.clock_offset_millis
    };
    if let Some(advance) = advance {
        offset = offset.saturating_add(advance);
    }
    let now = host.saturating_add(offset);
    if !(0..=LATEST_MILLIS).contains(&now) {
        return Err(CommandError::new(
            Code::BadValue,
            "the virtual clock must stay between the years 1970 and 9999",
        ));
    }
    context.deployment.clock_offset_millis = offset;
    let mut reply = DocumentBuilder::new();
    reply.append("now", ValueRef::DateTime(now));
    reply.append("offsetMillis", offset);
    Ok(finish_ok(reply))
}
