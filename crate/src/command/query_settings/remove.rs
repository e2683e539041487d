//! `removeQuerySettings`: removes the settings of one shape, if it has some. Manual:
//! reference/command/removeQuerySettings.

use super::representative;
use super::set::check_topology;
use super::store::NAMESPACE;
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::maintenance::cluster_parameters::{keep, stored};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    check_topology(context, request)?;
    request.params().finish()?;
    let given = representative::read(context, request)?;
    let (record, _) = stored(context, NAMESPACE, &given.hash)?;
    if record.is_some() {
        keep(context, NAMESPACE, record, None)?;
    }
    Ok(finish_ok(DocumentBuilder::new()))
}
