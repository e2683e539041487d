//! `hostInfo`: the machine, as far as WebAssembly lets it be seen. Manual: reference/command/hostInfo.

use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::identity::short_name;
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    request.params().finish()?;
    let mut reply = DocumentBuilder::new();
    reply.begin_document("system");
    reply.append("currentTime", ValueRef::DateTime(context.now_millis));
    reply.append("hostname", short_name(context.env).as_str());
    reply.append("cpuAddrSize", usize::BITS as i32);
    reply.append("numCores", 1);
    reply.append("cpuArch", std::env::consts::ARCH);
    reply.append("numaEnabled", false).end();
    reply.begin_document("os");
    reply.append("type", std::env::consts::FAMILY);
    reply.append("name", std::env::consts::OS);
    reply.append("version", "unknown").end();
    reply.begin_document("extra").end();
    Ok(finish_ok(reply))
}
