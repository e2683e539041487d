//! `grantPrivilegesToRole`: gives a role privileges. Manual: reference/command/grantPrivilegesToRole.

use super::privileges::change_privileges;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    change_privileges(context, request, true)
}
