//! `revokeRolesFromRole`: takes other roles from a role. Manual: reference/command/revokeRolesFromRole.

use super::granting::change_roles;
use super::store::ROLES;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    change_roles(context, request, &ROLES, false)
}
