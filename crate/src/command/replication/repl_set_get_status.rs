//! `replSetGetStatus`: the state of the replica set's one member. Manual: reference/command/replSetGetStatus.

use super::member;
use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::topology::{SET_NAME, SET_VERSION, TERM, append_op_time};

/// The state of a primary.
const PRIMARY: i32 = 1;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    params.integer("initialSync")?;
    params.finish()?;
    member::check(context)?;
    let last = context.view().pages.clock().last();
    let wall = ValueRef::DateTime(i64::from(last.seconds()) * 1000);
    let opened = context.deployment.opened_millis;
    let uptime = (context.env.now_millis() - opened).max(0) / 1000;
    let mut reply = DocumentBuilder::new();
    reply.append("set", SET_NAME);
    reply.append("date", ValueRef::DateTime(context.now_millis));
    reply.append("myState", PRIMARY).append("term", TERM);
    append_no_source(&mut reply);
    reply.append("heartbeatIntervalMillis", 2000_i64);
    for name in [
        "majorityVoteCount",
        "writeMajorityCount",
        "votingMembersCount",
        "writableVotingMembersCount",
    ] {
        reply.append(name, 1);
    }
    reply.begin_document("optimes");
    append_op_time(&mut reply, "lastCommittedOpTime", last);
    reply.append("lastCommittedWallTime", wall);
    for name in [
        "readConcernMajorityOpTime",
        "appliedOpTime",
        "durableOpTime",
    ] {
        append_op_time(&mut reply, name, last);
    }
    reply.append("lastAppliedWallTime", wall);
    reply.append("lastDurableWallTime", wall);
    reply.end();
    reply.begin_array("members").begin_document("0");
    reply
        .append("_id", 0)
        .append("name", context.env.server_name().as_str());
    reply.append("health", 1.0).append("state", PRIMARY);
    reply.append("stateStr", "PRIMARY");
    reply.append("uptime", uptime as i32);
    append_op_time(&mut reply, "optime", last);
    reply.append("optimeDate", wall);
    reply.append("lastAppliedWallTime", wall);
    reply.append("lastDurableWallTime", wall);
    append_no_source(&mut reply);
    reply.append("infoMessage", "");
    reply.append("electionDate", ValueRef::DateTime(opened));
    reply.append("configVersion", SET_VERSION);
    reply.append("configTerm", TERM as i32);
    reply
        .append("self", true)
        .append("lastHeartbeatMessage", "");
    reply.end().end();
    Ok(finish_ok(reply))
}

/// A primary follows nobody.
fn append_no_source(reply: &mut DocumentBuilder) {
    reply
        .append("syncSourceHost", "")
        .append("syncSourceId", -1);
}
