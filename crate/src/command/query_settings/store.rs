//! Where query settings lie, and how a command gets those of its shape.
//!
//! Manual: reference/command/setQuerySettings. One document a shape in a collection of the `config` database, so that
//! settings last as long as the data: `{_id: hash, settings, representativeQuery}`. Invariant: a deployment without
//! settings makes no hash of its queries.

use super::representative;
use crate::bson::{DocumentBuf, DocumentBuilder, ValueRef};
use crate::command::context::CommandContext;
use crate::command::maintenance::cluster_parameters::{all_stored, stored};
use crate::command::read::shape_hash::{shape_hash, shape_of};
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use std::rc::Rc;

pub(super) const NAMESPACE: &str = "config.queryShapeSettings";
pub(super) const SETTINGS: &str = "settings";
pub(super) const QUERY: &str = "representativeQuery";

/// Takes the settings of the request's shape into the context, if it has some. A query inside another command, such as
/// `explain`, is shown and not run: it is not refused.
///
/// # Errors
/// 411 `QueryRejectedBySettings`; storage errors.
#[inline(never)]
pub fn enter(context: &mut CommandContext<'_>, request: &Request<'_>) -> Result<(), CommandError> {
    match context.view().catalog.collection(NAMESPACE) {
        None => Ok(()),
        Some(_) => enter_known(context, request),
    }
}

#[inline(never)]
fn enter_known(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> Result<(), CommandError> {
    let (command, is_shown) = match request.argument() {
        ValueRef::Document(inner) => (inner, true),
        _ => {
            let command = request.document;
            (command, command.get("explain").is_truthy())
        }
    };
    if representative::refusal(command, request.database).is_some() {
        return Ok(());
    }
    let Some(hash) = shape_hash(command, request.database) else {
        return Ok(());
    };
    let (_, Some(known)) = stored(context, NAMESPACE, &hash)? else {
        return Ok(());
    };
    let settings = known.get(SETTINGS).as_document().unwrap_or_default();
    if settings.get("reject").is_truthy() && !is_shown {
        return Err(CommandError::new(
            Code::QueryRejectedBySettings,
            "Query rejected by admin query settings",
        ));
    }
    context.query_settings = Some(Rc::new(settings.to_buf()));
    Ok(())
}

/// The documents of `$querySettings`, in the order in which their shapes came.
///
/// # Errors
/// Storage errors and errors of the checkpoint.
pub fn all(
    context: &CommandContext<'_>,
    shows_shape: bool,
) -> Result<Vec<DocumentBuf>, CommandError> {
    let show = |known: &DocumentBuf| {
        let mut shown = described(known);
        if let Some(query) = known.get(QUERY).as_document().filter(|_| shows_shape) {
            let database = query.get("$db").as_str().unwrap_or_default();
            if let Some(shape) = shape_of(query, database) {
                shown.append("debugQueryShape", &shape);
            }
        }
        shown.finish()
    };
    let known = all_stored(context, NAMESPACE)?;
    Ok(known.iter().map(show).collect())
}

/// The document of one shape as commands and `$querySettings` show it.
pub(super) fn described(known: &DocumentBuf) -> DocumentBuilder {
    let mut shown = DocumentBuilder::new();
    shown.append("queryShapeHash", known.get("_id"));
    for name in [SETTINGS, QUERY] {
        shown.append(name, known.get(name));
    }
    shown
}
