//! `removeQuerySettings`: removes the settings of one shape, if it has some. Manual:
//! reference/command/removeQuerySettings.

use super::representative;
use super::set::check_topology;
use super::store::NAMESPACE;
use crate::bson::DocumentBuilder;
use crate::catalog::WriteScratch;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::maintenance::cluster_parameters::stored;
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::state::Changes;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    check_topology(context, request)?;
    request.params().finish()?;
    let given = representative::read(context, request)?;
    let (record, _) = stored(context, NAMESPACE, &given.hash)?;
    // It is no change of anybody's data.
    let mut apart = Changes::default();
    if let Some(record) = record
        && let Some(mut collection) =
            { context.unit.writer_apart(&mut apart) }.into_collection(NAMESPACE)
    {
        collection.delete(record, &mut WriteScratch::default())?;
    }
    Ok(finish_ok(DocumentBuilder::new()))
}
