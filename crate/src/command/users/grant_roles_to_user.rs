//! `grantRolesToUser`: gives a user roles. Manual: reference/command/grantRolesToUser.

use super::granting::change_roles;
use super::store::USERS;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    change_roles(context, request, &USERS, true)
}
