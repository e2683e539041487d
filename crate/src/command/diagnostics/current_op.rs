//! `currentOp` and the documents of `$currentOp`: the operation that runs, and cursors that wait.
//!
//! Manual: reference/command/currentOp, reference/operator/aggregation/currentOp. One thread serves one connection, so
//! the only operation in progress is the one that asks; there are no idle connections and no open transactions.

use crate::bson::{ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef, date};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::table;
use crate::query::Matcher;
use crate::state::session_id;
use crate::state::{CursorKind, OpenCursor};

/// A command longer than this is shown as a text that is cut off, when asked to.
const MOST_BYTES: usize = 1000;
/// Fields of the command that are no filter: its own options. Fields that any command may carry are left out too.
const OPTIONS: &[&str] = &["$all", "$ownOps", "$truncateOps"];

fn is_true(value: ValueRef<'_>) -> bool {
    !value.is_missing() && value.is_truthy()
}

/// The documents of `$currentOp`; its options were checked before.
pub fn documents(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    options: Document<'_>,
) -> Vec<DocumentBuf> {
    let asked = |name: &str| is_true(options.get(name));
    let most_bytes = match asked("truncateOps") {
        true => MOST_BYTES,
        false => usize::MAX,
    };
    let host = context.env.server_name();
    let mut all = vec![running(context, request, &host, most_bytes)];
    if asked("idleCursors") {
        let cursors = context.unit.cursors().iter();
        all.extend(cursors.map(|(id, cursor)| idle_cursor(id, cursor, &host, most_bytes)));
    }
    all
}

fn running(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    host: &str,
    most_bytes: usize,
) -> DocumentBuf {
    let micros = (context.env.monotonic_millis() - context.started_millis).max(0.0) * 1000.0;
    let micros = micros as i64;
    let mut builder = DocumentBuilder::new();
    builder.append("type", "op").append("host", host);
    builder.append("desc", "conn1").append("connectionId", 1);
    builder.append("active", true);
    let mut time = date::to_iso(context.now_millis);
    if time.ends_with('Z') {
        time.pop();
        time.push_str("+00:00");
    }
    builder.append("currentOpTime", time.as_str());
    builder.append("opid", context.deployment.operation);
    if let Some(id) = request.session {
        session_id::append_identity(&mut builder, "lsid", &id);
    }
    builder.append("secs_running", micros / 1_000_000);
    builder.append("microsecs_running", micros);
    builder.append("op", "command");
    let namespace = format!("{}.$cmd.aggregate", request.database);
    builder
        .append("ns", namespace.as_str())
        .append("redacted", false);
    append_command(&mut builder, "command", request.document, most_bytes);
    builder.append("numYields", 0);
    builder.begin_document("locks").end();
    builder.append("waitingForLock", false);
    builder.begin_document("lockStats").end();
    builder.append("waitingForFlowControl", false);
    builder.begin_document("flowControlStats").end();
    builder.finish()
}

fn idle_cursor(id: i64, cursor: &OpenCursor, host: &str, most_bytes: usize) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    builder.append("type", "idleCursor").append("host", host);
    builder.append("ns", cursor.namespace.as_str());
    let origin = cursor.origin.as_document();
    if let Some(session) = cursor.session {
        session_id::append_identity(&mut builder, "lsid", &session);
    }
    builder.begin_document("cursor");
    builder.append("cursorId", id);
    builder.append("createdDate", ValueRef::DateTime(cursor.created_millis));
    builder.append("lastAccessDate", ValueRef::DateTime(cursor.used_millis));
    builder.append("nDocsReturned", cursor.returned as i64);
    builder.append("nBatchesReturned", cursor.batches as i64);
    builder.append("noCursorTimeout", cursor.no_timeout);
    builder.append("tailable", cursor.kind != CursorKind::Plain);
    let awaits = cursor.kind == CursorKind::Tailable { await_data: true };
    builder.append("awaitData", awaits);
    append_command(&mut builder, "originatingCommand", origin, most_bytes);
    builder.end();
    builder.finish()
}

/// The characters of a string in a command that is cut off.
const MOST_CHARACTERS: usize = 150;

/// A document whose long strings are cut off.
// Apart: few commands are long.
#[inline(never)]
fn shortened(document: Document<'_>) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    append_shortened(&mut builder, document);
    builder.finish()
}

fn append_shortened(builder: &mut DocumentBuilder, document: Document<'_>) {
    for field in document.iter() {
        match field.value {
            ValueRef::Document(inner) => {
                builder.begin_document(field.name);
                append_shortened(builder, inner);
                builder.end();
            }
            ValueRef::Array(items) => {
                builder.begin_array(field.name);
                append_shortened(builder, Document::from_valid_bytes(items.as_bytes()));
                builder.end();
            }
            other => match other.as_str().and_then(|text| text.get(..MOST_CHARACTERS)) {
                Some(beginning) => {
                    builder.append(field.name, format!("{beginning}...").as_str());
                }
                None => {
                    builder.append_raw(field.raw);
                }
            },
        }
    }
}

/// A command that has a password with another in its place, as servers show it; `None` for any other command.
fn without_password(command: Document<'_>) -> Option<DocumentBuf> {
    let row = table::find(command.iter().next()?.name)?;
    if !row.has_password || command.get("pwd").is_missing() {
        return None;
    }
    let mut shown = DocumentBuilder::new();
    for field in command.iter() {
        match field.name {
            "pwd" => drop(shown.append("pwd", "xxx")),
            _ => drop(shown.append_raw(field.raw)),
        }
    }
    Some(shown.finish())
}

/// Appends a command, or the beginning of its text when it is longer than that. A password is not shown.
pub(super) fn append_command(
    builder: &mut DocumentBuilder,
    name: &str,
    command: Document<'_>,
    most_bytes: usize,
) {
    let hidden = without_password(command);
    let command = hidden.as_ref().map_or(command, DocumentBuf::as_document);
    if command.as_bytes().len() <= most_bytes {
        builder.append(name, command);
        return;
    }
    let mut text = shortened(command).as_document().to_string();
    if text.len() > most_bytes {
        let mut end = most_bytes - 3;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str("...");
    }
    builder
        .begin_document(name)
        .append("$truncated", text.as_str());
    let comment = command.get("comment");
    if !comment.is_missing() {
        builder.append("comment", comment);
    }
    builder.end();
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let mut filter = DocumentBuilder::new();
    for element in request.document.iter().skip(1) {
        if !OPTIONS.contains(&element.name)
            && !crate::command::request::params::is_generic(element.name.as_bytes())
        {
            filter.append_raw(element.raw);
        }
    }
    let filter = filter.finish();
    let matcher = Matcher::compile(filter.as_document(), &context.compile_context(None)?)?;
    let mut options = DocumentBuilder::new();
    options.append("truncateOps", true);
    let options = options.finish();
    let mut found = ArrayBuilder::new();
    for document in documents(context, request, options.as_document()) {
        if matcher.matches(document.as_document(), context.env)? {
            found.push(&document);
        }
    }
    let mut reply = DocumentBuilder::new();
    reply.append("inprog", &found.finish());
    Ok(finish_ok(reply))
}
