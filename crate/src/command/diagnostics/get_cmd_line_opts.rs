//! `getCmdLineOpts`: the options of the command line: none are given. Manual: reference/command/getCmdLineOpts.

use crate::bson::{ArrayBuilder, DocumentBuilder};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    request.params().finish()?;
    let mut words = ArrayBuilder::new();
    words.push("quire");
    let mut reply = DocumentBuilder::new();
    reply.append("argv", &words.finish());
    reply.begin_document("parsed").end();
    Ok(finish_ok(reply))
}
