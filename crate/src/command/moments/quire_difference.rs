//! `quireDifference`: the differences between a moment and another, or the present.
//!
//! `{quireDifference: 1, from: <moment>, to: <moment>}` counts by collection, of all databases;
//! `{quireDifference: "herbs", from, to, limit, after}` tells the documents of one. A reply that does not tell all of
//! them ends with `next`, to be given as `after`. Without `to` the present is meant. Invariant: a reply takes in no
//! document more once it has a few megabytes.

use super::quire_moment::append_counts;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog::RecordId;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::state::{CollectionDifference, Difference, DocumentChange, HeldView, kept};

/// How many documents are told at once where the request does not say.
const DEFAULT_LIMIT: u64 = 100;
/// A reply of so many bytes takes in no further document.
const MOST_BYTES: usize = 4 << 20;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let from = params.value("from");
    let to = params.value("to");
    let limit = params.non_negative("limit")?;
    let after = params.non_negative("after")?;
    if from.is_missing() {
        return Err(params.missing("from"));
    }
    params.finish()?;
    let from = moment(context, from)?;
    let to = match to {
        ValueRef::Missing | ValueRef::Null => HeldView::default(),
        called => moment(context, called)?,
    };
    let present = context.view();
    let difference = Difference {
        old: from.over(present),
        new: to.over(present),
    };
    if request.argument().as_text().is_none() {
        if request.argument().as_exact_i64() != Some(1) || limit.is_some() || after.is_some() {
            return Err(CommandError::new(
                Code::InvalidOptions,
                "quireDifference takes a collection's name, or 1 without 'limit' and 'after'",
            ));
        }
        return summary(&difference, context.env);
    }
    let namespace = request.namespace()?;
    let both = difference.of(&namespace);
    if both.old.is_none() && both.new.is_none() {
        return Err(CommandError::new(
            Code::NamespaceNotFound,
            format!("ns does not exist: {namespace}"),
        ));
    }
    let limit = limit
        .filter(|limit| *limit > 0)
        .map_or(DEFAULT_LIMIT, |limit| limit as u64);
    let after = after.map(|after| RecordId(after as u64));
    let mut reply = DocumentBuilder::new();
    reply.append("ns", namespace.as_str());
    reply.begin_array("documents");
    let mut told = 0;
    let next = both.visit(after, context.env, &mut |change| {
        reply.begin_document(&told.to_string());
        append_change(&mut reply, &change);
        reply.end();
        told += 1;
        told < limit && reply.len() < MOST_BYTES
    })?;
    reply.end();
    if let Some(next) = next {
        reply.append("next", next.0 as i64);
    }
    Ok(finish_ok(reply))
}

/// The view of a moment that a request calls.
fn moment(
    context: &mut CommandContext<'_>,
    called: ValueRef<'_>,
) -> Result<HeldView, CommandError> {
    let pages = context.unit.pages_mut();
    kept::find(pages, called)?.view(pages, context.env, context.now_millis)
}

fn state_of(both: &CollectionDifference<'_>) -> &'static str {
    match (both.old, both.new) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    }
}

/// The collections that differ, with how many documents do.
fn summary(difference: &Difference<'_>, env: &dyn Env) -> CommandResult {
    let mut reply = DocumentBuilder::new();
    reply.begin_array("collections");
    let mut told = 0;
    difference.visit(env, &mut |namespace, both, counts| {
        reply.begin_document(&told.to_string());
        reply.append("ns", namespace);
        reply.append("state", state_of(both));
        reply.append("definition", !both.is_defined_alike());
        append_counts(&mut reply, counts);
        reply.end();
        told += 1;
    })?;
    reply.end();
    Ok(finish_ok(reply))
}

/// One document: whether it was inserted, changed or deleted, its `_id`, the document itself, and of a changed one the
/// fields that differ.
fn append_change(reply: &mut DocumentBuilder, change: &DocumentChange) {
    let document = |bytes: &'_ Option<Vec<u8>>| bytes.clone().unwrap_or_default();
    let (old, new) = (document(&change.old), document(&change.new));
    let (old, new) = match (&change.old, &change.new) {
        (Some(_), Some(_)) => (
            Some(Document::from_valid_bytes(&old)),
            Some(Document::from_valid_bytes(&new)),
        ),
        (Some(_), None) => (Some(Document::from_valid_bytes(&old)), None),
        (None, _) => (None, Some(Document::from_valid_bytes(&new))),
    };
    let (what, of) = match (old, new) {
        (Some(old), None) => ("removed", old),
        (None, Some(new)) => ("added", new),
        (Some(_), Some(new)) => ("changed", new),
        (None, None) => return,
    };
    reply.append("change", what);
    reply.append("_id", of.get("_id"));
    if let (Some(old), Some(new)) = (old, new) {
        reply.begin_array("fields");
        let mut told = 0;
        append_fields(reply, &mut told, "", old, new);
        reply.end();
    } else {
        reply.append("document", of);
    }
}

/// Appends each field that two documents do not have alike: documents are looked into, all other values are told as
/// they were and are.
fn append_fields(
    reply: &mut DocumentBuilder,
    told: &mut usize,
    prefix: &str,
    old: Document<'_>,
    new: Document<'_>,
) {
    let added = new.iter().filter(|field| old.get(field.name).is_missing());
    for field in old.iter().chain(added) {
        let (before, after) = (old.get(field.name), new.get(field.name));
        let path = match prefix {
            "" => field.name.to_owned(),
            prefix => format!("{prefix}.{}", field.name),
        };
        match (before, after) {
            (ValueRef::Document(before), ValueRef::Document(after)) => {
                if before.as_bytes() != after.as_bytes() {
                    append_fields(reply, told, &path, before, after);
                }
            }
            _ => append_field(reply, told, &path, before, after),
        }
    }
}

fn append_field(
    reply: &mut DocumentBuilder,
    told: &mut usize,
    path: &str,
    before: ValueRef<'_>,
    after: ValueRef<'_>,
) {
    let bytes = |value: ValueRef<'_>| {
        let mut one = DocumentBuilder::new();
        if !value.is_missing() {
            one.append("", value);
        }
        one.finish().into_bytes()
    };
    if bytes(before) == bytes(after) {
        return;
    }
    reply.begin_document(&told.to_string());
    *told += 1;
    reply.append("field", path);
    for (name, value) in [("before", before), ("after", after)] {
        if !value.is_missing() {
            reply.append(name, value);
        }
    }
    reply.end();
}
