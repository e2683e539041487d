//! `setQuerySettings`: sets the settings of all queries of one shape. Manual: reference/command/setQuerySettings.

use super::store::{NAMESPACE, QUERY, SETTINGS, described};
use super::{representative, settings};
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::maintenance::cluster_parameters::{keep, stored};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

/// Refuses a command on settings where the deployment is not a replica set.
///
/// # Errors
/// 20 `IllegalOperation`.
pub(super) fn check_topology(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<(), CommandError> {
    match context.deployment.topology.is_replica_set() {
        true => Ok(()),
        false => Err(CommandError::new(
            Code::IllegalOperation,
            format!(
                "{} can only run on replica sets or sharded clusters",
                request.name
            ),
        )),
    }
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    check_topology(context, request)?;
    let params = request.params();
    let wanted = params.required_document(SETTINGS)?;
    params.finish()?;
    let given = representative::read(context, request)?;
    let database = request.database;
    if let Some((number, why)) =
        { given.query }.and_then(|query| representative::refusal(query, database))
    {
        return Err(CommandError::location(number, why));
    }
    let (record, before) = stored(context, NAMESPACE, &given.hash)?;
    let before = before.unwrap_or_default();
    let known = before.get(SETTINGS).as_document().unwrap_or_default();
    let merged = settings::merged(wanted, known)?;
    if let Some(stage) = given.system_stage
        && merged.get("reject").is_truthy()
    {
        return Err(CommandError::location(
            8_705_200,
            format!(
                "Setting {{reject:true}} is forbidden for query containing aggregation stage: {stage}"
            ),
        ));
    }
    settings::check(merged.as_document())?;
    let mut next = DocumentBuilder::new();
    next.append("_id", given.hash.as_str());
    next.append(SETTINGS, &merged);
    match given.query {
        Some(query) => next.append(QUERY, query),
        None => next.append(QUERY, before.get(QUERY)),
    };
    let next = next.finish();
    keep(context, NAMESPACE, record, Some(&next))?;
    Ok(finish_ok(described(&next)))
}
