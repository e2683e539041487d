//! `getLog`: the newest lines of the log. Manual: reference/command/getLog.

use crate::bson::{ArrayBuilder, DocumentBuilder};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let Some(name) = request.argument().as_str() else {
        return Err(request.wrong_argument("string"));
    };
    params.finish()?;
    let mut reply = DocumentBuilder::new();
    let log = &context.deployment.log;
    let (total, lines) = match name {
        "*" => {
            let mut names = ArrayBuilder::new();
            names.push("global");
            names.push("startupWarnings");
            reply.append("names", &names.finish());
            return Ok(finish_ok(reply));
        }
        "global" => (log.total(), log.lines()),
        "startupWarnings" => (0, &[][..]),
        _ => {
            return Err(CommandError::new(
                Code::OperationFailed,
                format!("No log named '{name}'"),
            ));
        }
    };
    reply.append_integer("totalLinesWritten", total as i64);
    reply.begin_array("log");
    for (position, line) in lines.iter().enumerate() {
        context.env.checkpoint()?;
        reply.push_item(position, line.as_str());
    }
    reply.end();
    Ok(finish_ok(reply))
}
