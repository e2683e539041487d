//! `listDatabases`: the databases of the deployment. Manual: reference/command/listDatabases.

use crate::algorithms::sorting;
use crate::bson::{Document, DocumentBuilder};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::diagnostics::sizes;
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::query::Matcher;

/// The databases that a server has from its first start. Here they hold what a client puts there, and nothing else.
const ALWAYS: [&str; 3] = ["admin", "config", "local"];

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let filter = params.document("filter")?;
    let name_only = params.safe_bool("nameOnly")?.unwrap_or(false);
    params.safe_bool("authorizedDatabases")?;
    params.finish()?;
    let matcher = Matcher::compile(
        filter.unwrap_or(Document::EMPTY),
        &context.compile_context(None)?,
    )?;
    let catalog = context.view().catalog;
    let mut reply = DocumentBuilder::new();
    reply.begin_array("databases");
    let mut total = 0;
    let mut position = 0;
    let mut databases = catalog.databases();
    databases.extend(ALWAYS);
    sorting::sort(&mut databases);
    databases.dedup();
    for database in databases {
        let size: i64 = catalog
            .collections_of(database)
            .map(|collection| sizes::total(collection))
            .sum();
        let mut builder = DocumentBuilder::new();
        builder.append("name", database);
        if !name_only {
            builder
                .append("sizeOnDisk", size)
                .append("empty", size == 0);
        }
        let document = builder.finish();
        if matcher.matches(document.as_document(), context.env)? {
            reply.append(&position.to_string(), &document);
            position += 1;
            total += size;
        }
    }
    reply.end();
    if !name_only {
        reply
            .append("totalSize", total)
            .append("totalSizeMb", total / (1024 * 1024));
    }
    Ok(finish_ok(reply))
}
