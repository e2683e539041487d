//! `setFeatureCompatibilityVersion`: the version whose features may be used: 8.2's.
//! Manual: reference/command/setFeatureCompatibilityVersion.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let params = request.params();
    let Some(version) = request.argument().as_str() else {
        let name = "setFeatureCompatibilityVersion";
        return Err(params.wrong_type(name, request.argument(), "string"));
    };
    let is_confirmed = params.safe_bool("confirm")?.unwrap_or(false);
    params.finish()?;
    match version {
        _ if !is_confirmed => Err(CommandError::location(
            7_369_100,
            format!(
                "Once you have changed the feature compatibility version to {version}, it may not be possible to \
                 change it back. Please re-run this command with 'confirm: true' to acknowledge this and continue"
            ),
        )),
        "8.2" => Ok(finish_ok(DocumentBuilder::new())),
        "8.0" => Err(CommandError::new(
            Code::NotImplemented,
            "the features of 8.2 cannot be given up: '8.0' is not supported",
        )),
        _ => Err(CommandError::new(
            Code::BadValue,
            format!(
                "Invalid feature compatibility version value '{version}'; expected '8.0' or '8.2'"
            ),
        )),
    }
}
