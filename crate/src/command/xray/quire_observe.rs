//! `quireObserve`: runs a command and tells the documents, keys and pages of that run, with its plan.
//!
//! `{quireObserve: 1, command: {find: "herbs", filter: {…}}, $db: "garden"}`: `reply` is that of the command,
//! `observed` has the figures of its run. Invariant: the command runs once; a cursor stays open as it would otherwise,
//! and the figures are those of its first batch. A failing command's error is the error of this one.

use super::inner;
use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::watched::{Observed, Ran, Watch};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::state::DocumentTotals;
use crate::storage::{PageCounters, PageNumber};
use std::rc::Rc;

/// The most pages that a reply lists, of those read and of those written.
const MOST_PAGES: usize = 4096;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    params.required_document("command")?;
    params.finish()?;
    let incoming = inner::read(request)?;
    // On a fork other commands ran before, whose pages are not this one's.
    let _ = context.view().pages.take_accounting();
    let before = context.unit.changes().documents();
    let start = context.env.monotonic_millis();
    let profiled = context.watch.clone();
    let watch = profiled
        .clone()
        .unwrap_or_else(|| Rc::new(Watch::default()));
    watch.explain();
    context.watch = Some(Rc::clone(&watch));
    let result = (incoming.row.run)(context, &incoming.request);
    context.watch = profiled;
    let inner_reply = result?;
    let millis = (context.env.monotonic_millis() - start).max(0.0);
    let documents = context.unit.changes().documents().since(before);
    let pager = context.view().pages;
    let (counters, (read, written)) = (pager.accounting().counters(), pager.pages_of_command());
    let mut reply = DocumentBuilder::new();
    reply.append("reply", &inner_reply);
    reply.begin_document("observed");
    reply.append("millis", millis);
    append_counters(&counters, documents, &mut reply);
    append_pages(["read", "readMore"], &read, &mut reply);
    append_pages(["written", "writtenMore"], &written, &mut reply);
    let ran = Ran {
        millis,
        updated: documents.updated as i64,
    };
    let mut plans = DocumentBuilder::new();
    let observed = Observed {
        facts: watch.facts(),
        ran: &ran,
    };
    observed.tell(context, (incoming.row, &incoming.request), &mut plans)?;
    let plans = plans.finish();
    let mut plans = plans.as_document().iter();
    if let Some(first) = plans.next() {
        reply.append("explain", first.value);
        reply.begin_array("more");
        for (position, plan) in plans.enumerate() {
            reply.append(&position.to_string(), plan.value);
        }
        reply.end();
    }
    reply.end();
    Ok(finish_ok(reply))
}

fn append_counters(
    counters: &PageCounters,
    documents: DocumentTotals,
    reply: &mut DocumentBuilder,
) {
    for (name, count) in [
        ("keysExamined", counters.keys_examined),
        ("documentsExamined", counters.documents_examined),
        ("pagesRead", counters.pages_read),
        ("pagesWritten", counters.pages_written),
        ("documentsInserted", documents.inserted),
        ("documentsUpdated", documents.updated),
        ("documentsDeleted", documents.deleted),
    ] {
        reply.append_integer(name, count as i64);
    }
}

/// Appends the numbers of pages, and how many more there are.
fn append_pages(names: [&str; 2], pages: &[PageNumber], reply: &mut DocumentBuilder) {
    reply.begin_array(names[0]);
    for (position, page) in pages.iter().take(MOST_PAGES).enumerate() {
        match i32::try_from(*page) {
            Ok(small) => reply.push_item(position, small),
            Err(_) => reply.push_item(position, ValueRef::Int64(*page as i64)),
        };
    }
    reply.end();
    if let Some(more) = pages.len().checked_sub(MOST_PAGES).filter(|more| *more > 0) {
        reply.append_integer(names[1], more as i64);
    }
}
