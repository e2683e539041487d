//! `hello` and its older form `isMaster`: what the server is and its limits.
//! Manual: reference/command/hello.

use super::context::{CommandContext, CommandResult};
use super::names::{MAX_WIRE_VERSION, MAX_WRITE_BATCH_SIZE};
use super::params::Request;
use super::reply::finish_ok;
use crate::bson::validate::MAX_MESSAGE_SIZE;
use crate::bson::{DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef};

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    reply(context, request, "isWritablePrimary")
}

pub(super) fn run_legacy(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    reply(context, request, "ismaster")
}

fn reply(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    primary_field: &str,
) -> CommandResult {
    let params = request.params();
    // What drivers send along while connecting; it asks for nothing this server could do.
    params.boolean("helloOk")?;
    params.document("client")?;
    params.array("compression")?;
    params.string("hostInfo")?;
    params.boolean("loadBalanced")?;
    params.refuse("saslSupportedMechs")?;
    params.refuse("speculativeAuthenticate")?;
    params.refuse("topologyVersion")?;
    params.refuse("maxAwaitTimeMS")?;
    params.finish()?;
    let mut reply = DocumentBuilder::new();
    reply.append("helloOk", true);
    reply.append(primary_field, true);
    reply.begin_document("topologyVersion");
    reply.append(
        "processId",
        ValueRef::ObjectId(context.deployment.process_id),
    );
    reply.append("counter", 0_i64);
    reply.end();
    reply.append("maxBsonObjectSize", MAX_DOCUMENT_SIZE as i32);
    reply.append("maxMessageSizeBytes", MAX_MESSAGE_SIZE as i32);
    reply.append("maxWriteBatchSize", MAX_WRITE_BATCH_SIZE);
    reply.append("localTime", ValueRef::DateTime(context.now_millis));
    reply.append("logicalSessionTimeoutMinutes", 30);
    reply.append("connectionId", 1);
    reply.append("minWireVersion", 0);
    reply.append("maxWireVersion", MAX_WIRE_VERSION);
    reply.append("readOnly", false);
    Ok(finish_ok(reply))
}
