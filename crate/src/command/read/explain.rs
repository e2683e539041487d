//! `explain`: how a command would be run, and its cost. Manual: reference/command/explain.
//!
//! Beside the server's own fields, `executionStats.quire` says how many pages and bytes were touched.

use super::aggregate;
use super::count;
use super::distinct;
use super::explain_plan::{Explained, Wrapper, append};
use super::find;
use super::map_reduce_explain;
use super::prepare;
use super::views;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::identity::SERVER_VERSION;
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::table;
use crate::command::write::bulk_write;
use crate::command::write::delete;
use crate::command::write::find_and_modify;
use crate::command::write::update;
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

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let ValueRef::Document(command) = request.argument() else {
        return Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field 'explain.explain' is the wrong type '{}', expected type 'object'",
                request.argument().type_name()
            ),
        ));
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
    let on_view = views::explained(context, &inner)?;
    let inner = match &on_view {
        Some(aggregate) => views::request_for(&inner, aggregate.as_document()),
        None => inner,
    };
    let mut reply = DocumentBuilder::new();
    let mut is_pipeline = false;
    let mut show = |namespace: &str, query: QueryRequest, wrapper: Wrapper<'_>| {
        append_planned(context, namespace, query, wrapper, verbosity, &mut reply)
    };
    match inner.name {
        "find" => {
            let (namespace, query) = find::parse(context, &inner)?;
            show(&namespace, query, Wrapper::None)?;
        }
        "count" => {
            let (namespace, query) = count::parse(context, &inner)?;
            let wrapper = match count::is_fast(&query) {
                true => Wrapper::FastCount,
                false => Wrapper::Count,
            };
            show(&namespace, query, wrapper)?;
        }
        "distinct" => {
            let mut parsed = distinct::parse(context, &inner)?;
            parsed.query.explain = true;
            let read = distinct::plan(context, &parsed)?;
            let explained = Explained {
                namespace: &parsed.namespace,
                read: &read,
                wrapper: Wrapper::None,
            };
            append(context, &explained, verbosity, &mut reply)?;
        }
        "update" => {
            let (namespace, planned) = update::parse_one(context, &inner)?;
            let query = planned.query.clone();
            show(&namespace, query, Wrapper::update(&planned, None))?;
        }
        "delete" => {
            let (namespace, query, multi) = delete::parse_one(context, &inner)?;
            show(&namespace, query, Wrapper::delete(multi, None))?;
        }
        "bulkWrite" => {
            let (namespace, action, compile) = bulk_write::parse_one(context, &inner)?;
            let compile_for =
                |collation| context.statement_context(&compile, &namespace, collation);
            match action {
                bulk_write::Action::Insert(_) => {
                    return Err(CommandError::new(
                        Code::IllegalOperation,
                        "Cannot explain insert cmd for bulkWrite",
                    ));
                }
                bulk_write::Action::Update(statement) => {
                    let planned = statement.compile(&*compile_for(statement.collation)?)?;
                    let query = planned.query.clone();
                    show(&namespace, query, Wrapper::update(&planned, None))?;
                }
                bulk_write::Action::Delete(statement) => {
                    let query = statement.compile(&*compile_for(statement.collation)?)?;
                    show(&namespace, query, Wrapper::delete(!statement.single, None))?;
                }
            }
        }
        "findAndModify" | "findandmodify" => {
            let parsed = find_and_modify::parse(context, &inner)?;
            let giving = Some(&parsed);
            let wrapper = match &parsed.modification {
                find_and_modify::Modification::Remove(_) => Wrapper::delete(false, giving),
                find_and_modify::Modification::Update(planned) => Wrapper::update(planned, giving),
            };
            show(&parsed.namespace, parsed.query().clone(), wrapper)?;
        }
        "aggregate" => {
            let parsed = aggregate::parse(&inner, true)?;
            is_pipeline = aggregate::append_explain(context, &parsed, verbosity, &mut reply)?;
        }
        "mapReduce" | "mapreduce" => {
            map_reduce_explain::append(context, &inner, verbosity, &mut reply)?;
            is_pipeline = true;
        }
        other => {
            return Err(match table::find(other) {
                Some(row) => CommandError::new(
                    Code::IllegalOperation,
                    format!("Cannot explain cmd: {}", row.name),
                ),
                None => CommandError::new(
                    Code::CommandNotFound,
                    format!("Explain failed due to unknown command: {other}"),
                ),
            });
        }
    }
    append_asked(command, request.database, is_pipeline, &mut reply);
    Ok(finish_ok(reply))
}

/// Plans a query and appends its explain.
fn append_planned(
    context: &CommandContext<'_>,
    namespace: &str,
    query: QueryRequest,
    wrapper: Wrapper<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
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
    append(context, &explained, verbosity, reply)
}

/// Appends the command and the server that answers, in the server's order: a pipeline's command comes last.
pub fn append_asked(
    command: Document<'_>,
    database: &str,
    is_pipeline: bool,
    reply: &mut DocumentBuilder,
) {
    if is_pipeline {
        append_server_info(reply);
    }
    append_command(command, database, reply);
    if !is_pipeline {
        append_server_info(reply);
    }
}

fn append_server_info(reply: &mut DocumentBuilder) {
    reply.begin_document("serverInfo");
    reply
        .append("host", "quire")
        .append("port", 27017)
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
