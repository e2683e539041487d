//! `buildInfo`: the version whose behaviour is followed, and this build's own.
//! Manual: reference/command/buildInfo.

use crate::bson::{ArrayBuilder, DocumentBuilder, MAX_DOCUMENT_SIZE};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::identity::{SERVER_VERSION, SERVER_VERSION_ARRAY};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    request.params().finish()?;
    let mut reply = DocumentBuilder::new();
    reply.append("version", SERVER_VERSION);
    reply.append("gitVersion", concat!("quire-", env!("CARGO_PKG_VERSION")));
    let mut modules = ArrayBuilder::new();
    modules.push("quire");
    reply.append("modules", &modules.finish());
    reply.append("allocator", "talc");
    reply.append("javascriptEngine", "quickjs-ng");
    reply.append("sysInfo", "deprecated");
    let mut numbers = ArrayBuilder::new();
    for number in SERVER_VERSION_ARRAY {
        numbers.push(number);
    }
    reply.append("versionArray", &numbers.finish());
    reply.append("bits", usize::BITS as i32);
    reply.append("debug", cfg!(debug_assertions));
    reply.append("maxBsonObjectSize", MAX_DOCUMENT_SIZE as i32);
    let mut engines = ArrayBuilder::new();
    engines.push("quire");
    reply.append("storageEngines", &engines.finish());
    Ok(finish_ok(reply))
}
