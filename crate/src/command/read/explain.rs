//! `explain`: how a command would be run, and its cost. Manual: reference/command/explain.
//!
//! Beside the server's own fields, `executionStats.quire` says how many pages and bytes were touched.

use super::explain_plan::{Explained, Wrapper, append};
use super::prepare;
use super::shape_hash::shape_hash;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::identity::{SERVER_VERSION, host_and_port};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::table;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::exec::explain::{Verbosity, append_command};
use crate::exec::memory::LIMIT;
use crate::planner::QueryRequest;

/// Parameters that plans and stages depend on, by the server's names: bounds on a stage's memory, and fixed facts.
const PARAMETERS: [(&str, usize); 8] = [
    ("internalQueryFacetBufferSizeBytes", LIMIT),
    ("internalQueryFacetMaxOutputDocSizeBytes", LIMIT),
    ("internalLookupStageIntermediateDocumentMaxSizeBytes", LIMIT),
    ("internalDocumentSourceGroupMaxMemoryBytes", LIMIT),
    ("internalQueryMaxBlockingSortMemoryUsageBytes", LIMIT),
    ("internalQueryProhibitBlockingMergeOnMongoS", 0),
    ("internalQueryMaxAddToSetBytes", LIMIT),
    ("internalDocumentSourceSetWindowFieldsMaxMemoryBytes", LIMIT),
];

/// The form in which a command is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// One read, with the stages around it.
    Query,
    /// The stages of a pipeline.
    Pipeline,
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let ValueRef::Document(command) = request.argument() else {
        return Err(request.wrong_argument("object"));
    };
    let params = request.params();
    let verbosity = match params.string("verbosity")? {
        None => Verbosity::AllPlansExecution,
        Some(text) => Verbosity::parse(text).ok_or_else(|| {
            CommandError::new(
                Code::BadValue,
                format!(
                    "Enumeration value '{text}' for field 'explain.verbosity' is not a valid value."
                ),
            )
        })?,
    };
    params.finish()?;
    let Some(first) = command.iter().next() else {
        return Err(CommandError::new(
            Code::CommandNotFound,
            "Explain failed due to unknown command: ",
        ));
    };
    if let ValueRef::String(other) = command.get("$db")
        && other != *request.database
    {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            format!(
                "Mismatched $db in explain command. Expected {} but got {other}",
                request.database
            ),
        ));
    }
    let inner = Request {
        document: command,
        name: first.name,
        argument: first.value,
        ..*request
    };
    let Some(row) = table::find(inner.name) else {
        return Err(CommandError::new(
            Code::CommandNotFound,
            format!("Explain failed due to unknown command: {}", inner.name),
        ));
    };
    let Some(explain) = row.explain else {
        return Err(CommandError::new(
            Code::IllegalOperation,
            format!("Cannot explain cmd: {}", row.name),
        ));
    };
    let mut reply = DocumentBuilder::new();
    let shown = explain(context, &inner, verbosity, &mut reply)?;
    append_asked(command, (context.env, request.database), shown, &mut reply);
    Ok(finish_ok(reply))
}

/// Plans a query and appends its explain.
///
/// # Errors
/// Errors of planning and running.
pub(in crate::command) fn append_planned(
    context: &CommandContext<'_>,
    namespace: &str,
    query: QueryRequest,
    wrapper: Wrapper<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown, CommandError> {
    let is_nowhere = context.view().catalog.collection(namespace).is_none();
    let wrapper = match wrapper.is_write() && is_nowhere {
        // A collection that is not there has nothing to change.
        true => Wrapper::None,
        false => wrapper,
    };
    let query = QueryRequest {
        explain: true,
        ..query
    };
    let (catalog, exec) = (context.view().catalog, context.exec_context());
    let read = prepare::plan(catalog, &exec, namespace, query)?;
    let explained = Explained {
        namespace,
        read: &read,
        wrapper,
    };
    append(context, &explained, verbosity, reply)?;
    Ok(Shown::Query)
}

/// Appends the command and the server that answers, in the server's order: a pipeline's command comes last.
pub fn append_asked(
    command: Document<'_>,
    (env, database): (&dyn Env, &str),
    shown: Shown,
    reply: &mut DocumentBuilder,
) {
    if let Some(hash) = shape_hash(command, database) {
        reply.append("queryShapeHash", hash.as_str());
    }
    if shown == Shown::Pipeline {
        append_server_info(env, reply);
    }
    append_command(command, database, reply);
    if shown == Shown::Query {
        append_server_info(env, reply);
    }
}

fn append_server_info(env: &dyn Env, reply: &mut DocumentBuilder) {
    let (host, port) = host_and_port(env);
    reply.begin_document("serverInfo");
    reply
        .append("host", host.as_str())
        .append("port", port)
        .append("version", SERVER_VERSION);
    reply.append("gitVersion", concat!("quire-", env!("CARGO_PKG_VERSION")));
    reply.end();
    reply.begin_document("serverParameters");
    for (name, value) in PARAMETERS {
        reply.append(name, value as i32);
    }
    reply
        .append("internalQueryFrameworkControl", "forceClassicEngine")
        .append("internalQueryPlannerIgnoreIndexWithCollationForRegex", 1)
        .end();
}
