//! `planCacheClear`: forgets a collection's cached plans, or those of one shape. Manual:
//! reference/command/planCacheClear.

use super::query_shape;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    query_shape::forget(context, request, "sort or projection", |memory, shape| {
        memory.clear_plans(shape);
    })
}
