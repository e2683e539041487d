//! `quireBeginRun`: commands that belong together follow, as those of a script do.
//!
//! `{quireBeginRun: 1, what: <string>}`. The engine keeps the state before the first of them that writes as a moment,
//! described by `what` where it is not kept already; `quireEndRun` keeps the state behind them. Invariant: the command
//! changes no page; a run that was not ended is forgotten.

use super::quire_moment::description;
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::state::Run;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let what = description(&params)?.unwrap_or_default();
    params.finish()?;
    context.deployment.run = Some(Run::new(what));
    Ok(finish_ok(DocumentBuilder::new()))
}
