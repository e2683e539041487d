//! `serverStatus`: counters and state of the engine. Manual: reference/command/serverStatus.

use crate::bson::{DocumentBuilder, ValueRef};
use crate::catalog::{Catalog, names};
use crate::command::context::{CommandContext, CommandResult, ServerCounters};
use crate::command::identity::{SERVER_VERSION, short_name};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::request::params::is_generic;
use crate::error::{Code, CommandError};
use crate::state::TransactionTable;
use crate::storage::PAGE_SIZE;

/// Sections that a request may switch on or off (`{serverStatus: 1, metrics: 0}`).
const SECTIONS: &[&str] = &[
    "asserts",
    "catalogStats",
    "connections",
    "globalLock",
    "locks",
    "logicalSessionRecordCache",
    "mem",
    "metrics",
    "network",
    "opLatencies",
    "opcounters",
    "opcountersRepl",
    "quire",
    "storageEngine",
    "transactions",
];

/// Which sections are shown: all but those that are switched off. A section that is not there may be switched off too,
/// as the manual's examples do.
fn shown(request: &Request<'_>) -> Result<[bool; SECTIONS.len()], CommandError> {
    let mut shown = [true; SECTIONS.len()];
    let fields = request.document.iter().skip(1);
    for field in fields.filter(|field| !is_generic(field.name.as_bytes())) {
        match SECTIONS.iter().position(|name| *name == field.name) {
            Some(section) => shown[section] = field.value.is_truthy(),
            None if field.value.is_truthy() => {
                return Err(CommandError::new(
                    Code::NotImplemented,
                    format!(
                        "the section '{}' of serverStatus is not supported",
                        field.name
                    ),
                ));
            }
            None => {}
        }
    }
    Ok(shown)
}

/// How many collections there are of each kind.
fn append_catalog(catalog: &Catalog, reply: &mut DocumentBuilder) {
    let [mut normal, mut internal, mut internal_views] = [0_i32; 3];
    let mut kinds = [("capped", 0_i32), ("timeseries", 0), ("views", 0)];
    for collection in catalog.collections() {
        let (database, name) = names::split(&collection.namespace);
        let is_internal =
            names::is_system(name) || matches!(database, "admin" | "config" | "local");
        match (collection.has_documents(), is_internal) {
            (false, true) => internal_views += 1,
            (false, false) => {}
            (true, true) => internal += 1,
            (true, false) => normal += 1,
        }
        let counted_as = collection.options.kind.rules().counted_as();
        for (name, count) in &mut kinds {
            *count += i32::from(counted_as == Some(name) && !is_internal);
        }
    }
    reply.begin_document("catalogStats");
    reply.append("collections", normal);
    for (name, count) in kinds {
        reply.append(name, count);
    }
    reply.append("internalCollections", internal);
    reply.append("internalViews", internal_views).end();
}

