//! `dataSize`: the bytes of a collection's documents. Manual: reference/command/dataSize.

use super::context::{CommandContext, CommandResult};
use super::params::Request;
use super::reply::finish_ok;
use crate::bson::DocumentBuilder;
use crate::catalog::names;
use crate::error::{Code, CommandError};

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let Some(namespace) = request.argument().as_str() else {
        return Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field 'dataSize' is the wrong type '{}', expected type 'string'",
                request.argument().type_name()
            ),
        ));
    };
    names::check_namespace(namespace)?;
    let started = context.env.monotonic_millis();
    let params = request.params();
    for name in ["keyPattern", "min", "max"] {
        params.refuse(name)?;
    }
    let estimate = params.safe_bool("estimate")?.unwrap_or(false);
    params.finish()?;
    // The size is kept with every write, so it is exact whether an estimate is wanted or not.
    let collection = context.deployment.catalog.collection(namespace);
    let (size, count) = collection.map_or((0, 0), |collection| {
        (collection.data_size(), collection.count())
    });
    let mut reply = DocumentBuilder::new();
    reply
        .append("size", size as i64)
        .append("numObjects", count as i64);
    reply.append("millis", (context.env.monotonic_millis() - started) as i64);
    reply.append("estimate", estimate);
    Ok(finish_ok(reply))
}
