//! `replSetGetConfig`: the configuration of the replica set. Manual: reference/command/replSetGetConfig.

use super::member;
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::topology::{SET_NAME, SET_VERSION, TERM};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let commitment = params.boolean("commitmentStatus")?.unwrap_or(false);
    params.finish()?;
    member::check(context)?;
    let mut reply = DocumentBuilder::new();
    reply.begin_document("config");
    reply.append("_id", SET_NAME).append("version", SET_VERSION);
    reply.append("term", TERM as i32);
    reply.begin_array("members").begin_document("0");
    reply
        .append("_id", 0)
        .append("host", context.env.server_name().as_str());
    reply
        .append("arbiterOnly", false)
        .append("buildIndexes", true);
    reply.append("hidden", false).append("priority", 1);
    reply.begin_document("tags").end();
    reply.append("secondaryDelaySecs", 0_i64).append("votes", 1);
    reply.end().end();
    reply.append("protocolVersion", 1_i64);
    reply.append("writeConcernMajorityJournalDefault", true);
    reply.end();
    if commitment {
        reply.append("commitmentStatus", true);
    }
    Ok(finish_ok(reply))
}
