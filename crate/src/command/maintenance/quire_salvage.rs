//! `quireSalvage`: the losses of the damaged deployment that this one was copied from.
//!
//! A command of this engine's own, for deployments that were opened damaged: the documents that could be read are read
//! with the ordinary commands.

use super::validate::append_texts;
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    request.params().finish()?;
    let Some(salvaged) = &context.deployment.salvaged else {
        return Err(CommandError::new(
            Code::IllegalOperation,
            "this deployment was not opened as a damaged one",
        ));
    };
    let mut reply = DocumentBuilder::new();
    append_texts(&mut reply, "lost", &salvaged.lost);
    reply.begin_array("collections");
    for (position, collection) in salvaged.collections.iter().enumerate() {
        reply.begin_document(&position.to_string());
        reply.append("ns", collection.namespace.as_str());
        reply.append_integer("documents", collection.documents as i64);
        reply.append_integer("recovered", collection.recovered as i64);
        append_texts(&mut reply, "lost", &collection.lost);
        append_texts(&mut reply, "lostIndexes", &collection.lost_indexes);
        reply.end();
    }
    reply.end();
    Ok(finish_ok(reply))
}
