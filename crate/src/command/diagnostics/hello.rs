//! `hello` and its older form `isMaster`: the server's role, versions and limits.
//! Manual: reference/command/hello.
//!
//! Invariant: the one command whose unknown fields are no error. Newer drivers send newer fields before they know which
//! server they talk to.

use crate::bson::validate::MAX_MESSAGE_SIZE;
use crate::bson::{DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::identity::{MAX_WIRE_VERSION, MAX_WRITE_BATCH_SIZE};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::command::topology::append_member;
use crate::error::{Code, CommandError};

/// How often the answer of this server changed while it ran: it never does.
const TOPOLOGY_COUNTER: i64 = 0;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    reply(context, request, "isWritablePrimary")
}

pub(in crate::command) fn run_legacy(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    reply(context, request, "ismaster")
}

fn reply(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    primary_field: &str,
) -> CommandResult {
    let params = request.params();
    // Fields that drivers send along while connecting. They ask for nothing that this server could do.
    params.safe_bool("helloOk")?;
    params.safe_bool("forShell")?;
    params.safe_bool("hangUpOnStepDown")?;
    params.document("client")?;
    params.array("compression")?;
    params.string("hostInfo")?;
    params.boolean("loadBalanced")?;
    // There are no users: the server tells no mechanism of a user that it does not know, and leaves out the answer to
    // an attempt of that user to authenticate.
    user(&params)?;
    params.document("speculativeAuthenticate")?;
    params.refuse("internalClient")?;
    let wait = wait_millis(context.deployment.process_id, &params)?;
    params.finish_open()?;
    context.deployment.await_data_millis = wait;
    let mut reply = DocumentBuilder::new();
    reply.append("helloOk", true);
    let topology = request.topology;
    if !topology.is_replica_set() {
        reply.append(primary_field, true);
    }
    reply.begin_document("topologyVersion");
    reply.append(
        "processId",
        ValueRef::ObjectId(context.deployment.process_id),
    );
    reply.append("counter", TOPOLOGY_COUNTER);
    reply.end();
    if topology.is_replica_set() {
        append_member(
            &mut reply,
            primary_field,
            &context.env.server_name(),
            context.deployment.timestamps.last(),
        );
    }
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

/// Checks the name of the user whose mechanisms are asked for: `database.user`, or a document of both.
fn user(params: &Params<'_>) -> Result<(), CommandError> {
    let refused = |message: &str| Err(CommandError::new(Code::BadValue, message));
    match params.value("saslSupportedMechs") {
        ValueRef::Missing => Ok(()),
        ValueRef::String(name) if name.as_bytes().contains(&b'.') => Ok(()),
        ValueRef::String(_) => refused("username must contain a '.' separated database.user pair"),
        ValueRef::Document(name) => {
            let has = |part| name.get(part).as_text().is_some();
            match name.len() == 2 && has("user") && has("db") {
                true => Ok(()),
                false => {
                    refused("a username must be a document with 'user' and 'db', both strings")
                }
            }
        }
        other => Err(params.wrong_type("saslSupportedMechs", other, "string")),
    }
}

/// How long the client is to wait for another answer than the one it knows: nothing ever changes here, so that it waits
/// to the end. None when it knows no answer, or that of another process.
fn wait_millis(process_id: [u8; 12], params: &Params<'_>) -> Result<Option<i64>, CommandError> {
    let known = params.document("topologyVersion")?;
    let wait = params.non_negative("maxAwaitTimeMS")?;
    let known = match (known, wait) {
        (Some(known), Some(_)) => Params::new(known, "hello.topologyVersion", None),
        (None, None) => return Ok(None),
        (Some(_), None) => {
            return Err(incomplete(
                "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'",
            ));
        }
        (None, Some(_)) => {
            return Err(incomplete(
                "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'",
            ));
        }
    };
    let process = match known.value("processId") {
        ValueRef::ObjectId(process) => process,
        other if other.is_nullish() => {
            known.lack("processId");
            process_id
        }
        other => return Err(known.wrong_type("processId", other, "objectId")),
    };
    let counter = match known.value("counter") {
        ValueRef::Int64(counter) => counter,
        other if other.is_nullish() => {
            known.lack("counter");
            0
        }
        other => return Err(known.wrong_type("counter", other, "long")),
    };
    known.finish()?;
    if counter < 0 {
        return Err(CommandError::location(
            31372,
            "topologyVersion must have a non-negative counter",
        ));
    }
    if process != process_id {
        return Ok(None);
    }
    if counter != TOPOLOGY_COUNTER {
        return Err(CommandError::location(
            51764,
            format!(
                "Received a topology version with counter: {counter} which is greater than the server topology version counter: \
                 {TOPOLOGY_COUNTER}"
            ),
        ));
    }
    Ok(wait)
}

fn incomplete(message: &str) -> CommandError {
    CommandError::location(31368, message)
}
