//! `drop`: removes a collection and its indexes. Manual: reference/command/drop.

use super::context::{CommandContext, CommandResult};
use super::params::Request;
use super::reply::finish_ok;
use crate::bson::DocumentBuilder;
use crate::catalog::{names, uuid};
use crate::error::{Code, CommandError};

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    params.refuse("collectionUUID")?;
    params.refuse("encryptedFields")?;
    params.finish()?;
    if names::is_system(names::split(&namespace).1) {
        return Err(CommandError::new(
            Code::IllegalOperation,
            format!("can't drop system collection {namespace}"),
        ));
    }
    let deployment = &mut *context.deployment;
    let mut reply = DocumentBuilder::new();
    if let Some(dropped) = deployment
        .catalog
        .drop_collection(&mut deployment.pager, &namespace)?
    {
        deployment
            .cursors
            .end_namespace(&namespace, &uuid::dropped_reason(&dropped.uuid));
        reply.append("nIndexesWas", dropped.indexes.len() as i32);
        reply.append("ns", namespace.as_str());
    }
    Ok(finish_ok(reply))
}