/// How many transactions there were and are. None runs while this is asked for, and none is prepared.
fn append_transactions(
    counters: &ServerCounters,
    table: &TransactionTable,
    reply: &mut DocumentBuilder,
) {
    let (open, totals) = (table.open() as i64, table.totals());
    reply.begin_document("transactions");
    for (name, count) in [
        ("retriedCommandsCount", counters.retried_commands),
        ("retriedStatementsCount", counters.retried_statements),
        ("transactionsCollectionWriteCount", counters.session_writes),
        ("currentActive", 0),
        ("currentInactive", open),
        ("currentOpen", open),
        ("totalAborted", totals.aborted),
        ("totalCommitted", totals.committed),
        ("totalStarted", totals.started),
        ("totalPrepared", 0),
        ("totalPreparedThenCommitted", 0),
        ("totalPreparedThenAborted", 0),
        ("currentPrepared", 0),
    ] {
        reply.append(name, count);
    }
    reply.end();
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let shown = shown(request)?;
    let has = |name: &str| {
        SECTIONS
            .iter()
            .zip(shown)
            .any(|(one, is_shown)| *one == name && is_shown)
    };
    let view = context.view();
    let (counters, deployment) = (&*context.counters, &*context.deployment);
    let uptime = context
        .env
        .now_millis()
        .saturating_sub(deployment.opened_millis)
        .max(0);
    let mut reply = DocumentBuilder::new();
    reply.append("host", short_name(context.env).as_str());
    reply.append("version", SERVER_VERSION);
    reply.append("process", "quire");
    reply.append("pid", 1_i64);
    reply.append("uptime", uptime as f64 / 1000.0);
    reply.append("uptimeMillis", uptime);
    reply.append("uptimeEstimate", uptime / 1000);
    reply.append("localTime", ValueRef::DateTime(context.now_millis));
    if has("asserts") {
        // Nothing but a user's command is ever refused.
        reply.begin_document("asserts");
        reply
            .append("regular", 0)
            .append("warning", 0)
            .append("msg", 0);
        reply.append_integer("user", counters.refusals);
        reply.append("tripwire", 0).append("rollovers", 0).end();
    }
    if has("catalogStats") {
        append_catalog(view.catalog, &mut reply);
    }
    if has("connections") {
        reply.begin_document("connections");
        reply
            .append("current", 1)
            .append("available", 0)
            .append("totalCreated", 1);
        reply.append("rejected", 0);
        reply.append("active", 1);
        reply.append("threaded", 1);
        reply.append("exhaustIsMaster", 0);
        reply.append("exhaustHello", 0);
        reply.append("awaitingTopologyChanges", 0);
        reply.end();
    }
    if has("globalLock") {
        // One command is run at a time: nothing waits for a lock, and none is held.
        reply.begin_document("globalLock");
        reply.append("totalTime", uptime.saturating_mul(1000));
        for name in ["currentQueue", "activeClients"] {
            reply.begin_document(name);
            reply
                .append("total", 0)
                .append("readers", 0)
                .append("writers", 0);
            reply.end();
        }
        reply.end();
    }
    if has("locks") {
        reply.begin_document("locks").end();
    }
    if has("logicalSessionRecordCache") {
        reply.begin_document("logicalSessionRecordCache");
        deployment.sessions.append_jobs(&mut reply);
        let known = deployment.transactions.sessions();
        reply.append("sessionCatalogSize", known as i32).end();
    }
    if has("network") {
        reply.begin_document("network");
        for (name, bytes) in [
            ("bytesIn", counters.bytes_in),
            ("bytesOut", counters.bytes_out),
            ("physicalBytesIn", counters.bytes_in),
            ("physicalBytesOut", counters.bytes_out),
        ] {
            reply.append(name, bytes);
        }
        reply.append("numRequests", counters.requests).end();
    }
    if has("opLatencies") {
        let options = request.document.get("opLatencies").as_document();
        let histograms = options.is_some_and(|options| options.get("histograms").is_truthy());
        view.catalog.latencies.append_all(histograms, &mut reply);
    }
    if has("opcounters") {
        reply.begin_document("opcounters");
        reply.append("insert", counters.insert);
        reply.append("query", counters.query);
        reply.append("update", counters.update);
        reply.append("delete", counters.delete);
        reply.append("getmore", counters.getmore);
        reply.append("command", counters.command);
        reply.end();
    }
    if has("opcountersRepl") {
        // No other member sends anything.
        reply.begin_document("opcountersRepl");
        for name in ["insert", "query", "update", "delete", "getmore", "command"] {
            reply.append(name, 0_i64);
        }
        reply.end();
    }
    if has("storageEngine") {
        reply.begin_document("storageEngine");
        reply.append("name", "quire");
        reply.append("supportsCommittedReads", false);
        reply.end();
    }
    if has("transactions") {
        append_transactions(counters, &deployment.transactions, &mut reply);
    }
    if has("mem") {
        let mebibytes =
            |pages: u64| pages.saturating_mul(PAGE_SIZE as u64).div_ceil(1 << 20) as i32;
        reply.begin_document("mem");
        reply.append("bits", usize::BITS as i32);
        // The memory that pages take, and that all of them would; a part of a mebibyte is one.
        reply.append("resident", mebibytes(view.pages.resident_count()));
        reply.append("virtual", mebibytes(view.pages.page_count()));
        reply.append("supported", true).end();
    }
    if has("metrics") {
        reply.begin_document("metrics");
        deployment.command_counts.append(&mut reply);
        reply.begin_document("cursor");
        reply.append("totalOpened", context.unit.cursors().opened() as i64);
        reply.append("timedOut", context.unit.cursors().timed_out() as i64);
        reply.begin_document("open");
        let untimed = context
            .unit
            .cursors()
            .iter()
            .filter(|(_, cursor)| cursor.no_timeout);
        reply.append("noTimeout", untimed.count() as i64);
        reply.append("pinned", 0_i64);
        reply.append("total", context.unit.cursors().len() as i64);
        reply.end().end();
        reply.begin_document("document");
        reply.append("deleted", counters.documents_deleted);
        reply.append("inserted", counters.documents_inserted);
        reply.append("returned", counters.documents_returned);
        reply.append("updated", counters.documents_updated);
        reply.end();
        reply.begin_document("queryExecutor");
        reply.append("scanned", counters.keys_examined);
        reply.append("scannedObjects", counters.documents_examined);
        reply.end();
        let ttl = view.catalog.ttl_statistics();
        reply.begin_document("ttl");
        reply.append("deletedDocuments", ttl.deleted_documents);
        reply.append("passes", ttl.passes);
        reply.end();
        reply.end();
    }
    if has("quire") {
        reply.begin_document("quire");
        reply.append("version", env!("CARGO_PKG_VERSION"));
        reply.append("clockOffsetMillis", deployment.clock_offset_millis);
        reply.append("pageCount", view.pages.page_count() as i64);
        reply.append("commitSequence", view.pages.sequence() as i64);
        reply.end();
    }
    Ok(finish_ok(reply))
}
