//! The documents of the stages that describe a collection or the server, for the pipelines that begin with them.
//!
//! Manual: reference/operator/aggregation/collStats, indexStats, listSessions, listLocalSessions. Invariant: each
//! stage's options were checked when it was compiled; here only the namespace is left to refuse.

use crate::aggregate::DescribePlan;
use crate::aggregate::stages::list_sessions::asks_for_unnamed_user;
use crate::aggregate::stages::query_settings::SHOW_SHAPE;
use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::{Catalog, names};
use crate::command::collections::kinds::series::measurement_index;
use crate::command::collections::list_collections::describe;
use crate::command::context::CommandContext;
use crate::command::diagnostics::current_op;
use crate::command::diagnostics::sizes;
use crate::command::plan_cache;
use crate::command::query_settings::store;
use crate::command::request::Request;
use crate::env::Env;
use crate::error::{Code, CommandError};

type Result<T> = std::result::Result<T, CommandError>;

/// Where the server keeps sessions.
const SESSIONS: &str = "config.system.sessions";

/// Whether stages describe the namespace they are run on, also when that is a view, or a time series.
pub fn is_of_a_view(stages: Array<'_>, is_series: bool) -> bool {
    let first = stages.iter().next().and_then(ValueRef::as_document);
    first
        .and_then(|stage| stage.iter().next())
        .is_some_and(|stage| match stage.name {
            "$changeStream" | "$collStats" => true,
            name => is_series && name == "$indexStats",
        })
}

/// Refuses a stage on a namespace that it does not describe; `{aggregate: 1}` has no collection.
///
/// # Errors
/// 73 `InvalidNamespace`.
pub fn check_namespace(stage: &str, namespace: &str, has_collection: bool) -> Result<()> {
    let refuse = |message: String| Err(CommandError::new(Code::InvalidNamespace, message));
    match stage {
        "$currentOp" if has_collection || names::split(namespace).0 != "admin" => refuse(
            "$currentOp must be run against the 'admin' database with {aggregate: 1}".to_owned(),
        ),
        "$listLocalSessions" | "$querySettings" if has_collection => refuse(format!(
            "{stage} must be run against the database with {{aggregate: 1}}, not a collection"
        )),
        "$listClusterCatalog" if has_collection => Err(CommandError::location(
            9_621_301,
            "The $listClusterCatalog stage must run on a database, not a collection.",
        )),
        "$listSessions" if namespace != SESSIONS => refuse(format!(
            "{stage} must be run against the 'system.sessions' collection in the 'config' database."
        )),
        "$collStats" | "$indexStats" | "$planCacheStats" if !has_collection => refuse(format!(
            "{{aggregate: 1}} is not valid for '{stage}'; a collection is required."
        )),
        _ => Ok(()),
    }
}

/// Gives the first stage of a command's pipeline its documents.
///
/// # Errors
/// Those of `provide_of_collection`.
pub fn provide(
    stage: &mut DescribePlan,
    context: &CommandContext<'_>,
    request: &Request<'_>,
    namespace: &str,
) -> Result<()> {
    let specification = stage.specification();
    let sessions = &context.deployment.sessions;
    let documents = match stage.name() {
        "$currentOp" => current_op::documents(context, request, specification),
        "$listLocalSessions" if asks_for_unnamed_user(specification) => sessions.local(),
        "$listSessions" if asks_for_unnamed_user(specification) => sessions.refreshed(),
        "$listLocalSessions" | "$listSessions" => Vec::new(),
        "$querySettings" => store::all(context, specification.get(SHOW_SHAPE).is_truthy())?,
        "$listClusterCatalog" => {
            let catalog = context.view().catalog;
            cluster_catalog(catalog, request.database, specification)
        }
        _ => {
            let catalog = context.view().catalog;
            let asked = (context.env, context.now_millis);
            return provide_of_collection(stage, catalog, namespace, asked);
        }
    };
    stage.provide(documents);
    Ok(())
}

/// The collections of a database; those of all databases where it is `admin`.
fn cluster_catalog(
    catalog: &Catalog,
    database: &str,
    specification: Document<'_>,
) -> Vec<DocumentBuf> {
    let mut documents = Vec::new();
    for collection in catalog.collections() {
        let (held, _) = names::split(&collection.namespace);
        if database != "admin" && held != database {
            continue;
        }
        let mut builder = DocumentBuilder::new();
        builder.append("ns", &*collection.namespace);
        builder.append("db", held);
        for field in describe(collection, false).as_document().iter().skip(1) {
            builder.append_raw(field.raw);
        }
        builder.append("sharded", false);
        let asked = |name| specification.get(name).as_bool() == Some(true);
        if asked("tracked") {
            builder.append("tracked", false);
        }
        if asked("shards") {
            builder.begin_array("shards").end();
        }
        documents.push(builder.finish());
    }
    documents
}

