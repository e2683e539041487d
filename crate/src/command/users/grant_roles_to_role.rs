//! `grantRolesToRole`: gives a role other roles. Manual: reference/command/grantRolesToRole.

use super::granting::change_roles;
use super::store::ROLES;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    change_roles(context, request, &ROLES, true)
}
