//! `planCacheClear`: forgets a collection's cached plans, or those of one shape. Manual:
//! reference/command/planCacheClear.

use super::query_shape;
use crate::bson::DocumentBuilder;
use crate::catalog::names;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::planner::memory;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    context.view().catalog.refuse_view(&namespace)?;
    // An absent collection has no cached plans: the command succeeds, and its other fields are not looked at.
    let Some(collection) = context.view().catalog.collection(&namespace) else {
        return Ok(finish_ok(DocumentBuilder::new()));
    };
    let params = request.params();
    let shape = query_shape::read(context, &params, "sort or projection")?;
    params.finish_open()?;
    let text = shape.map(|shape| shape.text);
    memory::with(collection, |memory| memory.clear_plans(text.as_deref()));
    Ok(finish_ok(DocumentBuilder::new()))
}