/// Gives a stage that describes a collection its documents; leaves the others without.
///
/// # Errors
/// A collection that does not exist, where its sizes, counts or plans are asked for: 26, 2 or 50933; 166 for a view.
pub fn provide_of_collection(
    stage: &mut DescribePlan,
    catalog: &Catalog,
    namespace: &str,
    (env, now_millis): (&dyn Env, i64),
) -> Result<()> {
    let host = env.server_name();
    let documents = match stage.name() {
        "$collStats" => vec![collection_statistics(
            catalog,
            namespace,
            stage.specification(),
            (&host, now_millis),
        )?],
        "$indexStats" => index_statistics(catalog, namespace, &host),
        "$planCacheStats" => match catalog.collection(namespace) {
            Some(collection) => plan_cache::stats::all(collection, &host),
            None => {
                return Err(CommandError::location(
                    50933,
                    format!("collection '{namespace}' does not exist"),
                ));
            }
        },
        _ => return Ok(()),
    };
    stage.provide(documents);
    Ok(())
}

fn index_statistics(catalog: &Catalog, namespace: &str, host: &str) -> Vec<DocumentBuf> {
    let series = { catalog.named(namespace) }.and_then(|named| named.options.kind.measured());
    let Some(collection) = catalog.collection(&catalog.stored_name(namespace)) else {
        return Vec::new();
    };
    let describe = |index: &crate::catalog::Index| {
        let (definition, mut builder) = (&index.definition, DocumentBuilder::new());
        let spec = match series {
            Some(series) => measurement_index(series, definition.to_bson().as_document())?,
            None => definition.to_bson(),
        };
        builder.append("name", index.name());
        builder.append("key", spec.get("key"));
        builder.append("host", host);
        builder.begin_document("accesses");
        builder.append("ops", definition.uses.count());
        let since = definition.uses.since_millis().unwrap_or_default();
        builder.append("since", ValueRef::DateTime(since)).end();
        builder.append("spec", &spec);
        Some(builder.finish())
    };
    collection.indexes.iter().filter_map(describe).collect()
}

fn collection_statistics(
    catalog: &Catalog,
    namespace: &str,
    specification: Document<'_>,
    (host, now_millis): (&str, i64),
) -> Result<DocumentBuf> {
    let mut builder = DocumentBuilder::new();
    builder.append("ns", namespace).append("host", host);
    builder.append("localTime", ValueRef::DateTime(now_millis));
    let asked = |name: &str| specification.get(name).as_document();
    let stored = catalog.stored_name(namespace);
    let collection = |part: &str, code: Code| {
        catalog.refuse_view(&stored)?;
        catalog.collection(&stored).ok_or_else(|| {
            CommandError::new(code, format!("Collection [{namespace}] not found."))
                .within(&format!("Unable to retrieve {part} in $collStats stage"))
        })
    };
    if let Some(options) = asked("latencyStats") {
        let histograms = matches!(options.get("histograms"), ValueRef::Boolean(true));
        catalog
            .latencies
            .append(namespace, histograms, &mut builder);
    }
    if let Some(options) = asked("storageStats") {
        let collection = collection("storageStats", Code::NamespaceNotFound)?;
        let scale = options.get("scale").as_number();
        let scale = scale.map_or(1, |scale| scale.to_f64() as i64);
        builder.begin_document("storageStats");
        sizes::append_storage(&mut builder, collection, scale, stored != namespace);
        builder.end();
    }
    if asked("count").is_some() {
        let collection = collection("count", Code::BadValue)?;
        builder.append_integer("count", collection.count() as i64);
    }
    if asked("queryExecStats").is_some() {
        let scans = &collection("queryExecStats", Code::NamespaceNotFound)?.scans;
        builder.begin_document("queryExecStats");
        builder.begin_document("collectionScans");
        builder.append("total", scans.total.count());
        builder.append("nonTailable", scans.non_tailable.count());
        builder.end().end();
    }
    Ok(builder.finish())
}
