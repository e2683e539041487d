//! `planCacheClearFilters`: removes index filters. Manual: reference/command/planCacheClearFilters.

use super::query_shape;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let others = "sort, projection, or collation";
    query_shape::forget(context, request, others, |memory, shape| {
        memory.clear_filters(shape);
    })
}
